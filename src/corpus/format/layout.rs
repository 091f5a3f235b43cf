//! A format with one of its fields selected.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::kinds::Format;
use super::kinds::documents::Documents;
use super::kinds::json::Json;
use super::lines::chunk_lines::ChunkLines;
use super::lines::cutter::{Cutter, LineCutter};
use super::lines::fields::{FieldSink, Fields};
use super::lines::keys_seen::KeysSeen;
use super::lines::line::MalformedLine;
use super::lines::line::{ColumnCount, Malformed};
use super::lines::line_fields::LineFields;
use super::lines::log_format::LogFormat;
use super::lines::options::{FieldSelector, LayoutOptions};
use super::lines::wrapper::Wrapper;
use crate::corpus::limits::{Limits, PieceLimits};
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::validator::Validator;

/// A [`Format`] with one of its fields selected.
///
/// ```
/// use urivalidate::Grammar;
/// use urivalidate::corpus::{FieldSelector, Format, Layout, LayoutOptions};
///
/// let combined = Layout::new(Format::Combined, &LayoutOptions::default())?;
/// assert_eq!(combined.grammar(), Grammar::RequestTarget);
/// let referer = FieldSelector::Field("referer".to_owned()).into();
/// assert_eq!(Layout::new(Format::Combined, &referer)?.grammar(), Grammar::Uri);
/// assert!(Layout::new(Format::Common, &referer).is_err());
/// # Ok::<(), urivalidate::corpus::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    format: Format,
    /// The evidence for the format, if the format was detected.
    evidence: Option<Evidence>,
    /// The state at the start of a chunk with this layout. It has the facts from the lines before the chunk.
    state: Arc<dyn LogFormat>,
    /// The key to search, if the caller selected none and the first lines decided it.
    key_found: Option<Arc<str>>,
    /// The wrapper of each line.
    wrapper: Option<Wrapper>,
    /// Whether the lines of the input have the key, as far as they have been scanned.
    keys: Arc<KeysSeen>,
    /// The header before the chunk that names the columns, if headers are kept. It is empty if the header is
    /// over the limit.
    header: Option<Arc<Vec<u8>>>,
}

impl Layout {
    /// Returns the layout with one record per line.
    pub fn lines() -> Self {
        Layout::new(Format::Lines, &LayoutOptions::default()).expect("lines need no options")
    }

    /// Returns the layout of a format with its options. By default it reads the format's usual field;
    /// `delimited` and `regex` need options.
    ///
    /// # Errors
    ///
    /// Returns an error if the format has no such field, or if an option that the format needs is missing.
    /// Whether a header names the field is checked when the header is read.
    pub fn new(format: Format, options: &LayoutOptions) -> Result<Self, LayoutError> {
        match format.entry().fields.select(options) {
            Some(state) => {
                let keys = Arc::default();
                let (evidence, key_found, wrapper, header) = (None, None, None, None);
                Ok(Layout { format, evidence, state, key_found, wrapper, keys, header })
            }
            None => Err(match format {
                Format::Delimited if options.delimiter.is_none() => LayoutError::NoDelimiter,
                Format::Regex => LayoutError::NoPattern,
                _ => LayoutError::NoSuchField { format, selector: options.field.clone() },
            }),
        }
    }

    /// Returns the layout of a detected format, for an input that starts with `head`. If the caller selected
    /// no key, the usual key is absent, and another key surely has the URIs or request targets, the layout
    /// reads that key.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`new`](Self::new).
    pub(crate) fn detected(
        format: Format,
        options: &LayoutOptions,
        wrapper: Option<Wrapper>,
        head: &[u8],
    ) -> Result<Self, LayoutError> {
        let key = match format {
            _ if options.field != FieldSelector::Uri => None,
            Format::Jsonl => Json::sure_key(&messages(wrapper, head)),
            Format::Json => Documents::sure_key(head),
            _ => None,
        };
        let layout = match &key {
            Some(key) => {
                let field = FieldSelector::Key(key.clone());
                Layout::new(format, &LayoutOptions { field, ..options.clone() })?
            }
            None => Layout::new(format, options)?,
        };
        Ok(Layout { key_found: key.map(Arc::from), wrapper, ..layout })
    }

    /// Returns the format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the wrapper of each line, if the first lines of the input have one.
    pub fn wrapper(&self) -> Option<Wrapper> {
        self.wrapper
    }

    /// Returns the number of lines that fit the format, if the format was detected from the first lines of an
    /// input.
    pub fn evidence(&self) -> Option<Evidence> {
        self.evidence
    }

