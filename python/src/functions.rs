//! Functions over arrays. They take any object that supports Arrow's PyCapsule interface, and return a column
//! with the same chunks.
//!
//! The library's catalogue has the functions. Here are their signatures and their documentation for Python,
//! which begins with the catalogue's sentence.

use std::sync::{Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray, new_null_array};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyOverflowError, PyUnicodeDecodeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urivalidate::ErrorKind;
use urivalidate::arrow::catalogue::{Call, Constant, Function, function};
use urivalidate::arrow::{FunctionError, ParseUri, TextLayout, UriReport};

use crate::capsule::{Arrays, arrow_error};
use crate::column::Column;
use crate::failure::{caught, of_function};
use crate::options::{self, Names, Private};
use crate::readable::{readable, readable_type};

/// Makes the functions of an array and a grammar.
macro_rules! of_uri {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            #[pyo3(signature = (array, grammar="uri", zone_ids=false))]
            pub(crate) fn $name(
                py: Python<'_>,
                array: &Bound<'_, PyAny>,
                grammar: &str,
                zone_ids: bool,
            ) -> PyResult<Column> {
                evaluate(py, stringify!($name), array, &[], Some((grammar, zone_ids)))
            }
        )+
    };
}

of_uri! {
    /// Whether a URI is valid. The result consists of booleans.
    ///
    /// >>> import pyarrow as pa
    /// >>> is_valid_uri(pa.array(["http://example.com/", "no uri", None])).to_pylist()
    /// [True, False, None]
    is_valid_uri;
    /// The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and
    /// so on, which count bytes from the first; an end is the byte after the last one. Both are None for an
    /// absent component.
    ///
    /// >>> import pyarrow as pa
    /// >>> spans = uri_spans(pa.array(["http://example.com/"])).to_pylist()
    /// >>> spans[0]["host_start"], spans[0]["host_end"], spans[0]["query_start"]
    /// (7, 18, None)
    uri_spans;
    /// The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a
    /// valid URI.
    ///
    /// >>> import pyarrow as pa
    /// >>> uri_error(pa.array(["http://example.com/", "http://example.com/a b"])).to_pylist()
    /// [None, {'kind': 'space', 'component': 'path', 'offset': 20, 'message': 'a space must be written %20'}]
    uri_error;
    /// An invalid URI, repaired, if only one repair is likely; NULL for a valid URI, and for one without such
    /// a repair.
    ///
    /// >>> suggest_uri(["http://example.com/a b", "http://example.com/", "example.com"]).to_pylist()
    /// ['http://example.com/a%20b', None, None]
    suggest_uri;
    /// The scheme of a URI; NULL for an invalid URI, and for one without a scheme. This is Presto's name of
    /// the scheme.
    ///
    /// >>> url_extract_protocol(["http://example.com/", "/a"], "uri-reference").to_pylist()
    /// ['http', None]
    url_extract_protocol;
    /// The host of a URI; NULL for an invalid URI, and for one without a host.
    ///
    /// >>> url_extract_host(["http://user@example.com:80/", "mailto:a@b"]).to_pylist()
    /// ['example.com', None]
    url_extract_host;
    /// The port of a URI as a number; NULL for an invalid URI, for one without a port, and if the port is
    /// empty or does not fit into 64 bits.
    ///
    /// >>> url_extract_port(["http://example.com:080/", "http://example.com:/"]).to_pylist()
    /// [80, None]
    url_extract_port;
    /// The path of a URI; NULL for an invalid URI.
    ///
    /// >>> url_extract_path(["http://example.com/a/b?c", "http://example.com"]).to_pylist()
    /// ['/a/b', '']
    url_extract_path;
    /// The query of a URI; NULL for an invalid URI, and for one without a query.
    ///
    /// >>> url_extract_query(["http://example.com/a?b=c#d", "http://example.com/a"]).to_pylist()
    /// ['b=c', None]
    url_extract_query;
    /// The fragment of a URI; NULL for an invalid URI, and for one without a fragment.
    ///
    /// >>> url_extract_fragment(["http://example.com/a#b", "http://example.com/a#"]).to_pylist()
    /// ['b', '']
    url_extract_fragment;
    /// The names of the parameters in the query of a URI, decoded, in their order; NULL for an invalid URI, and
    /// for one without a query. A name is there as often as the query has it.
    ///
    /// >>> url_extract_query_names(["http://example.com/?b=1&a+c&b=2", "http://example.com/"]).to_pylist()
    /// [['b', 'a c', 'b'], None]
    url_extract_query_names;
    /// The parameters in the query of a URI, decoded: a map from each name to the value of its first
    /// parameter; NULL for an invalid URI, and for one without a query. The value is '' if the parameter has
    /// no =.
    ///
    /// >>> url_parameters(["http://example.com/?b=1&a&b=2"]).to_pylist()
    /// [[('b', '1'), ('a', '')]]
    url_parameters;
    /// The parameters in the query of a URI, decoded: a map from each name to the list of its values; NULL for
    /// an invalid URI, and for one without a query.
    ///
    /// >>> url_parameters_all(["http://example.com/?b=1&a&b=2"]).to_pylist()
    /// [[('b', ['1', '2']), ('a', [''])]]
    url_parameters_all;
}

