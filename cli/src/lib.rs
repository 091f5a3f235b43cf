//! The `urivalidate` command: it finds the valid and the invalid records of any number of files, and names
//! each error.
//!
//! It is a library only for its fuzzers: programs use the crate `urivalidate`.
//!
//! Arguments become a plan, and the plan is run:
//!
//! | module | contents |
//! |---|---|
//! | `args`, `tolerance` | the command line |
//! | `reading` | the way to read files |
//! | `mapping` | the reason why files may be mapped |
//! | `plan` | the plan of a run: the validators, the outputs, the condition to stop |
//! | `encode` | the output of a chunk: one file per form |
//! | `walk`, `globs`, `recognise` | the files of directories; the paths that the user wants; the files that are inputs |
//! | `log_fields` | the columns that `log.*` stands for |
//! | `inputs`, `outputs`, `empty_input` | the files to scan, and the files to write; standard input that has nothing to read |
//! | `host_filter` | the records that the lists of hosts keep |
//! | `findings`, `baseline`, `marked_lines` | the problems that fail a check; known ones; lines of documents whose comments ignore them |
//! | `chunk_job`, `refusal` | the work on a chunk, and the reasons that end the work on a file |
//! | `sink` | the results of chunks, in order: written, counted, noted |
//! | `hint`, `advice` | the options to try if a file hardly fits its format, or if no key of JSON is sure |
//! | `run`, `outcome` | the pass over all files, and the exit status |
//! | `report` | statistics, on the screen, as a page or as JSON |
//! | `explain`, `document` | one URI, drawn; the manual page and completions |
//! | `fuzzing` | the functions that fuzzers call |
//! | `progress` | the progress of the run |
//! | `json`, `escape` | JSON with its keys in order; bytes that a form of output must escape |
//! | `interrupt` | signals that end the run, between two writes |
//! | `output`, `unfinished`, `pipe`, `standard_stream` | outputs and their errors; files that are not complete; the capacity of pipes; standard streams and open descriptors |
//! | `links`, `identity`, `paths` | the targets of links; the identity of files; paths from names |
//! | `style`, `shown`, `terminal` | colours, text made fit for a terminal, the width of the terminal and the console of Windows |

mod advice;
mod args;
mod baseline;
mod chunk_job;
mod counted;
mod document;
mod empty_input;
mod encode;
mod escape;
mod explain;
mod findings;
#[cfg(fuzzing)]
pub mod fuzzing;
mod globs;
// The counts are the same on all machines, and an emulator would take long.
#[cfg(all(test, debug_assertions, target_arch = "x86_64"))]
mod growth;
mod hint;
mod host_filter;
mod identity;
mod inputs;
mod interrupt;
mod json;
mod links;
mod log_fields;
mod mapping;
mod marked_lines;
mod outcome;
mod output;
mod outputs;
mod paths;
mod pipe;
mod plan;
mod progress;
mod reading;
mod recognise;
mod refusal;
mod report;
mod run;
mod shown;
mod sink;
mod standard_stream;
mod style;
mod terminal;
mod tolerance;
mod unfinished;
mod walk;

use std::io::{self, Write};
use std::process::ExitCode;

use urivalidate::memory;

use crate::args::{Args, Document};
use crate::output::{Failure, Output, complain};
use crate::shown::{Shown, is_harmless};
use crate::standard_stream::StandardStream;

/// Runs the command with the arguments of the process, and returns the exit status.
pub fn main() -> ExitCode {
    #[cfg(windows)]
    terminal::enable_colors();
    let mut args = match Args::parse_process() {
        Ok(args) => args,
        Err(answer) => return say(&answer),
    };
    if let Some(document) = args.generate {
        return print(document);
    }
    /// The bytes of memory that a run takes before it reads the first input.
    const START: usize = 4 << 20;

    interrupt::watch();
    // Asked after the thread for signals has started: the allocator reserves memory for each thread.
    if memory::ask_for(START).is_err() {
        complain(b"cannot start", &io::ErrorKind::OutOfMemory.into());
        return ExitCode::from(2);
    }
    let outcome = match &args.explain {
        Some(uri) => plan::lone_validator(&args)
            .map(|validator| explain::run(&args, validator, uri.as_encoded_bytes())),
        None => log_fields::plan(&mut args).map(|(plan, seen)| run::run(&args, plan, seen)),
    };
    let outcome = outcome.unwrap_or_else(|error| error.exit());
    ExitCode::from(outcome.status(&args))
}

/// Prints the answer of the command line's parser: its error, the help or the version.
fn say(answer: &clap::Error) -> ExitCode {
    if !answer.use_stderr()
        && let Err(error) = StandardStream::Stdout.check()
    {
        complain(StandardStream::Stdout.name().as_bytes(), &error);
        return ExitCode::from(2);
    }
    match print_answer(answer) {
        Err(error) if !answer.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            complain(b"standard output", &error);
            ExitCode::from(2)
        }
        _ => ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2)),
    }
}

/// Prints the answer unchanged, unless it quotes an argument with terminal controls.
fn print_answer(answer: &clap::Error) -> io::Result<()> {
    let text = answer.render().to_string();
    if !answer.use_stderr() || text.chars().all(|char| char == '\n' || is_harmless(char)) {
        return answer.print();
    }
    let lines = text.lines().map(|line| format!("{}\n", Shown::new(line.as_bytes())));
    io::stderr().write_all(lines.collect::<String>().as_bytes())
}

/// Prints a document about the command.
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