    /// Returns the number of lines before the table, if the first lines of an input show a table after some
    /// other lines. It counts for the first chunk of the input.
    pub fn preamble(&self) -> usize {
        self.state.preamble()
    }

    pub(crate) fn with_evidence(self, evidence: Option<Evidence>) -> Self {
        Layout { evidence, ..self }
    }

    /// Returns the key that the first lines of the input decided, or `None` if the caller selected a key or
    /// the lines have the format's usual key.
    pub fn key_found(&self) -> Option<&str> {
        self.key_found.as_deref()
    }

    /// Returns the path to the selected key, with dots between keys, or the name of the field that a header
    /// must name.
    pub(crate) fn wanted(&self) -> Option<String> {
        self.state.wanted()
    }

    /// Returns the default grammar of the selected field.
    pub fn grammar(&self) -> Grammar {
        self.state.grammar()
    }

    /// Returns the validator of the field's values for callers that have not chosen a grammar: `validator`
    /// itself if it has the [layout's own](Self::grammar) grammar, otherwise a validator of that grammar on
    /// the same backend.
    pub fn validator(&self, validator: Validator) -> Validator {
        let grammar = self.grammar();
        if validator.grammar() == grammar { validator } else { validator.with_grammar(grammar) }
    }

    /// Returns the layout for another input.
    pub(crate) fn for_new_input(self) -> Self {
        Layout { keys: Arc::default(), header: None, ..self }
    }

    /// Returns what is known about the key in the lines of the input.
    pub(crate) fn keys(&self) -> &KeysSeen {
        &self.keys
    }

    /// Fails if some lines of the input lack the key, and none have it. Call this after the last chunk.
    ///
    /// # Errors
    ///
    /// Returns an error that names the key, and keys that have URIs.
    pub(crate) fn check_keys(&self) -> io::Result<()> {
        let Some(key) = self.state.wanted().filter(|_| self.keys.is_missing()) else { return Ok(()) };
        let whole = if self.has_documents() { "object" } else { "line" };
        let others = self.state.others().map(|others| format!("; {others}")).unwrap_or_default();
        let missing = MissingKey(format!("no {whole} has the key {key:?}{others}"));
        Err(io::Error::new(io::ErrorKind::InvalidData, missing))
    }

    /// Returns a sentence about a malformed line of a chunk that has this layout. It names the missing
    /// column, or the numbers of columns.
    pub fn message(&self, line: &MalformedLine) -> String {
        let &MalformedLine { reason, column_count, .. } = line;
        match (reason, self.state.wanted(), column_count) {
            (Malformed::NotInHeader, Some(field), _) => format!("{} {field:?}", reason.message()),
            (_, _, Some(ColumnCount { found, expected })) => {
                format!("{}: {found} instead of {expected}", reason.message())
            }
            _ => reason.message().to_owned(),
        }
    }

