//! The way to read files and to judge their records: a scanner and a validator, chosen by names or by types.

use crate::memory::OutOfMemory;
use std::fmt;
use std::iter;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::engine::{ChunkScanner, Scanned};
use super::format::{FieldSelector, Format, HeaderRow, Layout, LayoutError, LayoutOptions};
use super::{Chunk, Scanner};
use crate::grammar::Grammar;
use crate::names::{UnknownName, unknown_name};
use crate::request::Request;
use crate::simd::Backend;
use crate::unsupported::Unsupported;
use crate::validator::Validator;

/// The choices of a user.
#[derive(Clone, Copy, Debug)]
pub struct ReadingOptions<'a> {
    /// The name of a format or a wrapper, or `auto` to detect the format. `regex` is not allowed, because
    /// these options have no expression.
    pub format: &'a str,
    /// The name of the grammar. The default is the format's own.
    pub grammar: Option<&'a str>,
    /// Allows zone identifiers in hosts.
    pub zone_ids: bool,
    /// The name of a field or a column, or the number of a column.
    pub field: Option<&'a str>,
    /// The name or the path of a key.
    pub key: Option<&'a str>,
    /// True if the first row of a table names the columns, false if it does not. With None, the first row is
    /// examined.
    pub header: Option<bool>,
    /// The delimiter of the format `delimited`: one ASCII character.
    pub delimiter: Option<&'a str>,
    /// Strips white space around records.
    pub trim: bool,
}

/// The assumed mean length of a record of a list with its line end, in bytes. It turns a number of rows into
/// a chunk size.
const MEAN_RECORD: usize = 64;

/// The options that detect the format and use its own grammar.
const AUTO: ReadingOptions<'static> = ReadingOptions {
    format: "auto",
    grammar: None,
    zone_ids: false,
    field: None,
    key: None,
    header: None,
    delimiter: None,
    trim: false,
};

impl Default for ReadingOptions<'_> {
    /// Detects the format, and uses its own grammar.
    fn default() -> Self {
        AUTO
    }
}

/// The way to read files and to judge their records.
///
/// [`new`](Self::new) takes the names that a user wrote. [`of_layout`](Self::of_layout) and
/// [`detecting`](Self::detecting) take types. All inputs of a scan share one `Reading`: it keeps memory that
/// later chunks reuse.
///
/// ```
/// use urivalidate::corpus::{Input, Reading, ReadingOptions};
///
/// let reading = Reading::new(ReadingOptions { format: "csv", field: Some("url"), ..ReadingOptions::default() })?;
/// let table = Input::reader("table", &b"id,url\n1,http://example.com/\n2,no uri\n"[..]);
/// let records = reading.scanner().records(reading, [table])?;
/// let valid: Vec<_> = records.map(|found| found.map(|found| found.verdict.is_ok())).collect::<Result<_, _>>()?;
/// assert_eq!(valid, [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reading {
    /// The validator of lists, and of all other inputs unless their layout has its own grammar.
    validator: Validator,
    layout: KnownLayout,
    trim: bool,
    /// True if the caller has chosen the grammar.
    has_explicit_grammar: bool,
    /// True if records are references.
    has_references: bool,
    /// Scanners whose memory other chunks reuse.
    chunk_scanners: Mutex<Vec<ChunkScanner>>,
}

#[derive(Debug)]
enum KnownLayout {
    Known(Layout),
    FoundOut(LayoutOptions),
}

