//! Functions over arrays that make text from records: normal forms, resolution and keys.

use arrow_array::{Array, ArrayRef, BinaryArray, Datum, Scalar};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use urivalidate::arrow::{self, FunctionError, TextLayout};
use urivalidate::{NormalForm, Validator};

use crate::capsule::Arrays;
use crate::column::Column;
use crate::failure::{caught, of_function};
use crate::functions::{column_of, each, field_of};
use crate::options::{self, Private};

/// The normal form of each string of an array (RFC 3986 section 6.2.2; with the form "scheme" also 6.2.3). Equivalent URIs have the same
/// normal form. The result is None for invalid strings.
///
/// If the array has views, the result for a string in normal form is a view of the same bytes.
///
/// >>> import pyarrow as pa
/// >>> normalize_uri(pa.array(["HTTP://h:80/a/../%7eb", "http://h", "no uri"]), "scheme").to_pylist()
/// ['http://h/~b', 'http://h/', None]
#[pyfunction]
#[pyo3(signature = (array, form="syntax", grammar="uri", zone_ids=false))]
pub(crate) fn normalize_uri(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    form: &str,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| {
        let form = options::of_name("form", form, NormalForm::ALL, NormalForm::name)?;
        let normalizer = options::validator(grammar, zone_ids)?.normalizer(form);
        let normalizer = normalizer.map_err(options::value_error)?;
        each(py, array, text_type, |array| arrow::normalize_uri(&normalizer, array))
    })
}

/// The URI that each reference of an array refers to (RFC 3986 section 5). The base is a str or bytes, or an array with a base for each
/// reference. The result is None if the reference or its base is invalid; a single base that is invalid raises InvalidURI. A base has at most 8
/// KiB, so the results of n references take at most n times 8 KiB more than the references. If they are too long for their type, the function
/// raises OverflowError before it takes their memory.
///
/// >>> import pyarrow as pa
/// >>> resolve_uri("http://h/a/b", pa.array(["../c", "?q", "mailto:a@b", "a b"])).to_pylist()
/// ['http://h/c', 'http://h/a/b?q', 'mailto:a@b', None]
#[pyfunction]
#[pyo3(signature = (base, array, grammar="uri-reference", zone_ids=false))]
pub(crate) fn resolve_uri(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| with_base(py, base, array, &options::validator(grammar, zone_ids)?, arrow::resolve_uri))
}

/// A reference from a base to each URI of an array. If the URI is in normal form, resolve_uri returns the URI for this reference (under java
/// not always). The base is a str or bytes, or an array with a base for each URI. The result is None if the URI or its base is invalid; a
/// single base that is invalid raises InvalidURI.
///
/// >>> import pyarrow as pa
/// >>> relativize_uri("http://h/a/b", pa.array(["http://h/a/c", "http://i/"])).to_pylist()
/// ['c', '//i/']
#[pyfunction]
#[pyo3(signature = (base, array, grammar="uri-reference", zone_ids=false))]
pub(crate) fn relativize_uri(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| with_base(py, base, array, &options::validator(grammar, zone_ids)?, arrow::relativize_uri))
}

/// The key of each string of an array in the indexes of web archives (SURT). The keys are those of the package surt 0.3.1. The result is None
/// for a string without a key.
///
/// >>> import pyarrow as pa
/// >>> surt(pa.array(["http://www.Example.com/b?y&x", "http://h:99999/"])).to_pylist()
/// ['com,example)/b?x&y', None]
#[pyfunction]
pub(crate) fn surt(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Column> {
    caught(|| each(py, array, text_type, arrow::uri_surt))
}

/// The public suffix of the host of each string of an array, in lower case. It follows the ICANN section of the Public Suffix List; with
/// ``private``, both sections. The result is None for invalid strings, for strings without a host, and if the host is an address.
///
/// >>> import pyarrow as pa
/// >>> uri_suffix(pa.array(["http://a.github.io/", "http://www.bbc.CO.UK/", "http://[::1]/"])).to_pylist()
/// ['io', 'co.uk', None]
#[pyfunction]
#[pyo3(
    signature = (array, private=Private(false), grammar="uri", zone_ids=false),
    text_signature = "(array, private=False, grammar='uri', zone_ids=False)"
)]
pub(crate) fn uri_suffix(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    private: Private,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| {
        let validator = options::validator(grammar, zone_ids)?;
        each(py, array, text_type, |array| arrow::uri_suffix(&validator, array, private.0))
    })
}

