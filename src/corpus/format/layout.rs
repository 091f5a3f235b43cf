//! A format with one of its fields chosen, and what its chunks have to know of those before them.

use core::fmt;
use std::collections::TryReserveError;
use std::io;
use std::sync::Arc;

use memchr::{memchr, memmem};

use super::Format;
use super::access::Access;
use super::columns::{Cdx, Heritrix, Squid};
use super::delimited::{self, Delimited};
use super::field::{Find, Found, Want};
use super::fields::Sink;
use super::json::Json;
use super::w3c::{self, W3c};
use super::warc;
use crate::corpus::Chunk;
use crate::grammar::Grammar;

/// Which field of a format is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// The one that holds the URIs of the format.
    #[default]
    Uri,
    /// One that the [module](super) names for the format, or a column: by its name where the format has a header, by its
    /// number from 1 on where it has columns.
    Field(String),
    /// A key, where the format has JSON objects.
    Key(String),
}

/// A [`Format`], and which of its fields is looked for.
///
/// ```
/// use urivalidate::Grammar;
/// use urivalidate::corpus::{Format, Layout, Pick};
///
/// assert_eq!(Layout::new(Format::Combined).grammar(), Grammar::RequestTarget);
/// let referer = Pick::Field("referer".to_owned());
/// assert_eq!(Layout::with(Format::Combined, &referer)?.grammar(), Grammar::Uri);
/// assert!(Layout::with(Format::Common, &referer).is_err());
/// # Ok::<(), urivalidate::corpus::NoSuchField>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    format: Format,
    finder: Arc<Finder>,
}

#[derive(Debug)]
enum Finder {
    Lines,
    Heritrix(Heritrix),
    Squid(Squid),
    Access(Access),
    Cdx(Cdx),
    W3c(Want),
    Json { keys: Vec<Box<[u8]>>, is_index: bool },
    Delimited { separator: u8, want: Want },
    Warc,
}

impl Finder {
    fn with_field(format: Format, field: &str) -> Option<Finder> {
        let number = field.parse::<usize>().ok().filter(|&number| number > 0);
        let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
        let named = |names: &[(&str, usize)]| {
            names.iter().find(|(name, _)| *name == field).map(|&(_, column)| column)
        };
        let any = || match number {
            Some(number) => Some(Want::Number(number)),
            None => (!is_number).then(|| Want::Name(bytes(field))),
        };
        match format {
            Format::Heritrix => {
                let names = [("uri", Heritrix::URI), ("via", Heritrix::VIA), ("source", Heritrix::SOURCE)];
                named(&names).or(number).map(|column| Finder::Heritrix(Heritrix { column }))
            }
            Format::Squid => {
                named(&[("uri", Squid::URI)]).or(number).map(|column| Finder::Squid(Squid { column }))
            }
            Format::Cdx => match field {
                "url" => Some(Cdx::without_header(Cdx::URL)),
                "redirect" => Some(Cdx::without_header(Cdx::REDIRECT)),
                _ => number.map(Cdx::with_column),
            }
            .map(Finder::Cdx),
            Format::Common | Format::Combined if field == "target" => {
                Some(Finder::Access(Access { referer: false }))
            }
            Format::Combined if field == "referer" => Some(Finder::Access(Access { referer: true })),
            Format::W3c => any().map(Finder::W3c),
            Format::Csv => any().map(|want| Finder::Delimited { separator: b',', want }),
            Format::Tsv => any().map(|want| Finder::Delimited { separator: b'\t', want }),
            _ => None,
        }
    }

    fn with_key(format: Format, key: &str) -> Option<Finder> {
        let keys = vec![bytes(key)];
        match format {
            Format::Cdxj => Some(Finder::Json { keys, is_index: true }),
            Format::Jsonl => Some(Finder::Json { keys, is_index: false }),
            _ => None,
        }
    }
}

fn bytes(text: &str) -> Box<[u8]> {
    text.as_bytes().into()
}

/// What a chunk has to know of those before it.
#[derive(Clone, Copy, Debug)]
struct State(Known);

#[derive(Clone, Copy, Debug)]
enum Known {
    Nothing,
    Cdx(Cdx),
    W3c(w3c::Header),
    Delimited(delimited::Header),
    Warc(warc::State),
}