impl Reading {
    /// Returns the way to read that these options choose.
    ///
    /// # Errors
    ///
    /// Returns an error if an option names something that does not exist, or if two options exclude each
    /// other.
    pub fn new(options: ReadingOptions<'_>) -> Result<Self, ReadingError> {
        let mut layout = LayoutOptions::from(match (options.field, options.key) {
            (None, None) => FieldSelector::Uri,
            (Some(field), None) => FieldSelector::Field(field.to_owned()),
            (None, Some(key)) => FieldSelector::Key(key.to_owned()),
            (Some(_), Some(_)) => return Err(ReadingError::FieldAndKey),
        });
        layout.header = match options.header {
            None => HeaderRow::Auto,
            Some(true) => HeaderRow::Yes,
            Some(false) => HeaderRow::No,
        };
        layout.delimiter = match options.delimiter.map(str::as_bytes) {
            None => None,
            Some(&[byte]) => Some(byte),
            Some(_) => return Err(ReadingError::Delimiter),
        };
        // The format of wrapped lines is detected.
        layout.wrapper = options.format.parse().ok();
        let format = if layout.wrapper.is_some() { None } else { format_of_name(options.format)? };
        let reading = match format {
            None => Reading::detecting(layout),
            Some(format) => Reading::of_layout(Layout::new(format, &layout).map_err(ReadingError::Layout)?),
        };
        let reading = match options.grammar {
            None => reading,
            Some(name) => reading.grammar(name.parse().map_err(ReadingError::UnknownGrammar)?),
        };
        let reading = reading.trim(options.trim);
        if options.zone_ids { reading.with_zone_ids().map_err(ReadingError::ZoneIds) } else { Ok(reading) }
    }

    /// Returns the way to read inputs of this layout, by the [layout's own grammar](Layout::grammar).
    pub fn of_layout(layout: Layout) -> Self {
        let grammar = layout.grammar();
        Reading::judging(grammar, KnownLayout::Known(layout))
    }

    /// Returns the way to read inputs whose formats are [detected](Scanner::detect_format), with these
    /// options and each by the grammar of its format.
    pub fn detecting(options: LayoutOptions) -> Self {
        Reading::judging(Grammar::Uri, KnownLayout::FoundOut(options))
    }

    fn judging(grammar: Grammar, layout: KnownLayout) -> Self {
        Reading {
            validator: Validator::new(grammar),
            layout,
            trim: false,
            has_explicit_grammar: false,
            has_references: false,
            chunk_scanners: Mutex::default(),
        }
    }

    /// Judges the records of all inputs by this grammar. Call this before
    /// [`with_zone_ids`](Self::with_zone_ids).
    #[must_use]
    pub fn grammar(self, grammar: Grammar) -> Self {
        Reading { validator: self.validator.with_grammar(grammar), has_explicit_grammar: true, ..self }
    }

    /// Takes records for references, which a caller resolves against a base: unless the
    /// [grammar](Self::grammar) is chosen, `uri-reference` takes the place of `uri`, and `iri-reference` that
    /// of `iri`.
    #[must_use]
    pub fn references(self) -> Self {
        let validator = match self.has_explicit_grammar {
            true => self.validator,
            false => self.validator.with_grammar(of_references(self.validator.grammar())),
        };
        Reading { validator, has_references: true, ..self }
    }

    /// Removes ASCII white space at both ends of records before they are judged, as [`Scanner::trim`] does.
    #[must_use]
    pub fn trim(self, trim: bool) -> Self {
        Reading { trim, ..self }
    }

    /// Allows zone identifiers in hosts, as [`Validator::with_zone_ids`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar does not support them.
    pub fn with_zone_ids(self) -> Result<Self, Unsupported> {
        Ok(Reading { validator: self.validator.with_zone_ids()?, ..self })
    }

    /// Scans with this backend instead of the machine's best, as [`Validator::with_backend`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if this machine does not support the backend.
    pub fn with_backend(self, backend: Backend) -> Result<Self, Unsupported> {
        Ok(Reading { validator: self.validator.with_backend(backend)?, ..self })
    }

    /// Returns a scanner that reads in this way.
    pub fn scanner(&self) -> Scanner {
        let scanner = Scanner::new().trim(self.trim);
        match &self.layout {
            KnownLayout::Known(layout) => scanner.layout(layout.clone()),
            KnownLayout::FoundOut(options) => scanner.detect_format(options.clone()),
        }
    }

    /// Returns a scanner that reads in this way, with chunks that become record batches of `rows` rows each
    /// if records have the usual length.
    ///
    /// A chunk has at most `rows` lines, because memory also depends on their number: an empty record takes
    /// one byte of the input and some 150 bytes in the columns of components. A
    /// [piece](ChunkScanner::scan_pieces) of a chunk has at most `rows` records for the same reason.
    pub fn batch_scanner(&self, rows: usize) -> Scanner {
        self.scanner().chunk_size(rows.saturating_mul(MEAN_RECORD)).chunk_lines(rows)
    }

