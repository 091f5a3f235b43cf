//! One URI, drawn: its components under a ruler, or the byte that cannot be there.

use std::io;
use std::ops::Range;

use urivalidate::{Component, Components, Error, Grammar, Validator};

use crate::args::Args;
use crate::outcome::Outcome;
use crate::output::{Failure, Output, complain};
use crate::shown::Shown;
use crate::style::Styles;

/// How many cells of a terminal a line has for the record.
const LINE: usize = 60;

/// How many it has for a mark and its label.
const WIDTH: usize = 78;

/// Says what `uri` is made of, or what is wrong with it.
pub(crate) fn run(args: &Args, validator: Validator, uri: &[u8]) -> Outcome {
    let uri = if args.trim { uri.trim_ascii() } else { uri };
    let verdict = if uri.len() > args.max_record {
        Err(Error::record_too_long(uri, args.max_record))
    } else {
        validator.parse(uri)
    };
    let drawing = Drawing::new(uri, Styles::new(args.color, &io::stdout()));
    let text = match &verdict {
        Ok(components) => drawing.valid(validator.grammar(), components),
        Err(error) => {
            let mended = if args.suggest { validator.suggest(uri) } else { None };
            let advice = mended.map(|mended| format!("  try {}\n", Shown::new(&mended)));
            drawing.invalid(validator.grammar(), error) + &advice.unwrap_or_default()
        }
    };
    let mut outcome = Outcome { has_invalid: verdict.is_err(), ..Outcome::default() };
    if let Err(Failure::Output(name, error)) =
        Output::stdout().and_then(|mut stdout| stdout.write(text.as_bytes()))
    {
        complain(&name, &error);
        outcome.has_failed = true;
    }
    outcome
}

/// A record laid out in cells: printable ASCII takes one, another byte four, as `\xHH`.
struct Drawing {
    cells: Vec<String>,
    styles: Styles,
}

/// What is to be marked below the record.
struct Mark {
    bytes: Range<usize>,
    label: String,
}

impl Drawing {
    fn new(uri: &[u8], styles: Styles) -> Self {
        let cell = |&byte: &u8| match byte {
            b' '..=b'~' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02X}"),
        };
        Drawing { cells: uri.iter().map(cell).collect(), styles }
    }

    fn valid(&self, grammar: Grammar, components: &Components) -> String {
        let Styles { good, .. } = self.styles;
        let mut text = format!("{good}valid{good:#} as {grammar}\n");
        let marks = marks(grammar, components);
        let mut start = 0;
        loop {
            let end = self.line_end(start);
            self.draw(&mut text, start..end, &marks);
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
        if self.cells.is_empty() {
            return text + &format!("  {error}\n");
        }
        // The line of the drawing that has the byte, with what comes before it.
        let mut start = offset;
        while start > 0 && self.width(start - 1..offset) <= LINE / 2 {
            start -= 1;
        }
        let end = self.line_end(start);
        let bytes = offset..(offset + 1).min(self.cells.len()).max(offset);
        self.draw(&mut text, start..end, &[Mark { bytes, label: String::new() }]);
        text += &format!("  {error}\n");
        text
    }

    fn width(&self, bytes: Range<usize>) -> usize {
        self.cells[bytes].iter().map(String::len).sum()
    }

    /// The end of the bytes from `start` on that fit on a line.
    fn line_end(&self, start: usize) -> usize {
        let mut used = 0;
        let fits = |cell: &&String| {
            used += cell.len();
            used <= LINE
        };
        start + self.cells[start..].iter().take_while(fits).count()
    }

    /// Draws a line of the record, a ruler of byte offsets above it, and the marks below it.
    fn draw(&self, text: &mut String, line: Range<usize>, marks: &[Mark]) {
        let Styles { faint, place, .. } = self.styles;
        *text += &format!("\n  {faint}{}{faint:#}\n", self.ruler(&line));
        *text += format!("  {}", self.cells[line.clone()].concat()).trim_end();
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
            let before = self.width(line.start..start);
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

    /// The offset of every tenth byte above it, as far as there is room.
    fn ruler(&self, line: &Range<usize>) -> String {
        let mut ruler = line.start.to_string();
        let mut at = 0;
        for byte in line.clone() {
            if byte.is_multiple_of(10) && ruler.len() < at {
                ruler += &format!("{:1$}", "", at - ruler.len());
                ruler += &byte.to_string();
            }
            at += self.cells[byte].len();
        }
        ruler
    }
}

/// The components with their labels.
fn marks(grammar: Grammar, components: &Components) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut add = |bytes: Option<Range<usize>>, name: &str, kind: &str| {
        if let Some(bytes) = bytes {
            let empty = if bytes.is_empty() { ", empty" } else { "" };
            marks.push(Mark { bytes, label: format!("{name}{kind}{empty}") });
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
