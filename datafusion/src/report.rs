//! `uri_report`: the numbers of valid records and of errors, as an aggregate function.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use datafusion_common::arrow::array::{ArrayRef, AsArray, StructArray};
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{Result, ScalarValue, exec_err, internal_err, not_impl_err, plan_err};
use datafusion_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, Documentation, Signature};
use urivalidate::arrow::catalogue::{Function, Parameter, function};
use urivalidate::arrow::{UriReport, uri_report_type};
use urivalidate::{Grammar, Validator, unknown_name};

use crate::argument;
use crate::document::{SECTION, describe};
use crate::failure::external;

static REPORT: LazyLock<Arc<AggregateUDF>> =
    LazyLock::new(|| Arc::new(AggregateUDF::new_from_impl(Report::new())));

/// Returns all aggregate functions of this package, which is `uri_report`.
pub fn aggregate_functions() -> Vec<Arc<AggregateUDF>> {
    vec![Arc::clone(&REPORT)]
}

/// The function `uri_report`, whose arguments are those of `is_valid_uri`.
#[derive(Debug)]
struct Report {
    signature: Signature,
    documentation: Documentation,
}

fn verdict() -> &'static Function {
    function("is_valid_uri").expect("the catalogue has this function")
}

fn grammar() -> &'static Parameter {
    &verdict().parameters()[1]
}

impl Report {
    fn new() -> Self {
        let mut documentation = Documentation::builder(
            SECTION,
            "Counts the valid records, and the errors of the others by their kinds: a struct of records, valid, invalid, empty, nulls and errors, a \
             map from the kinds of errors to their numbers.",
            "uri_report(uri [, grammar])",
        )
        .with_sql_example("```sql\nSELECT uri_report(url) FROM urls;\n```")
        .with_related_udf("uri_error");
        for parameter in verdict().parameters() {
            documentation = documentation.with_argument(parameter.name(), describe(verdict(), parameter));
        }
        Report {
            signature: argument::signature(verdict().parameters()),
            documentation: documentation.build(),
        }
    }
}

impl AggregateUDFImpl for Report {
    fn name(&self) -> &str {
        "uri_report"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(uri_report_type())
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
        Ok(value(&UriReport::new(Validator::new(Grammar::Uri))))
    }

    fn accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        if arguments.is_distinct {
            return not_impl_err!("uri_report(DISTINCT …); count the rows of SELECT DISTINCT instead");
        }
        Ok(Box::new(Counts { report: None }))
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let field =
            |name, data_type| Arc::new(Field::new(format!("{}[{name}]", arguments.name), data_type, true));
        Ok(vec![field("grammar", DataType::Utf8), field("report", uri_report_type())])
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

// There is one such function.
impl PartialEq for Report {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Report {}

impl Hash for Report {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// The grammar and the report of a group, and `None` before its first row.
#[derive(Debug)]
struct Counts {
    report: Option<(Grammar, UriReport)>,
}

impl Counts {
    /// The report for more records by this grammar.
    fn of_grammar(&mut self, name: &str) -> Result<&mut UriReport> {
        let grammar = match name.parse::<Grammar>() {
            Ok(grammar) => grammar,
            Err(unknown) => return plan_err!("{}", unknown_name("grammar", name, unknown.names())),
        };
        let new = || (grammar, UriReport::new(Validator::new(grammar)));
        let (of_rows, report) = self.report.get_or_insert_with(new);
        if *of_rows != grammar {
            return exec_err!("the grammar has to be the same for all rows");
        }
        Ok(report)
    }
}

impl Accumulator for Counts {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let Some(records) = values.first() else { return internal_err!("uri_report of no column") };
        if records.is_empty() {
            return Ok(());
        }
        let name = match values.get(1) {
            None => None,
            Some(names) => argument::constant(grammar(), &ColumnarValue::Array(Arc::clone(names)))?,
        };
        let name = match &name {
            None => Grammar::Uri.name(),
            Some(name) => match name.try_as_str().flatten() {
                Some(name) => name,
                None => return plan_err!("the grammar is NULL"),
            },
        };
        self.of_grammar(name)?.add(&argument::seen(records)?).map_err(external)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(match &self.report {
            Some((_, report)) => value(report),
            None => value(&UriReport::new(Validator::new(Grammar::Uri))),
        })
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let grammar = self.report.as_ref().map(|(grammar, _)| grammar.name().to_owned());
        Ok(vec![ScalarValue::Utf8(grammar), self.evaluate()?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [grammars, reports] = states else { return internal_err!("uri_report has two states") };
        let (grammars, reports) = (grammars.as_string::<i32>(), reports.as_struct());
        for (row, grammar) in grammars.iter().enumerate() {
            let Some(grammar) = grammar else { continue };
            self.of_grammar(grammar)?.merge_structs(&reports.slice(row, 1)).map_err(external)?;
        }
        Ok(())
    }
}

fn value(report: &UriReport) -> ScalarValue {
    let one: StructArray = UriReport::structs([report]);
    ScalarValue::Struct(Arc::new(one))
}
