//! Record batches as a stream of Arrow's IPC format: one for all files, with a batch for each chunk that has rows.
//!
//! Nothing is copied: a message is the buffers of the columns one after the other, and so they are written.

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
    /// Short buffers that follow each other.
    short: Vec<u8>,
}

impl IpcStream {
    fn write(&mut self, buffers: Result<Vec<Buffer>, ArrowError>, write: Write<'_>) -> Result<(), Failure> {
        /// Bytes that are worth a call of the system.
        const LONG: usize = 16 << 10;

        for buffer in buffers.map_err(|error| failure(&error))? {
            if buffer.len() < LONG {
                self.short.extend_from_slice(&buffer);
            } else {
                write(&self.short)?;
                self.short.clear();
                write(&buffer)?;
            }
        }
        write(&self.short)?;
        self.short.clear();
        Ok(())
    }
}

impl Container for IpcStream {
    fn new(rows: &RowConverter) -> Result<Self, Failure> {
        let encoder = StreamEncoder::try_new(rows.schema()).map_err(|error| failure(&error))?;
        Ok(IpcStream { encoder: Some(encoder), short: Vec::new() })
    }

    fn append(&mut self, batch: &RecordBatch, write: Write<'_>) -> Result<(), Failure> {
        match &mut self.encoder {
            Some(encoder) => {
                let buffers = encoder.encode(batch);
                self.write(buffers, write)
            }
            None => Ok(()),
        }
    }

    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        match self.encoder.take() {
            Some(encoder) => self.write(encoder.finish(), write),
            None => Ok(()),
        }
    }
}
