//! One URI, as a drawing or as JSON: its components under a ruler and its derived columns, or the byte at
//! which it becomes invalid.

use std::io;
use std::ops::Range;

use unicode_width::UnicodeWidthStr;
use urivalidate::stats::Problem;
use urivalidate::work::looked_at;
use urivalidate::{
    Component, Components, Derivation, Error, ErrorKind, FormChange, Grammar, RowColumn, Validator,
};

use crate::advice::advice;
use crate::args::{Args, Form};
use crate::json::{self, Object};
use crate::outcome::Outcome;
use crate::output::{Failure, Output, complain};
use crate::shown::{Shown, is_harmless};
use crate::style::Styles;

/// The terminal cells of a line for the record.
const LINE: usize = 60;

/// The terminal cells of a line for a mark and its label.
const WIDTH: usize = 78;

/// The most bytes of a text that a step shows whole.
const LONGEST_TEXT: usize = 60;

/// Prints the components of `uri` and its derived columns, or its error.
pub(crate) fn run(args: &Args, validator: Validator, uri: &[u8]) -> Outcome {
    let explained = Explained::new(args, validator, uri);
    let text = if args.to == Form::Jsonl { explained.json() } else { explained.drawn(args).into_bytes() };
    let mut outcome = Outcome { has_invalid: explained.verdict.is_err(), ..Outcome::default() };
    if let Err(Failure::Output(name, error)) = Output::stdout().and_then(|mut stdout| stdout.write(&text)) {
        complain(&name, &error);
        outcome.has_failed = true;
    }
    outcome
}

/// A record with its verdict and its derived columns.
pub(crate) struct Explained<'a> {
    uri: &'a [u8],
    grammar: Grammar,
    verdict: Result<Components, Error>,
    /// The steps to the normal form.
    changes: Vec<FormChange>,
    /// The derived columns that the record has.
    derived: Vec<(RowColumn, Vec<u8>)>,
    /// The likely repair of an invalid record, if requested or if its host is beyond ASCII.
    mended: Option<Vec<u8>>,
}

impl<'a> Explained<'a> {
    pub(crate) fn new(args: &Args, validator: Validator, uri: &'a [u8]) -> Self {
        let uri = if args.trim { uri.trim_ascii() } else { uri };
        let verdict = if uri.len() > args.max_record {
            Err(Error::record_too_long(uri, args.max_record))
        } else {
            validator.parse(uri)
        };
        // Percent-encoding would make a valid URI of a host beyond ASCII, but not the one that is meant.
        let needs_punycode = verdict.is_err_and(|error| {
            error.kind() == ErrorKind::NonAscii && error.component() == Some(Component::Host)
        });
        let is_mended = args.suggest && verdict.is_err() || needs_punycode;
        let mended = if is_mended { validator.suggest(uri) } else { None };
        let (changes, derived) = if verdict.is_ok() {
            derived(&args.derivation(), validator, uri)
        } else {
            (Vec::new(), Vec::new())
        };
        Explained { uri, grammar: validator.grammar(), verdict, changes, derived, mended }
    }

    pub(crate) fn drawn(&self, args: &Args) -> String {
        let drawing = Drawing::new(self.uri, Styles::new(args.color, &io::stdout()));
        match &self.verdict {
            Ok(components) => {
                let mut text = drawing.valid(self.grammar, components);
                self.write_derived(&mut text, drawing.styles);
                text
            }
            Err(error) => {
                let advice = self.mended.as_ref().map(|mended| format!("  try {}\n", Shown::new(mended)));
                drawing.invalid(self.grammar, error) + &advice.unwrap_or_default()
            }
        }
    }

    /// Returns the host, if the record is valid and has one.
    fn host(&self) -> Option<&[u8]> {
        self.verdict.ok()?.host().map(|host| &self.uri[host])
    }

