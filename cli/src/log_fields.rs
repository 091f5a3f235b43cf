//! The columns of all fields of a line: `log.*` becomes a list of columns before the plan is made.
//!
//! The first input decides: the header of its table or log, or the keys in its first lines. A stream is read
//! ahead for that.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Error;
use urivalidate::RowColumn;
use urivalidate::corpus::{Chunk, Format, Input, Scanner};

use crate::args::{Args, is_hyphen};
use crate::globs::Globs;
use crate::inputs::{Inputs, inputs};
use crate::plan::{Plan, check, conflict};
use crate::reading::reading;
use crate::standard_stream::StandardStream;

/// The inputs of a run that were looked at before its plan was made.
pub(crate) struct SeenInputs {
    pub(crate) inputs: Inputs,
    /// The stream whose first bytes were read.
    pub(crate) stream: Option<(PathBuf, Box<dyn Read + Send>)>,
}

/// Makes the plan of a run. If the inputs have to be looked at first, returns them, too.
///
/// # Errors
///
/// Returns a usage error.
pub(crate) fn plan(args: &mut Args) -> Result<(Plan, Option<SeenInputs>), Error> {
    check(args).map_err(conflict)?;
    let seen = replace_all_fields(args).map_err(conflict)?;
    Plan::new(args).map(|plan| (plan, seen))
}

/// Replaces `log.*` among the columns by the columns of all fields. Returns the inputs if there is `log.*`.
///
/// # Errors
///
/// Returns a sentence if the first input has no fields, or its fields cannot be found out.
fn replace_all_fields(args: &mut Args) -> Result<Option<SeenInputs>, String> {
    let is_all = |name: &String| name == RowColumn::LOG_FIELDS;
    let Some(columns) = args.columns.as_ref().filter(|columns| columns.0.iter().any(is_all)) else {
        return Ok(None);
    };
    let mut columns = columns.clone();
    let reading = reading(args)?;
    let scanner = reading.scanner().max_record(args.max_record).terminator(args.terminator());
    let scanner = scanner.keep_headers(true);
    // Each line may have other keys.
    let reads_ahead = reading.format().is_none_or(Format::has_key_in_lines);
    let globs = Arc::new(Globs::new(&args.include, &args.exclude)?);
    let mut seen = SeenInputs { inputs: inputs(args, &globs), stream: None };
    let mut fields = Vec::new();
    for (number, path) in seen.inputs.files.iter().enumerate() {
        match fields_of(&scanner, path, reads_ahead, &mut seen.stream) {
            Ok(Some(Ok(Some(names)))) => {
                fields = names;
                break;
            }
            Ok(Some(Ok(None))) if seen.inputs.is_walked.get(number) == Some(&true) => {}
            Ok(Some(Ok(None))) => {
                let name = path.display();
                return Err(format!(
                    "the column {}: the format of {name} has no fields",
                    RowColumn::LOG_FIELDS
                ));
            }
            Ok(Some(Err(sentence))) => {
                return Err(format!("the column {}: {sentence}", RowColumn::LOG_FIELDS));
            }
            // The input is empty, or its scan will report the error.
            Ok(None) | Err(_) => {}
        }
        // The bytes of a stream are read once only.
        if seen.stream.is_some() {
            break;
        }
    }
    let mut named: HashSet<_> = columns.0.iter().cloned().collect();
    let fields = fields.iter().map(|field| RowColumn::of_log_field(field).name().to_owned());
    let fields: Vec<_> = fields.filter(|name| named.insert(name.clone())).collect();
    let mut places = columns.0.iter().enumerate().filter(|(_, name)| is_all(name)).map(|(place, _)| place);
    let place = places.next().unwrap_or_default();
    if places.next().is_some() {
        return Err(format!("duplicate column {:?}", RowColumn::LOG_FIELDS));
    }
    columns.0.splice(place..=place, fields);
    args.columns = Some(columns);
    Ok(Some(seen))
}

/// Returns the fields of an input: `None` if it is empty, and `Some(Ok(None))` if its lines have no fields.
/// Keeps the stream with the bytes that were read.
fn fields_of(
    scanner: &Scanner,
    path: &Path,
    reads_ahead: bool,
    stream: &mut Option<(PathBuf, Box<dyn Read + Send>)>,
) -> io::Result<Option<Result<Option<Vec<String>>, String>>> {
    let is_stream = is_hyphen(path) || StandardStream::of(path).is_some();
    let job = |chunk: &Chunk<'_>| chunk.field_names();
    if !is_stream || !is_hyphen(path) && path.metadata()?.is_file() {
        let metadata = path.metadata()?;
        if metadata.is_dir() {
            return Ok(None);
        }
        if !metadata.is_file() {
            return Ok(Some(Err("a FIFO is read once only; name the fields".to_owned())));
        }
        return scanner.scan_input(Input::open(path)?, job, ControlFlow::Break);
    }
    let open = StandardStream::of(path).unwrap_or(StandardStream::Stdin);
    open.check()?;
    let mut input: Box<dyn Read + Send> =
        if is_hyphen(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let first = if reads_ahead { first_lines(&mut input)? } else { Vec::new() };
    let mut input: Box<dyn Read + Send> = Box::new(Cursor::new(first).chain(input));
    let kept = Mutex::new(Vec::new());
    let found = scanner.scan_reader(Kept { input: &mut input, kept: &kept }, job, ControlFlow::Break);
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    *stream = Some((path.to_owned(), Box::new(Cursor::new(kept).chain(input))));
    found
}

/// Reads the lines of a stream whose keys become columns, or all of it if it is short. So the columns do not
/// depend on the moments at which the bytes arrive.
fn first_lines(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    /// The most bytes to wait for.
    const MOST: usize = 1 << 20;

    let (mut first, mut piece, mut ends) = (Vec::new(), vec![0; 64 << 10], 0);
    while ends < Chunk::LINES_WITH_KEYS && first.len() < MOST {
        let count = match input.read(&mut piece) {
            Ok(0) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count?,
        };
        first.extend_from_slice(&piece[..count]);
        ends += piece[..count].iter().filter(|&&byte| byte == b'\n').count();
    }
    Ok(first)
}

/// A stream whose bytes are kept.
struct Kept<'a> {
    input: &'a mut (dyn Read + Send),
    kept: &'a Mutex<Vec<u8>>,
}

impl Read for Kept<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}
