//! Entry points for fuzzers: the rows of records in memory, in the form that arguments of the command line
//! choose.

use std::io::{self, IoSlice};
use std::mem;
use std::ops::ControlFlow;

use clap::Parser;

use crate::args::Args;
use crate::chunk_job::ChunkJob;
use crate::output::Failure;
use crate::plan::Plan;

/// The rows of records.
pub struct Rows {
    plan: Plan,
}

impl Rows {
    /// Returns the rows for these arguments, with chunks of `chunk_size` bytes.
    ///
    /// # Panics
    ///
    /// Panics if the command refuses the arguments.
    pub fn new(arguments: &[&str], chunk_size: usize) -> Self {
        let args = Args::try_parse_from([&["urivalidate"], arguments].concat());
        let mut plan =
            Plan::new(&args.expect("good arguments").settle()).expect("arguments that go together");
        plan.scanner = mem::take(&mut plan.scanner).chunk_size(chunk_size);
        Rows { plan }
    }

    /// Returns the standard output for these records.
    ///
    /// # Errors
    ///
    /// Returns an error if the input is no input of its format.
    ///
    /// # Panics
    ///
    /// Panics if the output cannot be made.
    pub fn of(&self, records: &[u8]) -> io::Result<Vec<u8>> {
        let job = ChunkJob::new(&self.plan);
        let mut assembler = self.plan.outputs[0].encoder.assemble();
        let mut rows = Vec::new();
        let mut write = |slices: &mut [IoSlice<'_>]| -> Result<(), Failure> {
            slices.iter().for_each(|slice| rows.extend_from_slice(slice));
            Ok(())
        };
        let is_written = |written: Result<(), Failure>| assert!(written.is_ok(), "memory takes all");
        is_written(assembler.begin(&mut write));
        let scan = self.plan.scanner.scan_slice(
            records,
            |chunk| job.run(b"list", chunk),
            |mut output| {
                is_written(
                    job.append(b"list", &mut output, |_, encoded| assembler.append(encoded, &mut write)),
                );
                assert_eq!(output.refusal, None);
                job.recycle(output);
                ControlFlow::<()>::Continue(())
            },
        );
        scan?;
        is_written(assembler.finish(&mut write));
        Ok(rows)
    }
}
