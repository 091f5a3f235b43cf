//! Functions of one record.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use urivalidate::{Component, Components as Places, Validator};

use crate::failure::{caught, invalid_uri};
use crate::options;

/// Whether a record, a str or bytes, is valid.
///
/// >>> is_valid("http://example.com/"), is_valid(b"http://example.com/a b"), is_valid("a/b", "uri-reference")
/// (True, False, True)
#[pyfunction]
#[pyo3(signature = (record, grammar="uri", zone_ids=false))]
pub(crate) fn is_valid(record: &Bound<'_, PyAny>, grammar: &str, zone_ids: bool) -> PyResult<bool> {
    caught(|| {
        let validator = options::validator(grammar, zone_ids)?;
        Ok(validator.is_valid(&options::record(record)?))
    })
}

/// The components of a valid record, a str or bytes. Raises InvalidURI if it is not valid.
///
/// >>> components = parse("http://u@example.com:8080/a?b")
/// >>> components.host, components.port, components.query, components.fragment
/// ('example.com', '8080', 'b', None)
/// >>> components.spans["host"]
/// (9, 20)
/// >>> try:
/// ...     parse("http://example.com/a b")
/// ... except InvalidURI as error:
/// ...     print(error, error.kind, error.component, error.offset)
/// a space must be written %20 (at byte 20) space path 20
#[pyfunction]
#[pyo3(signature = (record, grammar="uri", zone_ids=false))]
pub(crate) fn parse(
    py: Python<'_>,
    record: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Components> {
    caught(|| {
        let validator = options::validator(grammar, zone_ids)?;
        let record = options::record(record)?;
        match validator.parse(&record) {
            Ok(places) => Ok(Components { record: record.into_owned(), validator, places }),
            Err(error) => {
                let message = format!("{error} (at byte {})", error.offset());
                Err(invalid_uri(py, message, &error, None))
            }
        }
    })
}

/// The components of a valid record: each is text, or None if it is absent. ``spans`` has the start and end
/// of each component, counted in bytes from the start of the record. Components can be compared, hashed,
/// pickled and copied.
///
/// >>> parse("mailto:a@b", "java")
/// Components(scheme="mailto")
/// >>> parse("mailto:a@b", "java").opaque, parse("mailto:a@b", "java").scheme_specific_part
/// (True, 'a@b')
#[pyclass(frozen, module = "urivalidate")]
pub(crate) struct Components {
    record: Vec<u8>,
    validator: Validator,
    places: Places,
}

impl Components {
    fn text(&self, component: Component) -> Option<&str> {
        // Parts of valid records are UTF-8.
        std::str::from_utf8(&self.record[self.places.get(component)?]).ok()
    }
}

#[pymethods]
impl Components {
    #[getter]
    fn scheme(&self) -> Option<&str> {
        self.text(Component::Scheme)
    }

    #[getter]
    fn authority(&self) -> Option<&str> {
        self.text(Component::Authority)
    }

    #[getter]
    fn userinfo(&self) -> Option<&str> {
        self.text(Component::Userinfo)
    }

    #[getter]
    fn host(&self) -> Option<&str> {
        self.text(Component::Host)
    }

    #[getter]
    fn port(&self) -> Option<&str> {
        self.text(Component::Port)
    }

    #[getter]
    fn path(&self) -> Option<&str> {
        self.text(Component::Path)
    }

    #[getter]
    fn query(&self) -> Option<&str> {
        self.text(Component::Query)
    }

    #[getter]
    fn fragment(&self) -> Option<&str> {
        self.text(Component::Fragment)
    }

    #[getter]
    fn host_kind(&self) -> Option<&'static str> {
        self.places.host_kind().map(|kind| kind.name())
    }

    #[getter]
    fn scheme_specific_part(&self) -> &str {
        std::str::from_utf8(&self.record[self.places.scheme_specific_part()]).unwrap_or_default()
    }

    #[getter]
    fn opaque(&self) -> bool {
        self.places.is_opaque()
    }

    #[getter]
    fn authority_kind(&self) -> Option<&'static str> {
        self.places.authority_kind().map(|kind| kind.name())
    }

    #[getter]
    fn spans<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let spans = PyDict::new(py);
        for &component in Component::ALL {
            let span = self.places.get(component).map(|range| (range.start, range.end));
            spans.set_item(component.name(), span)?;
        }
        Ok(spans)
    }

    fn __repr__(&self) -> String {
        let parts: Vec<_> = Component::ALL
            .iter()
            .filter_map(|&component| self.text(component).map(|text| format!("{component}={text:?}")))
            .collect();
        format!("Components({})", parts.join(", "))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.record == other.record && self.places == other.places
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.record.hash(&mut hasher);
        hasher.finish()
    }

    /// Supports pickle, which stores the record and parses it again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let parse = py.import("urivalidate")?.getattr("parse")?;
        let record = PyBytes::new(py, &self.record);
        let arguments = (record, self.validator.grammar().name(), self.validator.zone_ids());
        Ok((parse, arguments.into_pyobject(py)?))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        // The object is immutable, so its copy is the object itself.
        let _ = memo;
        slf
    }
}
