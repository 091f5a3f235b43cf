//! Errors for continuous integration: annotations of GitHub, one a line, and one log in SARIF 2.1.0.

use std::io::IoSlice;

use serde_json::json;
use urivalidate::memory::OutOfMemory;
use urivalidate::stats::Problem;
use urivalidate::work::{looked_at, memchr};
use urivalidate::{ErrorKind, Request};

use super::encoder::{Assemble, Concatenate, Encode, Encoded, JudgedChunk, LeftOut, Located, Write};
use super::tally::Tally;
use crate::args::Args;
use crate::json;
use crate::output::Failure;
use crate::shown::Shown;

/// The two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Annotation {
    Github,
    Sarif,
}

/// Errors in one of the forms.
pub(crate) struct Annotations {
    form: Annotation,
    /// The kinds of errors to write; `None` writes all.
    kinds: Option<Vec<String>>,
    /// Whether errors come with suggestions.
    suggests: bool,
    /// The byte that ends a line.
    terminator: u8,
}

impl Annotations {
    pub(super) fn new(form: Annotation, args: &Args) -> Self {
        let (kinds, suggests, terminator) = (args.kind.clone(), args.suggest, args.terminator());
        Annotations { form, kinds, suggests, terminator }
    }
}

/// A finding at its place, with 1-based numbers.
struct Finding<'a> {
    file: &'a str,
    line: u64,
    /// In bytes.
    column: u64,
    kind: &'static str,
    message: String,
}

impl Encode for Annotations {
    fn request(&self) -> Request {
        Request::default()
    }

    fn needs_line_numbers(&self) -> bool {
        true
    }

    fn chunk_size(&self) -> usize {
        64 << 10
    }

    fn chunk_lines(&self) -> usize {
        // A finding takes about 300 bytes plus the file's name.
        8 << 10
    }

    fn leaves_out(&self) -> LeftOut {
        LeftOut::Nothing
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let chunk = input.scanned.chunk();
        let file = String::from_utf8_lossy(input.file);
        // Both forms have paths with slashes.
        let file = if cfg!(windows) { file.replace('\\', "/").into() } else { file };
        let mut characters =
            Characters { bytes: chunk.bytes(), terminator: self.terminator, line: 0, counted: (0, 0) };
        let mut tally = Tally::default();
        for found in input.located(self.kinds.as_deref(), &mut tally) {
            let mut message = input.message_about(&found);
            if let Some(mended) = if self.suggests { input.suggestion_for(&found) } else { None } {
                message += &format!("; try {}", Shown::new(&mended));
            }
            let Located { line, column, problem, .. } = found;
            let finding = Finding { file: &file, line, column, kind: problem.kind(), message };
            let text = match self.form {
                Annotation::Github => finding.to_github(),
                Annotation::Sarif => {
                    let line = line - input.first_line;
                    // The start of such a line is in a chunk before, and its characters are not known.
                    let is_rest = line == 0 && input.scanned.bytes_before() > 0;
                    finding.to_sarif(if is_rest { None } else { Some(characters.column(line, column)) })
                }
            };
            to.extend_from_slice(text.as_bytes())?;
        }
        to.tally += tally;
        Ok(())
    }

    fn assemble(&self) -> Box<dyn Assemble> {
        match self.form {
            Annotation::Github => Box::new(Concatenate { header: Vec::new() }),
            Annotation::Sarif => Box::new(Log { is_empty: true }),
        }
    }
}

impl Finding<'_> {
    /// Returns a workflow command of GitHub. Its properties and its message have escapes of their own.
    fn to_github(&self) -> String {
        let Finding { file, line, column, kind, message } = self;
        let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
        let (file, message) = (property(without_dot(file)), data(message));
        format!("::error file={file},line={line},col={column},title={kind}::{message}\n")
    }

    /// Returns a result of SARIF, after a comma. `column` is in characters, if it is known.
    fn to_sarif(&self, column: Option<u64>) -> String {
        let Finding { file, line, kind, message, .. } = self;
        let mut region = json!({"startLine": line});
        if let Some(column) = column {
            region["startColumn"] = column.into();
        }
        let result = json!({
            "ruleId": kind,
            "level": "error",
            "message": {"text": message},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": reference(file)},
                "region": region,
            }}],
        });
        format!(",\n{result}")
    }
}

/// Returns a path as GitHub compares it with the paths of a repository.
fn without_dot(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// Returns a path as a relative reference.
fn reference(path: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let path = without_dot(path);
    let escape = |byte: u8| if is_kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(escape).collect()
}

/// The characters of a chunk, counted from one place to the next. A line can have many findings, so counting
/// from its start each time would take quadratic time.
struct Characters<'a> {
    /// The bytes from the current line on.
    bytes: &'a [u8],
    terminator: u8,
    /// The 0-based number of the current line.
    line: u64,
    /// The number of bytes before the last place in the line, and that of characters.
    counted: (usize, u64),
}

