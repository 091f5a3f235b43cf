//! The Python module `urivalidate._urivalidate`: the engine over Arrow's C data interface.
//!
//! | module | does |
//! |---|---|
//! | `capsule` | Arrow data in and out, as capsules: unsafe code |
//! | `pending` | exceptions that the interpreter itself has to raise: unsafe code |
//! | `failure` | errors as Python exceptions |
//! | `options` | the values of arguments |
//! | `numpy`, `readable` | arrays in layouts that the engine does not read |
//! | `value` | values of arrays as Python objects |
//! | `requested` | columns in the type that a consumer asks for |
//! | `column` | the results of functions over arrays |
//! | `functions` | functions over arrays: verdicts, components, errors |
//! | `derived` | functions over arrays: normal forms, resolution, keys |
//! | `record` | functions of one record |
//! | `input` | inputs of a scan |
//! | `reading` | the way to read them |
//! | `mapping` | why files may be mapped |
//! | `work` | work on a thread of its own |
//! | `batches` | record batches of a scan for a consumer in C |
//! | `scan` | files as streams of record batches |
//! | `stats` | statistics of files |

mod batches;
mod capsule;
mod column;
mod derived;
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
mod scan;
mod stats;
mod value;
mod work;

/// The module. Its functions are documented where Python sees them.
#[pyo3::pymodule]
mod _urivalidate {
    /// The package's version.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::column::Column;
    #[pymodule_export]
    use crate::derived::{normalize_uri, relativize_uri, resolve_uri, surt, uri_domain, uri_suffix};
    #[pymodule_export]
    use crate::failure::InvalidURI;
    #[pymodule_export]
    use crate::functions::{is_valid_uri, parse_uri, parse_url, try_parse_url, uri_error, uri_spans};
    #[pymodule_export]
    use crate::record::{Components, is_valid, parse};
    #[pymodule_export]
    use crate::scan::{Scan, scan};
    #[pymodule_export]
    use crate::stats::stats;
}
