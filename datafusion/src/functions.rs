//! The list of all functions of this package.

use std::sync::{Arc, LazyLock};

use datafusion_expr::ScalarUDF;

use crate::derived::DerivedFunction;
use crate::field::FieldFunction;
use crate::presto::PrestoFunction;
use crate::spark::SparkFunction;
use crate::uri::UriFunction;

static FUNCTIONS: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    let of_uri = UriFunction::all().map(ScalarUDF::from);
    let derived = DerivedFunction::all().map(ScalarUDF::from);
    let of_spark = SparkFunction::all().into_iter().map(ScalarUDF::from);
    let of_presto = PrestoFunction::all().into_iter().map(ScalarUDF::from);
    let fields = FieldFunction::all().into_iter().map(ScalarUDF::from);
    of_uri.chain(derived).chain(of_spark).chain(of_presto).chain(fields).map(Arc::new).collect()
});

/// All functions of this package.
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    FUNCTIONS.clone()
}

/// Returns the function with this name.
///
/// # Panics
///
/// If no function has this name.
pub(crate) fn function(name: &str) -> &'static Arc<ScalarUDF> {
    let function = FUNCTIONS.iter().find(|function| function.name() == name);
    function.unwrap_or_else(|| panic!("there is no function {name}"))
}
