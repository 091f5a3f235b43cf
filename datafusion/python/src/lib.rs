//! The functions of `urivalidate-datafusion` as capsules. DataFusion's Python package takes them without a
//! copy, and calls no Python to run them.

use std::ffi::CStr;
use std::sync::Arc;

use datafusion_expr::{AggregateUDF, ScalarUDF};
use datafusion_ffi::udaf::FFI_AggregateUDF;
use datafusion_ffi::udf::FFI_ScalarUDF;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The names that DataFusion expects of capsules with functions.
const SCALAR: &CStr = c"datafusion_scalar_udf";
const AGGREGATE: &CStr = c"datafusion_aggregate_udf";

/// An SQL function.
#[pyclass(frozen, module = "urivalidate_datafusion")]
struct Function(Arc<ScalarUDF>);

#[pymethods]
impl Function {
    /// The name of the function in SQL.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The description of the function.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.0.documentation().map(|documentation| documentation.description.as_str())
    }

    fn __datafusion_scalar_udf__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, FFI_ScalarUDF::from(Arc::clone(&self.0)), SCALAR)
    }

    fn __repr__(&self) -> String {
        format!("<function {} of urivalidate_datafusion>", self.0.name())
    }
}

/// An aggregate function of SQL.
#[pyclass(frozen, module = "urivalidate_datafusion")]
struct AggregateFunction(Arc<AggregateUDF>);

#[pymethods]
impl AggregateFunction {
    /// The name of the function in SQL.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The description of the function.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.0.documentation().map(|documentation| documentation.description.as_str())
    }

    fn __datafusion_aggregate_udf__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, FFI_AggregateUDF::from(Arc::clone(&self.0)), AGGREGATE)
    }

    fn __repr__(&self) -> String {
        format!("<function {} of urivalidate_datafusion>", self.0.name())
    }
}

/// The module `urivalidate_datafusion._urivalidate_datafusion`.
#[pymodule]
mod _urivalidate_datafusion {
    use pyo3::prelude::*;

    use super::{AggregateFunction, Function};

    /// All aggregate functions.
    #[pyfunction]
    fn aggregate_functions() -> Vec<AggregateFunction> {
        urivalidate_datafusion::aggregate_functions().into_iter().map(AggregateFunction).collect()
    }

    /// All other functions, in the order of the documentation.
    #[pyfunction]
    fn all_functions() -> Vec<Function> {
        urivalidate_datafusion::functions().into_iter().map(Function).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
