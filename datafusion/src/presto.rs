//! `url_extract_parameter`, `url_encode` and `url_decode`, which work as in Presto.

use datafusion_common::Result;
use datafusion_common::arrow::datatypes::DataType;
use datafusion_expr::{ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature};
use urivalidate::arrow::{url_decode, url_encode, url_extract_parameter};
use urivalidate::{Grammar, Validator};

use crate::argument::{self, Argument, Parameter, Parameters};
use crate::document::document;
use crate::uri::{GRAMMAR, URI, constant_grammar, external};

/// A function that reads or encodes the query of a URI.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct PrestoFunction {
    kind: Kind,
    documentation: Documentation,
    signature: Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Parameter,
    Encode,
    Decode,
}

impl PrestoFunction {
    pub(crate) fn all() -> [Self; 3] {
        [Kind::Parameter, Kind::Encode, Kind::Decode].map(|kind| PrestoFunction {
            kind,
            documentation: documentation(kind),
            signature: argument::signature(kind.parameters()),
        })
    }
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Parameter => "url_extract_parameter",
            Kind::Encode => "url_encode",
            Kind::Decode => "url_decode",
        }
    }

    fn parameters(self) -> Parameters {
        match self {
            Kind::Parameter => Parameters { required: &[URI, NAME], optional: &[GRAMMAR] },
            Kind::Encode | Kind::Decode => Parameters { required: &[TEXT], optional: &[] },
        }
    }
}

const NAME: Parameter = Parameter {
    name: "name",
    argument: Argument::Name,
    description: "A constant: the name of the parameter, as the query has it.",
};
const TEXT: Parameter = Parameter {
    name: "text",
    argument: Argument::Record,
    description: "A string or a binary value. NULL in, NULL out.",
};

impl ScalarUDFImpl for PrestoFunction {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(argument::text_type(&types[0]))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let text = &args.args[0];
        match self.kind {
            Kind::Encode => argument::map(text, |texts| url_encode(texts).map_err(external)),
            Kind::Decode => argument::map(text, |texts| url_decode(texts).map_err(external)),
            Kind::Parameter => {
                let name = argument::constant(&args.args, 1, "name")?;
                let validator = Validator::new(constant_grammar(&args.args, 2)?.unwrap_or(Grammar::Uri));
                match name.as_ref().map(argument::text).transpose()?.flatten() {
                    Some(name) => argument::map(text, |uris| {
                        url_extract_parameter(&validator, uris, name).map_err(external)
                    }),
                    None => argument::nulls(&args),
                }
            }
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

fn documentation(kind: Kind) -> Documentation {
    let (description, example, related) = match kind {
        Kind::Parameter => (
            "The value of the first parameter of a name in the query of a URI, with its escapes decoded and + as a space: '' if it has \
             no =, NULL if there is none, and for invalid URIs.",
            "SELECT url_extract_parameter('http://example.com/?a=1&b=x%26y', 'b');",
            "parse_url",
        ),
        Kind::Encode => (
            "Text as a form sends it: all but letters and digits of ASCII, *, -, . and _ is escaped, and a space becomes +.",
            "SELECT url_encode('a b&c');",
            "url_decode",
        ),
        Kind::Decode => (
            "The text that url_encode encoded. A % without two hexadecimal digits is an error.",
            "SELECT url_decode('a+b%26c');",
            "url_encode",
        ),
    };
    document(kind.name(), kind.parameters(), description, example, &[related])
}