    /// Returns the layout, unless the format is to be detected.
    pub fn layout(&self) -> Option<&Layout> {
        match &self.layout {
            KnownLayout::Known(layout) => Some(layout),
            KnownLayout::FoundOut(_) => None,
        }
    }

    /// Returns the format, unless it is to be detected.
    pub fn format(&self) -> Option<Format> {
        self.layout().map(Layout::format)
    }

    /// Returns the validator of the records. If the grammar is detected with the format, this is the
    /// validator of lists.
    pub fn validator(&self) -> Validator {
        self.validator
    }

    /// Returns the grammar of all records, if the grammar or the format is chosen. The values of a key may
    /// turn out to be request targets, which have a grammar of their own unless the grammar is chosen.
    pub fn known_grammar(&self) -> Option<Grammar> {
        (self.has_explicit_grammar || self.layout().is_some()).then(|| self.validator.grammar())
    }

    /// Returns the validator of the records of `chunk`.
    pub fn validator_of(&self, chunk: &Chunk<'_>) -> Validator {
        if self.has_explicit_grammar {
            return self.validator;
        }
        let learned = chunk.layout().validator(self.validator);
        let grammar = of_references(learned.grammar());
        if !self.has_references || grammar == learned.grammar() {
            learned
        } else if grammar == self.validator.grammar() {
            self.validator
        } else {
            self.validator.with_grammar(grammar)
        }
    }

    /// Scans `chunk` as `request` says, and passes the result to `take`, [piece by
    /// piece](ChunkScanner::scan_pieces). Later chunks reuse the memory.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ChunkScanner::scan_pieces`].
    pub fn scan_pieces<B>(
        &self,
        chunk: &Chunk<'_>,
        request: impl Into<Request>,
        take: impl FnMut(&Scanned<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, OutOfMemory> {
        let spare = self.chunk_scanners.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut chunk_scanner = spare.unwrap_or_default();
        let flow = chunk_scanner.scan_pieces(chunk, &self.validator_of(chunk), request, take)?;
        self.chunk_scanners.lock().unwrap_or_else(PoisonError::into_inner).push(chunk_scanner);
        Ok(flow)
    }
}

/// Returns the grammar of references to URIs of this grammar.
fn of_references(grammar: Grammar) -> Grammar {
    match grammar {
        Grammar::Uri => Grammar::UriReference,
        Grammar::Iri => Grammar::IriReference,
        grammar => grammar,
    }
}

/// Returns the format of this name, or `None` for `auto`.
fn format_of_name(name: &str) -> Result<Option<Format>, ReadingError> {
    if name == "auto" {
        return Ok(None);
    }
    match name.parse() {
        Ok(format) if format != Format::Regex => Ok(Some(format)),
        _ => {
            let formats = Format::ALL.iter().filter(|&&format| format != Format::Regex);
            let known = iter::once("auto").chain(formats.map(|format| format.name())).collect();
            Err(ReadingError::UnknownFormat { name: name.to_owned(), known })
        }
    }
}

/// The reason why [`Reading::new`] rejects options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadingError {
    /// No format or wrapper has this name.
    UnknownFormat {
        /// The unknown name.
        name: String,
        /// The names of the formats, and `auto`.
        known: Vec<&'static str>,
    },
    /// No grammar has this name.
    UnknownGrammar(UnknownName),
    /// The grammar does not support zone identifiers.
    ZoneIds(Unsupported),
    /// The format does not have the field or the key, or the options lack a delimiter.
    Layout(LayoutError),
    /// Both a field and a key are chosen.
    FieldAndKey,
    /// The delimiter is not one ASCII character.
    Delimiter,
}

impl fmt::Display for ReadingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadingError::UnknownFormat { name, known } => f.write_str(&unknown_name("format", name, known)),
            ReadingError::UnknownGrammar(error) => {
                f.write_str(&unknown_name("grammar", error.name(), error.names()))
            }
            ReadingError::ZoneIds(error) => error.fmt(f),
            ReadingError::Layout(error) => error.fmt(f),
            ReadingError::FieldAndKey => f.write_str("use either field or key, not both"),
            ReadingError::Delimiter => f.write_str("the delimiter has to be one ASCII character"),
        }
    }
}

