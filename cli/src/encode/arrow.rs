//! Record batches as a stream of Arrow's IPC format: one for all files, with a batch for each chunk that has rows.
//!
//! Nothing is copied: a message is the buffers of the columns one after the other, and so they are written.

use std::io::IoSlice;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::writer::StreamEncoder;
use arrow_schema::ArrowError;
use urivalidate::arrow::RowConverter;

use super::batches::{Container, failure};
use super::encoder::Write;
use crate::output::Failure;

/// An unfinished stream. The schema comes with the first batch, or with the end.
pub(crate) struct IpcStream {
    /// None after the end.
    encoder: Option<StreamEncoder>,
}

/// Writes all buffers in one go: there are some sixty of a batch, most of them shorter than a call of the system is worth.
fn write_all(buffers: Result<Vec<Buffer>, ArrowError>, write: Write<'_>) -> Result<(), Failure> {
    let buffers = buffers.map_err(|error| failure(&error))?;
    let mut slices: Vec<_> = buffers.iter().map(|buffer| IoSlice::new(buffer)).collect();
    write(&mut slices)
}

impl Container for IpcStream {
    fn new(rows: &RowConverter) -> Result<Self, Failure> {
        let encoder = StreamEncoder::try_new(rows.schema()).map_err(|error| failure(&error))?;
        Ok(IpcStream { encoder: Some(encoder) })
    }

    fn append(&mut self, batch: &RecordBatch, write: Write<'_>) -> Result<(), Failure> {
        match &mut self.encoder {
            Some(encoder) => write_all(encoder.encode(batch), write),
            None => Ok(()),
        }
    }

    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        match self.encoder.take() {
            Some(encoder) => write_all(encoder.finish(), write),
            None => Ok(()),
        }
    }
}
