//! The `urivalidate` command: what is valid, what is not and why, for every line of any number of files.
//!
//! | module | does |
//! |---|---|
//! | `args`, `tolerance` | what the command line says |
//! | `inputs` | the files to scan |
//! | `routes` | what is written, and where each of it goes |
//! | `run` | the pass over all files, and its sink |
//! | `job` | what workers make of a chunk |
//! | `rows`, `cell` | rows of components, offsets and errors |
//! | `json`, `escape` | JSON with its keys in order, and bytes that a form writes in another way |
//! | `problem` | what is wrong with a line |
//! | `report` | statistics, as a table or JSON |
//! | `explain`, `document` | one URI, drawn; the manual page and completions |
//! | `progress` | how far the run is |
//! | `output`, `stream`, `identity` | streams and files and how they fail, and what tells files apart |
//! | `style`, `shown` | colours, text made fit for a terminal |

mod args;
mod cell;
mod document;
mod escape;
mod explain;
mod identity;
mod inputs;
mod job;
mod json;
mod output;
mod problem;
mod progress;
mod report;
mod routes;
mod rows;
mod run;
mod shown;
mod stream;
mod style;
mod tolerance;

use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use urivalidate::Validator;

use crate::args::{Args, Document};
use crate::output::{Failure, Output, complain};
use crate::stream::Stream;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(answer) => return say(&answer),
    };
    if let Err(conflict) = args.check() {
        Args::command().error(ErrorKind::ArgumentConflict, conflict).exit();
    }
    let mut validator = Validator::new(args.grammar());
    if args.zone_ids {
        match validator.with_zone_ids() {
            Ok(zoned) => validator = zoned,
            Err(error) => Args::command().error(ErrorKind::ArgumentConflict, error).exit(),
        }
    }
    match validator.with_backend(args.backend()) {
        Ok(forced) => validator = forced,
        Err(error) => Args::command().error(ErrorKind::InvalidValue, error).exit(),
    }
    if let Some(document) = args.generate {
        return print(document);
    }
    let outcome = match &args.explain {
        Some(uri) => explain::run(&args, validator, uri.as_encoded_bytes()),
        None => run::run(&args, validator),
    };
    ExitCode::from(outcome.status(&args))
}

/// Prints what the parser of the command line answers: what is wrong with it, or the help or version that it asks for.
fn say(answer: &clap::Error) -> ExitCode {
    if !answer.use_stderr()
        && let Err(error) = Stream::Stdout.check()
    {
        complain(Stream::Stdout.name().as_bytes(), &error);
        return ExitCode::from(2);
    }
    match answer.print() {
        Err(error) if !answer.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            complain(b"standard output", &error);
            ExitCode::from(2)
        }
        _ => ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2)),
    }
}

/// Prints a document of its own.
fn print(document: Document) -> ExitCode {
    let written = match document::generate(document) {
        Ok(text) => Output::stdout().and_then(|mut stdout| stdout.write(&text)),
        Err(error) => Err(Failure::Output(b"standard output".to_vec(), error)),
    };
    match written {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Output(name, error)) => {
            complain(&name, &error);
            ExitCode::from(2)
        }
    }
}
