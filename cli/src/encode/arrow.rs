//! Record batches as a stream of Arrow's IPC format: one stream for all files, with a batch for each chunk
//! that has rows.
//!
//! A message is the buffers of the columns one after the other, with padding between them. Long buffers are
//! written in place, without a copy, by one system call per batch. Arrow itself can return the buffers of a
//! message, but then it allocates each padding, which costs a sixteenth of the time of rows of components.

use std::io::{self, IoSlice};
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType};
use urivalidate::arrow::RowConverter;

use super::batches::{Container, failure};
use super::encoder::Write;
use crate::output::Failure;

/// An unfinished stream. The schema is written with the first batch, or at the end if there is no batch.
pub(crate) struct IpcStream(StreamWriter<Message>);

/// The bytes of a message.
#[derive(Default)]
struct Message {
    /// The long buffers of the batch, which are not copied.
    buffers: Vec<Buffer>,
    /// Bytes that are in none of `buffers`.
    copied: Vec<u8>,
    pieces: Vec<MessagePart>,
}

/// A piece of a message.
enum MessagePart {
    Copied(Range<usize>),
    /// A range of the buffer with this index.
    Shared(usize, Range<usize>),
}

impl Message {
    /// The fewest bytes of a buffer that is not copied.
    const LONG: usize = 1 << 10;

    /// Starts the message of a batch.
    fn start(&mut self, batch: &RecordBatch) {
        for column in batch.columns() {
            let mut keep = |buffer: &Buffer| {
                if buffer.len() >= Self::LONG {
                    self.buffers.push(buffer.clone());
                }
            };
            // `to_data` copies the column into newly allocated memory.
            match column.data_type() {
                DataType::Int32 => keep(column.as_primitive::<Int32Type>().values().inner()),
                DataType::Int64 => keep(column.as_primitive::<Int64Type>().values().inner()),
                DataType::Utf8 => {
                    keep(column.as_string::<i32>().offsets().inner().inner());
                    keep(column.as_string::<i32>().values());
                }
                _ => column.to_data().buffers().iter().for_each(keep),
            }
        }
    }

    /// Returns the piece of `buffers` that these bytes are, if they lie in one.
    fn shared(&self, bytes: &[u8]) -> Option<MessagePart> {
        let start_in = |buffer: &Buffer| {
            let start = bytes.as_ptr().addr().checked_sub(buffer.as_ptr().addr())?;
            (start < buffer.len() && bytes.len() <= buffer.len() - start).then_some(start)
        };
        let starts = self.buffers.iter().map(start_in).enumerate();
        let (index, start) = starts.filter_map(|(index, start)| Some((index, start?))).next()?;
        Some(MessagePart::Shared(index, start..start + bytes.len()))
    }

    /// Writes all pieces, and empties the message.
    fn pass_on(&mut self, write: Write<'_>) -> Result<(), Failure> {
        let bytes = |piece: &MessagePart| match piece {
            MessagePart::Copied(range) => IoSlice::new(&self.copied[range.clone()]),
            MessagePart::Shared(index, range) => IoSlice::new(&self.buffers[*index][range.clone()]),
        };
        let mut slices: Vec<_> = self.pieces.iter().map(bytes).collect();
        write(&mut slices)?;
        self.buffers.clear();
        self.copied.clear();
        self.pieces.clear();
        Ok(())
    }
}

impl io::Write for Message {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let shared = if bytes.len() >= Self::LONG { self.shared(bytes) } else { None };
        let start = self.copied.len();
        match (shared, self.pieces.last_mut()) {
            (Some(piece), _) => self.pieces.push(piece),
            (None, last) => {
                self.copied.extend_from_slice(bytes);
                match last {
                    Some(MessagePart::Copied(range)) => range.end = self.copied.len(),
                    _ => self.pieces.push(MessagePart::Copied(start..self.copied.len())),
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the failure of a stream that cannot be written.
fn failed(error: ArrowError) -> Failure {
    failure(&error)
}

impl Container for IpcStream {
    fn new(rows: &RowConverter) -> Result<Self, Failure> {
        StreamWriter::try_new(Message::default(), rows.schema()).map(IpcStream).map_err(failed)
    }

    fn append(&mut self, batch: &RecordBatch, write: Write<'_>) -> Result<(), Failure> {
        self.0.get_mut().start(batch);
        self.0.write(batch).map_err(failed)?;
        self.0.get_mut().pass_on(write)
    }

    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        self.0.finish().map_err(failed)?;
        self.0.get_mut().pass_on(write)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int32Array, StringArray};
    use arrow_ipc::reader::StreamReader;

    use super::*;

    #[test]
    fn slices_and_long_columns_are_written_as_they_are() {
        let numbers = Int32Array::from_iter((0..5000).map(|i| (i % 3 > 0).then_some(i)));
        let texts = StringArray::from_iter((0..5000).map(|i| (i % 5 > 0).then(|| "x".repeat(i % 7))));
        let columns: [(_, ArrayRef); 3] =
            [("n", Arc::new(numbers)), ("t", Arc::new(texts.clone())), ("again", Arc::new(texts))];
        let batch =
            RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
                .unwrap();
        let batches =
            [batch.slice(0, 5000), batch.slice(0, 1), batch.slice(7, 4000), batch.slice(1000, 300), batch];
        let mut stream = IpcStream(StreamWriter::try_new(Message::default(), &batches[0].schema()).unwrap());
        let (mut written, mut most_copied) = (Vec::new(), 0);
        let mut write = |slices: &mut [IoSlice<'_>]| {
            slices.iter().for_each(|slice| written.extend_from_slice(slice));
            Ok(())
        };
        for batch in &batches {
            stream.append(batch, &mut write).unwrap();
            most_copied = most_copied.max(stream.0.get_ref().copied.capacity());
        }
        stream.finish(&mut write).unwrap();
        let mut uncompressed = StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
        batches.iter().for_each(|batch| uncompressed.write(batch).unwrap());
        uncompressed.finish().unwrap();
        assert!(written == uncompressed.into_inner().unwrap());
        let read: Vec<_> = StreamReader::try_new(&*written, None).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, batches);
        // The offsets of a slice from the middle are new: only these and short buffers are copied.
        assert!(most_copied < 64 << 10, "{most_copied}");
    }
}
