//! Parameters, and those that several functions share.

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    name: &'static str,
    parameter_type: ParameterType,
    is_required: bool,
    description: &'static str,
    example: &'static str,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParameterType {
    /// A column of strings or binary values, or one of them. Columns come before all other parameters.
    Column,
    /// A text, which may differ between rows. The result for NULL is NULL.
    Text,
    /// The name of a field of a struct, on which the type of the results depends.
    Field,
    /// The name of a [`Grammar`](crate::Grammar).
    Grammar,
    /// The name of a [`NormalForm`](crate::NormalForm).
    Form,
    /// The name of a scheme. Without it, strings get no scheme.
    Scheme,
    /// A list of hosts, with the lines of a [`HostSetBuilder`](crate::HostSetBuilder).
    Hosts,
    /// A flag, which is false by default.
    Flag,
}

impl ParameterType {
    /// Returns true if the argument may differ between rows: a package evaluates the rows with equal
    /// arguments together. All other arguments are constants.
    pub fn may_differ(self) -> bool {
        matches!(self, ParameterType::Column | ParameterType::Text)
    }

    /// Returns the type as documentation names it.
    pub fn description(self) -> &'static str {
        match self {
            ParameterType::Column => "a string or a binary value",
            ParameterType::Text => "a text",
            ParameterType::Field => "the name of a field",
            ParameterType::Grammar => "the name of a grammar",
            ParameterType::Form => "the name of a form",
            ParameterType::Scheme => "the name of a scheme",
            ParameterType::Hosts => "a list of hosts",
            ParameterType::Flag => "a boolean",
        }
    }
}

impl Parameter {
    const fn new(
        name: &'static str,
        parameter_type: ParameterType,
        description: &'static str,
        example: &'static str,
    ) -> Self {
        Parameter { name, parameter_type, is_required: true, description, example }
    }

    const fn optional(self) -> Self {
        Parameter { is_required: false, ..self }
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the type.
    pub fn parameter_type(&self) -> ParameterType {
        self.parameter_type
    }

    /// Returns true if each call has the argument. Optional parameters come last, and
    /// [`Function::default_of`](super::Function::default_of) returns their defaults.
    pub fn is_required(&self) -> bool {
        self.is_required
    }

    /// Returns a description in a sentence.
    pub fn description(&self) -> &'static str {
        self.description
    }

    /// Returns a value with which each function that has the parameter succeeds.
    pub fn example(&self) -> &'static str {
        self.example
    }
}

pub(super) const URI: Parameter = Parameter::new(
    "uri",
    ParameterType::Column,
    "The record, a string or a binary value. NULL in, NULL out.",
    "http://example.com/",
);

pub(super) const TEXT: Parameter =
    Parameter::new("text", ParameterType::Column, "A string or a binary value. NULL in, NULL out.", "a+b");

pub(super) const URL: Parameter = Parameter::new(
    "url",
    ParameterType::Column,
    "A string or a binary value. NULL in, NULL out.",
    "http://example.com/",
);

pub(super) const BASE: Parameter = Parameter::new(
    "base",
    ParameterType::Column,
    "The base URI, a constant or a column.",
    "http://example.com/a/b",
);

pub(super) const REFERENCE: Parameter = Parameter::new(
    "reference",
    ParameterType::Column,
    "A string or a binary value. NULL in, NULL out.",
    "../c",
);

pub(super) const GRAMMAR: Parameter =
    Parameter::new("grammar", ParameterType::Grammar, "The grammar, a constant.", "java").optional();

pub(super) const FORM: Parameter =
    Parameter::new("form", ParameterType::Form, "The form, a constant: syntax or scheme.", "syntax")
        .optional();

pub(super) const DEFAULT_SCHEME: Parameter = Parameter::new(
    "default_scheme",
    ParameterType::Scheme,
    "A constant: the scheme of strings that begin with a host (example.com/a).",
    "http",
)
.optional();

#[cfg(feature = "domains")]
pub(super) const PRIVATE: Parameter = Parameter::new(
    "private",
    ParameterType::Flag,
    "A constant: whether suffixes of companies (github.io) count, too.",
    "true",
)
.optional();

pub(super) const LIST: Parameter = Parameter::new(
    "list",
    ParameterType::Hosts,
    "The hosts, a constant: a name a line, or between spaces; .example.com is this name and all below. Also the lines of hosts files and the \
     domains of adblock lists.",
    "example.com .example.org",
);

pub(super) const NAME: Parameter =
    Parameter::new("name", ParameterType::Text, "The name of the parameter, as the query writes it.", "q");

pub(super) const PART: Parameter = Parameter::new(
    "part",
    ParameterType::Text,
    "PROTOCOL, AUTHORITY, USERINFO, HOST, PATH, QUERY, REF or FILE. Another constant is an error.",
    "QUERY",
);

pub(super) const KEY: Parameter = Parameter::new(
    "key",
    ParameterType::Text,
    "With QUERY, a regular expression for the name of a parameter, whose value is the result.",
    "q",
)
.optional();

/// Returns the parameter for a field. `example` is a field of the struct.
pub(super) const fn field(example: &'static str) -> Parameter {
    Parameter::new("field", ParameterType::Field, "The name of the field, a constant.", example)
}
