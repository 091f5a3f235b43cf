//! What a run writes, and where each of it goes.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::args::{Args, Emit, Form, Only};
use crate::output::{Failure, Output};
use crate::rows::Rows;

/// One of the things that a run writes.
pub(crate) enum Task {
    /// The errors as text: where they are in the file is known in the end only.
    Errors,
    /// The lines of these records.
    Lines(Only),
    /// A row for each of these records.
    Rows(Rows, Option<Only>),
}

/// What is written, with the file if it does not go to standard output.
fn routes(args: &Args) -> Vec<(Emit, Option<&Path>)> {
    let mut routes = Vec::new();
    if args.emit() != Emit::None {
        routes.push((args.emit(), None));
    }
    for (emit, file) in
        [(Emit::Valid, &args.valid), (Emit::Invalid, &args.invalid), (Emit::Errors, &args.errors)]
    {
        routes.extend(file.as_deref().filter(|file| !is_stream(file)).map(|file| (emit, Some(file))));
    }
    routes
}

/// Says what is wrong with the columns, and which two outputs have the same place.
pub(crate) fn check(args: &Args) -> Result<(), String> {
    tasks(args)?;
    let places = places(args);
    for (i, (one, file)) in places.iter().enumerate() {
        if let Some((other, _)) = places[..i].iter().find(|(_, other)| is_same(other, file)) {
            return Err(format!("{other} and {one} go to the same place"));
        }
    }
    Ok(())
}

/// Says which input an output would overwrite.
pub(crate) fn check_inputs(args: &Args, inputs: &[PathBuf]) -> Result<(), String> {
    for (option, place) in places(args) {
        if let Some(input) = inputs.iter().find(|input| is_same(or(input, "/dev/stdin"), place)) {
            return Err(format!("{option} would overwrite {}, which is to be read", input.display()));
        }
    }
    Ok(())
}

/// The options that write somewhere, and where.
fn places(args: &Args) -> Vec<(&'static str, &Path)> {
    let options = [("--valid", &args.valid), ("--invalid", &args.invalid), ("--errors", &args.errors)];
    let mut places: Vec<(&str, &Path)> =
        options.iter().filter_map(|(option, file)| Some((*option, or(file.as_deref()?, STDOUT)))).collect();
    let is_implied = args.emit.is_none() && places.iter().any(|(_, place)| *place == Path::new(STDOUT));
    if args.emit() != Emit::None && !is_implied {
        places.insert(0, ("--emit", Path::new(STDOUT)));
    }
    places
}

/// What standard output is called among files.
const STDOUT: &str = "/dev/stdout";

fn or<'a>(file: &'a Path, stream: &'a str) -> &'a Path {
    if is_stream(file) { Path::new(stream) } else { file }
}

/// What is to be made of the records.
pub(crate) fn tasks(args: &Args) -> Result<Vec<Task>, String> {
    // The columns are of what goes to standard output, if that has any.
    let has_rows = matches!(args.emit(), Emit::Errors | Emit::Components | Emit::Offsets);
    let task = |&(emit, file): &(Emit, Option<&Path>)| {
        let columns = args.columns.as_deref().filter(|_| file.is_none() || !has_rows);
        Ok(match emit {
            Emit::Valid => Task::Lines(Only::Valid),
            Emit::Invalid => Task::Lines(Only::Invalid),
            Emit::Errors if args.to == Form::Text && columns.is_none() => Task::Errors,
            _ => {
                let only = if emit == Emit::Errors { Some(Only::Invalid) } else { args.only };
                Task::Rows(Rows::new(emit, args.to, args.grammar(), columns)?, only)
            }
        })
    };
    routes(args).iter().map(task).collect()
}

/// The outputs of the tasks, in their order. Files are created.
pub(crate) fn outputs(args: &Args) -> Result<Vec<Output>, Failure> {
    let open = |(_, file): &(Emit, Option<&Path>)| match file {
        None => Ok(Output::stdout()),
        Some(file) => Output::create(file),
    };
    routes(args).iter().map(open).collect()
}

/// Whether this is the name of a standard stream.
pub(crate) fn is_stream(file: &Path) -> bool {
    file == Path::new("-")
}

/// Whether both are one file.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || match (identity(one), identity(other)) {
            (Some(one), Some(other)) => one == other,
            _ => false,
        }
}

/// What tells a regular file from others.
#[cfg(unix)]
fn identity(file: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    regular(file).map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(file: &Path) -> Option<PathBuf> {
    regular(file).and_then(|_| fs::canonicalize(file).ok())
}

/// Devices may be written to and read from any number of times.
fn regular(file: &Path) -> Option<Metadata> {
    fs::metadata(file).ok().filter(Metadata::is_file)
}
