//! Tests the command from outside: arguments and files as input; standard output, standard error and exit
//! status as output.

mod advices;
mod annotations;
mod archives;
mod batches;
// Not under an emulator, whose own memory would count.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod bounds;
mod compared;
mod compressed;
mod derived;
mod differing;
mod documents;
mod emit;
mod explain;
mod extensions;
mod faults;
mod files;
mod findings;
mod first_finding;
mod formats;
mod gate;
mod guesses;
mod hosts;
mod left_out;
mod log_fields;
// Not under an emulator, whose own memory would count.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod long_bases;
mod misfits;
mod names;
mod options;
mod outputs;
// The pages' commands are for a shell of Unix.
#[cfg(unix)]
mod pages;
// An emulator may not know the calls.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod pipes;
mod places;
// Not under an emulator, which is too slow for tests of a terminal's timing.
#[cfg(all(unix, target_arch = "x86_64"))]
mod progress;
mod queries;
mod questions;
mod recursive;
mod report;
mod schema;
// Not under an emulator, which may not know the calls.
#[cfg(all(unix, target_arch = "x86_64"))]
mod screen;
// Not under an emulator, which gets the signals first.
#[cfg(all(unix, target_arch = "x86_64"))]
mod signals;
mod slips;
mod stats;
mod tables;
#[cfg(windows)]
mod windows;
mod wrapped;

use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt;

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    status: i32,
    stdout: Vec<u8>,
    /// Standard error without its last line if that is the summary.
    stderr: String,
    /// The line that counts the findings.
    summary: Option<String>,
}

impl Run {
    #[track_caller]
    fn expect(self, status: i32, stdout: impl AsRef<[u8]>, stderr: &str) {
        let (found, expected) =
            (self.stdout.escape_ascii().to_string(), stdout.as_ref().escape_ascii().to_string());
        assert_eq!((self.status, found, self.stderr), (status, expected, stderr.to_owned()));
    }

    /// Returns the counts of the summary, or an empty text if there is none.
    fn summary(&self) -> &str {
        self.summary.as_deref().and_then(|line| line.strip_prefix("urivalidate: ")).unwrap_or_default()
    }

    #[track_caller]
    fn text(&self) -> &str {
        str::from_utf8(&self.stdout).unwrap()
    }

    #[track_caller]
    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).unwrap()
    }
}

/// Runs the command with these arguments, separated by spaces, on this standard input.
fn run(args: &str, stdin: impl Into<Vec<u8>>) -> Run {
    run_with(args.split_whitespace(), stdin)
}

fn run_with<'a>(args: impl IntoIterator<Item = &'a str>, stdin: impl Into<Vec<u8>>) -> Run {
    finish(command().args(args).write_stdin(stdin))
}

/// Returns true if all cases are to be tried, as the lane `long-tests` asks. Otherwise some tests try a part.
fn is_long() -> bool {
    std::env::var_os("URIVALIDATE_LONG_TESTS").is_some()
}

/// Returns the command, for tests that need its pipes. It runs as cargo's settings say, possibly in an
/// emulator.
fn process() -> std::process::Command {
    std::process::Command::cargo_bin("urivalidate").unwrap()
}

fn command() -> Command {
    let mut command = Command::from_std(process());
    command.timeout(Duration::from_secs(120)).env_remove("NO_COLOR");
    for locale in ["LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(locale);
    }
    command
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    let mut stderr = String::from_utf8(output.stderr).unwrap();
    let summary = summary_of(&stderr).map(str::to_owned);
    stderr.truncate(stderr.len() - summary.as_ref().map_or(0, |line| line.len() + 1));
    let status = output.status.code().expect("no signal ended it");
    Run { status, stdout: output.stdout, stderr, summary }
}

/// Returns the last line, without its end, if it counts findings.
fn summary_of(stderr: &str) -> Option<&str> {
    let line = stderr.strip_suffix('\n')?.rsplit('\n').next()?;
    let words: Vec<_> = line.strip_prefix("urivalidate: ")?.split(' ').collect();
    let is_summary = |findings: &str, records: &str| {
        findings.starts_with("finding") && records.starts_with("record") && words.len() == 8
    };
    (words.len() == 8 && is_summary(words[1], words[4])).then_some(line)
}

/// Returns the system's message about a file that does not exist, as the command prints it.
fn no_such_file(name: &str) -> String {
    let error = std::fs::read(name).unwrap_err().to_string();
    error.split(" (os error").next().unwrap_or_default().to_owned()
}

/// A directory for one test, in which the command runs.
struct Dir(tempfile::TempDir);

impl Dir {
    fn new() -> Self {
        Dir(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    #[cfg(unix)]
    fn fifo(&self, name: &str) -> PathBuf {
        let path = self.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    fn run(&self, args: &str) -> Run {
        finish(command().current_dir(self.path()).args(args.split_whitespace()))
    }
}