    /// Writes the derived columns with their names, and the steps below the normal form.
    fn write_derived(&self, text: &mut String, Styles { faint, is_ascii, .. }: Styles) {
        let named = |column| self.derived.iter().find(|(name, _)| *name == column).map(|(_, value)| value);
        let mut before = "\n";
        for (column, value) in &self.derived {
            // A column with the same value as another one is left out.
            let same = match column {
                RowColumn::ToUri => Some(self.uri),
                RowColumn::PrivateSuffix => named(RowColumn::Suffix).map(Vec::as_slice),
                RowColumn::PrivateDomain => named(RowColumn::Domain).map(Vec::as_slice),
                RowColumn::HostAscii if !has_punycode(value) => continue,
                RowColumn::HostAscii => self.host(),
                RowColumn::HostReversed | RowColumn::QueryNames => continue,
                column
                    if *column != RowColumn::Resolved && (column.is_of_target() || column.is_of_page()) =>
                {
                    continue;
                }
                _ => None,
            };
            if same == Some(value) {
                continue;
            }
            *text += &format!("{before}  {faint}{:<14}{faint:#} {}", column.name(), Shown::new(value));
            *text = text.trim_end().to_owned();
            text.push('\n');
            before = "";
            if *column != RowColumn::Normalized {
                continue;
            }
            for FormChange { step, part, from, to, .. } in &self.changes {
                let [from, to] = [from, to].map(|text| match &text[..] {
                    b"" => "nothing".to_owned(),
                    text => shortened(text, is_ascii),
                });
                let part = part.name().replace('_', "-");
                *text += &format!("    {faint}{part}, {step}:{faint:#} {from} becomes {to}\n");
            }
        }
    }

    /// Returns one JSON object and a line end.
    fn json(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut object = Object::new(&mut out);
        object.text("uri", self.uri);
        object.string("grammar", self.grammar.name());
        object.key("valid").extend_from_slice(if self.verdict.is_ok() { b"true" } else { b"false" });
        match &self.verdict {
            Ok(components) => {
                let mut parts = Object::new(object.key("components"));
                for &component in Component::ALL {
                    let Some(range) = components.get(component) else { continue };
                    let mut part = Object::new(parts.key(component.name()));
                    part.number("start", range.start as u64);
                    part.number("end", range.end as u64);
                    part.text("text", &self.uri[range]);
                    part.end();
                }
                parts.end();
                if let Some(kind) = components.host_kind() {
                    object.string("host_kind", kind.name());
                }
                for (column, value) in &self.derived {
                    object.text(column.name(), value);
                }
                let changes = object.key("changes");
                changes.push(b'[');
                for (at, change) in self.changes.iter().enumerate() {
                    if at > 0 {
                        changes.push(b',');
                    }
                    let mut entry = Object::new(changes);
                    entry.string("step", change.step.name());
                    entry.string("part", change.part.name());
                    entry.text("from", &change.from);
                    entry.text("to", &change.to);
                    entry.end();
                }
                changes.push(b']');
            }
            Err(error) => {
                json::problem(object.key("error"), Problem::Invalid(*error));
                object.string("message", &error.to_string());
                if let Some(mended) = &self.mended {
                    json::text(object.key("suggestion"), mended);
                }
            }
        }
        object.end();
        out.push(b'\n');
        out
    }
}

/// Returns a text of a step that fits on a line. A long text is cut at its end.
fn shortened(text: &[u8], is_ascii: bool) -> String {
    if text.len() <= LONGEST_TEXT {
        return Shown::new(text).to_string();
    }
    let starts_character = |&end: &usize| text[end] & 0xC0 != 0x80;
    let end = (LONGEST_TEXT - 3..=LONGEST_TEXT).rev().find(starts_character).unwrap_or(LONGEST_TEXT);
    format!("{}{} ({} bytes)", Shown::new(&text[..end]), if is_ascii { "..." } else { "…" }, text.len())
}

/// Returns true if a label of the host is in Punycode.
fn has_punycode(host: &[u8]) -> bool {
    host.split(|&byte| byte == b'.').any(|label| label.starts_with(b"xn--"))
}

