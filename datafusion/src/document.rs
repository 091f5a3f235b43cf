//! The documentation of the functions for SHOW FUNCTIONS.

use datafusion_expr::{DocSection, Documentation};
use urivalidate::Grammar;
use urivalidate::arrow::catalogue::{Function, Parameter, ParameterType};

pub(crate) const SECTION: DocSection =
    DocSection { include: true, label: "URI Functions", description: None };

/// Returns the documentation of a function.
pub(crate) fn document(function: &Function) -> Documentation {
    let mut builder = Documentation::builder(SECTION, function.sentence(), function.syntax())
        .with_sql_example(format!("```sql\nSELECT {};\n```", function.example()));
    for parameter in function.parameters() {
        builder = builder.with_argument(parameter.name(), describe(function, parameter));
    }
    for name in function.related() {
        builder = builder.with_related_udf(*name);
    }
    builder.build()
}

/// Returns the description of a parameter with its default. The parameter of a grammar also lists the names
/// of the grammars.
pub(crate) fn describe(function: &Function, parameter: &Parameter) -> String {
    let mut description = parameter.description().to_owned();
    if let Some(default) = function.default_of(parameter) {
        description += &format!(" The default is {default}.");
    }
    if parameter.parameter_type() == ParameterType::Grammar {
        let names: Vec<_> = Grammar::ALL.iter().map(|grammar| grammar.name()).collect();
        description += &format!(" One of {}.", names.join(", "));
    }
    description
}
