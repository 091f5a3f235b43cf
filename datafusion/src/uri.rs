//! `is_valid_uri`, `parse_uri`, `uri_spans`, `uri_error`, and `url_extract_*` (Presto's names).

use std::sync::Arc;

use datafusion_common::arrow::array::{Array, ArrayRef, StructArray, new_empty_array, new_null_array};
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DataFusionError, Result, ScalarValue, internal_err, plan_datafusion_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
};
use urivalidate::arrow::{
    FunctionError, ParseUri, TextLayout, is_valid_uri, uri_error, uri_spans, url_extract,
};
use urivalidate::{Component, Grammar, UnknownName, Validator};

use crate::argument::{self, Argument, Parameter, Parameters};
use crate::document::document;

/// A function of a record and the name of a grammar. The grammar is the same for all records.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct UriFunction {
    kind: Kind,
    name: String,
    documentation: Documentation,
    signature: Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    IsValid,
    Parse,
    /// Like `Parse`, with the fields of all grammars.
    ParseAll,
    Spans,
    Error,
    Extract(Component),
}

/// The components for which Presto has a function.
const EXTRACTED: [Component; 6] = [
    Component::Scheme,
    Component::Host,
    Component::Port,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

impl UriFunction {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let kinds = [Kind::IsValid, Kind::Parse, Kind::ParseAll, Kind::Spans, Kind::Error];
        kinds.into_iter().chain(EXTRACTED.map(Kind::Extract)).map(|kind| UriFunction {
            kind,
            name: kind.name(),
            documentation: documentation(kind),
            signature: argument::signature(PARAMETERS),
        })
    }

    fn apply(&self, grammar: Grammar, records: &dyn Array) -> Result<ArrayRef> {
        let validator = Validator::new(grammar);
        let parse_uri = ParseUri::new(validator).text(TextLayout::of(records.data_type()));
        let result: Result<ArrayRef, FunctionError> = match self.kind {
            Kind::IsValid => is_valid_uri(&validator, records).map(|array| Arc::new(array) as _),
            Kind::Parse => parse_uri.parse(records).map(|array| Arc::new(array) as _),
            Kind::ParseAll => return with_all_fields(&parse_uri.parse(records).map_err(external)?, records),
            Kind::Spans => uri_spans(&validator, records).map(|array| Arc::new(array) as _),
            Kind::Error => uri_error(&validator, records).map(|array| Arc::new(array) as _),
            Kind::Extract(component) => url_extract(&validator, records, component),
        };
        result.map_err(external)
    }
}

impl Kind {
    fn name(self) -> String {
        match self {
            Kind::IsValid => "is_valid_uri".to_owned(),
            Kind::Parse => "parse_uri".to_owned(),
            Kind::ParseAll => "parse_uri_all".to_owned(),
            Kind::Spans => "uri_spans".to_owned(),
            Kind::Error => "uri_error".to_owned(),
            Kind::Extract(component) => format!("url_extract_{component}"),
        }
    }
}

