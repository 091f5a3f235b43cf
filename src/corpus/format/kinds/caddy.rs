//! Caddy's access log: JSON Lines with the target of the request in `request.uri`. See [`json`](super::json).

use std::sync::Arc;

use super::json::Json;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::Line;
use crate::corpus::format::lines::line_fields::LineFields;
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::options::FieldSelector;
use crate::grammar::Grammar;
use crate::work::memmem;

pub(crate) const ENTRY: Entry = Entry {
    about: "access log of Caddy; key request.uri or another",
    sentinels: "null",
    fields: FieldChoice::Other("keys", |options| {
        let target = FieldSelector::Key(".request.uri".to_owned());
        let is_target = options.field == FieldSelector::Uri;
        let field = if is_target { &target } else { &options.field };
        Some(Arc::new(Caddy { is_target, json: Json::new(field, &[], false)? }))
    }),
    #[cfg(test)]
    example: ["", "{\"logger\":\"http.log.access\",\"request\":{\"uri\":\"", "\"}}\n"],
};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Caddy {
    is_target: bool,
    json: Json,
}

impl LineFormat for Caddy {
    const NEEDS_RECORD: bool = true;

    fn find(&mut self, line: &[u8]) -> Line {
        self.json.find(line)
    }

    fn grammar(&self) -> Grammar {
        if self.is_target { Grammar::RequestTarget } else { Grammar::Uri }
    }

    fn wanted(&self) -> Option<String> {
        self.json.wanted()
    }

    fn has_fields(&self) -> bool {
        true
    }

    fn field_names(&self, header: Option<&[u8]>, lines: &[&[u8]]) -> Vec<String> {
        LineFormat::field_names(&self.json, header, lines)
    }

    fn line_fields(&self, header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
        LineFormat::line_fields(&self.json, header, chosen)
    }

    /// An object with `url` or `uri` is read for that key, as JSON Lines.
    fn fits(&mut self, line: &[u8]) -> bool {
        let is_caddy = memmem::find(line, b"\"logger\":\"http").is_some();
        (is_caddy || matches!(self.find(line), Line::Record(_))) && !Json::has_url(line)
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::Format;
    use crate::corpus::format::tests::{case, key, reasons, texts};

    #[test]
    fn caddy() {
        let log = include_str!("../../../../corpora/logs/caddy.log");
        let found = case(Format::Caddy).detected(log).run(log);
        assert_eq!(
            (texts(&found), reasons(&found), found.without_key),
            (vec!["/a?b=c", "/<script>"], vec![], 1)
        );
        assert_eq!(found.errors, [(2, log.lines().nth(1).unwrap().find(r"\u003c").unwrap() as u64 + 1)]);
        let referers = key(Format::Caddy, "/request/headers/Referer/0").run(log);
        assert_eq!((texts(&referers), referers.without_key), (vec!["http://www.example.com/"], 2));
    }
}