    /// Returns a sentence about how the input is read, if its user should know it: that the vocabulary of an
    /// XML document is not known.
    pub fn remark(&self) -> Option<&'static str> {
        self.state.remark()
    }

    /// Returns the cutter of an input with this layout.
    pub(crate) fn cutter(&self, limits: &Limits) -> Box<dyn Cutter> {
        self.state.cutter(limits).unwrap_or_else(|| Box::new(LineCutter::default()))
    }

    /// Returns true if chunks may end at any line end.
    pub(crate) fn is_cut_at_lines(&self, limits: &Limits) -> bool {
        self.state.cutter(limits).is_none()
    }

    /// Returns true if a chunk of lines starts with a line.
    pub(crate) fn starts_line(&self, chunk: &ChunkLines<'_>) -> bool {
        self.state.starts_line(&self.lines_of(chunk))
    }

    /// Returns the end of what byte `end` of the chunk cuts, such as a row or a tag. Returns `end` if it cuts
    /// nothing.
    pub(crate) fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
        self.state.whole(&self.lines_of(chunk), end)
    }

    /// Returns the fence of the code block that the chunk continues: its byte and its length.
    pub(crate) fn open_fence(&self, chunk: &ChunkLines<'_>) -> Option<(u8, usize)> {
        self.state.open_fence(&self.lines_of(chunk))
    }

    /// Returns true if the records come from documents, and not from lines. Chunks then end where a document
    /// allows it.
    pub(crate) fn has_documents(&self) -> bool {
        self.state.is_document()
    }

    /// Returns true if the records can come from pages of an archive. Such pages have [bases](crate::Page).
    pub fn has_pages(&self) -> bool {
        self.state.has_pages()
    }

    /// Returns true if the input itself may name the base of its records: an archive has the URIs of its
    /// pages, and a page can have a `<base href>`.
    pub fn may_name_base(&self) -> bool {
        self.state.names_base()
    }

    /// Returns true if lines can have wrappers.
    pub(super) fn may_be_wrapped(&self) -> bool {
        // A list is scanned without reading its lines.
        self.format != Format::Lines && self.state.takes_lone_lines()
    }

    /// Returns true if [`start`](Self::start) needs the first lines of an input.
    pub(crate) fn needs_head(&self) -> bool {
        self.state.needs_head()
    }

    /// Returns true if these first bytes of documents are enough for [`start`](Self::start).
    pub(crate) fn is_clear(&self, head: &[u8]) -> bool {
        self.state.is_clear(head)
    }

    /// Returns the layout of the first chunk of an input that starts with these lines.
    pub(crate) fn start(&self, head: &[u8]) -> Self {
        let state = self.state.start(&messages(self.wrapper, head));
        Layout { state: state.unwrap_or_else(|| self.state.clone()), ..self.clone() }
    }

    /// Returns the layout of the chunk after `chunk`. `self` is the layout of `chunk`. If `keeps_header`, the
    /// layout has the header that names the columns.
    ///
    /// # Errors
    ///
    /// Returns an error if a header does not name the field, or if memory for the header is lacking.
    pub(crate) fn follow(&self, chunk: &ChunkLines<'_>, keeps_header: bool) -> io::Result<Self> {
        let chunk = &self.lines_of(chunk);
        let state = self.state.follow(chunk)?.unwrap_or_else(|| self.state.clone());
        let header = match self.state.last_header(chunk).filter(|_| keeps_header) {
            Some(line) => {
                let mut header = Vec::new();
                memory::try_reserve_exact(&mut header, line.len())
                    .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
                header.extend_from_slice(line);
                Some(Arc::new(header))
            }
            None => self.header.clone(),
        };
        Ok(Layout { state, header, ..self.clone() })
    }

    /// Returns true if the lines have fields that rows can carry.
    pub fn has_fields(&self) -> bool {
        self.state.has_fields()
    }

    /// Returns true if a header names the fields of the lines.
    pub(crate) fn has_header_names(&self) -> bool {
        self.state.has_header_names()
    }

    /// Returns those of these fields that the format surely lacks, whatever a header names.
    pub fn unknown_fields<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        if self.state.has_header_names() {
            return Vec::new();
        }
        let fields = self.line_fields(None, names);
        fields.map_or(Vec::new(), |fields| fields.missing().iter().map(|&index| names[index]).collect())
    }

    /// Returns the names of the fields of the lines, after this header. `lines` are the first of them.
    pub(crate) fn field_names(&self, header: Option<&[u8]>, lines: &[&[u8]]) -> Vec<String> {
        self.state.field_names(header, lines)
    }

    /// Returns what finds these fields in the lines after this header.
    pub(crate) fn line_fields(&self, header: Option<&[u8]>, names: &[&str]) -> Option<Box<dyn LineFields>> {
        self.state.line_fields(header, names)
    }

    /// Returns the last line of the chunk that names columns.
    pub(crate) fn last_header_of<'c>(&self, chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        self.state.last_header(chunk)
    }

    /// Returns the header before the chunk that names the columns, if headers are kept.
    pub(crate) fn header(&self) -> Option<&[u8]> {
        self.header.as_ref().map(|header| &header[..])
    }

    /// Returns true if the header line with this number among those of a chunk with this layout, counted from
    /// 0, names the columns of the lines after it.
    pub(crate) fn names_columns(&self, number: usize, line: &[u8]) -> bool {
        self.state.names_columns(number, line)
    }

    /// Returns the chunk with the row separator and the wrapper of this layout.
    pub(crate) fn lines_of<'c>(&self, chunk: &ChunkLines<'c>) -> ChunkLines<'c> {
        let unwrap = self.wrapper.map(Wrapper::unwrap);
        ChunkLines { row_separator: self.state.row_separator(), unwrap, ..*chunk }
    }

    /// Finds the records of a chunk with this layout. They replace the records that `fields` held before.
    ///
    /// # Errors
    ///
    /// Returns an error if memory for the records is lacking.
    pub(crate) fn extract(
        &self,
        chunk: &ChunkLines<'_>,
        trim: bool,
        fields: &mut Fields,
    ) -> Result<(), OutOfMemory> {
        let chunk = &self.lines_of(chunk);
        fields.begin(chunk)?;
        self.state.extract(chunk, &mut FieldSink::new(fields, trim));
        fields.end()
    }

    /// Finds the records of a chunk, as [`extract`](Self::extract) does, but piece by piece. `take_piece`
    /// gets each piece except the last one, which stays in `fields`.
    ///
    /// # Errors
    ///
    /// Returns an error if memory for the records is lacking.
    pub(crate) fn extract_pieces(
        &self,
        chunk: &ChunkLines<'_>,
        trim: bool,
        limits: PieceLimits,
        fields: &mut Fields,
        take_piece: &mut dyn FnMut(&Fields),
    ) -> Result<(), OutOfMemory> {
        let chunk = &self.lines_of(chunk);
        fields.begin(chunk)?;
        self.state.extract(chunk, &mut FieldSink::new(fields, trim).in_pieces(limits, take_piece));
        fields.end()
    }

    /// Returns the room to find the records of a chunk with these bytes. `held` is the number of bytes that
    /// are read at once.
    pub(crate) fn room_for(&self, bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        self.state.room_for(bytes, held)
    }

    /// Returns the number of lines of `head`, the first lines of an input, that surely fit this format.
    pub(super) fn fitting_lines(&self, head: &[u8], most_misfits: usize) -> usize {
        self.state.fitting_lines(head, most_misfits)
    }
}

