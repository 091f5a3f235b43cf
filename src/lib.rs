//! Validates and takes apart URIs: one record at a time, or whole files.
//!
//! ```
//! use urivalidate::{Grammar, parse};
//!
//! let uri = b"https://example.com/a?b#c";
//! let components = parse(Grammar::Uri, uri)?;
//! assert_eq!(components.host(), Some(8..19));
//! assert_eq!(&uri[components.path().unwrap()], b"/a");
//!
//! let error = parse(Grammar::Uri, b"https://example.com/a b").unwrap_err();
//! assert_eq!(error.offset(), 21);
//! # Ok::<(), urivalidate::Error>(())
//! ```
//!
//! * [`parse`] and [`is_valid`] judge one record by a [`Grammar`]. A [`Validator`] judges records with
//!   options.
//! * [`Components`] are byte ranges into the caller's input. An [`Error`] has a kind, and the byte at which
//!   the record is invalid.
//! * [`Validator::scan`] judges all records of a buffer at once, with SIMD, and fills the columns of a
//!   [`Batch`]. [`Validator::scan_ranges`] does the same for records without separators.
//! * `arrow` (feature `arrow`) has functions over Arrow arrays.
//! * [`corpus`] (feature `corpus`) cuts files and streams into records and scans them on all cores, with
//!   results in order. [`stats`] counts verdicts, errors, components, hosts and more.
//! * `surt` (feature `surt`) makes keys of web archives. `Domains` (feature `domains`) finds the public
//!   suffix of a host.
//! * [`copy_rows`] writes rows of text. `memory` (features `corpus` and `arrow`) asks for memory before work
//!   needs it. [`work`] counts work, for tests.
//! * A [`Normalizer`] brings records into a normal form, in which they can be compared. A [`Base`] resolves
//!   references.
//!
//! Records are bytes. The library judges them without decoding, normalising or repairing them, and applies no
//! rules of particular schemes.
//!
//! # Features
//!
//! Without default features the library is `no_std` (it needs `alloc`). `std` (default) picks the machine's
//! fastest backend at run time. `reader` adds the corpus reader: `mmap` lets it map files, `rayon` use all
//! cores, `gzip`, `zstd`, `bzip2` and `xz` read compressed input, `brotli` decode pages in WARC files,
//! `markdown` and `xml` find the links of these documents, and `regex` find records by regular expressions.
//! `corpus` is all of these. `system-zstd` and `system-xz` use the system's libraries, for distributions.
//! `zstd-rust` and `xz-rust` read zstd and xz without a C compiler, and take two to three times as long. `surt` adds the keys of web archives, `domains` the Public Suffix List. `arrow` adds functions over Arrow
//! arrays.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
extern crate alloc;

#[cfg(feature = "arrow")]
pub mod arrow;
mod batch;
mod charset;
mod column;
#[cfg(any(feature = "corpus", feature = "arrow"))]
mod column_name;
mod components;
pub mod copy_rows;
#[cfg(feature = "corpus")]
pub mod corpus;
#[cfg(any(feature = "corpus", feature = "arrow"))]
mod derived;
#[cfg(feature = "domains")]
mod domains;
mod error;
mod features;
mod forbidden;
mod grammar;
#[cfg(any(feature = "corpus", feature = "arrow"))]
mod host_set;
#[cfg(feature = "surt")]
mod idna;
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub mod memory;
mod mend;
mod names;
mod normal;
mod part;
#[cfg(any(feature = "corpus", feature = "arrow"))]
mod query;
mod record;
#[cfg(feature = "corpus")]
mod registry;
mod request;
#[cfg(any(feature = "corpus", feature = "arrow"))]
mod row_column;
mod rows;
mod scan;
mod simd;
#[cfg(feature = "corpus")]
pub mod stats;
#[cfg(feature = "surt")]
mod surt;
mod unsupported;
mod validator;
pub mod work;

pub use batch::{Batch, ComponentCounts, InvalidRecord};
pub use column::{Column, Columns, ColumnsIter, ColumnsMissing};
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub use column_name::ColumnName;
pub use components::{AuthorityKind, Components, HostKind};
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub use derived::{Derivation, DerivationError, Deriver, Page};
#[cfg(feature = "domains")]
pub use domains::{DomainFinder, Domains, PUBLIC_SUFFIX_LIST_DATE};
pub use error::{Component, Error, ErrorKind, Found};
pub use features::FEATURES;
pub use grammar::Grammar;
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub use host_set::{HostListError, HostListFacts, HostListFault, HostListReader, HostSet, HostSetBuilder};
pub use names::{UnknownName, unknown_name};
pub use normal::{
    Base, FormChange, FormStep, NormalForm, NormalizedRecords, Normalizer, Targets, TargetsIter,
};
pub use part::Part;
pub use record::{Record, RecordText};
#[cfg(feature = "corpus")]
pub use registry::REGISTERED_SCHEMES_DATE;
pub use request::Request;
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub use row_column::{CellType, Elsewhere, RowColumn, RowKind};
pub use rows::{Row, Rows, RowsIter};
pub use scan::{Nulls, Offset};
pub use simd::Backend;
#[cfg(feature = "surt")]
pub use surt::surt;
pub use unsupported::Unsupported;
pub use validator::{ScanError, Validator, is_valid, parse};

/// Makes the example in the README a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