/// The registered domain of the host of each string of an array: the public suffix with one more label, in lower case. The result is None if
/// uri_suffix returns None, and if the host is itself a suffix.
///
/// >>> import pyarrow as pa
/// >>> uri_domain(pa.array(["http://a.b.github.io/", "http://www.bbc.co.uk/"]), private=True).to_pylist()
/// ['b.github.io', 'bbc.co.uk']
#[pyfunction]
#[pyo3(
    signature = (array, private=Private(false), grammar="uri", zone_ids=false),
    text_signature = "(array, private=False, grammar='uri', zone_ids=False)"
)]
pub(crate) fn uri_domain(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    private: Private,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| {
        let validator = options::validator(grammar, zone_ids)?;
        each(py, array, text_type, |array| arrow::uri_domain(&validator, array, private.0))
    })
}

/// The type of the results for arrays of this type.
fn text_type(array: &DataType) -> DataType {
    TextLayout::of(array).data_type()
}

/// Applies a function to records and their bases.
fn with_base(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    array: &Bound<'_, PyAny>,
    validator: &Validator,
    function: impl Fn(&Validator, &dyn Datum, &dyn Datum) -> Result<ArrayRef, FunctionError> + Send + Sync,
) -> PyResult<Column> {
    if base.is_instance_of::<PyString>() || base.is_instance_of::<PyBytes>() {
        let base = options::record(base)?;
        let base = Scalar::new(BinaryArray::from(vec![&base[..]]));
        return each(py, array, text_type, |array| function(validator, &base, &array));
    }
    let (mut bases, mut records) = (Pieces::new(base)?, Pieces::new(array)?);
    let mut chunks = Vec::new();
    loop {
        let filled = py.detach(|| Ok::<_, PyErr>((bases.fill()?, records.fill()?)))?;
        let (base, record) = match filled {
            (0, 0) => break,
            (bases_left, records_left) if bases_left == 0 || records_left == 0 => {
                let fewer = if bases_left == 0 { "bases" } else { "records" };
                return Err(PyValueError::new_err(format!(
                    "there are fewer {fewer} than the other array has"
                )));
            }
            (bases_left, records_left) => {
                let len = bases_left.min(records_left);
                (bases.take(len), records.take(len))
            }
        };
        let chunk = py.detach(|| function(validator, &base, &record));
        chunks.push(chunk.map_err(|error| of_function(py, error))?);
        py.check_signals()?;
    }
    if chunks.is_empty() {
        let none = |data_type| arrow_array::new_empty_array(data_type);
        let checked = function(validator, &none(bases.field.data_type()), &none(records.field.data_type()));
        checked.map_err(|error| of_function(py, error))?;
    }
    let column_type = text_type(records.field.data_type());
    Ok(Column::new(Field::new(records.field.name(), column_type, true), chunks))
}

/// A reader of the chunks of an array, which returns them in pieces of any length.
struct Pieces {
    arrays: Arrays,
    field: Field,
    rest: Option<ArrayRef>,
}

impl Pieces {
    fn new(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let arrays = Arrays::of(array)?;
        let field = field_of(arrays.field());
        Ok(Pieces { arrays, field, rest: None })
    }

    /// Reads the next chunk if the current one has no rows left. Returns the number of rows left in the current chunk: 0 at the end.
    fn fill(&mut self) -> PyResult<usize> {
        loop {
            match &self.rest {
                Some(rest) if !rest.is_empty() => return Ok(rest.len()),
                _ => match self.arrays.next()? {
                    Some(next) => self.rest = Some(column_of(next)?),
                    None => return Ok(0),
                },
            }
        }
    }

    /// Takes the next `len` rows of the current chunk.
    fn take(&mut self, len: usize) -> ArrayRef {
        let rest = self.rest.take().expect("rows at hand");
        self.rest = Some(rest.slice(len, rest.len() - len));
        rest.slice(0, len)
    }
}
