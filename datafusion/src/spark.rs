//! `parse_url` and `try_parse_url`, which work as in Spark.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion_common::arrow::array::{Array, ArrayRef, AsArray, UInt32Array, new_null_array};
use datafusion_common::arrow::compute::{cast, interleave, take};
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DataFusionError, Result, internal_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
};
use urivalidate::arrow::{ParseUrl, TextLayout};

use crate::argument::{self, Argument, Parameter, Parameters};
use crate::document::document;
use crate::uri::external;

/// A function of Spark. Its arguments are a URL, the name of a part, and a key of the query.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct SparkFunction {
    invalid: Invalid,
    documentation: Documentation,
    signature: Signature,
}

/// The result for an invalid URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Invalid {
    Error,
    Null,
}

impl SparkFunction {
    pub(crate) fn all() -> [Self; 2] {
        [Invalid::Error, Invalid::Null].map(|invalid| SparkFunction {
            invalid,
            documentation: documentation(invalid),
            signature: argument::signature(PARAMETERS),
        })
    }

    /// Returns the same part of all URLs; NULL if the part or the key is NULL.
    fn apply(&self, choice: &[Option<&str>], urls: &dyn Array) -> Result<ArrayRef> {
        let (part, key) = match *choice {
            [Some(part)] => (part, None),
            [Some(part), Some(key)] => (part, Some(key)),
            _ => return Ok(new_null_array(&TextLayout::of(urls.data_type()).data_type(), urls.len())),
        };
        let parse_url = ParseUrl::new(part, key).map_err(external)?;
        match self.invalid {
            Invalid::Error => parse_url.parse(urls),
            Invalid::Null => parse_url.try_parse(urls),
        }
        .map_err(external)
    }

    /// Returns the part of each URL if each row has its own part and key. Rows with the same part and key are evaluated together.
    fn apply_each(&self, names: &[ArrayRef], urls: &dyn Array) -> Result<ArrayRef> {
        let names: Vec<_> = names.iter().map(|name| name.as_string::<i32>()).collect();
        let mut groups: Vec<(Vec<Option<&str>>, Vec<u32>)> = Vec::new();
        let mut group_of = HashMap::new();
        let mut places = Vec::with_capacity(urls.len());
        for row in 0..urls.len() {
            let choice: Vec<_> =
                names.iter().map(|name| name.is_valid(row).then(|| name.value(row))).collect();
            let group = *group_of.entry(choice.clone()).or_insert_with(|| {
                groups.push((choice, Vec::new()));
                groups.len() - 1
            });
            let rows = &mut groups[group].1;
            places.push((group, rows.len()));
            rows.push(u32::try_from(row).expect("a batch has fewer than 2^32 rows"));
        }
        let parts = groups.into_iter().map(|(choice, rows)| {
            let urls = take(urls, &UInt32Array::from(rows), None)?;
            self.apply(&choice, &urls)
        });
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let parts: Vec<&dyn Array> = parts.iter().map(|part| part.as_ref()).collect();
        Ok(interleave(&parts, &places)?)
    }
}

impl ScalarUDFImpl for SparkFunction {
    fn name(&self) -> &str {
        match self.invalid {
            Invalid::Error => "parse_url",
            Invalid::Null => "try_parse_url",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(argument::text_type(&types[0]))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let constant = |index: usize| -> Result<Option<&str>> {
            args.scalar_arguments
                .get(index)
                .copied()
                .flatten()
                .map(argument::text)
                .transpose()
                .map(Option::flatten)
        };
        let (part, key) = (constant(1)?, constant(2)?);
        // Constants that make all results NULL are a mistake.
        let checked = match part {
            Some(part) => ParseUrl::checked(part, key),
            None => ParseUrl::new("QUERY", key),
        };
        if let Err(error) = checked {
            return Err(DataFusionError::Plan(error.to_string()));
        }
        let text = argument::text_type(args.arg_fields[0].data_type());
        Ok(Arc::new(Field::new(self.name(), text, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [urls, names @ ..] = &args.args[..] else {
            return internal_err!("{} without arguments", self.name());
        };
        let scalars: Option<Vec<_>> = names
            .iter()
            .map(|name| match name {
                ColumnarValue::Scalar(name) => Some(argument::text(name)),
                ColumnarValue::Array(_) => None,
            })
            .collect();
        if let Some(choice) = scalars {
            let choice = choice.into_iter().collect::<Result<Vec<_>>>()?;
            return argument::map(urls, |urls| self.apply(&choice, urls));
        }
        if args.number_rows == 0 {
            return Ok(ColumnarValue::Array(new_null_array(args.return_field.data_type(), 0)));
        }
        let names = names.iter().map(|name| cast(&name.to_array(args.number_rows)?, &DataType::Utf8));
        let names = names.collect::<Result<Vec<_>, _>>()?;
        let urls = argument::seen(&urls.to_array(args.number_rows)?)?;
        let parts = self.apply_each(&names, &urls)?;
        Ok(ColumnarValue::Array(cast(&parts, args.return_field.data_type())?))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

const PARAMETERS: Parameters = Parameters {
    required: &[
        Parameter {
            name: "url",
            argument: Argument::Record,
            description: "A string or a binary value. NULL in, NULL out.",
        },
        Parameter {
            name: "part",
            argument: Argument::Name,
            description: "PROTOCOL, AUTHORITY, USERINFO, HOST, PATH, QUERY, REF or FILE. Any other is an error if it is a constant, and \
                          gives NULL in a column.",
        },
    ],
    optional: &[Parameter {
        name: "key",
        argument: Argument::Name,
        description: "With QUERY the name of a parameter whose value is wanted, a regular expression; with another part an error \
                      if both are constants, and otherwise NULL.",
    }],
};

fn documentation(invalid: Invalid) -> Documentation {
    let (name, description, example, related) = match invalid {
        Invalid::Error => (
            "parse_url",
            "A part of a URL, exactly as Spark's function of this name gives it in ANSI mode: as java.net.URI has it. An invalid URL \
             is an error.",
            "SELECT parse_url('http://example.com/?a=1&b=2', 'QUERY', 'b');",
            "try_parse_url",
        ),
        Invalid::Null => (
            "try_parse_url",
            "As parse_url, but NULL for an invalid URL.",
            "SELECT try_parse_url('http://exa mple.com/', 'HOST');",
            "parse_url",
        ),
    };
    document(name, PARAMETERS, description, example, &[related])
}
