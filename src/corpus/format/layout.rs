//! A format with one of its fields selected.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::kinds::Format;
use super::kinds::documents::Documents;
use super::kinds::json::Json;
use super::lines::chunk_lines::ChunkLines;
use super::lines::fields::{FieldSink, Fields, MalformedLine};
use super::lines::line::{ColumnCount, Malformed};
use super::lines::log_format::{CutAt, LogFormat};
use super::lines::options::{FieldSelector, LayoutOptions};
use super::lines::wrapper::Wrapper;
use crate::grammar::Grammar;
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
/// # Ok::<(), urivalidate::corpus::NoSuchField>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    format: Format,
    /// The evidence for the format, if it was found by evidence.
    evidence: Option<Evidence>,
    /// The state at the start of a chunk with this layout, with the facts from the lines before it.
    state: Arc<dyn LogFormat>,
    /// The key to look for, if the caller has selected none.
    key_found: Option<Arc<str>>,
    /// The wrapper of each line.
    wrapper: Option<Wrapper>,
}

impl Layout {
    /// One record a line.
    pub fn lines() -> Self {
        Layout::new(Format::Lines, &LayoutOptions::default()).expect("lines need no options")
    }

    /// A format, with its options. By default it reads the format's usual field; `delimited` and `regex` need options.
    ///
    /// # Errors
    ///
    /// If the format has no such field, or lacks an option that it needs. A field that a header must name is checked when the header is read.
    pub fn new(format: Format, options: &LayoutOptions) -> Result<Self, NoSuchField> {
        match (format.entry().select)(options) {
            Some(state) => Ok(Layout { format, evidence: None, state, key_found: None, wrapper: None }),
            None => Err(NoSuchField { format, selector: options.field.clone() }),
        }
    }

