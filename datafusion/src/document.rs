//! The documentation of the functions for SHOW FUNCTIONS.

use datafusion_expr::{DocSection, Documentation};
use urivalidate::Grammar;

use crate::argument::{Argument, Parameter, Parameters};

const SECTION: DocSection = DocSection { include: true, label: "URI Functions", description: None };

/// The documentation of the function of this name.
pub(crate) fn document(
    name: &str,
    parameters: Parameters,
    description: &str,
    example: &str,
    related: &[&str],
) -> Documentation {
    let mut builder = Documentation::builder(SECTION, description, syntax(name, parameters))
        .with_sql_example(format!("```sql\n{example}\n```"));
    for parameter in parameters.all() {
        builder = builder.with_argument(parameter.name, parameter_description(parameter));
    }
    for name in related {
        builder = builder.with_related_udf(*name);
    }
    builder.build()
}

/// The description of a parameter. The parameter of a grammar also lists the names of the grammars.
fn parameter_description(parameter: &Parameter) -> String {
    match parameter.argument {
        Argument::Grammar => {
            let names: Vec<_> = Grammar::ALL.iter().map(|grammar| grammar.name()).collect();
            format!("{} One of {}.", parameter.description, names.join(", "))
        }
        _ => parameter.description.to_owned(),
    }
}

/// The syntax of a call: `f(a, b [, c [, d]])`.
fn syntax(name: &str, Parameters { required, optional }: Parameters) -> String {
    let required: Vec<_> = required.iter().map(|parameter| parameter.name).collect();
    let optional_names: String = optional.iter().map(|parameter| format!(" [, {}", parameter.name)).collect();
    format!("{name}({}{optional_names}{})", required.join(", "), "]".repeat(optional.len()))
}