/// Makes the functions of an array, a grammar and a default scheme.
macro_rules! of_host {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            #[pyo3(signature = (array, grammar="uri", zone_ids=false, default_scheme=None))]
            pub(crate) fn $name(
                py: Python<'_>,
                array: &Bound<'_, PyAny>,
                grammar: &str,
                zone_ids: bool,
                default_scheme: Option<&str>,
            ) -> PyResult<Column> {
                let name = stringify!($name);
                evaluate_with(py, name, array, &[], Some((grammar, zone_ids)), default_scheme)
            }
        )+
    };
}

of_host! {
    /// The host of a URI, unchanged; NULL for an invalid URI, and for one without a host. With
    /// ``default_scheme``, a string may also begin with its host.
    ///
    /// >>> uri_host(["http://example.com/", "example.org:80/a"], default_scheme="http").to_pylist()
    /// ['example.com', 'example.org']
    uri_host;
    /// The labels of a URI's host in reverse order (com.example.www), in its normal form; NULL if the URI is
    /// invalid, or its host is no name. ``default_scheme`` is the same as in uri_host.
    ///
    /// >>> uri_host_reversed(["http://www.Example.com/", "http://192.0.2.1/"]).to_pylist()
    /// ['com.example.www', None]
    uri_host_reversed;
    /// The host of a URI in ASCII: a name beyond ASCII in Punycode, by UTS 46 as browsers look it up; NULL if
    /// the URI is invalid or has no host, or if UTS 46 forbids the name. ``default_scheme`` is the same as in
    /// uri_host.
    ///
    /// >>> uri_host_ascii(["http://bücher.example/", "http://[::1]/"], "iri").to_pylist()
    /// ['xn--bcher-kva.example', '[::1]']
    uri_host_ascii;
}

/// The URI of an IRI: characters beyond ASCII are percent-encoded (RFC 3987 section 3.1); NULL for an invalid
/// IRI.
///
/// >>> to_uri(["http://example.com/é"]).to_pylist()
/// ['http://example.com/%C3%A9']
#[pyfunction]
#[pyo3(signature = (array, grammar="iri", zone_ids=false))]
pub(crate) fn to_uri(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    evaluate(py, "to_uri", array, &[], Some((grammar, zone_ids)))
}

