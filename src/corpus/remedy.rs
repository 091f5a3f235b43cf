//! What helps to read an input. Each program spells the options in its own way.

/// What helps to read an input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// These options with these values.
    Options(Vec<(ReadingOption, String)>),
    /// To convert it from this encoding, as iconv takes it, to UTF-8.
    Convert(&'static str),
}

/// An option for reading an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadingOption {
    /// The format.
    Format,
    /// The field or column.
    Field,
    /// The key.
    Key,
    /// The byte between cells. It chooses the format `delimited`.
    Delimiter,
    /// The regular expression. It chooses the format `regex`.
    Regex,
    /// The grammar.
    Grammar,
    /// White space around records is stripped. The value is empty.
    Trim,
}
