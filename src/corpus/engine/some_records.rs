//! Some of the records of a scanned chunk, for callers whose output for all records at once would be too
//! long.

use std::ops::Range;

use super::scanned::{Kept, OtherVerdicts, Scanned, room_for_records};
use crate::batch::{Batch, InvalidRecord, invalid_among, invalid_chosen};
use crate::corpus::ProblemAt;
use crate::corpus::format::MalformedLine;
use crate::memory::{OutOfMemory, try_reserve};

/// The verdicts of some of the records of a chunk. Each new range reuses the memory.
#[derive(Clone, Debug, Default)]
pub struct SomeRecords {
    batch: Batch,
    /// The invalid records by the other grammar.
    other: Vec<InvalidRecord>,
    /// The numbers of the kept records among those of the chunk.
    numbers: Vec<u32>,
}

impl SomeRecords {
    /// Presents these records of a chunk as a separate scan, which numbers them from 0. A malformed line
    /// belongs to the record before it. Malformed lines before the first record of the chunk belong to that
    /// record. Line numbers, and the facts about the chunk as a whole, stay unchanged. Returns `None` if the
    /// chunk has fewer records.
    pub fn of<'s>(&'s mut self, scanned: &Scanned<'s>, records: Range<usize>) -> Option<Scanned<'s>> {
        let all = scanned.batch.len();
        if records.start > records.end || records.end > all {
            return None;
        }
        scanned.batch.copy_records(records.clone(), &mut self.batch);
        let other = scanned.other.map(|other| {
            self.other.clear();
            self.other.extend(invalid_among(other.invalid, &records));
            OtherVerdicts { invalid: &self.other, ..other }
        });
        let malformed = scanned.malformed();
        let before = |record: usize| {
            let place = scanned.line_and_column(record);
            let is_before = |line: &MalformedLine| place.is_none_or(|place| (line.line, line.column) < place);
            malformed.partition_point(is_before)
        };
        let start = if records.start == 0 { 0 } else { before(records.start) };
        let end = if records.end == all { malformed.len() } else { before(records.end) };
        let kept = scanned.kept.map(|kept| {
            let number = |index: usize| kept.numbers.get(index).copied().unwrap_or(kept.end);
            Kept {
                numbers: &kept.numbers[records.clone()],
                start: if records.start == 0 { kept.start } else { number(records.start) },
                end: if records.end == all { kept.end } else { number(records.end) },
            }
        });
        Some(Scanned {
            batch: &self.batch,
            kept,
            first: scanned.first + records.start,
            malformed: &malformed[start..end],
            other,
            ..*scanned
        })
    }

    /// Presents the records with these indices as a separate scan, which numbers them from 0. They are in
    /// order. The other records are [dropped](Scanned::dropped): of them, [`copy_lines`](Scanned::copy_lines)
    /// has only the lines, as lines without a record. Malformed lines, and the facts about the chunk as a
    /// whole, stay unchanged. A [part](crate::corpus::Chunk::is_part) of a record is dropped as a whole.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    ///
    /// # Panics
    ///
    /// Panics if the scan does not have one of the records.
    pub fn keep<'s>(&'s mut self, scanned: &Scanned<'s>, kept: &[u32]) -> Result<Scanned<'s>, OutOfMemory> {
        let _room = room_for_records(kept.len())?;
        self.numbers.clear();
        try_reserve(&mut self.numbers, kept.len())?;
        self.numbers.extend(kept.iter().map(|&index| scanned.number(index as usize) as u32));
        scanned.batch.copy_chosen(kept, &mut self.batch);
        let other = scanned.other.map(|other| {
            self.other.clear();
            self.other.extend(invalid_chosen(other.invalid, kept));
            OtherVerdicts { invalid: &self.other, ..other }
        });
        let (start, end) = match scanned.kept {
            Some(kept) => (kept.start, kept.end),
            None => (scanned.first as u32, (scanned.first + scanned.len()) as u32),
        };
        let kept = Some(Kept { numbers: &self.numbers, start, end });
        Ok(Scanned { batch: &self.batch, kept, other, ..*scanned })
    }