impl std::error::Error for ReadingError {}

#[cfg(test)]
mod tests {

    use super::*;

    fn error(options: ReadingOptions<'_>) -> String {
        Reading::new(options).unwrap_err().to_string()
    }

    /// Returns the numbers of valid and of invalid records, and the grammar that judged them.
    fn read(options: ReadingOptions<'_>, input: &str) -> ([usize; 2], Grammar) {
        let reading = Reading::new(options).unwrap();
        let (mut counts, mut grammar) = ([0; 2], reading.validator().grammar());
        // Small chunks, so that many chunks reuse memory.
        reading
            .scanner()
            .chunk_size(8)
            .scan_slice(
                input.as_bytes(),
                |chunk| {
                    let mut counts = [0; 2];
                    let count = |scanned: &Scanned<'_>| {
                        let invalid = scanned.batch().invalid().len();
                        counts = [counts[0] + scanned.len() - invalid, counts[1] + invalid];
                        ControlFlow::<()>::Continue(())
                    };
                    let _ = reading.scan_pieces(chunk, Request::default(), count).unwrap();
                    (counts, reading.validator_of(chunk).grammar())
                },
                |(more, by)| {
                    counts = [counts[0] + more[0], counts[1] + more[1]];
                    grammar = by;
                    ControlFlow::<()>::Continue(())
                },
            )
            .unwrap();
        (counts, grammar)
    }

    #[test]
    fn formats_and_grammars_are_found_out_or_named() {
        let list = "http://a/\n/b\nhttp://c/ \n";
        assert_eq!(read(AUTO, list), ([1, 2], Grammar::Uri));
        assert_eq!(read(ReadingOptions { trim: true, ..AUTO }, list), ([2, 1], Grammar::Uri));
        let references = ReadingOptions { grammar: Some("uri-reference"), ..AUTO };
        assert_eq!(read(references, list), ([2, 1], Grammar::UriReference));

        let log = include_str!("../../corpora/logs/combined.log");
        assert_eq!(read(AUTO, log), ([3, 4], Grammar::RequestTarget));
        let named = ReadingOptions { format: "combined", ..AUTO };
        assert_eq!(read(named, log), ([3, 4], Grammar::RequestTarget));
        assert_eq!(read(ReadingOptions { format: "nginx", ..AUTO }, log), ([3, 4], Grammar::RequestTarget));
        assert_eq!(read(ReadingOptions { field: Some("referer"), ..named }, log).1, Grammar::Uri);
        assert_eq!(read(ReadingOptions { grammar: Some("uri"), ..AUTO }, log).1, Grammar::Uri);
        let wrapped = include_str!("../../corpora/logs/nginx-docker.jsonl");
        assert_eq!(
            read(ReadingOptions { format: "docker", ..AUTO }, wrapped),
            ([3, 2], Grammar::RequestTarget)
        );

        let table = "http://a/;x\nhttp://b/;y\n";
        let delimited =
            ReadingOptions { format: "delimited", delimiter: Some(";"), field: Some("1"), ..AUTO };
        assert_eq!(read(delimited, table).0, [2, 0]);
        assert_eq!(read(ReadingOptions { header: Some(true), ..delimited }, table).0, [1, 0]);
        assert_eq!(
            read(ReadingOptions { format: "lines", zone_ids: true, ..AUTO }, "http://[fe80::1%25a]/").0,
            [1, 0]
        );
    }

    #[test]
    fn chunks_of_batches_have_as_many_records_as_wanted() {
        let reading = Reading::new(ReadingOptions { format: "lines", ..AUTO }).unwrap();
        let chunks = |list: &str| {
            let mut chunks = Vec::new();
            let sink = |found: (u64, usize)| {
                chunks.push(found);
                ControlFlow::<()>::Continue(())
            };
            let job = |chunk: &Chunk<'_>| {
                let take = |scanned: &Scanned<'_>| ControlFlow::Break((scanned.lines(), chunk.lines().len()));
                let flow = reading.scan_pieces(chunk, Request::default(), take).unwrap();
                flow.break_value().expect("a chunk has a piece")
            };
            reading.batch_scanner(100).scan_slice(list.as_bytes(), job, sink).unwrap();
            chunks
        };
        assert_eq!(chunks(&"\n".repeat(250)), [(100, 100), (100, 100), (50, 50)]);
        let long = format!("{}\n", "x".repeat(127));
        assert_eq!(chunks(&long.repeat(120)), [(50, 6400), (50, 6400), (20, 2560)]);
    }

    #[test]
    fn grammars_are_known_before_anything_is_read_if_the_format_or_they_are_named() {
        let known = |options| Reading::new(options).unwrap().known_grammar();
        assert_eq!(known(AUTO), None);
        assert_eq!(known(ReadingOptions { format: "docker", ..AUTO }), None);
        assert_eq!(known(ReadingOptions { format: "squid", ..AUTO }), Some(Grammar::Uri));
        assert_eq!(known(ReadingOptions { grammar: Some("java"), ..AUTO }), Some(Grammar::Java));
    }

    #[test]
    fn request_targets_at_a_key_have_their_own_grammar_unless_one_is_chosen() {
        let log = "{\"path\":\"/a?b\"}\n".repeat(3);
        let named = ReadingOptions { format: "jsonl", key: Some("path"), ..AUTO };
        assert_eq!(read(named, &log), ([3, 0], Grammar::RequestTarget));
        assert_eq!(read(ReadingOptions { grammar: Some("uri"), ..named }, &log), ([0, 3], Grammar::Uri));
    }

    #[test]
    fn references_have_the_grammar_of_references() {
        let grammar = |reading: Reading, input: &str| {
            let scanner = reading.scanner();
            let mut grammar = reading.validator().grammar();
            let job = |chunk: &Chunk<'_>| reading.validator_of(chunk).grammar();
            let sink = |of_chunk| {
                grammar = of_chunk;
                ControlFlow::<()>::Continue(())
            };
            scanner.scan_slice(input.as_bytes(), job, sink).unwrap();
            (reading.validator().grammar(), grammar)
        };
        let detecting = || Reading::detecting(LayoutOptions::default());
        let references = Grammar::UriReference;
        assert_eq!(grammar(detecting().references(), "http://h/\n"), (references, references));
        assert_eq!(grammar(detecting().references(), "<a href='x'>"), (references, references));
        assert_eq!(grammar(detecting().grammar(Grammar::Uri).references(), "/a\n").1, Grammar::Uri);
        assert_eq!(grammar(detecting().references().grammar(Grammar::Iri), "/a\n").1, Grammar::Iri);
        let log = include_str!("../../corpora/logs/combined.log");
        assert_eq!(grammar(detecting().references(), log).1, Grammar::RequestTarget);
        assert_eq!(grammar(Reading::of_layout(Layout::lines()).references(), "/a\n").1, references);
    }

    #[test]
    fn options_that_choose_nothing_are_refused() {
        let unknown = Reading::new(ReadingOptions { format: "regex", ..AUTO }).unwrap_err();
        let ReadingError::UnknownFormat { known, .. } = &unknown else { panic!("{unknown}") };
        assert_eq!(known[..2], ["auto", "lines"]);
        assert_eq!(known.len(), Format::ALL.len(), "auto, and no regex");
        assert!(unknown.to_string().starts_with("unknown format \"regex\": expected one of auto, lines, "));
        assert!(
            error(ReadingOptions { grammar: Some("url"), ..AUTO })
                .starts_with("unknown grammar \"url\": expected one of uri, uri-reference,")
        );
        let both = ReadingOptions { field: Some("1"), key: Some("url"), ..AUTO };
        assert_eq!(error(both), "use either field or key, not both");
        for delimiter in ["", "||", "é"] {
            let options = ReadingOptions { format: "delimited", delimiter: Some(delimiter), ..AUTO };
            assert_eq!(error(options), "the delimiter has to be one ASCII character");
        }
        assert!(
            error(ReadingOptions { format: "squid", field: Some("via"), ..AUTO }).starts_with("no field via")
        );
        assert!(error(ReadingOptions { grammar: Some("java"), zone_ids: true, ..AUTO }).contains("java"));
    }
}
