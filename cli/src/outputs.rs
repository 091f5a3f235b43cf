//! Opens all outputs of a run, and refuses outputs that would destroy each other or an input.

use std::fs;
use std::path::{Path, PathBuf};

use crate::args::{Args, is_hyphen};
use crate::empty_input;
use crate::identity::Identity;
use crate::inputs::Inputs;
use crate::output::{Failure, Output};
use crate::plan::Plan;
use crate::shown::Shown;
use crate::standard_stream::{StandardStream, is_descriptor};

/// The targets of a run.
pub(crate) struct Outputs {
    /// The outputs of the plan, in its order.
    pub(crate) planned: Vec<Output>,
    /// The target of the statistics, if requested.
    pub(crate) stats: Option<Output>,
    /// The target of the page with the statistics.
    pub(crate) report: Option<Output>,
    /// The target of the baseline.
    pub(crate) baseline: Option<Output>,
}

/// The reason why the outputs cannot be opened.
pub(crate) enum OutputsError {
    /// Writing one output would destroy another output, an input, or what is probably meant as the input.
    Conflict(String),
    Failed(Failure),
}

impl Outputs {
    /// Opens all outputs. Creates missing files; the content of existing files stays for now.
    ///
    /// If a walk found a file that is an output, the file is left out of the inputs.
    pub(crate) fn open(args: &Args, plan: &Plan, inputs: &mut Inputs) -> Result<Self, OutputsError> {
        if let Some(slip) = slip(args) {
            return Err(OutputsError::Conflict(slip));
        }
        let mut outputs = Outputs { planned: Vec::new(), stats: None, report: None, baseline: None };
        let refusal = match outputs.open_all(args, plan) {
            Ok(()) => {
                let stderr = Identity::of_stream(StandardStream::Stderr);
                let places: Vec<_> = outputs.all().filter_map(Output::identity).chain(stderr).collect();
                inputs.skip_walked(|file| identity(file).is_some_and(|identity| places.contains(&identity)));
                outputs.conflict(args, plan, &inputs.files).map(OutputsError::Conflict)
            }
            Err(failure) => Some(OutputsError::Failed(failure)),
        };
        match refusal {
            None => Ok(outputs),
            Some(refusal) => {
                let Outputs { planned, report, baseline, .. } = outputs;
                planned.into_iter().chain(report).chain(baseline).for_each(Output::abandon);
                Err(refusal)
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Output> {
        self.planned.iter().chain(&self.stats).chain(&self.report).chain(&self.baseline)
    }

    fn open_all(&mut self, args: &Args, plan: &Plan) -> Result<(), Failure> {
        for planned in &plan.outputs {
            self.planned.push(match &planned.file {
                None => Output::stdout()?,
                Some(file) if planned.is_put_in_place => Output::open_beside(file)?,
                Some(file) => Output::open(file)?,
            });
        }
        if args.stats.is_some() {
            self.stats = Some(if plan.has_stdout_for_stats { Output::stdout()? } else { Output::stderr()? });
        }
        let report = args.report.as_deref();
        self.report = report
            .map(|file| if is_hyphen(file) { Output::stdout() } else { Output::open_beside(file) })
            .transpose()?;
        self.baseline = args.write_baseline.as_deref().map(Output::open_beside).transpose()?;
        Ok(())
    }

    /// Returns the message about two outputs that are the same file, or about an input that an output would
    /// overwrite.
    fn conflict(&self, args: &Args, plan: &Plan, inputs: &[PathBuf]) -> Option<String> {
        // Standard output and standard error may be the same file, if the caller redirected both. So may a
        // descriptor that an option names.
        let stderr = Identity::of_stream(StandardStream::Stderr).map(|identity| (STDERR, identity, false));
        let mut places: Vec<(&str, Identity, bool)> = stderr.into_iter().collect();
        let planned = plan.outputs.iter().map(|planned| planned.option).zip(&self.planned);
        let stats = self.stats.iter().map(|output| ("--stats", output));
        let report = self.report.iter().map(|output| ("--report", output));
        // Files that do not exist yet have no identity.
        let mut new_places: Vec<(&str, PathBuf)> = Vec::new();
        let baseline = self.baseline.iter().map(|output| ("--write-baseline", output));
        for (name, output) in planned.chain(stats).chain(report).chain(baseline) {
            let Some(identity) = &output.identity() else {
                let Some(place) = output.place().map(whole) else { continue };
                if let Some((other, _)) = new_places.iter().find(|(_, other)| *other == place) {
                    return Some(format!("{other} and {name} write to the same file"));
                }
                new_places.push((name, place));
                continue;
            };
            let is_named = output.is_named();
            let is_same = |(of, other, is_other_named): &&(&str, Identity, bool)| {
                other == identity
                    && (is_named || *is_other_named)
                    && !(*of == STDERR && output.is_descriptor())
            };
            if let Some((other, ..)) = places.iter().find(is_same) {
                return Some(format!("{other} and {name} write to the same file"));
            }
            places.push((name, identity.clone(), is_named));
        }
        let lists = args.files_from.iter().chain(&args.ignore_file).chain(&args.baseline);
        let lists = lists.chain(&args.hosts).chain(&args.not_hosts).chain(&args.compare);
        let (name, input) = inputs.iter().chain(lists).find_map(|input| {
            let identity = identity(input);
            let (name, ..) = places.iter().find(|(_, place, _)| Some(place) == identity.as_ref())?;
            Some((*name, input))
        })?;
        let input = Shown::new(input.as_os_str().as_encoded_bytes());
        Some(format!("{name} would overwrite {input}, which is an input"))
    }
}

/// Returns the message about an output that is probably meant as the input: it has content, the arguments
/// name no input, and standard input has nothing to read.
fn slip(args: &Args) -> Option<String> {
    let has_content = |path: &Path| {
        !is_descriptor(path) && fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0)
    };
    let (option, file) = args.file_outputs().find(|(_, file)| !args.names_input() && has_content(file))?;
    let stdin = empty_input::what_stdin_is()?;
    let file = Shown::new(file.as_os_str().as_encoded_bytes());
    Some(format!(
        "{option} would overwrite {file}, but no FILE names an input, and standard input is {stdin}; name the input, or - for standard input"
    ))
}

/// Returns the path of a file that does not exist yet, without links in its folders.
fn whole(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Standard error, in messages.
const STDERR: &str = "standard error";

fn identity(input: &Path) -> Option<Identity> {
    if is_hyphen(input) { Identity::of_stream(StandardStream::Stdin) } else { Identity::of_path(input) }
}
