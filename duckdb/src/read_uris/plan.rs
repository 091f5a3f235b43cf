//! The plan of a scan, made once from the arguments of `read_uris` before the scan reads anything.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use urivalidate::RowKind;
use urivalidate::arrow::RowConverter;
use urivalidate::corpus::Reading;

use super::parameters::Parameters;
use super::reading::{reading, threads};
use super::{estimate, files};
use crate::failure::Failure;
use crate::names::named;

/// The plan of a scan. Prepared statements run it several times.
pub(crate) struct Plan {
    pub(super) files: Vec<PathBuf>,
    pub(super) reading: Arc<Reading>,
    pub(super) threads: usize,
    pub(super) kind: RowKind,
    schema: SchemaRef,
    /// True if lines that do not fit their format have rows.
    pub(super) has_malformed: bool,
    /// The likely number of rows.
    rows: u64,
}

impl Plan {
    pub(crate) fn new(parameters: &Parameters) -> Result<Self, Failure> {
        let kind = match &parameters.emit {
            Some(name) => named("emit", name)?,
            None => RowKind::Components,
        };
        let reading = reading(parameters)?;
        let threads = threads(parameters)?;
        let mut converter = RowConverter::new(kind, reading.validator().grammar());
        if let Some(columns) = &parameters.columns {
            if columns.is_empty() {
                return Err(Failure("columns is empty: name at least one".to_owned()));
            }
            converter = converter.columns(columns)?;
        }
        let schema = converter.schema().clone();
        let files = files::named(&parameters.files)?;
        let rows = estimate::rows(&files, &reading, kind);
        let has_malformed = converter.has_malformed();
        Ok(Plan { files, reading: Arc::new(reading), threads, kind, schema, has_malformed, rows })
    }

    /// Returns the likely number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the columns of the rows.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}
