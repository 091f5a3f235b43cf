//! The documentation of the functions for SHOW FUNCTIONS.

use datafusion_expr::{DocSection, Documentation};

const SECTION: DocSection = DocSection { include: true, label: "URI Functions", description: None };

/// A function's documentation. `arguments` are names and descriptions, the ones that may be left out in the end.
pub(crate) fn document(
    description: &str,
    syntax: &str,
    example: &str,
    arguments: &[(&str, &str)],
    related: &[&str],
) -> Documentation {
    let mut builder = Documentation::builder(SECTION, description, syntax)
        .with_sql_example(format!("```sql\n{example}\n```"));
    for (name, description) in arguments {
        builder = builder.with_argument(*name, *description);
    }
    for name in related {
        builder = builder.with_related_udf(*name);
    }
    builder.build()
}