    /// Presents the records and the malformed lines up to and including this problem as a separate scan. Facts
    /// about the chunk as a whole stay unchanged. The problem must be one of the scan's.
    pub fn to_problem<'s>(&'s mut self, scanned: &Scanned<'s>, problem: ProblemAt<'_>) -> Scanned<'s> {
        let (records, malformed) = scanned.counts_to(problem);
        self.head(scanned, records, malformed)
    }

    /// Presents the records up to and including this one, and the malformed lines before it, as a separate
    /// scan. Facts about the chunk as a whole stay unchanged.
    ///
    /// # Panics
    ///
    /// Panics if the scan does not have this record.
    pub fn to_record<'s>(&'s mut self, scanned: &Scanned<'s>, index: usize) -> Scanned<'s> {
        self.head(scanned, index + 1, scanned.malformed_before(index))
    }

    /// Presents the first records and malformed lines.
    fn head<'s>(&'s mut self, scanned: &Scanned<'s>, records: usize, malformed: usize) -> Scanned<'s> {
        if (records, malformed) == (scanned.len(), scanned.malformed().len()) {
            return *scanned;
        }
        let malformed = &scanned.malformed()[..malformed];
        let head = self.of(scanned, 0..records).expect("the scan has these records");
        // Records that are dropped after the last one do not belong to the head.
        let end = |kept: Kept<'s>| kept.numbers.last().map_or(kept.start, |last| last + 1);
        let kept = head.kept.map(|kept| Kept { end: end(kept), ..kept });
        Scanned { malformed, kept, ..head }
    }

    /// Presents the facts about the chunk as a whole as a scan without records and malformed lines.
    pub fn none_of<'s>(&'s mut self, scanned: &Scanned<'s>) -> Scanned<'s> {
        let none = self.of(scanned, 0..0).expect("any scan has as many");
        let kept = none.kept.map(|kept| Kept { end: kept.start, ..kept });
        Scanned { malformed: &[], kept, ..none }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::SomeRecords;
    use crate::column::Columns;
    use crate::corpus::{ChunkScanner, Format, Layout, LayoutOptions, ProblemAt, Scanned, Scanner};
    use crate::grammar::Grammar;
    use crate::normal::{NormalForm, NormalizedRecords};
    use crate::request::Request;
    use crate::validator::Validator;

    /// Returns all that a scan says about its records and about its malformed lines, one by one.
    fn facts(scanned: &Scanned<'_>, validator: &Validator) -> (Vec<String>, Vec<String>) {
        let mut forms = NormalizedRecords::new();
        let normalizer = validator.normalizer(NormalForm::Syntax).unwrap();
        normalizer.normalize_batch(scanned.batch(), scanned.values(), &mut forms).unwrap();
        let record = |index| {
            let problem = scanned.error(index).and_then(|error| scanned.error_column(index, error.offset()));
            let places = (scanned.line_number(index), scanned.start_column(index), scanned.length(index));
            let text = (scanned.record(index), scanned.line(index), scanned.verdict(index));
            let is_valid = scanned.batch().is_valid(index);
            let of_pages = (scanned.page(index), scanned.element(index));
            let form = forms.get(index);
            format!("{:?}", (problem, places, text, scanned.other_verdict(index), is_valid, of_pages, form))
        };
        let problems = scanned.problems().map(|problem| match problem {
            ProblemAt::Record(record) => {
                format!("{} {:?}", scanned.line_number(record.index as usize).unwrap(), record.error)
            }
            ProblemAt::Line(line) => format!("{line:?}"),
        });
        let problems = problems.collect();
        ((0..scanned.len()).map(record).collect(), problems)
    }

    #[test]
    fn parts_say_what_the_whole_says() {
        let list = |end: &str| -> String {
            let kinds = [
                "http://h/%7e",
                "no uri",
                "HTTP://h/",
                "http://h/a/../b",
                "http://u@h:1/%c3%a4",
                "http://[/",
            ];
            (0..200).map(|number| format!("{}{end}", kinds[number * number % 11 % kinds.len()])).collect()
        };
        let log = list("\n").replace("no uri", "\"").replace("http://[/", "{\"url\":1}");
        let log = log.replace("http", "{\"url\":\"http").replace('\n', "\"}\n");
        let page = format!("<p><a href='x'><base href='/b/'>\n<a href='{}'>", list("'>\n<a href='"));
        let options = LayoutOptions::default();
        for (format, input, trims) in [
            (Format::Lines, format!("\u{feff}{}", list("\n")), false),
            (Format::Lines, list(" \n"), true),
            (Format::Jsonl, log, false),
            (Format::Html, page, false),
        ] {
            let layout = Layout::new(format, &options).unwrap();
            let validator =
                Validator::new(if format == Format::Html { Grammar::UriReference } else { Grammar::Uri });
            let other = validator.with_grammar(Grammar::Java);
            let check = |chunk: &crate::corpus::Chunk<'_>| {
                let mut scanners = [ChunkScanner::default(), ChunkScanner::default()];
                let [scanner, other_scanner] = &mut scanners;
                let request = Request::from(Columns::ALL).with_candidates();
                let scanned = scanner.scan(chunk, &validator, request).unwrap();
                let other = other_scanner.scan(chunk, &other, Columns::NONE).unwrap();
                let scanned = scanned.with_other(&other);
                let (records, problems) = facts(&scanned, &validator);
                assert!(
                    records.len() > 100 && problems.len() > 20,
                    "{format}: {} {}",
                    records.len(),
                    problems.len()
                );
                let mut some = SomeRecords::default();
                for step in [1, 7, 63, 64, 65, 150, 1000] {
                    let mut of_parts = (Vec::new(), Vec::new());
                    let mut differing = Vec::new();
                    for start in (0..scanned.len()).step_by(step) {
                        let part = some.of(&scanned, start..scanned.len().min(start + step)).unwrap();
                        let (records, problems) = facts(&part, &validator);
                        assert_eq!(part.batch().valid_count() + part.batch().invalid().len(), part.len());
                        differing.extend(part.differing().map(|index| start + index));
                        of_parts.0.extend(records);
                        of_parts.1.extend(problems);
                    }
                    assert_eq!(of_parts, (records.clone(), problems.clone()), "{format}, {step}");
                    assert_eq!(differing, scanned.differing().collect::<Vec<_>>());
                }
                // A range of a range.
                let mut inner = SomeRecords::default();
                let part = some.of(&scanned, 20..110).unwrap();
                let part = inner.of(&part, 3..80).unwrap();
                assert_eq!(facts(&part, &validator).0, records[23..100]);
                // Ranges that are not in the chunk.
                let end = scanned.len();
                #[expect(clippy::reversed_empty_ranges, reason = "it is one of the wrong ranges")]
                let outside = [0..end + 1, end + 1..end + 1, 2..1];
                assert!(outside.into_iter().all(|range| some.of(&scanned, range).is_none()));
                assert!(some.of(&scanned, end..end).is_some_and(|part| part.is_empty()));
            };
            let scanner = Scanner::new().layout(layout).trim(trims);
            scanner.scan_slice(input.as_bytes(), check, |()| ControlFlow::<()>::Continue(())).unwrap();
        }
    }
}
