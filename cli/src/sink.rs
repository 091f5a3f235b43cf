//! The sink of chunks, which writes and counts their results in input order.

use std::io::{self, IoSlice};
use std::ops::ControlFlow;
use std::sync::Arc;

use urivalidate::Grammar;
use urivalidate::corpus::{Advice, Evidence, Fit, Format};
use urivalidate::stats::ReadAs;

use crate::chunk_job::{ChunkJob, ChunkOutput};
use crate::counted::Counted;
use crate::encode::{Assemble, Tally, Write};
use crate::hint::{Hint, spelled};
use crate::outcome::Outcome;
use crate::output::{Failure, Output, complain, note, sum_up};
use crate::plan::{End, Plan};
use crate::progress::Progress;
use crate::refusal::Refusal;
use crate::tolerance::Tolerance;

/// Takes the results of chunks in input order.
pub(crate) struct Sink<'a> {
    plan: &'a Plan,
    job: &'a ChunkJob<'a>,
    pub(crate) outcome: Outcome,
    pub(crate) progress: Progress,
    /// The writers, one for each output of the plan.
    writers: Vec<Writer>,
    /// Whether the outputs have been emptied, so that they hold only what this run wrote.
    have_begun: bool,
    /// The file under scan.
    name: &'a [u8],
    /// The way this file is read, if it is known yet.
    pub(crate) read_as: Option<ReadAs>,
    /// The grammar of the file under scan, or else of the last one.
    grammar: Grammar,
    /// The format and the key in the last note about a guess, if the run has such notes.
    announced: Option<(Format, Option<String>)>,
    /// The formats and keys of files that a walk found, so that a note names the first file of each.
    walked: Vec<(Format, Option<String>)>,
    /// Whether a walk found the file under scan.
    is_walked: bool,
    /// The number of files that were read, at least in part.
    files: u64,
    /// The numbers of lines of this file that do and do not fit its format.
    fit: Fit,
    /// The facts for a hint about this file. `hinted` is the last hint about any file.
    hint: Hint,
    hinted: Option<String>,
    /// The sentence about how this file is read. `remarked` is the last one about a file that a walk found.
    remark: Option<&'static str>,
    remarked: Option<&'static str>,
    /// The numbers of bytes of this file so far, and of files that a walk found and that have no URIs.
    file_bytes: u64,
    empty_walked: u64,
    /// The sentence about the fields that this file lacks, if they end the work on it.
    pub(crate) about_fields: Option<String>,
    /// Whether a file has begun. The fields of the first one decide.
    has_first: bool,
    /// Whether a line of any file has the key.
    pub(crate) knows_key: bool,
    /// The statistics so far, if requested.
    pub(crate) counted: Option<Arc<Counted>>,
    /// The reason why the rest of this file is skipped.
    pub(crate) refusal: Option<Refusal>,
    pub(crate) failure: Option<Failure>,
}

/// An output and its encoder.
struct Writer {
    output: Output,
    assembler: Box<dyn Assemble>,
    /// The records that the output has and leaves out, so far.
    tally: Tally,
}

impl Writer {
    /// Runs an action of the assembler that writes to the output.
    fn write(
        &mut self,
        progress: &Progress,
        is_alone: bool,
        assemble: impl FnOnce(&mut dyn Assemble, Write<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Writer { output, assembler, .. } = self;
        let mut write = |slices: &mut [IoSlice<'_>]| {
            let is_shown = output.is_terminal() && slices.iter().any(|bytes| !bytes.is_empty());
            let written = if is_shown {
                progress.suspend(|| output.write_slices(slices))
            } else {
                output.write_slices(slices)
            };
            match written {
                // The reader of this output went away, but the run continues for the other outputs.
                Err(Failure::Closed) if !is_alone => {
                    output.close();
                    Ok(())
                }
                written => written,
            }
        };
        assemble(assembler.as_mut(), &mut write)
    }
}

impl<'a> Sink<'a> {
    pub(crate) fn new(
        plan: &'a Plan,
        job: &'a ChunkJob<'a>,
        outputs: Vec<Output>,
        progress: Progress,
        counted: Option<Arc<Counted>>,
    ) -> Self {
        let assemblers = plan.outputs.iter().map(|planned| planned.encoder.assemble());
        let writers = outputs.into_iter().zip(assemblers);
        let writers =
            writers.map(|(output, assembler)| Writer { output, assembler, tally: Tally::default() });
        Sink {
            plan,
            job,
            outcome: Outcome::default(),
            progress,
            writers: writers.collect(),
            have_begun: false,
            name: &[],
            read_as: None,
            grammar: plan.reading.validator().grammar(),
            announced: plan.names_formats().then_some((Format::Lines, None)),
            walked: vec![(Format::Lines, None)],
            is_walked: false,
            files: 0,
            fit: Fit::default(),
            hint: Hint::default(),
            hinted: None,
            remark: None,
            remarked: None,
            file_bytes: 0,
            empty_walked: 0,
            about_fields: None,
            has_first: false,
            knows_key: false,
            counted,
            refusal: None,
            failure: None,
        }
    }

