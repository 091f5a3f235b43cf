//! The `urivalidate` command: what is valid, what is not and why, for every line of any number of files.
//!
//! | module | does |
//! |---|---|
//! | `args` | what the command line says |
//! | `run` | the pass over all files, and its sink |
//! | `job` | what workers make of a chunk |
//! | `rows`, `json` | rows of components, offsets and errors |
//! | `report`, `table` | statistics, as a table or JSON |
//! | `explain` | one URI, drawn |
//! | `output`, `style`, `shown` | standard output and how it fails, colours, text made fit for a terminal |

mod args;
mod explain;
mod job;
mod json;
mod output;
mod report;
mod rows;
mod run;
mod shown;
mod style;
mod table;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use urivalidate::Validator;

use crate::args::{Args, Emit};

fn main() -> ExitCode {
    let args = Args::parse();
    if let Err(conflict) = args.check() {
        Args::command().error(ErrorKind::ArgumentConflict, conflict).exit();
    }
    let mut validator = Validator::new(args.grammar);
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
    let outcome = match &args.explain {
        Some(uri) => explain::run(&args, validator, uri.as_encoded_bytes()),
        None => run::run(&args, validator),
    };
    let is_check = args.emit() == Emit::Errors || args.quiet;
    ExitCode::from(if outcome.has_failed {
        2
    } else if outcome.has_invalid && is_check {
        1
    } else {
        0
    })
}
