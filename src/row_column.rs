//! Rows of records, in all their forms: the kinds of rows, and the one list of their columns.
//!
//! The command's output forms and Arrow's record batches use the list. Tests compare the documentation with it.

use alloc::format;
use alloc::vec::Vec;

use crate::column_name::ColumnName;
use crate::grammar::Grammar;
use crate::names::named_enum;
use crate::part::Part;

named_enum! {
    /// The kinds of rows.
    #[non_exhaustive]
    RowKind {
        /// Every record: its verdict, and the text of its components.
        Components = "components",
        /// Every record: its verdict, and the places of its components, in bytes from the record's first byte, half-open.
        Offsets = "offsets",
        /// Each invalid record, and each line that does not fit its format, with the error.
        Errors = "errors",
    }
}

/// The type of a [`RowColumn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellType {
    /// Text.
    Text,
    /// Bytes that are not text. Only record batches have such a column; other forms write any bytes as text.
    Bytes,
    /// A number that counts from 1, or a length.
    Number,
    /// A number of bytes from the record's first byte.
    Offset,
    /// True or false.
    Bool,
    /// A name from a closed list.
    Name,
    /// A part of a valid record: its text or, in rows of [`RowKind::Offsets`], its start and end.
    Part(Part),
    /// [The three columns](RowColumn::ERROR_PARTS) of an error in one: an object in JSON, three columns elsewhere.
    Error,
}

/// The beginning of the name of a column that has the value of a parameter.
const QUERY: &str = "query.";

/// The beginning of the name of a column that has a field of the line.
const LOG: &str = "log.";

/// The place of a column that the rows in question lack.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Elsewhere {
    /// Rows of these kinds have it, by default or if a user picks it.
    Rows(Vec<RowKind>),
    /// Rows have it by these grammars.
    Grammars(Vec<Grammar>),
    /// No rows have it: the command counts its values.
    Counts,
}

/// The rows that have a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    /// All rows.
    All,
    /// Rows of components and errors; rows of offsets if a user picks the column.
    Record,
    /// Rows of components and offsets.
    Fields,
    /// Rows of components and offsets, by grammars that have opaque URIs.
    OpaqueFields,
    /// Rows of errors; other rows if a user picks the column.
    Details,
    /// All rows, if a user picks the column.
    Picked,
    /// Rows of errors, if a user picks the column.
    PickedErrors,
    /// Rows of components, if a user picks the column: [`Deriver`](crate::Deriver) makes the values.
    Derived,
    /// No rows: the command counts the values.
    Counts,
}

