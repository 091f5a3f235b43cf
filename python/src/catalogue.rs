//! The library's catalogue of functions over columns, for the SQL functions of other engines and for tests.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use urivalidate::arrow::catalogue::FUNCTIONS;
use urivalidate::{ErrorKind, Grammar};

/// The functions over columns, each as a dictionary: its name, its name without `uri`, the number of its
/// columns, its other parameters (the name, whether it is required, and whether it may differ between rows),
/// its default grammar, the type of its results, and a sentence.
#[pyfunction]
pub(crate) fn catalogue(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let functions = FUNCTIONS.iter().map(|function| {
        let options = function.parameters()[function.columns()..].iter();
        let options =
            options.map(|option| (option.name(), option.is_required(), option.parameter_type().may_differ()));
        let entry = PyDict::new(py);
        entry.set_item("name", function.name())?;
        entry.set_item("short_name", function.short_name())?;
        entry.set_item("columns", function.columns())?;
        entry.set_item("options", options.collect::<Vec<_>>())?;
        entry.set_item("grammar", function.grammar().map(Grammar::name))?;
        entry.set_item("result", function.result().description())?;
        entry.set_item("sentence", function.sentence())?;
        Ok(entry)
    });
    functions.collect()
}

/// The names of all kinds of errors.
#[pyfunction]
pub(crate) fn error_kinds() -> Vec<&'static str> {
    ErrorKind::ALL.iter().map(|kind| kind.name()).collect()
}
