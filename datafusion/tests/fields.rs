//! Tests fields of structs: a query only evaluates the fields that it names, and their values are those of
//! the struct.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::context;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::prelude::{Expr, SessionConfig, SessionContext};
use urivalidate_datafusion::FieldRewrite;

const URLS: &str = "(VALUES ('http://user@example.com:8080/a?b#c'), ('a b'), (NULL), ('mailto:a@b'), ('//[::1]:/'), ('http://h/é')) AS t(u)";

/// A session whose optimizer does not rewrite fields, so that its results are those of the whole structs.
fn context_without_rewrite() -> SessionContext {
    let context = SessionContext::new_with_config(SessionConfig::new().with_information_schema(true));
    for function in urivalidate_datafusion::functions() {
        context.register_udf(function.as_ref().clone());
    }
    context
}

/// The names of the functions that the optimized plan of a query calls.
async fn calls(context: &SessionContext, query: &str) -> Result<BTreeSet<String>> {
    let plan = context.sql(query).await?.into_optimized_plan()?;
    let mut names = BTreeSet::new();
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                if let Expr::ScalarFunction(call) = expr {
                    names.insert(call.func.name().to_owned());
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(names)
}

async fn rows(context: &SessionContext, query: &str) -> Result<String> {
    let batches = context.sql(query).await?.collect().await?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

/// The fields of `call(u, 'grammar')`, read from the type of the call.
async fn fields(call: &str, grammar: &str) -> Vec<String> {
    let query = format!("SELECT {call}(u, '{grammar}') AS it FROM {URLS}");
    let frame = context_without_rewrite().sql(&query).await.unwrap();
    let DataType::Struct(fields) = frame.schema().field(0).data_type() else {
        panic!("{call} gives no struct")
    };
    fields.iter().map(|field| field.name().clone()).collect()
}

#[tokio::test]
async fn every_field_is_what_the_struct_holds() {
    let (ours, without) = (context(), context_without_rewrite());
    for grammar in ["uri", "uri-reference", "java", "rfc2396", "iri-reference"] {
        for call in ["parse_uri", "uri_spans", "uri_error"] {
            let names = fields(call, grammar).await;
            assert!(names.len() >= 4, "{names:?}");
            for name in names {
                for text in ["u", "arrow_cast(u, 'Utf8View')", "arrow_cast(u, 'Dictionary(Int32, Utf8)')"] {
                    let query = format!("SELECT {call}({text}, '{grammar}')['{name}'] AS it FROM {URLS}");
                    let calls = calls(&ours, &query).await.unwrap();
                    assert!(!calls.contains("get_field") && !calls.contains(call), "{query}: {calls:?}");
                    let expected = rows(&without, &query).await.unwrap();
                    assert_eq!(rows(&ours, &query).await.unwrap(), expected, "{query}");
                }
            }
        }
    }
}

/// For every use of a field, the plan has no whole struct, and the rows are the same.
#[tokio::test]
async fn structs_are_not_evaluated_for_their_fields() {
    let (ours, without) = (context(), context_without_rewrite());
    for query in [
        "SELECT parse_uri(u)['host'], parse_uri(u)['path'] FROM urls",
        "SELECT u FROM urls WHERE parse_uri(u)['host'] = 'example.com' AND uri_error(u)['kind'] IS NULL",
        "SELECT c['host'], c['path'], c['port'] FROM (SELECT parse_uri(u) AS c FROM urls)",
        "SELECT c['host'] FROM (SELECT parse_uri(u) AS c FROM urls) WHERE c['valid'] ORDER BY c['path']",
        "WITH parsed AS (SELECT parse_uri(u, 'java') AS c, uri_spans(u) AS s FROM urls) SELECT c['host'], s['host_start'] FROM parsed",
        "SELECT c['host'] AS host, count(*) FROM (SELECT parse_uri(u) AS c FROM urls) GROUP BY c['host'] ORDER BY 1",
        "SELECT (SELECT max(parse_uri(u)['host']) FROM urls) AS host",
        "SELECT u FROM urls WHERE u IN (SELECT u FROM urls WHERE parse_uri(u)['port'] = '8080')",
        "SELECT a.c['host'] FROM (SELECT parse_uri(u) AS c, u FROM urls) AS a JOIN urls AS b ON a.u = b.u ORDER BY 1",
        "SELECT c['host'] FROM (SELECT parse_uri(u) AS c FROM urls UNION ALL SELECT parse_uri(u) FROM urls) ORDER BY 1",
        "SELECT sum(octet_length(c['host'])), sum(octet_length(c['path'])) FROM (SELECT parse_uri(u) AS c FROM urls)",
        "SELECT CASE WHEN c['valid'] THEN c['path'] ELSE e['message'] END FROM (SELECT parse_uri(u) AS c, uri_error(u) AS e FROM urls)",
    ] {
        for context in [&ours, &without] {
            context.sql(&format!("CREATE OR REPLACE VIEW urls AS SELECT * FROM {URLS}")).await.unwrap();
        }
        let calls = calls(&ours, query).await.unwrap();
        for whole in ["get_field", "parse_uri", "uri_spans", "uri_error"] {
            assert!(!calls.contains(whole), "{query}: {calls:?}");
        }
        assert_eq!(rows(&ours, query).await.unwrap(), rows(&without, query).await.unwrap(), "{query}");
    }
}

/// A whole struct is not rewritten, and neither is another function with the name `parse_uri`.
#[tokio::test]
async fn whole_structs_stay() {
    let ours = context();
    let query = format!("SELECT c FROM (SELECT parse_uri(u) AS c FROM {URLS}) WHERE c['valid']");
    assert!(calls(&ours, &query).await.unwrap().contains("parse_uri"));
    assert_eq!(rows(&ours, &query).await.unwrap(), rows(&context_without_rewrite(), &query).await.unwrap());

    let mut others = SessionContext::new();
    urivalidate_datafusion::register_all(&mut others).unwrap();
    others.add_optimizer_rule(Arc::new(FieldRewrite));
    others.register_udf(others::parse_uri());
    let query = format!("SELECT parse_uri(u)['host'] AS it FROM {URLS} LIMIT 1");
    assert!(rows(&others, &query).await.unwrap().contains("another"));
}

/// A different function with the same name.
mod others {
    use std::sync::Arc;

    use datafusion::arrow::datatypes::{DataType, Field};
    use datafusion::common::scalar::ScalarStructBuilder;
    use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

    pub(crate) fn parse_uri() -> ScalarUDF {
        let host = Field::new("host", DataType::Utf8, true);
        let returned = DataType::Struct(vec![host.clone()].into());
        create_udf(
            "parse_uri",
            vec![DataType::Utf8],
            returned,
            Volatility::Immutable,
            Arc::new(move |_| {
                let built = ScalarStructBuilder::new().with_scalar(host.clone(), "another".into()).build()?;
                Ok(ColumnarValue::Scalar(built))
            }),
        )
    }
}