    /// Begins a file. `is_walked` is true if a walk found it.
    pub(crate) fn begin(&mut self, name: &'a [u8], is_walked: bool) {
        (self.name, self.is_walked) = (name, is_walked);
        self.job.begin_file();
        self.read_as = None;
        self.fit = Fit::default();
        self.hint = Hint::default();
        self.remark = None;
        self.refusal = None;
        self.file_bytes = 0;
    }

    /// Returns the number of lines of the file under scan that lack the key.
    pub(crate) fn keyless(&self) -> u64 {
        self.hint.keyless
    }

    /// Ends a file. Reports the lines that left no trace because they do not fit the file's format. Names its
    /// likely format if the file was read in another format. Says so if the file was read to its end and has
    /// no URIs.
    pub(crate) fn end(&mut self, is_walked: bool, is_read: bool) {
        self.files += u64::from(is_read || self.file_bytes > 0);
        self.end_remark(is_walked);
        if is_read && !self.has_enough() && self.plan.has_notes && self.job.before().marks.is_in_part() {
            let text =
                "the lines from urivalidate-ignore-start to the end are ignored: no urivalidate-ignore-end";
            self.progress.suspend(|| note(self.name, text));
        }
        if self.end_fit(is_walked) {
            return;
        }
        if is_read && self.failure.is_none() && self.hint.records == 0 && self.file_bytes > 0 {
            return self.end_without_uris(is_walked);
        }
        let sentence =
            self.hint.sentence(self.plan.reading.validator().grammar()).filter(|_| self.plan.hints());
        if sentence.is_some() && sentence != self.hinted {
            self.progress.suspend(|| note(self.name, sentence.as_deref().unwrap_or_default()));
            self.hinted = sentence;
        }
    }

    /// Says how the file was read, if its user should know it. Among the files of a walk, once is enough.
    fn end_remark(&mut self, is_walked: bool) {
        let known = if is_walked { self.remarked } else { None };
        let Some(remark) = self.remark.filter(|&remark| self.plan.has_notes && known != Some(remark)) else {
            return;
        };
        if is_walked {
            self.remarked = Some(remark);
        }
        let has_none = if !self.hint.has_key { "; no URL is there" } else { "" };
        self.progress.suspend(|| note(self.name, &format!("{remark}{has_none}")));
    }

    /// Says that a file has no URIs, so that a file in another format than its reader assumes does not end in
    /// silence. Files that a walk found are only counted; a remark has said it already.
    fn end_without_uris(&mut self, is_walked: bool) {
        self.empty_walked += u64::from(is_walked);
        if let Some(read_as) =
            self.read_as.filter(|_| self.plan.has_notes && !is_walked && self.remark.is_none())
        {
            let text =
                format!("no URIs were found, read as {}; --from chooses another format", read_as.format);
            self.progress.suspend(|| note(self.name, &text));
        }
    }

    /// Reports the lines that left no trace. If no line fits, the run fails, unless a walk found the file.
    /// Returns true if the message has advice.
    fn end_fit(&mut self, is_walked: bool) -> bool {
        let Some(misfits) = self.fit.misfits().filter(|_| self.failure.is_none()) else { return false };
        let is_noted = self.plan.seems_whole() && self.plan.has_notes;
        if !misfits.are_all && !is_noted {
            return false;
        }
        self.outcome.has_failed |= misfits.are_all && !is_walked;
        let advice = misfits.advice.map(|Advice { looks, remedy, .. }| {
            format!(": this looks like {looks}; try {}", spelled(&remedy))
        });
        let text = misfits.sentence + advice.as_deref().unwrap_or_default();
        self.progress.suspend(|| note(self.name, &text));
        advice.is_some()
    }

