//! `uri_suffix_list_date`: a function without arguments.

use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use urivalidate::PUBLIC_SUFFIX_LIST_DATE;

use crate::document::SECTION;

/// The function `uri_suffix_list_date`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct SuffixListDate {
    signature: Signature,
    documentation: Documentation,
}

impl SuffixListDate {
    pub(crate) fn new() -> Self {
        let documentation = Documentation::builder(
            SECTION,
            "The date of the public suffix list that uri_suffix and uri_domain use.",
            "uri_suffix_list_date()",
        );
        SuffixListDate {
            signature: Signature::nullary(Volatility::Immutable),
            documentation: documentation
                .with_sql_example("```sql\nSELECT uri_suffix_list_date();\n```")
                .with_related_udf("uri_suffix")
                .build(),
        }
    }
}

impl ScalarUDFImpl for SuffixListDate {
    fn name(&self) -> &str {
        "uri_suffix_list_date"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        Ok(ColumnarValue::Scalar(ScalarValue::from(PUBLIC_SUFFIX_LIST_DATE)))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
