//! The documentation of the functions for SHOW FUNCTIONS.

use datafusion_expr::{DocSection, Documentation};

use crate::argument::Parameters;

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
        builder = builder.with_argument(parameter.name, parameter.description);
    }
    for name in related {
        builder = builder.with_related_udf(*name);
    }
    builder.build()
}

/// A call, as `f(a, b [, c [, d]])`.
fn syntax(name: &str, Parameters { required, optional }: Parameters) -> String {
    let required: Vec<_> = required.iter().map(|parameter| parameter.name).collect();
    let optional_names: String = optional.iter().map(|parameter| format!(" [, {}", parameter.name)).collect();
    format!("{name}({}{optional_names}{})", required.join(", "), "]".repeat(optional.len()))
}