    /// Prepares the outputs, as soon as there is something to read.
    pub(crate) fn begin_outputs(&mut self) -> ControlFlow<()> {
        if !std::mem::replace(&mut self.have_begun, true) {
            self.failure = self.begin_those(|_| true).err();
        }
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Empties the outputs for which `which` is true, and writes the bytes before the rows.
    fn begin_those(&mut self, which: impl Fn(&Output) -> bool) -> Result<(), Failure> {
        let is_alone = self.writers.len() == 1;
        self.writers.iter_mut().filter(|writer| which(&writer.output)).try_for_each(|writer| {
            writer.output.empty()?;
            writer.write(&self.progress, is_alone, |assembler, write| assembler.begin(write))
        })
    }

    /// Writes the bytes after the rows.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.progress.finish();
        let have_begun = self.have_begun;
        if !have_begun {
            // No input could be read: the old content stays.
            self.begin_those(Output::is_new)?;
        }
        let is_alone = self.writers.len() == 1;
        let begun = self.writers.iter_mut().filter(|writer| have_begun || writer.output.is_new());
        begun.into_iter().try_for_each(|writer| {
            writer.write(&self.progress, is_alone, |assembler, write| assembler.finish(write))
        })?;
        self.note_left_out();
        if self.outcome.has_failed {
            self.say_unchanged();
            return Ok(());
        }
        self.writers.iter_mut().try_for_each(|writer| writer.output.put_in_place())
    }

    /// Says that a file which would be put in its place now stays as it was, and what would keep the rows.
    fn say_unchanged(&self) {
        for (writer, planned) in self.writers.iter().zip(&self.plan.outputs) {
            let Some(place) = writer.output.place() else { continue };
            let is = if place.exists() { "stays as it was" } else { "is not written" };
            let keeps = match planned.keeping {
                Some(option) => format!("{option} FILE, or a shell's >, keeps"),
                None => "a shell's > keeps".to_owned(),
            };
            let text = format!("{is}, because the run failed; {keeps} the rows that could be read");
            note(writer.output.name(), &text);
        }
    }

    /// Writes a note on each output that leaves records out although its option does not say so.
    fn note_left_out(&self) {
        if !self.plan.has_notes {
            return;
        }
        if self.empty_walked > 0 {
            let files = if self.empty_walked == 1 {
                "1 file has"
            } else {
                &format!("{} files have", self.empty_walked)
            };
            note(b"--recursive", &format!("{files} no URIs"));
        }
        for (about, text) in self.outcome.counts.sentences() {
            note(about.as_bytes(), &text);
        }
        if let Some(filter) = self.plan.host_filter.as_ref().filter(|_| self.outcome.dropped > 0) {
            let records = match self.outcome.dropped {
                1 => "1 record".to_owned(),
                count => format!("{count} records"),
            };
            note(filter.about().as_bytes(), &format!("{records} dropped"));
        }
        let mut of_kinds = None;
        for (writer, planned) in self.writers.iter().zip(&self.plan.outputs) {
            let column = planned.encoder.column();
            if let Some(text) = writer.tally.about_records(column, self.grammar) {
                note(planned.about.as_bytes(), &text);
            }
            // Several outputs may select the same kinds.
            let text = writer.tally.about_kinds();
            if let Some(text) = text.filter(|text| of_kinds.as_ref() != Some(text)) {
                note(b"--kind", &text);
                of_kinds = Some(text);
            }
        }
    }

    /// Counts the findings in a last line, if errors were written.
    pub(crate) fn sum_up(&self) {
        if !self.plan.sums_up || self.outcome.has_failed && self.files == 0 {
            return;
        }
        let plural = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let Outcome { invalid, records, .. } = self.outcome;
        let (findings, records, files) =
            (plural(invalid, "finding"), plural(records, "record"), plural(self.files, "file"));
        sum_up(&format!("{findings} in {records} of {files}"));
    }

