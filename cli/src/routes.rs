//! What a run writes, and where each of it goes.

use std::path::{Path, PathBuf};

use crate::args::{Args, Emit, Form, Only};
use crate::identity::Identity;
use crate::output::{Failure, Output};
use crate::rows::Rows;
use crate::shown::Shown;
use crate::stream::Stream;

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

/// Where the tasks write, and where the statistics go if they are asked for.
pub(crate) struct Outputs {
    /// Of the tasks, in their order.
    pub(crate) tasks: Vec<Output>,
    pub(crate) stats: Option<Output>,
}

/// Why the outputs cannot be had.
pub(crate) enum Refusal {
    /// Writing one would destroy another one, or an input.
    Conflict(String),
    Failed(Failure),
}

/// Opens all outputs. Files are created if they are not there; what is in them stays for the time being.
pub(crate) fn open(args: &Args, inputs: &[PathBuf]) -> Result<Outputs, Refusal> {
    let mut outputs = Outputs { tasks: Vec::new(), stats: None };
    let opened = outputs.open(args);
    let conflict = match opened {
        Ok(()) => outputs.conflict(args, inputs).map(Refusal::Conflict),
        Err(failure) => Some(Refusal::Failed(failure)),
    };
    match conflict {
        None => Ok(outputs),
        Some(refusal) => {
            outputs.tasks.into_iter().for_each(Output::abandon);
            Err(refusal)
        }
    }
}

impl Outputs {
    fn open(&mut self, args: &Args) -> Result<(), Failure> {
        for (_, file) in routes(args) {
            self.tasks.push(match file {
                None => Output::stdout()?,
                Some(file) => Output::open(file)?,
            });
        }
        if args.stats.is_some() {
            let is_alone = args.emit() == Emit::None;
            self.stats = Some(if is_alone { Output::stdout()? } else { Output::stderr()? });
        }
        Ok(())
    }

    /// Says which two outputs are one file, or which input would be overwritten.
    fn conflict(&self, args: &Args, inputs: &[PathBuf]) -> Option<String> {
        // Standard output and standard error may be one file, which who called saw to.
        let stderr = Identity::of_stream(Stream::Stderr).map(|identity| ("standard error", identity, false));
        let mut places: Vec<(&str, Identity, bool)> = stderr.into_iter().collect();
        let names = routes(args).into_iter().map(|(emit, file)| option(args, emit, file));
        let tasks = names.zip(&self.tasks);
        for (name, output) in tasks.chain(self.stats.iter().map(|output| ("--stats", output))) {
            let Some(identity) = output.identity() else { continue };
            let is_file = output.is_file();
            let is_same = |(_, other, is_other_file): &&(_, Identity, bool)| {
                other == identity && (is_file || *is_other_file)
            };
            if let Some((other, ..)) = places.iter().find(is_same) {
                return Some(format!("{other} and {name} go to the same place"));
            }
            places.push((name, identity.clone(), is_file));
        }
        let list = args.files_from.iter();
        let found = inputs.iter().chain(list).find_map(|input| {
            let identity =
                if is_stream(input) { Identity::of_stream(Stream::Stdin) } else { Identity::of_path(input) };
            let (name, ..) = places.iter().find(|(_, place, _)| Some(place) == identity.as_ref())?;
            Some((*name, input))
        });
        let (name, input) = found?;
        let input = Shown::new(input.as_os_str().as_encoded_bytes());
        Some(format!("{name} would overwrite {input}, which is to be read"))
    }
}

/// The option that asks for an output.
fn option(args: &Args, emit: Emit, file: Option<&Path>) -> &'static str {
    match emit {
        _ if file.is_none() && args.emit.is_some() => "--emit",
        Emit::Valid => "--valid",
        Emit::Invalid => "--invalid",
        Emit::Errors if file.is_some() || args.errors.is_some() => "--errors",
        _ => "--emit",
    }
}

/// Says what is wrong with the columns, and which two options ask for standard output.
pub(crate) fn check(args: &Args) -> Result<(), String> {
    tasks(args)?;
    let files = [("--valid", &args.valid), ("--invalid", &args.invalid), ("--errors", &args.errors)];
    let wants_stdout = files.iter().filter(|(_, file)| file.as_deref().is_some_and(is_stream));
    let names = args.emit.filter(|&emit| emit != Emit::None).map(|_| "--emit");
    let names: Vec<&str> = names.into_iter().chain(wants_stdout.map(|(name, _)| *name)).collect();
    match names[..] {
        [one, other, ..] => Err(format!("{one} and {other} go to the same place")),
        _ => Ok(()),
    }
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

/// Whether this is the name of a standard stream.
pub(crate) fn is_stream(file: &Path) -> bool {
    file == Path::new("-")
}