/// How a chunk is to be read.
#[derive(Clone, Debug)]
pub(in crate::corpus) struct Reading {
    pub(in crate::corpus) layout: Layout,
    state: State,
}

impl Reading {
    /// How the first chunk of an input is to be read.
    pub(in crate::corpus) fn start(layout: Layout) -> Self {
        let state = layout.start();
        Reading { layout, state }
    }

    /// How the chunk behind `chunk` is to be read, which itself was to be read like this.
    ///
    /// # Errors
    ///
    /// If a header does not name the field.
    pub(in crate::corpus) fn follow(&self, chunk: &Chunk<'_>) -> io::Result<Self> {
        Ok(Reading { layout: self.layout.clone(), state: self.layout.follow(self.state, chunk)? })
    }
}

impl Layout {
    /// A format with the field that holds its URIs.
    pub fn new(format: Format) -> Self {
        let json = |keys: &[&str], is_index| Finder::Json {
            keys: keys.iter().map(|&key| bytes(key)).collect(),
            is_index,
        };
        let finder = match format {
            Format::Lines => Finder::Lines,
            Format::Heritrix => Finder::Heritrix(Heritrix { column: Heritrix::URI }),
            Format::Squid => Finder::Squid(Squid { column: Squid::URI }),
            Format::Common | Format::Combined => Finder::Access(Access { referer: false }),
            Format::Cdx => Finder::Cdx(Cdx::without_header(Cdx::URL)),
            Format::W3c => Finder::W3c(Want::Uri),
            Format::Cdxj => json(&["url"], true),
            Format::Jsonl => json(&["url", "uri"], false),
            Format::Csv => Finder::Delimited { separator: b',', want: Want::Uri },
            Format::Tsv => Finder::Delimited { separator: b'\t', want: Want::Uri },
            Format::Warc => Finder::Warc,
        };
        Layout { format, finder: Arc::new(finder) }
    }

    /// A format with the field that was picked.
    ///
    /// # Errors
    ///
    /// If the format has no such field. Whether a header names it is only known when it is read.
    pub fn with(format: Format, pick: &Pick) -> Result<Self, NoSuchField> {
        let finder = match pick {
            Pick::Uri => return Ok(Layout::new(format)),
            Pick::Field(field) => Finder::with_field(format, field),
            Pick::Key(key) => Finder::with_key(format, key),
        };
        match finder {
            Some(finder) => Ok(Layout { format, finder: Arc::new(finder) }),
            None => Err(NoSuchField { format, pick: pick.clone() }),
        }
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The grammar that the field's values are to match unless somebody knows better.
    pub fn grammar(&self) -> Grammar {
        let is_target = match &*self.finder {
            Finder::Access(access) => !access.referer,
            Finder::W3c(Want::Uri) => true,
            Finder::W3c(Want::Name(name)) => {
                [b"cs-uri".as_slice(), b"cs-uri-stem"].iter().any(|target| name.eq_ignore_ascii_case(target))
            }
            _ => false,
        };
        if is_target { Grammar::RequestTarget } else { Grammar::Uri }
    }

    /// What the first chunk of an input is told.
    fn start(&self) -> State {
        State(match &*self.finder {
            Finder::Cdx(cdx) => Known::Cdx(*cdx),
            Finder::W3c(_) => Known::W3c(w3c::Header::Missing),
            Finder::Delimited { .. } => Known::Delimited(delimited::Header::Pending),
            Finder::Warc => Known::Warc(warc::State::Between),
            _ => Known::Nothing,
        })
    }

    /// What the chunk behind `chunk` is told, which itself was told `state`.
    fn follow(&self, state: State, chunk: &Chunk<'_>) -> io::Result<State> {
        let lines = chunk.lines();
        Ok(State(match (&*self.finder, state.0) {
            (_, Known::Warc(state)) => Known::Warc(warc::walk(state, lines, chunk.is_part(), |_, _| {})),
            (Finder::Cdx(_) | Finder::W3c(_), known) if chunk.is_part() => known,
            (Finder::Cdx(_), Known::Cdx(mut cdx)) => {
                // If already the first line says that there is no such column, that is all there is to say. Further on
                // it is said of each line.
                let first = &lines[..memchr(b'\n', lines).unwrap_or(lines.len())];
                if chunk.base() == 0 && Cdx::is_header(first) {
                    cdx.set_header(first);
                    if let (false, Some(letter)) = (cdx.has_field(), cdx.letter) {
                        return Err(not_in_header(format!(" with the letter {}", char::from(letter))));
                    }
                }
                if let Some(header) = last_line(lines, b"CDX", 1, Cdx::is_header) {
                    cdx.set_header(header);
                }
                Known::Cdx(cdx)
            }
            (Finder::W3c(want), Known::W3c(header)) => {
                let line = last_line(lines, w3c::FIELDS, 0, |line| line.starts_with(w3c::FIELDS));
                Known::W3c(line.map_or(header, |line| w3c::Header::new(line, want)))
            }
            (
                &Finder::Delimited { separator, ref want },
                Known::Delimited(header @ delimited::Header::Pending),
            ) => {
                // A first line over the limit is no header.
                let first = if chunk.is_part() { b"" } else { lines };
                let first = &first[..memchr(b'\n', first).unwrap_or(first.len())];
                let table = Delimited { separator, want, header };
                let found = table.header(first.strip_suffix(b"\r").unwrap_or(first));
                Known::Delimited(found.ok_or_else(|| {
                    not_in_header(match want {
                        Want::Uri => String::new(),
                        Want::Name(name) => format!(" {}", String::from_utf8_lossy(name)),
                        Want::Number(number) => format!(" number {number}"),
                    })
                })?)
            }
            (_, known) => known,
        }))
    }
}

fn not_in_header(column: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the header has no column{column}"))
}

/// The last line that `is_header` and has `word` from its byte `at` on, without its end.
fn last_line<'a>(
    lines: &'a [u8],
    word: &[u8],
    at: usize,
    is_header: impl Fn(&[u8]) -> bool,
) -> Option<&'a [u8]> {
    // Mostly there is none, and a search from the end has no vectors.
    let lines_with_word = memmem::find_iter(lines, word).filter_map(|found| {
        let start = found.checked_sub(at).filter(|&start| start == 0 || lines[start - 1] == b'\n')?;
        let line = &lines[start..];
        let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    });
    lines_with_word.filter(|line| is_header(line)).last()
}