    /// Takes the results of the next chunk.
    pub(crate) fn take(&mut self, mut chunk: ChunkOutput) -> ControlFlow<()> {
        if self.read_as.is_none() {
            self.learn(&chunk);
            self.learn_fields(&mut chunk);
        }
        self.failure = self.write(&mut chunk).err();
        // Some chunks are counted while they are written.
        self.hint.count(chunk.guess.take(), chunk.seen, chunk.invalid, chunk.misfits);
        self.hint.count_keys(chunk.keyless, chunk.has_key);
        self.remark = self.remark.or(chunk.remark);
        self.knows_key |= chunk.has_key && chunk.format.has_key_in_lines();
        self.hint.count_beyond_ascii(chunk.beyond_ascii, chunk.grammar);
        self.fit.append(std::mem::take(&mut chunk.fit));
        self.progress.advance(chunk.bytes);
        self.file_bytes += chunk.bytes;
        self.outcome.records += chunk.records;
        self.outcome.dropped += chunk.dropped;
        self.outcome.has_invalid |= chunk.has_invalid;
        self.outcome.invalid += chunk.findings.findings;
        self.outcome.counts += chunk.findings;
        if let (Some(counted), Some(stats)) = (&self.counted, &chunk.stats) {
            counted.append(stats, self.read_as);
        }
        self.refusal = chunk.refusal;
        self.job.recycle(chunk);
        if self.failure.is_some() || self.has_enough() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Reports the fields that the header of a file does not name. This is an error of the first file, whose
    /// header decides, and a note about others.
    fn learn_fields(&mut self, chunk: &mut ChunkOutput) {
        let is_first = !std::mem::replace(&mut self.has_first, true);
        let about = chunk.about_fields.take();
        if chunk.refusal == Some(Refusal::NoFields) {
            self.about_fields = about;
        } else if let Some(about) = about {
            if is_first {
                self.outcome.has_failed = true;
                self.progress.suspend(|| complain(self.name, &io::Error::other(about)));
            } else if self.plan.has_notes {
                self.progress.suspend(|| note(self.name, &about));
            }
        }
    }

    /// Writes a note on how the file is read, if this was detected and may surprise.
    fn learn(&mut self, chunk: &ChunkOutput) {
        let &ChunkOutput { format, grammar, evidence, wrapper, preamble, ref key, .. } = chunk;
        self.read_as = Some(ReadAs::new(format, grammar));
        self.grammar = grammar;
        let found = (format, key.clone());
        let other = evidence.and_then(|evidence| evidence.other_column);
        let is_new_table = other.is_some();
        let is_new = |announced: &(Format, Option<String>)| match self.is_walked {
            true => !self.walked.contains(&found),
            false => is_new_table || *announced != found,
        };
        if self.announced.as_ref().is_some_and(is_new) {
            if self.is_walked {
                self.walked.push(found.clone());
            }
            self.announced = Some(found);
            if format != Format::Lines {
                let (evidence, column) = evidence.map(shown).unwrap_or_default();
                let (key, option) = match key {
                    Some(key) => (format!(", key {key:?}"), "--from, --key"),
                    None if !column.is_empty() || other.is_some() => (column, "--from, --field"),
                    None => (String::new(), "--from"),
                };
                let wrapper = wrapper.map(|wrapper| format!("{wrapper}, ")).unwrap_or_default();
                let start = if preamble > 0 { format!(" from line {}", preamble + 1) } else { String::new() };
                let other = other.map(|other| format!("; column {other} also has URIs")).unwrap_or_default();
                let text = format!(
                    "read as {wrapper}{format}{start}{evidence}{key}, grammar {grammar}{other}; {option} and --grammar choose others"
                );
                self.progress.suspend(|| note(self.name, &text));
            }
        } else if preamble > 0 && self.plan.has_notes {
            let text = format!("the table starts in line {}; the lines before it are not read", preamble + 1);
            self.progress.suspend(|| note(self.name, &text));
        }
    }

    /// Returns true if the run may stop.
    pub(crate) fn has_enough(&self) -> bool {
        match self.plan.end {
            End::Never => false,
            // A record over the limit decides the status before its end.
            End::Decided(Tolerance::Records(0)) => self.outcome.has_invalid,
            End::Decided(tolerance) => tolerance.is_exceeded_for_good(self.outcome.invalid),
            End::FirstInvalid => self.outcome.invalid > 0,
        }
    }

    /// Writes the outputs of a chunk.
    fn write(&mut self, chunk: &mut ChunkOutput) -> Result<(), Failure> {
        let is_alone = self.writers.len() == 1;
        self.job.append(self.name, chunk, |number, encoded| {
            let writer = &mut self.writers[number];
            writer.tally += encoded.tally;
            writer.write(&self.progress, is_alone, |assembler, write| assembler.append(encoded, write))
        })
    }
}

/// Returns the evidence for a format in parentheses, and the column of a table if its cells decided the
/// format.
fn shown(evidence: Evidence) -> (String, String) {
    let Evidence { fits, lines, is_by_name, column, .. } = evidence;
    let reason = match is_by_name {
        true if fits == 0 => "its name says so".to_owned(),
        true => format!("{fits} of {lines} lines fit, and its name says so"),
        false => format!("{fits} of {lines} lines fit"),
    };
    let column = column.map(|(number, delimiter)| match delimiter {
        b',' | b'\t' => format!(", column {number}"),
        other => format!(", column {number} between \"{}\"", other.escape_ascii()),
    });
    (format!(" ({reason})"), column.unwrap_or_default())
}
