//! The plan that follows from the arguments of `read_uris`: made once, before anything is read.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use urivalidate::RowKind;
use urivalidate::arrow::RowConverter;

use super::files;
use super::reading::Reading;
use crate::failure::Failure;
use crate::functions::named;

/// The arguments. Each parameter has the meaning that it has in the Python function `scan`.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    /// Paths and patterns.
    pub(crate) files: Vec<String>,
    pub(crate) format: Option<String>,
    pub(crate) emit: Option<String>,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) grammar: Option<String>,
    pub(crate) zone_ids: Option<bool>,
    pub(crate) field: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) header: Option<bool>,
    pub(crate) delimiter: Option<String>,
    pub(crate) trim: Option<bool>,
    pub(crate) threads: Option<i64>,
}

/// The plan of a scan. Prepared statements run it several times.
pub(crate) struct Plan {
    pub(super) files: Vec<PathBuf>,
    pub(super) reading: Arc<Reading>,
    pub(super) kind: RowKind,
    schema: SchemaRef,
}

impl Plan {
    pub(crate) fn new(parameters: &Parameters) -> Result<Self, Failure> {
        let kind = match &parameters.emit {
            Some(name) => named("emit", name)?,
            None => RowKind::Components,
        };
        let reading = Reading::new(parameters)?;
        let mut converter = RowConverter::new(kind, reading.grammar());
        if let Some(columns) = &parameters.columns {
            if columns.is_empty() {
                return Err(Failure("columns is empty: name at least one".to_owned()));
            }
            converter = converter.columns(columns)?;
        }
        let schema = converter.schema().clone();
        Ok(Plan { files: files::named(&parameters.files)?, reading: Arc::new(reading), kind, schema })
    }

    /// The columns of the rows.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}
