//! Statistics as one JSON object. `docs/statistics.md` explains each key, `docs/statistics.schema.json` lists
//! its values.

use urivalidate::stats::{Figure, Summary};

use super::contents::Report;
use super::files::Files;
use super::run_facts::RunFacts;
use crate::json::{self, Object};
use crate::output::Failure;

impl Report<'_> {
    /// Writes one JSON object. If there are several files, it contains the objects of the files.
    ///
    /// # Errors
    ///
    /// Returns the error of `write`, or an error if the stored results of the files cannot be read.
    pub(crate) fn write_json(
        &self,
        files: &mut Files,
        facts: &RunFacts,
        mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut out = Vec::new();
        let mut object = Object::new(&mut out);
        object.number("version", Summary::VERSION);
        object.string("date", &facts.date);
        let texts = |texts: &[&[u8]]| {
            Figure::List(texts.iter().map(|&text| Figure::Text(text.to_vec().into())).collect())
        };
        let command: Vec<_> = facts.command.iter().map(Vec::as_slice).collect();
        json::figure(object.key("command"), &texts(&command));
        json::figure(object.key("inputs"), &texts(self.names));
        if facts.is_interrupted {
            json::figure(object.key("interrupted"), &Figure::Bool(true));
        }
        self.members(&mut object);
        if let Some(before) = &facts.before {
            let compared = before.compared(self.stats, self.top_hosts);
            json::figure(object.key("compared"), &Figure::Map(compared.members()));
        }
        if !self.unreadable.is_empty() {
            let names = self.unreadable.iter().map(|&(input, _)| Figure::Text(self.names[input].into()));
            json::figure(object.key("unreadable"), &Figure::List(names.collect()));
        }
        if let Some(skipped) = self.skipped {
            object.number("skipped", skipped);
        }
        if files.of_each().is_empty() {
            object.end();
        } else {
            object.key("files").push(b'[');
            write(&out)?;
            files.copy_json(&mut write)?;
            out.clear();
            out.extend_from_slice(b"]}");
        }
        out.push(b'\n');
        write(&out)
    }

    /// Writes the members that the object of a run and the object of a file share.
    pub(super) fn members(&self, object: &mut Object<'_>) {
        for (name, value) in &self.as_summary().members() {
            json::figure(object.key(name), value);
        }
    }
}