/// The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host, host_kind,
/// port, path, query and fragment, and of scheme_specific_part, opaque and authority_kind, which only the
/// grammars rfc2396 and java have. The struct has the last three fields only with these grammars, and
/// ``fields`` picks some of the fields.
///
/// An absent component is None, an empty one ''. If a string is invalid, all fields except valid are None.
/// With ``view``, text is string_view over the memory of the array, without a copy. Without ``dictionary``,
/// host_kind is a plain string.
///
/// >>> import pyarrow as pa
/// >>> parse_uri(pa.array(["http://example.com/a?b", "no uri", None]), fields=["valid", "host", "query"]).to_pylist()
/// [{'valid': True, 'host': 'example.com', 'query': 'b'}, {'valid': False, 'host': None, 'query': None}, None]
#[pyfunction]
#[pyo3(signature = (array, grammar="uri", zone_ids=false, fields=None, view=false, dictionary=true))]
pub(crate) fn parse_uri(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
    fields: Option<Names>,
    view: bool,
    dictionary: bool,
) -> PyResult<Column> {
    caught(|| {
        let mut function = ParseUri::new(options::validator(grammar, zone_ids)?).dictionary(dictionary);
        if let Some(Names(fields)) = fields {
            function = function.fields(&fields).map_err(|error| of_function(py, error))?;
        }
        // Large types stay large, because their values may not fit into smaller types.
        let of = |data_type: &DataType| {
            let text = match TextLayout::of(data_type) {
                _ if view => TextLayout::BinaryView,
                TextLayout::LargeUtf8 => TextLayout::LargeUtf8,
                _ => TextLayout::Utf8,
            };
            function.clone().text(text)
        };
        each(
            py,
            array,
            |data_type| of(data_type).data_type(),
            |array| Ok(std::sync::Arc::new(of(array.data_type()).parse(array)?)),
        )
        .map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(py) {
                return PyOverflowError::new_err(format!(
                    "{}, or use view=True, which copies nothing",
                    error.value(py)
                ));
            }
            error
        })
    })
}

/// The normal form of a URI (RFC 3986 section 6.2.2; with the form scheme also 6.2.3), which equivalent URIs
/// share; NULL for an invalid URI. If the array has views, the result for a string in normal form is a view
/// of the same bytes.
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
    evaluate(py, "normalize_uri", array, &[Constant::Text(form)], Some((grammar, zone_ids)))
}

/// The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it; NULL for a string
/// without a key. The function takes any text, as the package surt does.
///
/// >>> import pyarrow as pa
/// >>> uri_surt(pa.array(["http://www.Example.com/b?y&x", "http://h:99999/"])).to_pylist()
/// ['com,example)/b?x&y', None]
#[pyfunction]
pub(crate) fn uri_surt(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Column> {
    evaluate(py, "uri_surt", array, &[], None)
}

/// The public suffix of a URI's host (co.uk), in lower case; NULL if the URI is invalid, lacks a host, or has
/// an IP address. It follows the ICANN section of the Public Suffix List; with ``private``, both sections.
///
/// >>> import pyarrow as pa
/// >>> uri_suffix(pa.array(["http://a.github.io/", "http://www.bbc.CO.UK/", "http://[::1]/"])).to_pylist()
/// ['io', 'co.uk', None]
#[pyfunction]
#[pyo3(
    signature = (array, private=Private(false), grammar="uri", zone_ids=false, default_scheme=None),
    text_signature = "(array, private=False, grammar='uri', zone_ids=False, default_scheme=None)"
)]
pub(crate) fn uri_suffix(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    private: Private,
    grammar: &str,
    zone_ids: bool,
    default_scheme: Option<&str>,
) -> PyResult<Column> {
    let private = [Constant::Flag(private.0)];
    evaluate_with(py, "uri_suffix", array, &private, Some((grammar, zone_ids)), default_scheme)
}

/// The registered domain of a URI's host (example.co.uk), in lower case: the public suffix and one more
/// label; NULL if the suffix is NULL, or the host is a suffix itself.
///
/// >>> import pyarrow as pa
/// >>> uri_domain(pa.array(["http://a.b.github.io/", "http://www.bbc.co.uk/"]), private=True).to_pylist()
/// ['b.github.io', 'bbc.co.uk']
#[pyfunction]
#[pyo3(
    signature = (array, private=Private(false), grammar="uri", zone_ids=false, default_scheme=None),
    text_signature = "(array, private=False, grammar='uri', zone_ids=False, default_scheme=None)"
)]
pub(crate) fn uri_domain(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    private: Private,
    grammar: &str,
    zone_ids: bool,
    default_scheme: Option<&str>,
) -> PyResult<Column> {
    let private = [Constant::Flag(private.0)];
    evaluate_with(py, "uri_domain", array, &private, Some((grammar, zone_ids)), default_scheme)
}