impl ScalarUDFImpl for UriFunction {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        internal_err!("the type that {} returns may depend on the grammar", self.name())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let grammar = match args.scalar_arguments.get(1) {
            None => Grammar::Uri,
            Some(Some(name)) => grammar(name)?,
            // `parse_uri` becomes `parse_uri_all`; the type of the other functions is the same with any grammar.
            Some(None) => WITH_ALL_FIELDS,
        };
        let none = new_empty_array(args.arg_fields[0].data_type());
        let result = argument::map_array(&none, |records| self.apply(grammar, records))?;
        Ok(Arc::new(Field::new(self.name(), result.data_type().clone(), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let grammar = constant_grammar(&args.args, 1)?.unwrap_or(Grammar::Uri);
        argument::map(&args.args[0], |records| self.apply(grammar, records))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// A grammar whose records have the fields of all grammars.
pub(crate) const WITH_ALL_FIELDS: Grammar = Grammar::Java;

/// Adds the fields that only other grammars have. They are all NULL.
fn with_all_fields(parsed: &StructArray, records: &dyn Array) -> Result<ArrayRef> {
    let all = ParseUri::new(Validator::new(WITH_ALL_FIELDS)).text(TextLayout::of(records.data_type()));
    let DataType::Struct(fields) = all.data_type() else { return internal_err!("parse_uri gives no struct") };
    let columns = fields.iter().map(|field| match parsed.column_by_name(field.name()) {
        Some(column) => column.clone(),
        None => new_null_array(field.data_type(), parsed.len()),
    });
    let columns = columns.collect();
    let nulls = parsed.nulls().cloned();
    Ok(Arc::new(StructArray::try_new_with_length(fields, columns, nulls, parsed.len())?))
}

/// The grammar that an argument names, or `None` if the call lacks the argument.
pub(crate) fn constant_grammar(args: &[ColumnarValue], index: usize) -> Result<Option<Grammar>> {
    argument::constant(args, index, "grammar")?.as_ref().map(grammar).transpose()
}

/// The grammar that a constant names.
pub(crate) fn grammar(name: &ScalarValue) -> Result<Grammar> {
    let name = argument::text(name)?.ok_or_else(|| plan_datafusion_err!("the grammar is NULL"))?;
    name.parse().map_err(|error: UnknownName| {
        plan_datafusion_err!("unknown grammar \"{name}\": expected one of {}", error.names().join(", "))
    })
}

/// Converts an error of the library in a call that planning accepted. The message names no row: the library counts in a batch, and batches are
/// invisible to a query.
pub(crate) fn external(error: FunctionError) -> DataFusionError {
    DataFusionError::Execution(match error {
        FunctionError::InvalidUrl { url, error, .. } => {
            let offset = error.offset();
            format!(
                "the URL is invalid, {error} (at byte {offset}): {url:?}; the function try_parse_url gives NULL instead"
            )
        }
        FunctionError::InvalidEscape { text, .. } => {
            format!("a text has a \"%\" without two hexadecimal digits: {text:?}")
        }
        error => error.to_string(),
    })
}

/// The parameter for the record.
pub(crate) const URI: Parameter = Parameter {
    name: "uri",
    argument: Argument::Record,
    description: "The record, a string or a binary value. NULL in, NULL out.",
};

/// The parameter for the name of the grammar.
pub(crate) const GRAMMAR: Parameter =
    Parameter { name: "grammar", argument: Argument::Grammar, description: "A constant, uri unless given." };

const PARAMETERS: Parameters = Parameters { required: &[URI], optional: &[GRAMMAR] };

fn documentation(kind: Kind) -> Documentation {
    let name = kind.name();
    let (description, example, related): (_, _, &[&str]) = match kind {
        Kind::IsValid => (
            "Whether a URI is valid.".to_owned(),
            "SELECT is_valid_uri('http://example.com/'), is_valid_uri('/a', 'uri-reference');".to_owned(),
            &["parse_uri", "uri_error"],
        ),
        Kind::Parse => (
            "Takes a URI apart: a struct of `valid`, `scheme`, `authority`, `userinfo`, `host`, `host_kind`, `port`, `path`, `query` \
             and `fragment`; for rfc2396 and java also `scheme_specific_part`, `opaque` and `authority_kind`. An absent component \
             is NULL, an empty one is the empty string; of an invalid URI all are NULL."
                .to_owned(),
            "SELECT parse_uri('http://example.com:80/a')['port'];".to_owned(),
            &["uri_spans", "is_valid_uri"],
        ),
        Kind::ParseAll => (
            "Takes a URI apart as parse_uri does, and has the fields of all grammars with each of them: NULL where the grammar has \
             none. parse_uri becomes this function if the grammar is no literal."
                .to_owned(),
            "SELECT parse_uri_all('http://example.com:80/a', 'ja' || 'va')['opaque'];".to_owned(),
            &["parse_uri"],
        ),
        Kind::Spans => (
            "Where the components of a URI lie: a struct of `valid` and of `scheme_start`, `scheme_end` and so on, in bytes from \
             the first, the end exclusive."
                .to_owned(),
            "SELECT uri_spans('http://example.com/')['host_start'];".to_owned(),
            &["parse_uri"],
        ),
        Kind::Error => (
            "What is wrong with an invalid URI: a struct of `kind`, `component`, `offset` in bytes and `message`; NULL for valid ones."
                .to_owned(),
            "SELECT uri_error('http://exa mple.com/')['message'];".to_owned(),
            &["is_valid_uri"],
        ),
        Kind::Extract(component) => (
            format!(
                "The {component} of a URI{}; NULL where there is none, and for invalid URIs.",
                if component == Component::Port { " as a number" } else { "" }
            ),
            format!("SELECT {name}('http://example.com:80/a?b#c');"),
            &["parse_uri"],
        ),
    };
    document(&name, PARAMETERS, &description, &example, related)
}
