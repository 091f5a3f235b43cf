//! `parse_uri_field`, `uri_spans_field` and `uri_error_field`: one field of a struct, without the others.

use std::sync::Arc;

use datafusion_common::arrow::array::{Array, ArrayRef, new_empty_array, new_null_array};
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{Result, internal_err, plan_datafusion_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
};
use urivalidate::arrow::{ParseUri, TextLayout, uri_error, uri_spans_field};
use urivalidate::{Grammar, Validator};

use crate::argument::{self, Argument, Parameter, Parameters};
use crate::document::document;
use crate::uri::{GRAMMAR, URI, WITH_ALL_FIELDS, constant_grammar, external, grammar};

/// A function of a record, the name of a field, and the name of a grammar.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct FieldFunction {
    of: Struct,
    documentation: Documentation,
    signature: Signature,
}

/// The function whose result is the struct that has the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Struct {
    Parse,
    Spans,
    Error,
}

impl FieldFunction {
    pub(crate) fn all() -> [Self; 3] {
        [Struct::Parse, Struct::Spans, Struct::Error].map(|of| FieldFunction {
            of,
            documentation: documentation(of),
            signature: argument::signature(PARAMETERS),
        })
    }

    fn apply(&self, field: &str, grammar: Grammar, records: &dyn Array) -> Result<ArrayRef> {
        let validator = Validator::new(grammar);
        match self.of {
            Struct::Parse => {
                let parse_uri = |grammar| {
                    let all =
                        ParseUri::new(Validator::new(grammar)).text(TextLayout::of(records.data_type()));
                    all.fields(&[field]).map_err(external)
                };
                let other = parse_uri(WITH_ALL_FIELDS)?;
                match (parse_uri(grammar), other.data_type()) {
                    (Ok(parse_uri), _) => Ok(parse_uri.parse(records).map_err(external)?.column(0).clone()),
                    // The grammar does not have the field, so it is NULL as in `parse_uri_all`.
                    (Err(_), DataType::Struct(fields)) => {
                        Ok(new_null_array(fields[0].data_type(), records.len()))
                    }
                    (Err(error), _) => Err(error),
                }
            }
            Struct::Spans => uri_spans_field(&validator, records, field).map_err(external),
            Struct::Error => {
                let errors = uri_error(&validator, records).map_err(external)?;
                let column = errors.column_by_name(field);
                column.cloned().ok_or_else(|| plan_datafusion_err!("an error has no field {field:?}"))
            }
        }
    }
}

impl Struct {
    fn name(self) -> &'static str {
        match self {
            Struct::Parse => "parse_uri_field",
            Struct::Spans => "uri_spans_field",
            Struct::Error => "uri_error_field",
        }
    }

    fn usual_field(self) -> &'static str {
        match self {
            Struct::Parse => "host",
            Struct::Spans => "host_start",
            Struct::Error => "kind",
        }
    }
}

impl ScalarUDFImpl for FieldFunction {
    fn name(&self) -> &str {
        self.of.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        internal_err!("the type that {} returns depends on the field", self.name())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let field = match args.scalar_arguments[1] {
            Some(name) => argument::text(name)?.ok_or_else(|| plan_datafusion_err!("the field is NULL"))?,
            // Most fields of the struct have the type of this field.
            None => self.of.usual_field(),
        };
        // A field has the same type with any grammar.
        let grammar = args.scalar_arguments.get(2).copied().flatten().map(grammar).transpose()?;
        let grammar = grammar.unwrap_or(WITH_ALL_FIELDS);
        let none = new_empty_array(args.arg_fields[0].data_type());
        let result = argument::map_array(&none, |records| self.apply(field, grammar, records))?;
        Ok(Arc::new(Field::new(self.name(), result.data_type().clone(), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let field = argument::constant(&args.args, 1, "field")?;
        let Some(field) = field.as_ref().map(argument::text).transpose()?.flatten() else {
            return argument::nulls(&args);
        };
        let grammar = constant_grammar(&args.args, 2)?.unwrap_or(Grammar::Uri);
        argument::map(&args.args[0], |records| self.apply(field, grammar, records))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

const PARAMETERS: Parameters = Parameters {
    required: &[
        URI,
        Parameter {
            name: "field",
            argument: Argument::Name,
            description: "A literal: the name of the field.",
        },
    ],
    optional: &[GRAMMAR],
};

fn documentation(of: Struct) -> Documentation {
    let (whole, example) = match of {
        Struct::Parse => ("parse_uri", "SELECT parse_uri_field('http://user@example.com/', 'userinfo');"),
        Struct::Spans => ("uri_spans", "SELECT uri_spans_field('http://example.com/', 'host_start');"),
        Struct::Error => ("uri_error", "SELECT uri_error_field('http://exa mple.com/', 'kind');"),
    };
    let description = format!(
        "One field of what {whole} gives, without the others. {whole}(uri)['field'] becomes this function by itself."
    );
    document(of.name(), PARAMETERS, &description, example, &[whole])
}