/// A part of a URL, as Spark's function of this name returns it in ANSI mode; an invalid URL is an error. The
/// part is HOST, PATH, QUERY, REF, PROTOCOL, FILE, AUTHORITY or USERINFO, as java.net.URI finds them. With
/// QUERY and a key (a regular expression), the result is the value of a parameter. Raises InvalidURI at the
/// first invalid URL, and ValueError for another part.
///
/// >>> import pyarrow as pa
/// >>> parse_url(pa.array(["http://example.com/a?x=1&y=2"]), "QUERY", "y").to_pylist()
/// ['2']
#[pyfunction]
#[pyo3(signature = (array, part, key=None))]
pub(crate) fn parse_url(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    part: &str,
    key: Option<&str>,
) -> PyResult<Column> {
    part_of(py, "parse_url", array, part, key, Function::call)
}

/// A part of a URL, as Spark's function of this name returns it; NULL for an invalid URL. The arguments are
/// those of parse_url.
///
/// >>> import pyarrow as pa
/// >>> try_parse_url(pa.array(["http://example.com/a?x=1", "http://example.com/ "]), "FILE").to_pylist()
/// ['/a?x=1', None]
#[pyfunction]
#[pyo3(signature = (array, part, key=None))]
pub(crate) fn try_parse_url(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    part: &str,
    key: Option<&str>,
) -> PyResult<Column> {
    part_of(py, "try_parse_url", array, part, key, Function::call)
}

/// Spark's own parse_url, or try_parse_url with ``is_try``: like the functions of these names, but a part
/// that does not exist, and a key with another part than QUERY, make all results None.
#[pyfunction]
#[pyo3(signature = (array, part, key=None, *, is_try))]
pub(crate) fn spark_parse_url(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    part: &str,
    key: Option<&str>,
    is_try: bool,
) -> PyResult<Column> {
    let name = if is_try { "try_parse_url" } else { "parse_url" };
    part_of(py, name, array, part, key, Function::call_for_rows)
}

/// Whether a list has the host of a URI; false for an invalid URI, and for one without a host.
///
/// list is a text, an open file, or names: a name a line, and .example.com for it and all below. It may also
/// have the lines of hosts files and the domains of adblock lists.
///
/// >>> host_in(["http://www.example.com/", "http://example.org/"], [".example.com"]).to_pylist()
/// [True, False]
#[pyfunction]
#[pyo3(signature = (array, list, grammar="uri", zone_ids=false))]
pub(crate) fn host_in(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    list: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    let list = text_of(list)?;
    evaluate(py, "host_in", array, &[Constant::Text(&list)], Some((grammar, zone_ids)))
}