impl Reading {
    /// Lets `sink` find the fields of `chunk`, which this belongs to.
    pub(super) fn extract(&self, chunk: &Chunk<'_>, sink: &mut Sink<'_>) -> Result<(), TryReserveError> {
        match (&*self.layout.finder, self.state.0) {
            (&Finder::Heritrix(finder), _) => sink.find(chunk, finder),
            (&Finder::Squid(finder), _) => sink.find(chunk, finder),
            (&Finder::Access(finder), _) => sink.find(chunk, finder),
            (_, Known::Cdx(finder)) => sink.find(chunk, finder),
            (Finder::W3c(want), Known::W3c(header)) => sink.find(chunk, W3c { want, header }),
            (&Finder::Json { ref keys, is_index }, _) => sink.find(chunk, Json { keys, is_index }),
            (&Finder::Delimited { separator, ref want }, Known::Delimited(header)) => {
                sink.find(chunk, Delimited { separator, want, header })
            }
            (_, Known::Warc(state)) => sink.walk(chunk, state),
            _ => sink.find(chunk, Whole),
        }
    }
}

/// The line is the record.
struct Whole;

impl Find for Whole {
    fn find(&mut self, line: &[u8]) -> Found {
        Found::plain(0..line.len())
    }
}

/// A field was picked that the format does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchField {
    format: Format,
    pick: Pick,
}

impl fmt::Display for NoSuchField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format;
        match &self.pick {
            Pick::Uri => {}
            Pick::Field(name) => write!(f, "no field {name}: ")?,
            Pick::Key(name) => write!(f, "no key {name}: ")?,
        }
        write!(f, "the format {format} has ")?;
        f.write_str(match format {
            Format::Lines => "no fields",
            Format::Warc => "the target URIs only",
            Format::Heritrix => "the fields uri, via and source, and columns by number",
            Format::Squid => "the field uri, and columns by number",
            Format::Cdx => "the fields url and redirect, and columns by number",
            Format::Common => "the field target",
            Format::Combined => "the fields target and referer",
            Format::W3c | Format::Csv | Format::Tsv => "the columns of its header, by name or by number",
            Format::Cdxj | Format::Jsonl => "keys",
        })
    }
}

impl std::error::Error for NoSuchField {}
