//! The rule that replaces a field of `parse_uri`, `uri_spans` or `uri_error` by the function for that field
//! alone. Without this rule, DataFusion evaluates the whole call once for each field that a query names.

use std::sync::Arc;

use datafusion_common::config::ConfigOptions;
use datafusion_common::tree_node::{Transformed, TreeNode};
use datafusion_common::{DFSchema, Result};
use datafusion_expr::expr::ScalarFunction;
use datafusion_expr::expr_rewriter::{FunctionRewrite, NamePreserver};
use datafusion_expr::{Expr, LogicalPlan, ScalarUDF, lit};
use datafusion_optimizer::optimizer::ApplyOrder;
use datafusion_optimizer::{OptimizerConfig, OptimizerRule};

use crate::functions::function;

/// The rule that turns `parse_uri(uri)['host']` into the call `url_extract_host(uri)`, and the other fields
/// of `parse_uri`, `uri_spans` and `uri_error` into similar calls. A query then computes only the fields that
/// it names.
///
/// [`register_all`](crate::register_all) registers it as a function rewrite, which sees a field of a call. As
/// an optimizer rule it also sees a field of a subquery's column, after DataFusion has merged the subquery
/// into the query:
///
/// ```
/// # use std::sync::Arc;
/// # use datafusion::prelude::SessionContext;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::error::Result<()> {
/// let mut context = SessionContext::new();
/// urivalidate_datafusion::register_all(&mut context)?;
/// context.add_optimizer_rule(Arc::new(urivalidate_datafusion::FieldRewrite));
/// let query = "SELECT c['host'] FROM (SELECT parse_uri(u) AS c FROM (VALUES ('http://h/'), ('a b')) AS t(u))";
/// let plan = context.sql(query).await?.into_optimized_plan()?;
/// assert!(plan.display_indent().to_string().contains("url_extract_host("));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FieldRewrite;

impl FunctionRewrite for FieldRewrite {
    fn name(&self) -> &str {
        "uri_fields"
    }

    fn rewrite(&self, expr: Expr, _schema: &DFSchema, _config: &ConfigOptions) -> Result<Transformed<Expr>> {
        Ok(rewritten(expr))
    }
}

impl OptimizerRule for FieldRewrite {
    fn name(&self) -> &str {
        "uri_fields"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let names = NamePreserver::new(&plan);
        plan.map_expressions(|expr| {
            let name = names.save(&expr);
            let result = expr.transform_up(|expr| Ok(rewritten(expr)))?;
            Ok(if result.transformed { result.update_data(|expr| name.restore(expr)) } else { result })
        })
    }
}

/// Replaces the expression by a call of another function, if the rule applies to it.
fn rewritten(expr: Expr) -> Transformed<Expr> {
    match part_call(&expr) {
        Some(call) => Transformed::yes(call),
        None => Transformed::no(expr),
    }
}

fn part_call(expr: &Expr) -> Option<Expr> {
    let Expr::ScalarFunction(ScalarFunction { func, args }) = expr else { return None };
    let [Expr::ScalarFunction(whole), Expr::Literal(field, _)] = &args[..] else { return None };
    if func.name() != "get_field" || !is_ours(&whole.func) {
        return None;
    }
    let field = field.try_as_str()??;
    let name = whole.func.name();
    let part = match (name, field) {
        ("parse_uri" | "uri_spans", "valid") => function("is_valid_uri"),
        // Presto's name of the scheme.
        ("parse_uri", "scheme") => function("url_extract_protocol"),
        ("parse_uri", "host" | "path" | "query" | "fragment") => function(&format!("url_extract_{field}")),
        (name, _) => {
            // The name of the field comes before the grammar.
            let mut args = whole.args.clone();
            args.insert(1, lit(field));
            return Some(call(function(&format!("{name}_field")), args));
        }
    };
    Some(call(part, whole.args.clone()))
}

/// Whether this is one of this package's functions whose result has fields, and not another function with the
/// same name.
fn is_ours(whole: &ScalarUDF) -> bool {
    let name = whole.name();
    ["parse_uri", "uri_spans", "uri_error"].contains(&name) && whole == function(name).as_ref()
}

fn call(function: &Arc<ScalarUDF>, args: Vec<Expr>) -> Expr {
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(function), args))
}
