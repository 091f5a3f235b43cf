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
        let mut outputs = Outputs { planned: Vec::new(), stats: None, report: None };
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
                outputs.planned.into_iter().chain(outputs.report).for_each(Output::abandon);
                Err(refusal)
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Output> {
        self.planned.iter().chain(&self.stats).chain(&self.report)
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
            .map(|file| if is_hyphen(file) { Output::stdout() } else { Output::open(file) })
            .transpose()?;
        Ok(())
    }

    /// Returns the message about two outputs that are the same file, or about an input that an output would overwrite.
    fn conflict(&self, args: &Args, plan: &Plan, inputs: &[PathBuf]) -> Option<String> {
        // Standard output and standard error may be the same file, if the caller redirected both. So may a descriptor that an option names.
        let stderr = Identity::of_stream(StandardStream::Stderr).map(|identity| (STDERR, identity, false));
        let mut places: Vec<(&str, Identity, bool)> = stderr.into_iter().collect();
        let planned = plan.outputs.iter().map(|planned| planned.option).zip(&self.planned);
        let stats = self.stats.iter().map(|output| ("--stats", output));
        let report = self.report.iter().map(|output| ("--report", output));
        for (name, output) in planned.chain(stats).chain(report) {
            let Some(identity) = &output.identity() else { continue };
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
        let list = args.files_from.iter();
        let (name, input) = inputs.iter().chain(list).find_map(|input| {
            let identity = identity(input);
            let (name, ..) = places.iter().find(|(_, place, _)| Some(place) == identity.as_ref())?;
            Some((*name, input))
        })?;
        let input = Shown::new(input.as_os_str().as_encoded_bytes());
        Some(format!("{name} would overwrite {input}, which is an input"))
    }
}

/// Standard error, in messages.
const STDERR: &str = "standard error";

fn identity(input: &Path) -> Option<Identity> {
    if is_hyphen(input) { Identity::of_stream(StandardStream::Stdin) } else { Identity::of_path(input) }
}