macro_rules! row_columns {
    ($(#[doc = $sentence:literal] $(#[cfg($($cfg:tt)*)])? $column:ident = $name:expr, $cell_type:expr, $rows:ident;)*) => {
        /// A column of rows. [`ALL`](Self::ALL) has the order of the columns in a row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RowColumn {
            $(#[doc = $sentence] $(#[cfg($($cfg)*)])? $column,)*
            /// The value of the first parameter of a name in the query: `query.` and the name, decoded. See
            /// [`of_name`](Self::of_name).
            QueryValue(ColumnName),
            /// A field of the line or table that holds the record: `log.` and the field's name. See
            /// [`of_name`](Self::of_name).
            Log(ColumnName),
        }

        impl RowColumn {
            /// All columns that need no name from a user, in their order.
            pub const ALL: &'static [RowColumn] = &[$($(#[cfg($($cfg)*)])? RowColumn::$column,)*];

            /// Returns the name, which is the header in CSV and the key in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(#[cfg($($cfg)*)])? RowColumn::$column => $name,)*
                    RowColumn::QueryValue(name) | RowColumn::Log(name) => name.text(),
                }
            }

            /// Returns one sentence about the column's contents, in Markdown.
            pub const fn about(self) -> &'static str {
                match self {
                    $($(#[cfg($($cfg)*)])? RowColumn::$column => $sentence.trim_ascii(),)*
                    RowColumn::QueryValue(_) => "The value of the first parameter of this name in the query, decoded.",
                    RowColumn::Log(_) => "The field of this name of the log's line or the table's row that holds the record.",
                }
            }

            /// Returns the type of the column.
            pub const fn cell_type(self) -> CellType {
                match self {
                    $($(#[cfg($($cfg)*)])? RowColumn::$column => $cell_type,)*
                    RowColumn::QueryValue(_) | RowColumn::Log(_) => CellType::Text,
                }
            }

            const fn rows(self) -> In {
                match self {
                    $($(#[cfg($($cfg)*)])? RowColumn::$column => In::$rows,)*
                    RowColumn::QueryValue(_) => In::Derived,
                    RowColumn::Log(_) => In::Picked,
                }
            }
        }
    };
}

row_columns! {
    /// The file's name; `-` is standard input.
    File = "file", CellType::Text, All;
    /// The 1-based line.
    Line = "line", CellType::Number, All;
    /// The 1-based number of the row of a table, or of the line of a log: headers and blank lines do not count. Absent in documents and texts.
    Row = "row", CellType::Number, Picked;
    /// The 1-based byte of the line at which the record starts.
    Start = "column", CellType::Number, All;
    /// The record's bytes; for a line without a record, the line's.
    Length = "length", CellType::Number, All;
    /// The record; absent if it is over the limit.
    Uri = Part::Record.name(), CellType::Text, Record;
    /// The record if it is not UTF-8, in Arrow and Parquet alone; `uri` is absent then. Picking `uri` picks both.
    UriBytes = "uri_bytes", CellType::Bytes, Record;
    /// True if the record is valid.
    Valid = "valid", CellType::Bool, Fields;
    /// The scheme, without its colon.
    Scheme = Part::Scheme.name(), CellType::Part(Part::Scheme), Fields;
    /// The authority, without the `//` before it.
    Authority = Part::Authority.name(), CellType::Part(Part::Authority), Fields;
    /// The userinfo, without its `@`.
    Userinfo = Part::Userinfo.name(), CellType::Part(Part::Userinfo), Fields;
    /// The host, with the brackets of an IP literal.
    Host = Part::Host.name(), CellType::Part(Part::Host), Fields;
    /// The kind of the host: `reg-name` (`hostname` by `rfc2396` and `java`), `ipv4`, `ipv6` or `ipvfuture`.
    HostKind = "host_kind", CellType::Name, Fields;
    /// The port's digits, possibly none, without the colon.
    Port = Part::Port.name(), CellType::Part(Part::Port), Fields;
    /// The path, possibly empty.
    Path = Part::Path.name(), CellType::Part(Part::Path), Fields;
    /// The query, without its `?`.
    Query = Part::Query.name(), CellType::Part(Part::Query), Fields;
    /// The fragment, without its `#`.
    Fragment = Part::Fragment.name(), CellType::Part(Part::Fragment), Fields;
    /// All between the scheme's colon and the fragment's `#`; by `rfc2396` and `java`.
    SchemeSpecificPart = Part::SchemeSpecificPart.name(), CellType::Part(Part::SchemeSpecificPart), OpaqueFields;
    /// True if the URI is opaque; by `rfc2396` and `java`.
    Opaque = "opaque", CellType::Bool, OpaqueFields;
    /// The kind of the authority, `server` or `registry`; by `rfc2396` and `java`.
    AuthorityKind = "authority_kind", CellType::Name, OpaqueFields;
    /// The error: in JSON an object of `kind`, `component` and `offset`, elsewhere the next three columns.
    Error = "error", CellType::Error, All;
    /// The kind of the error.
    ErrorKind = "error_kind", CellType::Name, All;
    /// The component with the error, if there is one.
    ErrorComponent = "error_component", CellType::Name, All;
    /// The byte of the record at which the error lies, counted from 0.
    ErrorOffset = "error_offset", CellType::Offset, All;
    /// The 1-based byte of the line at which the error lies, before any unescaping.
    ErrorColumn = "error_column", CellType::Number, Details;
    /// The character that the grammar forbids in that component, `0xHH` for a byte that is none; absent if no single character makes the error.
    Character = "character", CellType::Text, Picked;
    /// The error as a sentence.
    Message = "message", CellType::Text, Details;
    /// The invalid record, repaired, if only one repair is likely.
    Suggestion = "suggestion", CellType::Text, Picked;
    /// The name of the reason why the line does not fit its format.
    Reason = "reason", CellType::Name, PickedErrors;
    /// The name of the format in which the file is read.
    Format = "format", CellType::Name, Picked;
    /// True for a line that does not fit its format. Picking it gives such lines rows of components or offsets, too: invalid, without a record.
    Malformed = "malformed", CellType::Bool, Picked;
    /// The normal form of a valid record, by syntax or by scheme.
    Normalized = "normalized", CellType::Text, Derived;
    /// The URI that a valid record refers to, given a base: that of its page, or else one that the user names.
    Resolved = "resolved", CellType::Text, Derived;
    /// The URI of a valid IRI: characters beyond ASCII are percent-encoded.
    ToUri = "to_uri", CellType::Text, Derived;
    /// The key of a valid record with a scheme in the indexes of web archives (SURT).
    #[cfg(feature = "surt")]
    Surt = "surt", CellType::Text, Derived;
    /// The labels of a host that is a name, in its normal form and in reverse order (`com.example.www`).
    HostReversed = "host_reversed", CellType::Text, Derived;
    /// The host in ASCII: names beyond ASCII in Punycode, by UTS 46 without transitional processing, as browsers look them up; absent if it forbids the name.
    #[cfg(feature = "domains")]
    HostAscii = "host_ascii", CellType::Text, Derived;
    /// The public suffix of the host (`co.uk`), in lower case.
    #[cfg(feature = "domains")]
    Suffix = "suffix", CellType::Text, Derived;
    /// The domain that somebody registered under the public suffix (`example.co.uk`), in lower case.
    #[cfg(feature = "domains")]
    Domain = "domain", CellType::Text, Derived;
    /// The public suffix if those of companies count, too (`github.io`), in lower case.
    #[cfg(feature = "domains")]
    PrivateSuffix = "private_suffix", CellType::Text, Derived;
    /// The domain under that suffix, in lower case.
    #[cfg(feature = "domains")]
    PrivateDomain = "private_domain", CellType::Text, Derived;
    /// The names of the parameters in the query, each as it stands there, with `&` between them.
    QueryNames = "query_names", CellType::Text, Derived;
    /// The host of `page`, in its normal form.
    PageHost = "page_host", CellType::Text, Derived;
    /// The domain of `page`, in lower case.
    #[cfg(feature = "domains")]
    PageDomain = "page_domain", CellType::Text, Derived;
    /// The host of `resolved`, in its normal form.
    ResolvedHost = "resolved_host", CellType::Text, Derived;
    /// The domain of `resolved`, in lower case.
    #[cfg(feature = "domains")]
    ResolvedDomain = "resolved_domain", CellType::Text, Derived;
    /// The URI of the page that the record comes from, in a web archive; otherwise the base that the user names.
    Page = "page", CellType::Text, Picked;
    /// The URI that the record is relative to: the page's `<base href>`, or else the page.
    Base = "base", CellType::Text, Picked;
    /// The element of a page that holds the record, in lower case.
    Element = "element", CellType::Text, Picked;
    /// The attribute of a page that holds the record.
    Attribute = "attribute", CellType::Text, Picked;
    /// True if the record is valid by a second grammar.
    AlsoValid = "also_valid", CellType::Bool, Picked;
    /// The kind of the error by that grammar.
    AlsoErrorKind = "also_error_kind", CellType::Name, Picked;
    /// The byte of the record at which that error lies, counted from 0.
    AlsoErrorOffset = "also_error_offset", CellType::Offset, Picked;
    /// The extension of the path's last segment, without the dot.
    PathExtension = "path_extension", CellType::Text, Counts;
    /// The names of the parameters in the query, decoded, each name once.
    QueryName = "query_name", CellType::Text, Counts;
}

impl RowColumn {
    /// The columns of an [`Error`](Self::Error).
    pub const ERROR_PARTS: [RowColumn; 3] =
        [RowColumn::ErrorKind, RowColumn::ErrorComponent, RowColumn::ErrorOffset];

    /// The columns of the verdict by a [second grammar](crate::corpus::Scanned::with_other).
    pub const ALSO: [RowColumn; 3] =
        [RowColumn::AlsoValid, RowColumn::AlsoErrorKind, RowColumn::AlsoErrorOffset];

    /// The columns whose names a user completes, and one sentence about each.
    pub const NAMED_BY_USER: &'static [(&'static str, &'static str)] = &[
        ("query.NAME", "The value of the first parameter `NAME` in the query, decoded."),
        ("log.NAME", "The field `NAME` of the log's line or the table's row that holds the record."),
    ];

    /// The name that stands for the columns of all fields of a line, where a user lists columns. No column
    /// has this name: the fields depend on the input.
    pub const LOG_FIELDS: &'static str = "log.*";

    /// Returns true if a user completed the name of the column.
    pub const fn is_named_by_user(self) -> bool {
        matches!(self, RowColumn::QueryValue(_) | RowColumn::Log(_))
    }

    /// Returns the column of this name: one of [`ALL`](Self::ALL), `query.` and the name of a parameter, or
    /// `log.` and the name of a field.
    ///
    /// ```
    /// use urivalidate::RowColumn;
    ///
    /// assert_eq!(RowColumn::of_name("host"), Some(RowColumn::Host));
    /// let column = RowColumn::of_name("query.utm_source").unwrap();
    /// assert_eq!(column.name(), "query.utm_source");
    /// assert_eq!(column.parameter(), Some("utm_source"));
    /// assert_eq!(RowColumn::of_name("utm_source"), None);
    /// assert_eq!(RowColumn::of_name("log.time").unwrap().log_field(), Some("time"));
    /// assert_eq!(RowColumn::of_name(RowColumn::LOG_FIELDS), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        let known = RowColumn::ALL.iter().copied().find(|column| column.name() == name);
        known.or_else(|| match name {
            RowColumn::LOG_FIELDS => None,
            _ if name.starts_with(QUERY) => Some(RowColumn::QueryValue(ColumnName::of(name))),
            _ if name.len() > LOG.len() && name.starts_with(LOG) => {
                Some(RowColumn::Log(ColumnName::of(name)))
            }
            _ => None,
        })
    }

    /// Returns the column of the field of this name.
    ///
    /// # Panics
    ///
    /// Panics if the name is empty or `*`, which no field has.
    pub fn of_log_field(name: &str) -> Self {
        RowColumn::of_name(&format!("{LOG}{name}")).expect("the field has a name")
    }

    /// Returns the name of the field that the column has.
    pub fn log_field(self) -> Option<&'static str> {
        match self {
            RowColumn::Log(name) => name.text().strip_prefix(LOG),
            _ => None,
        }
    }

    /// Returns the name of the parameter whose value the column has.
    pub fn parameter(self) -> Option<&'static str> {
        match self {
            RowColumn::QueryValue(name) => name.text().strip_prefix(QUERY),
            _ => None,
        }
    }

    /// Returns the default columns of rows.
    pub fn defaults(kind: RowKind, grammar: Grammar) -> Vec<RowColumn> {
        RowColumn::all(|column| column.is_picked(kind, grammar) == Some(false))
    }

    /// Returns the additional columns that a user can pick.
    pub fn others(kind: RowKind, grammar: Grammar) -> Vec<RowColumn> {
        RowColumn::all(|column| column.is_picked(kind, grammar) == Some(true))
    }

    /// Returns where the column of this name is, if rows of this kind lack it by this grammar. Returns `None` if these rows have it, or no column has
    /// this name.
    pub fn elsewhere(name: &str, kind: RowKind, grammar: Grammar) -> Option<Elsewhere> {
        let column = RowColumn::of_name(name)?;
        let has = |kind, grammar| column.is_in(kind, grammar);
        if has(kind, grammar) {
            return None;
        }
        let kinds: Vec<_> = RowKind::ALL.iter().copied().filter(|&kind| has(kind, grammar)).collect();
        if !kinds.is_empty() {
            return Some(Elsewhere::Rows(kinds));
        }
        let has_by = |&grammar: &Grammar| RowKind::ALL.iter().any(|&kind| has(kind, grammar));
        let grammars: Vec<_> = Grammar::ALL.iter().copied().filter(has_by).collect();
        Some(if grammars.is_empty() { Elsewhere::Counts } else { Elsewhere::Grammars(grammars) })
    }

    /// Returns the columns that no row has: the command counts their values.
    pub fn counted() -> Vec<RowColumn> {
        RowColumn::all(|column| column.rows() == In::Counts)
    }

    /// Returns true if rows of this kind have the column by this grammar, by default or if a user picks it.
    pub fn is_in(self, kind: RowKind, grammar: Grammar) -> bool {
        self.is_picked(kind, grammar).is_some()
    }

    /// Returns the columns of [`ALL`](Self::ALL) whose values are derived from the text of a valid record. A
    /// user picks them.
    pub fn derived() -> Vec<RowColumn> {
        RowColumn::all(RowColumn::is_derived)
    }

    /// Returns true if the values are derived from the text of a valid record.
    pub const fn is_derived(self) -> bool {
        matches!(self.rows(), In::Derived)
    }

    /// Returns true if the values are made of targets: of references resolved against a base.
    pub const fn is_of_target(self) -> bool {
        match self {
            RowColumn::Resolved | RowColumn::ResolvedHost => true,
            #[cfg(feature = "domains")]
            RowColumn::ResolvedDomain => true,
            _ => false,
        }
    }

    /// Returns true if the values are made of the pages that records come from, or of their bases.
    pub const fn is_of_page(self) -> bool {
        match self {
            RowColumn::Page | RowColumn::Base | RowColumn::PageHost => true,
            #[cfg(feature = "domains")]
            RowColumn::PageDomain => true,
            _ => false,
        }
    }

    fn all(is_wanted: impl Fn(RowColumn) -> bool) -> Vec<RowColumn> {
        RowColumn::ALL.iter().copied().filter(|&column| is_wanted(column)).collect()
    }

    /// Returns `Some(true)` if rows have the column only if a user picks it, `Some(false)` if they have it by default, and `None` if they never
    /// have it.
    fn is_picked(self, kind: RowKind, grammar: Grammar) -> Option<bool> {
        match (self.rows(), kind) {
            (In::OpaqueFields, _) if !grammar.has_opaque() => None,
            (In::Fields | In::OpaqueFields, RowKind::Errors) | (In::Counts, _) => None,
            (In::PickedErrors, _) if kind != RowKind::Errors => None,
            (In::Record, RowKind::Offsets) | (In::Picked | In::PickedErrors, _) => Some(true),
            (In::Derived, _) => (kind == RowKind::Components).then_some(true),
            (In::Details, _) => Some(kind != RowKind::Errors),
            _ => Some(false),
        }
    }

    /// Returns true if the column is the verdict, or a component of a valid record.
    #[cfg(feature = "arrow")]
    pub(crate) const fn is_field(self) -> bool {
        matches!(self.rows(), In::Fields | In::OpaqueFields)
    }
}
