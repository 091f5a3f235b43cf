//! Record batches as a Parquet file, written row group by row group: memory holds the encoded and compressed
//! pages of one row group.
//!
//! Columns whose values nearly all differ have no dictionary, which would cost time and save nothing; line
//! numbers are written as differences. Encoding and compression on the calling thread take several times as
//! long as all other work on the workers.

use std::io::IoSlice;
use std::mem;

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use urivalidate::arrow::RowConverter;

use super::batches::{Container, failure};
use super::encoder::Write;
use crate::output::Failure;

/// An unfinished file. The vector of the writer holds the bytes that are not written yet.
pub(crate) struct ParquetFile {
    /// `None` after `finish`.
    writer: Option<ArrowWriter<Vec<u8>>>,
}

impl Container for ParquetFile {
    fn new(rows: &RowConverter) -> Result<Self, Failure> {
        let writer = ArrowWriter::try_new(Vec::new(), rows.schema().clone(), Some(properties()));
        Ok(ParquetFile { writer: Some(writer.map_err(|error| failure(&error))?) })
    }

    fn held_bytes(&self) -> usize {
        self.writer.as_ref().map_or(0, ArrowWriter::memory_size)
    }

    fn append(&mut self, batch: &RecordBatch, write: Write<'_>) -> Result<(), Failure> {
        match &mut self.writer {
            Some(writer) => {
                writer.write(batch).map_err(|error| failure(&error))?;
                write(&mut [IoSlice::new(&mem::take(writer.inner_mut()))])
            }
            None => Ok(()),
        }
    }

    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        match self.writer.take() {
            Some(writer) => {
                let last = writer.into_inner().map_err(|error| failure(&error))?;
                write(&mut [IoSlice::new(&last)])
            }
            None => Ok(()),
        }
    }
}

fn properties() -> WriterProperties {
    /// The most rows of a row group.
    const ROWS: usize = 1 << 20;
    /// The bytes at which a row group with long rows ends.
    const BYTES: usize = 256 << 20;
    /// Columns whose values mostly occur once.
    const DIFFERENT: [&str; 6] = ["uri", "uri_bytes", "path", "query", "fragment", "scheme_specific_part"];

    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("urivalidate ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(ROWS))
        .set_max_row_group_bytes(Some(BYTES))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_dictionary_enabled("line".into(), false)
        .set_column_encoding("line".into(), Encoding::DELTA_BINARY_PACKED);
    for column in DIFFERENT {
        properties = properties.set_column_dictionary_enabled(column.into(), false);
    }
    properties.build()
}