/// The text of a list of hosts: itself, or its lines.
fn text_of(list: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = list.extract::<String>() {
        return Ok(text);
    }
    let mut text = String::new();
    for line in list.try_iter()? {
        let line = line?;
        match line.extract::<String>() {
            Ok(line) => text += &line,
            // A file that was opened as bytes.
            Err(_) => {
                let line_bytes: Vec<u8> = line.extract()?;
                text += str::from_utf8(&line_bytes).map_err(|error| {
                    PyUnicodeDecodeError::new_err_from_utf8(line.py(), &line_bytes, error)
                })?;
            }
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(text)
}

/// The value of the first parameter of a name in the query of a URI, decoded: '' if it has no =; NULL for an
/// invalid URI, and for one without the parameter.
///
/// >>> url_extract_parameter(["http://example.com/?a=1&b=x%26y+z", "http://example.com/?b"], "b").to_pylist()
/// ['x&y z', '']
#[pyfunction]
#[pyo3(signature = (array, name, grammar="uri", zone_ids=false))]
pub(crate) fn url_extract_parameter(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    name: &str,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    evaluate(py, "url_extract_parameter", array, &[Constant::Text(name)], Some((grammar, zone_ids)))
}

/// Text as a form sends it: ASCII letters and digits, *, -, . and _ stay, a space becomes +, and any other
/// byte becomes % and two hexadecimal digits.
///
/// >>> url_encode(["a b&c"]).to_pylist()
/// ['a+b%26c']
#[pyfunction]
pub(crate) fn url_encode(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Column> {
    evaluate(py, "url_encode", array, &[], None)
}

/// The text that url_encode encoded; a % without two hexadecimal digits is an error.
///
/// >>> url_decode(["a+b%26c"]).to_pylist()
/// ['a b&c']
#[pyfunction]
pub(crate) fn url_decode(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Column> {
    evaluate(py, "url_decode", array, &[], None)
}

/// Counts the valid records of an array, and the errors of the others by their kinds: a dict of numbers with keys
/// of ``stats`` (records, valid, invalid, empty, errors), and nulls.
///
/// >>> uri_report(["http://example.com/", "http://example.com/a b", "", None])
/// {'records': 3, 'valid': 1, 'invalid': 2, 'empty': 1, 'nulls': 1, 'errors': {'empty': 1, 'space': 1}}
#[pyfunction]
#[pyo3(signature = (array, grammar="uri", zone_ids=false))]
pub(crate) fn uri_report<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Bound<'py, PyDict>> {
    caught(|| {
        let report = Mutex::new(UriReport::new(options::validator(grammar, zone_ids)?));
        let locked = || report.lock().unwrap_or_else(PoisonError::into_inner);
        each(
            py,
            array,
            |_| DataType::Null,
            |array| {
                locked().add(array)?;
                Ok(new_null_array(&DataType::Null, array.len()))
            },
        )?;
        let report = locked();
        let errors = PyDict::new(py);
        for &kind in ErrorKind::ALL.iter().filter(|&&kind| report.errors(kind) > 0) {
            errors.set_item(kind.name(), report.errors(kind))?;
        }
        let counts = PyDict::new(py);
        counts.set_item("records", report.records())?;
        counts.set_item("valid", report.valid())?;
        counts.set_item("invalid", report.invalid())?;
        counts.set_item("empty", report.empty())?;
        counts.set_item("nulls", report.nulls())?;
        counts.set_item("errors", errors)?;
        Ok(counts)
    })
}

/// The function of this name in the catalogue.
pub(crate) fn of_name(name: &str) -> &'static Function {
    function(name).unwrap_or_else(|| unreachable!("the catalogue has {name}"))
}

/// Evaluates a function of the catalogue. The grammar with its option follows the other constants.
fn evaluate(
    py: Python<'_>,
    name: &str,
    array: &Bound<'_, PyAny>,
    constants: &[Constant<'_>],
    grammar: Option<(&str, bool)>,
) -> PyResult<Column> {
    evaluate_with(py, name, array, constants, grammar, None)
}

/// Evaluates a function of the catalogue, with a default scheme after the grammar.
fn evaluate_with(
    py: Python<'_>,
    name: &str,
    array: &Bound<'_, PyAny>,
    constants: &[Constant<'_>],
    grammar: Option<(&str, bool)>,
    default_scheme: Option<&str>,
) -> PyResult<Column> {
    caught(|| {
        let mut constants: Vec<_> = constants.iter().copied().map(Some).collect();
        if let Some((grammar, zone_ids)) = grammar {
            constants.push(Some(Constant::Validator(options::validator(grammar, zone_ids)?)));
        }
        constants.extend(default_scheme.map(Constant::Text).map(Some));
        let function = of_name(name);
        let call = function.call(&constants).map_err(|error| of_function(py, error))?;
        of_call(py, function, &call, array)
    })
}

/// Evaluates a function of Spark.
fn part_of(
    py: Python<'_>,
    name: &str,
    array: &Bound<'_, PyAny>,
    part: &str,
    key: Option<&str>,
    call: fn(&'static Function, &[Option<Constant<'_>>]) -> Result<Call, FunctionError>,
) -> PyResult<Column> {
    caught(|| {
        let function = of_name(name);
        let constants = [Some(Constant::Text(part)), key.map(Constant::Text)];
        let call = call(function, &constants).map_err(|error| of_function(py, error))?;
        of_call(py, function, &call, array)
    })
}

fn of_call(py: Python<'_>, function: &Function, call: &Call, array: &Bound<'_, PyAny>) -> PyResult<Column> {
    // Only parse_uri has another type in Python, and the functions of one field have no fixed one.
    let result = function.result();
    let type_of = |data_type: &DataType| result.data_type(data_type).unwrap_or(DataType::Null);
    each(py, array, type_of, |array| call.evaluate(&[&array]))
}

/// Applies a function to each incoming array.
pub(crate) fn each(
    py: Python<'_>,
    arrays: &Bound<'_, PyAny>,
    type_of: impl Fn(&DataType) -> DataType,
    function: impl Fn(&dyn Array) -> Result<ArrayRef, FunctionError> + Send + Sync,
) -> PyResult<Column> {
    let mut arrays = Arrays::of(arrays)?;
    let column = caught(|| map(py, &mut arrays, type_of, function));
    py.detach(|| drop(arrays));
    column
}

fn map(
    py: Python<'_>,
    arrays: &mut Arrays,
    type_of: impl Fn(&DataType) -> DataType,
    function: impl Fn(&dyn Array) -> Result<ArrayRef, FunctionError> + Send + Sync,
) -> PyResult<Column> {
    let given = field_of(arrays.field());
    let mut next = || -> PyResult<Option<(usize, Result<ArrayRef, FunctionError>)>> {
        let Some(array) = arrays.next()? else { return Ok(None) };
        let array = column_of(array)?;
        Ok(Some((array.len(), function(&array))))
    };
    let mut chunks = Vec::new();
    let mut rows = 0;
    while let Some((len, chunk)) = py.detach(&mut next)? {
        let chunk = chunk.map_err(|error| match error {
            FunctionError::InvalidUrl { row, url, error } => {
                of_function(py, FunctionError::InvalidUrl { row: rows + row, url, error })
            }
            FunctionError::InvalidEscape { row, text } => {
                of_function(py, FunctionError::InvalidEscape { row: rows + row, text })
            }
            error => of_function(py, error),
        })?;
        rows += len;
        chunks.push(chunk);
        py.check_signals()?;
    }
    if chunks.is_empty() {
        // A column without chunks still has a type. This call raises for a type that the function does not
        // support.
        let nothing = arrow_array::new_empty_array(given.data_type());
        function(&nothing).map_err(|error| of_function(py, error))?;
    }
    Ok(Column::new(Field::new(given.name(), type_of(given.data_type()), true), chunks))
}

/// The name and the type of the column in arrays of this field. A table or record batch, which Arrow
/// represents as a struct, counts as its column if it has only one.
pub(crate) fn field_of(field: &Field) -> Field {
    let column = match field.data_type() {
        DataType::Struct(fields) if fields.len() == 1 => &fields[0],
        _ => field,
    };
    Field::new(column.name(), readable_type(column.data_type()), true)
}

/// The column in an array. If the array is a table or record batch, a NULL row is NULL in the column.
pub(crate) fn column_of(array: ArrayRef) -> PyResult<ArrayRef> {
    let Some(table) = array.as_struct_opt().filter(|table| table.num_columns() == 1) else {
        return readable(array).map_err(arrow_error);
    };
    let column = readable(table.column(0).clone()).map_err(arrow_error)?;
    // An array of the type NULL has no bitmap to merge.
    if table.null_count() == 0 || column.data_type() == &DataType::Null {
        return Ok(column);
    }
    let field = Field::new("", column.data_type().clone(), true);
    let table = StructArray::try_new(vec![field].into(), vec![column], table.nulls().cloned());
    Ok(table.map_err(arrow_error)?.flatten().1.remove(0))
}