/// Returns the messages of the first lines of an input if the lines are wrapped, otherwise the lines.
fn messages(wrapper: Option<Wrapper>, head: &[u8]) -> Cow<'_, [u8]> {
    wrapper.map_or(Cow::Borrowed(head), |wrapper| Cow::Owned(wrapper.messages(head)))
}

/// The error of an input of which no line has the key, inside the [`io::Error`] of the scan. A program that
/// scans several logs may ignore it if [another](crate::corpus::Fit::has_key) has the key.
///
/// ```
/// use std::ops::ControlFlow;
/// use urivalidate::Columns;
/// use urivalidate::corpus::{Chunk, MissingKey, Reading, ReadingOptions};
///
/// let reading = Reading::new(ReadingOptions { format: "jsonl", key: Some("url"), ..ReadingOptions::default() })?;
/// let job = |chunk: &Chunk<'_>| {
///     reading.scan_pieces(chunk, Columns::NONE, |_| ControlFlow::<()>::Continue(())).expect("there is memory");
/// };
/// let sink = |()| ControlFlow::<()>::Continue(());
/// let error = reading.scanner().scan_slice(b"{\"level\": \"info\"}\n", job, sink).unwrap_err();
/// assert!(error.get_ref().is_some_and(|inner| inner.is::<MissingKey>()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingKey(String);

impl fmt::Display for MissingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MissingKey {}

/// The number of first lines of an input that fit the chosen format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The number of lines that fit.
    pub fits: usize,
    /// The number of lines considered, at most 200.
    pub lines: usize,
    /// True if the extension of the input's name decided the format.
    pub is_by_name: bool,
    /// The column that holds the URIs, counted from 1, and the byte between columns, if the cells of a table
    /// decided both.
    pub column: Option<(usize, u8)>,
    /// Another column of a table that holds URIs, counted from 1, if the caller selected none.
    pub other_column: Option<usize>,
}

/// The reason why [`Layout::new`] rejects options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The format does not have the selected field or key.
    NoSuchField {
        /// The format.
        format: Format,
        /// The field or key.
        selector: FieldSelector,
    },
    /// [`Format::Delimited`] needs [`LayoutOptions::delimiter`].
    NoDelimiter,
    /// [`Format::Regex`] needs [`LayoutOptions::pattern`].
    NoPattern,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (format, selector) = match self {
            LayoutError::NoSuchField { format, selector } => (format, selector),
            LayoutError::NoDelimiter => return f.write_str("the format delimited needs a delimiter"),
            LayoutError::NoPattern => return f.write_str("the format regex needs a pattern"),
        };
        match selector {
            FieldSelector::Uri => {}
            FieldSelector::Field(name) => write!(f, "no field {name}: ")?,
            FieldSelector::Key(name) => write!(f, "no key {name}: ")?,
        }
        write!(f, "the format {format} has {}", format.fields())
    }
}

impl std::error::Error for LayoutError {}