impl Characters<'_> {
    /// Returns a column in characters instead of bytes. Lines come in order.
    fn column(&mut self, line: u64, column: u64) -> u64 {
        while self.line < line
            && let Some(end) = memchr(self.terminator, self.bytes)
        {
            (self.bytes, self.line, self.counted) = (&self.bytes[end + 1..], self.line + 1, (0, 0));
        }
        let (from, characters) = self.counted;
        let Some(to) = usize::try_from(column - 1).ok().filter(|&to| to <= self.bytes.len()) else {
            return column;
        };
        let between = &self.bytes[from.min(to)..from.max(to)];
        looked_at(between.len());
        let between = between.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        let characters = if from <= to { characters + between } else { characters.saturating_sub(between) };
        self.counted = (to, characters);
        1 + characters
    }
}

/// The log of SARIF: one run, with a rule for each kind.
struct Log {
    is_empty: bool,
}

impl Assemble for Log {
    fn begin(&mut self, write: Write<'_>) -> Result<(), Failure> {
        let kinds = ErrorKind::ALL.iter().map(|kind| kind.name());
        let rules = kinds.chain([Problem::MALFORMED, Problem::SUSPICIOUS]).map(|kind| {
            json!({"id": kind, "shortDescription": {"text": short(kind)}, "help": {"text": help(kind)}})
        });
        let driver = json!({
            "name": "urivalidate",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules.collect::<Vec<_>>(),
        });
        let mut head = Vec::new();
        head.extend_from_slice(b"{\"$schema\":");
        json::string(&mut head, "https://json.schemastore.org/sarif-2.1.0.json");
        head.extend_from_slice(
            b",\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"tool\":",
        );
        head.extend_from_slice(json!({ "driver": driver }).to_string().as_bytes());
        head.extend_from_slice(b",\"results\":[");
        write(&mut [IoSlice::new(&head)])
    }

    fn append(&mut self, encoded: &Encoded, write: Write<'_>) -> Result<(), Failure> {
        let Some((comma, rest)) = encoded.bytes().split_first() else { return Ok(()) };
        let comma = if self.is_empty { &[][..] } else { std::slice::from_ref(comma) };
        self.is_empty = false;
        write(&mut [IoSlice::new(comma), IoSlice::new(rest)])
    }

    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        write(&mut [IoSlice::new(b"\n]}]}\n")])
    }
}

fn short(kind: &str) -> String {
    match kind {
        Problem::MALFORMED => "A line or place that does not fit its format".to_owned(),
        Problem::SUSPICIOUS => "A valid URI that its author probably did not intend".to_owned(),
        kind => format!("An invalid URI: {}", kind.replace('-', " ")),
    }
}

/// Returns what helps against problems of a kind.
fn help(kind: &str) -> &'static str {
    match kind {
        "empty" => "Write a URI, or remove the empty link.",
        "missing-scheme" => {
            "Start the URI with a scheme such as https:, or check references with -g uri-reference."
        }
        "invalid-scheme" => "A scheme is a letter, and then letters, digits, +, - and dots.",
        "space" => "Write a space as %20.",
        "control-character" => "Remove the control character, or write it as an escape such as %09.",
        "non-ascii" => "Write the escapes of the character in UTF-8, or check IRIs with -g iri.",
        "invalid-character" => "Write the character as an escape, such as %7B for {.",
        "invalid-percent-encoding" => {
            "Two hexadecimal digits must follow a percent sign; write %25 for the sign itself."
        }
        "bracket-outside-host" => "Brackets enclose an IP address as host; elsewhere, write %5B and %5D.",
        "invalid-ip-literal" => "The brackets must enclose an IPv6 address.",
        "invalid-port" => "A port has only digits.",
        "second-fragment" => "Within a fragment, write a number sign as %23.",
        "colon-in-first-segment" => "Write ./ before a relative path whose first segment has a colon.",
        "invalid-authority" => {
            "An authority is userinfo, @, a host, a colon and a port; each but the host is optional."
        }
        "invalid-utf8" => "Write the text in UTF-8.",
        "empty-scheme-specific-part" => "Text must follow the colon of the scheme.",
        "record-too-long" => "--max-record sets the longest record.",
        "truncated" => "The input ends within the record, because it could not be read to its end.",
        Problem::MALFORMED => "docs/statistics.md lists the reasons; --from chooses another format.",
        _ => "docs/statistics.md lists the reasons; --deny chooses those that count.",
    }
}
