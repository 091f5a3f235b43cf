//! The sink of chunks, which writes and counts their results in input order.

use std::io::IoSlice;
use std::ops::ControlFlow;

use urivalidate::corpus::{Evidence, Format};
use urivalidate::stats::{ReadAs, Stats};
use urivalidate::tools::{Advice, Fit};

use crate::chunk_job::{ChunkJob, ChunkOutput};
use crate::encode::{Assemble, Write};
use crate::hint::{Hint, spelled};
use crate::outcome::Outcome;
use crate::output::{Failure, Output, note};
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
    /// The format and the key in the last note about a guess, if the run has such notes.
    announced: Option<(Format, Option<String>)>,
    /// The numbers of lines of this file that do and do not fit its format.
    fit: Fit,
    /// The facts for a hint about this file. `hinted` is the last hint about any file.
    hint: Hint,
    hinted: Option<String>,
    /// The statistics of this file so far, if requested.
    pub(crate) stats: Option<Stats>,
    /// The reason why the rest of this file is skipped.
    pub(crate) refusal: Option<Refusal>,
    pub(crate) failure: Option<Failure>,
}

/// An output and its encoder.
struct Writer {
    output: Output,
    assembler: Box<dyn Assemble>,
}

impl Writer {
    /// Runs an action of the assembler that writes to the output.
    fn write(
        &mut self,
        progress: &Progress,
        is_alone: bool,
        assemble: impl FnOnce(&mut dyn Assemble, Write<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Writer { output, assembler } = self;
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
    ) -> Self {
        let assemblers = plan.outputs.iter().map(|planned| planned.encoder.assemble());
        let writers =
            outputs.into_iter().zip(assemblers).map(|(output, assembler)| Writer { output, assembler });
        Sink {
            plan,
            job,
            outcome: Outcome::default(),
            progress,
            writers: writers.collect(),
            have_begun: false,
            name: &[],
            read_as: None,
            announced: plan.names_formats().then_some((Format::Lines, None)),
            fit: Fit::default(),
            hint: Hint::default(),
            hinted: None,
            stats: None,
            refusal: None,
            failure: None,
        }
    }

    /// Begins a file.
    pub(crate) fn begin(&mut self, name: &'a [u8], stats: Option<Stats>) {
        self.name = name;
        self.read_as = None;
        self.fit = Fit::default();
        self.hint = Hint::default();
        self.refusal = None;
        self.stats = stats;
    }

    /// Ends a file. Reports the lines that left no trace because they do not fit the file's format. Names its likely format if the file was read
    /// in another format.
    pub(crate) fn end(&mut self, is_walked: bool) {
        if self.end_fit(is_walked) {
            return;
        }
        let sentence = self.hint.sentence(self.plan.reading.grammar);
        if sentence.is_some() && sentence != self.hinted {
            self.progress.suspend(|| note(self.name, sentence.as_deref().unwrap_or_default()));
            self.hinted = sentence;
        }
    }

    /// Reports the lines that left no trace. If no line fits, the run fails, unless a walk found the file. Returns true if the message has advice.
    fn end_fit(&mut self, is_walked: bool) -> bool {
        let Some(misfits) = self.fit.misfits().filter(|_| self.failure.is_none()) else { return false };
        if !misfits.are_all && !self.plan.seems_whole() {
            return false;
        }
        self.outcome.has_failed |= misfits.are_all && !is_walked;
        let advice = misfits
            .advice
            .map(|Advice { looks, remedy }| format!(": this looks like {looks}; try {}", spelled(&remedy)));
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
        if self.outcome.has_failed {
            return Ok(());
        }
        self.writers.iter_mut().try_for_each(|writer| writer.output.put_in_place())
    }

    /// Takes the results of the next chunk.
    pub(crate) fn take(&mut self, mut chunk: ChunkOutput) -> ControlFlow<()> {
        self.outcome.has_invalid |= chunk.has_invalid;
        self.outcome.invalid += chunk.invalid;
        self.outcome.records += chunk.records;
        self.hint.count(chunk.guess.take(), chunk.records, chunk.invalid, chunk.misfits);
        self.fit.append(std::mem::take(&mut chunk.fit));
        self.progress.advance(chunk.bytes);
        if self.read_as.is_none() {
            self.learn(&chunk);
        }
        self.failure = self.write(&mut chunk).err();
        if let Some(stats) = &mut self.stats {
            stats.append(&chunk.stats);
        }
        self.refusal = chunk.refusal;
        self.job.recycle(chunk);
        if self.failure.is_some() || self.has_enough() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Writes a note on how the file is read, if this was detected and may surprise.
    fn learn(&mut self, &ChunkOutput { format, grammar, evidence, wrapper, ref key, .. }: &ChunkOutput) {
        self.read_as = Some(ReadAs::new(format, grammar));
        let found = (format, key.clone());
        if self.announced.as_ref().is_some_and(|announced| *announced != found) {
            self.announced = Some(found);
            if format != Format::Lines {
                let (evidence, column) = evidence.map(shown).unwrap_or_default();
                let (key, option) = match key {
                    Some(key) => (format!(", key {key:?}"), "--from, --key"),
                    None if !column.is_empty() => (column, "--from, --field"),
                    None => (String::new(), "--from"),
                };
                let wrapper = wrapper.map(|wrapper| format!("{wrapper}, ")).unwrap_or_default();
                let text = format!(
                    "read as {wrapper}{format}{evidence}{key}, grammar {grammar}; {option} and --grammar choose others"
                );
                self.progress.suspend(|| note(self.name, &text));
            }
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
            writer.write(&self.progress, is_alone, |assembler, write| assembler.append(encoded, write))
        })
    }
}

/// Returns the evidence for a format in parentheses, and the column of a table if its cells decided the format.
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