/// Returns the steps to the normal form of a valid record, and its derived columns.
fn derived(
    derivation: &Derivation,
    validator: Validator,
    uri: &[u8],
) -> (Vec<FormChange>, Vec<(RowColumn, Vec<u8>)>) {
    let deriver = derivation.deriver(validator).expect("the derivation goes with the grammar");
    let changes = deriver.normalizer().changes(uri).expect("a valid record");
    let columns = RowColumn::derived().into_iter();
    let values = columns.filter_map(|column| Some((column, deriver.value(column, uri, None)?.into_owned())));
    (changes, values.collect())
}

/// A record laid out in cells, one per byte.
struct Drawing {
    cells: Vec<Cell>,
    styles: Styles,
}

/// The drawn form of a byte. The first byte of a character that a terminal can show is drawn as this
/// character, its other bytes as nothing, and any other byte as `\xHH`.
#[derive(Clone, Default)]
struct Cell {
    text: String,
    /// The width in columns of a terminal.
    width: usize,
}

impl Cell {
    /// Returns the cells of a record.
    fn row(record: &[u8]) -> Vec<Cell> {
        let mut row = Vec::with_capacity(record.len());
        let escaped = |&byte: &u8| Cell { text: format!("\\x{byte:02X}"), width: 4 };
        for chunk in record.utf8_chunks() {
            for char in chunk.valid().chars() {
                let mut bytes = [0; 4];
                let text = char.encode_utf8(&mut bytes);
                if is_harmless(char) {
                    row.push(Cell { text: text.to_owned(), width: text.width() });
                    row.extend(std::iter::repeat_n(Cell::default(), text.len() - 1));
                } else {
                    row.extend(text.as_bytes().iter().map(escaped));
                }
            }
            row.extend(chunk.invalid().iter().map(escaped));
        }
        row
    }

    /// Returns true if the byte is drawn with the byte before it.
    fn continues(&self) -> bool {
        self.text.is_empty()
    }
}

/// A mark below the record.
struct Caret {
    bytes: Range<usize>,
    label: String,
}

impl Drawing {
    fn new(uri: &[u8], styles: Styles) -> Self {
        Drawing { cells: Cell::row(uri), styles }
    }

    fn valid(&self, grammar: Grammar, components: &Components) -> String {
        let Styles { good, .. } = self.styles;
        let mut text = format!("{good}valid{good:#} as {grammar}\n");
        let marks = marks(grammar, components);
        let mut start = 0;
        loop {
            let end = self.line_end(start);
            self.draw(&mut text, start..end, &marks, ["", ""]);
            start = end;
            if start >= self.cells.len() {
                return text;
            }
        }
    }

    fn invalid(&self, grammar: Grammar, error: &Error) -> String {
        let Styles { bad, .. } = self.styles;
        let offset = error.offset();
        let component = error.component().map(|component| format!(", {component}")).unwrap_or_default();
        let mut text = format!(
            "{bad}invalid{bad:#} as {grammar}: {} at byte {offset}, column {}{component}\n",
            error.kind(),
            offset + 1
        );
        let message = format!("  {error}{}\n", advice(Problem::Invalid(*error)));
        if self.cells.is_empty() {
            return text + &message;
        }
        // This is the line of the drawing with this byte and the text before it.
        let bytes = self.character(offset);
        let mut start = bytes.start;
        while start > 0 && self.width(start - 1..bytes.start) <= LINE / 2 {
            start -= 1;
        }
        // The line must not start within a character.
        start += self.cells[start..].iter().take_while(|cell| cell.continues()).count();
        let end = self.line_end(start);
        let cut = [start > 0, end < self.cells.len()].map(|is_cut| match self.styles.is_ascii {
            _ if !is_cut => "",
            true => "...",
            false => "…",
        });
        self.draw(&mut text, start..end, &[Caret { bytes, label: String::new() }], cut);
        text + &message
    }

