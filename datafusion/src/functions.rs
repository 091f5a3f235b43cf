//! The list of all functions of this package.

use std::sync::{Arc, LazyLock};

use datafusion_expr::ScalarUDF;
use urivalidate::arrow::catalogue::FUNCTIONS;

use crate::function::ColumnFunction;
use crate::suffix_list_date::SuffixListDate;

static ALL: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    let of_catalogue = FUNCTIONS.iter().map(ColumnFunction::new).map(ScalarUDF::from);
    of_catalogue.chain([ScalarUDF::from(SuffixListDate::new())]).map(Arc::new).collect()
});

/// Returns all scalar functions of this package: those of the [catalogue](urivalidate::arrow::catalogue), and
/// `uri_suffix_list_date`.
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    ALL.clone()
}

/// Returns the function with this name.
///
/// # Panics
///
/// If no function has this name.
pub(crate) fn function(name: &str) -> &'static Arc<ScalarUDF> {
    let function = ALL.iter().find(|function| function.name() == name);
    function.unwrap_or_else(|| panic!("there is no function {name}"))
}