    /// One that has been detected, of an input that starts with these lines. If no key is selected, the usual one is absent, and another one
    /// surely has the URIs or request targets, that key is taken.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub(crate) fn found_out(
        format: Format,
        options: &LayoutOptions,
        wrapper: Option<Wrapper>,
        head: &[u8],
    ) -> Result<Self, NoSuchField> {
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

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The wrapper of each line, if the first lines of an input have one.
    pub fn wrapper(&self) -> Option<Wrapper> {
        self.wrapper
    }

    /// The number of lines that fit the format, if it was found by the first lines of an input.
    pub fn evidence(&self) -> Option<Evidence> {
        self.evidence
    }

    pub(crate) fn with_evidence(self, evidence: Option<Evidence>) -> Self {
        Layout { evidence, ..self }
    }

    /// The key to look for, if the first lines of the input decided it: the caller selected none, and the lines lack the format's usual one.
    pub fn key_found(&self) -> Option<&str> {
        self.key_found.as_deref()
    }

    /// The path to the selected key, with dots between keys, or the name of the field that a header has to name.
    pub(crate) fn wanted(&self) -> Option<String> {
        self.state.wanted()
    }

    /// The default grammar for this field.
    pub fn grammar(&self) -> Grammar {
        self.state.grammar()
    }

    /// The validator of the field's values, if the user has not chosen a grammar: `validator`, or if it is of another grammar
    /// than the [layout's own](Self::grammar), one of that grammar on the same backend.
    pub fn validator(&self, validator: Validator) -> Validator {
        let grammar = self.grammar();
        if validator.grammar() == grammar { validator } else { validator.with_grammar(grammar) }
    }

    /// Describes a malformed line of a chunk that has this layout. Names the missing key or column, and states the numbers of columns.
    pub fn message(&self, line: &MalformedLine) -> String {
        let &MalformedLine { reason, columns, .. } = line;
        match (reason, self.state.wanted(), columns) {
            (Malformed::NoKey | Malformed::NoPair, Some(key), _) => match self.state.others() {
                Some(others) => format!("no key {key:?}; {others}"),
                None => format!("no key {key:?}"),
            },
            (Malformed::NotInHeader, Some(field), _) => format!("{} {field:?}", reason.message()),
            (_, _, Some(ColumnCount { found, expected })) => {
                format!("{}: {found} instead of {expected}", reason.message())
            }
            _ => reason.message().to_owned(),
        }
    }

    /// The places where chunks may end.
    pub(crate) fn cut_at(&self) -> CutAt {
        self.state.cut_at()
    }

    /// Whether documents hold the records, whatever lines they have: then chunks end where a document allows it.
    pub(crate) fn has_documents(&self) -> bool {
        !matches!(self.cut_at(), CutAt::Lines | CutAt::Rows(_))
    }

    /// Whether the records may come from pages, which have [bases](crate::Page) of their own.
    pub fn has_pages(&self) -> bool {
        self.cut_at() == CutAt::Records
    }

    /// Whether lines may have wrappers.
    pub(super) fn may_be_wrapped(&self) -> bool {
        // Lists are scanned without a look at their lines.
        self.format != Format::Lines && self.state.takes_lone_lines()
    }

    /// Whether [`start`](Self::start) has to see the first lines of an input.
    pub(crate) fn needs_head(&self) -> bool {
        self.state.needs_head()
    }

    /// Whether these first bytes of documents are enough to [`start`](Self::start) with.
    pub(crate) fn is_clear(&self, head: &[u8]) -> bool {
        self.state.is_clear(head)
    }

    /// The layout of the first chunk of an input that starts with these lines.
    pub(crate) fn start(&self, head: &[u8]) -> Self {
        let state = self.state.start(&messages(self.wrapper, head));
        Layout { state: state.unwrap_or_else(|| self.state.clone()), ..self.clone() }
    }

    /// The layout of the chunk after `chunk`, whose own layout this is.
    ///
    /// # Errors
    ///
    /// If a header does not name the field.
    pub(crate) fn follow(&self, chunk: &ChunkLines<'_>) -> io::Result<Self> {
        let state = self.state.follow(&self.lines_of(chunk))?.unwrap_or_else(|| self.state.clone());
        Ok(Layout { state, ..self.clone() })
    }

    /// A chunk, and how this layout reads its lines.
    fn lines_of<'c>(&self, chunk: &ChunkLines<'c>) -> ChunkLines<'c> {
        let unwrap = self.wrapper.map(Wrapper::unwrap);
        ChunkLines { row_separator: self.state.row_separator(), unwrap, ..*chunk }
    }

    /// Finds the records of a chunk whose layout this is, in place of those that `fields` held before.
    ///
    /// # Errors
    ///
    /// If there is no memory for them.
    pub(crate) fn extract(
        &self,
        chunk: &ChunkLines<'_>,
        trim: bool,
        fields: &mut Fields,
    ) -> Result<(), TryReserveError> {
        let chunk = &self.lines_of(chunk);
        fields.begin(chunk)?;
        self.state.extract(chunk, &mut FieldSink::new(fields, trim));
        Ok(())
    }

    /// The number of these lines, the first ones of an input, that surely fit this format.
    pub(super) fn fitting_lines(&self, head: &[u8], most_misfits: usize) -> usize {
        self.state.fitting_lines(head, most_misfits)
    }
}

/// The messages of an input's first lines, if they are wrapped, or the lines.
fn messages(wrapper: Option<Wrapper>, head: &[u8]) -> Cow<'_, [u8]> {
    wrapper.map_or(Cow::Borrowed(head), |wrapper| Cow::Owned(wrapper.messages(head)))
}

/// The number of an input's first lines that fit the format chosen for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// Lines that fit.
    pub fits: usize,
    /// The lines considered, at most 200.
    pub lines: usize,
    /// Whether the extension of the input's name has settled it.
    pub is_by_name: bool,
    /// The column that holds the URIs, counted from 1, and the byte between columns, if the cells of a table decided them.
    pub column: Option<(usize, u8)>,
}

/// A field was selected that the format does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchField {
    format: Format,
    selector: FieldSelector,
}

impl fmt::Display for NoSuchField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format;
        match &self.selector {
            FieldSelector::Uri => {}
            FieldSelector::Field(name) => write!(f, "no field {name}: ")?,
            FieldSelector::Key(name) => write!(f, "no key {name}: ")?,
        }
        write!(f, "the format {format} has {}", format.fields())
    }
}

impl std::error::Error for NoSuchField {}
