//! The Python module `urivalidate._urivalidate`: functions over Arrow's C data interface, functions of one
//! record, and scans of files.
//!
//! | module | content |
//! |---|---|
//! | `capsule` | imports and exports Arrow data as capsules: unsafe code |
//! | `pending` | makes the interpreter itself raise an exception: unsafe code |
//! | `failure` | errors as Python exceptions |
//! | `options` | the values of arguments |
//! | `numpy`, `readable` | convert arrays with layouts that the library does not support |
//! | `value` | values of arrays as Python objects |
//! | `requested` | converts columns to the type that a consumer requests |
//! | `column` | the results of functions over arrays |
//! | `functions` | functions over arrays |
//! | `with_base` | functions over arrays of records and their bases |
//! | `catalogue` | the list of the functions over columns, for the package itself |
//! | `record` | functions of one record |
//! | `input` | inputs of a scan |
//! | `reading` | how to read files and judge records |
//! | `mapping` | lets scans map files: unsafe code |
//! | `advice` | messages about lines that do not fit the format of a file |
//! | `work` | runs work on a separate thread |
//! | `rows` | the rows of a scan, one batch at a time |
//! | `batches` | passes the record batches of a scan to a consumer in C |
//! | `scan` | files as streams of record batches |
//! | `stats` | statistics of files |

mod advice;
mod batches;
mod capsule;
mod catalogue;
mod column;
mod failure;
mod functions;
mod input;
mod mapping;
mod numpy;
mod options;
mod pending;
mod readable;
mod reading;
mod record;
mod requested;
mod rows;
mod running;
mod scan;
mod stats;
mod value;
mod with_base;

/// The module. Each function has its own documentation for Python.
#[pyo3::pymodule]
mod _urivalidate {
    /// The package's version.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    /// The date of the Public Suffix List in this package: a day of ISO 8601.
    #[pymodule_export]
    const PUBLIC_SUFFIX_LIST_DATE: &str = urivalidate::PUBLIC_SUFFIX_LIST_DATE;
    /// The date of the list of registered schemes in this package.
    #[pymodule_export]
    const REGISTERED_SCHEMES_DATE: &str = urivalidate::REGISTERED_SCHEMES_DATE;
    #[pymodule_export]
    use crate::catalogue::{catalogue, error_kinds};
    #[pymodule_export]
    use crate::column::Column;
    #[pymodule_export]
    use crate::failure::InvalidURI;
    #[pymodule_export]
    use crate::functions::{
        host_in, is_valid_uri, normalize_uri, parse_uri, parse_url, spark_parse_url, suggest_uri, to_uri,
        try_parse_url, uri_domain, uri_error, uri_host, uri_host_ascii, uri_host_reversed, uri_report,
        uri_spans, uri_suffix, uri_surt, url_decode, url_encode, url_extract_fragment, url_extract_host,
        url_extract_parameter, url_extract_path, url_extract_port, url_extract_protocol, url_extract_query,
        url_extract_query_names, url_parameters, url_parameters_all,
    };
    #[pymodule_export]
    use crate::record::{Components, is_valid, parse};
    #[pymodule_export]
    use crate::scan::{Scan, scan};
    #[pymodule_export]
    use crate::stats::stats;
    #[pymodule_export]
    use crate::with_base::{relativize_uri, resolve_uri};
}