    /// Returns the bytes that are drawn together with the byte at `offset`, or an empty range at the end.
    fn character(&self, offset: usize) -> Range<usize> {
        let is_start = |&at: &usize| self.cells.get(at).is_none_or(|cell| !cell.continues());
        let start = (0..=offset).rev().find(is_start).unwrap_or(offset);
        let end = (offset + 1..=self.cells.len()).find(is_start).unwrap_or(start);
        start..end
    }

    fn width(&self, bytes: Range<usize>) -> usize {
        looked_at(bytes.len());
        self.cells[bytes].iter().map(|cell| cell.width).sum()
    }

    /// Returns the end of the bytes from `start` on that fit on a line.
    fn line_end(&self, start: usize) -> usize {
        let mut used = 0;
        let fits = |cell: &&Cell| {
            used += cell.width;
            used <= LINE
        };
        start + self.cells[start..].iter().take_while(fits).count()
    }

    /// Draws a line of the record, a ruler of byte offsets above it, and the marks below it. The texts in
    /// `cut` are written if the record continues before and after the line.
    fn draw(&self, text: &mut String, line: Range<usize>, marks: &[Caret], cut: [&str; 2]) {
        let Styles { faint, place, .. } = self.styles;
        looked_at(line.len());
        let [cut_before, cut_after] = cut;
        let indent = cut_before.width();
        *text += &format!("\n  {faint}{:indent$}{}{faint:#}\n", "", self.ruler(&line));
        let cells: String = self.cells[line.clone()].iter().map(|cell| &*cell.text).collect();
        *text += format!("  {cut_before}{cells}{cut_after}").trim_end();
        text.push('\n');
        for mark in marks {
            let is_here = if mark.bytes.is_empty() {
                line.contains(&mark.bytes.start)
                    || (mark.bytes.start == line.end && line.end == self.cells.len())
            } else {
                mark.bytes.start < line.end && line.start < mark.bytes.end
            };
            if !is_here {
                continue;
            }
            let start = mark.bytes.start.max(line.start);
            let end = mark.bytes.end.min(line.end).max(start);
            let before = indent + self.width(line.start..start);
            let width = self.width(start..end).max(1);
            let label = &mark.label;
            let sign = if mark.bytes.is_empty() && !label.is_empty() { "|" } else { "^" }.repeat(width);
            *text += &if before + width + 1 + label.len() <= WIDTH || before < label.len() + 1 {
                format!("  {:before$}{place}{sign}{place:#} {label}", "").trim_end().to_owned()
            } else {
                let gap = before - label.len() - 1;
                format!("  {:gap$}{label} {place}{sign}{place:#}", "")
            };
            text.push('\n');
        }
    }

    /// Returns the ruler: the offset of every tenth byte, if it fits.
    fn ruler(&self, line: &Range<usize>) -> String {
        let mut ruler = line.start.to_string();
        let mut at = 0;
        for byte in line.clone() {
            if byte.is_multiple_of(10) && ruler.len() < at {
                ruler += &format!("{:1$}", "", at - ruler.len());
                ruler += &byte.to_string();
            }
            at += self.cells[byte].width;
        }
        ruler
    }
}

/// Returns the components with their labels.
fn marks(grammar: Grammar, components: &Components) -> Vec<Caret> {
    let mut marks = Vec::new();
    let mut add = |bytes: Option<Range<usize>>, name: &str, kind: &str| {
        if let Some(bytes) = bytes {
            let empty = if bytes.is_empty() { ", empty" } else { "" };
            marks.push(Caret { bytes, label: format!("{name}{kind}{empty}") });
        }
    };
    for &component in Component::ALL {
        let kind = match component {
            Component::Host => components.host_kind().map(|kind| kind.name()),
            Component::Authority if grammar.has_opaque() => {
                components.authority_kind().map(|kind| kind.name())
            }
            _ => None,
        };
        let kind = kind.map(|kind| format!(", {kind}")).unwrap_or_default();
        add(components.get(component), component.name(), &kind);
    }
    if components.is_opaque() {
        add(Some(components.scheme_specific_part()), "scheme-specific part", "");
    }
    marks
}
