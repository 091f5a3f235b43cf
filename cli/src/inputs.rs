//! The files to scan.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::args::{Args, is_hyphen};
use crate::globs::Globs;
use crate::paths::path_of;
use crate::plan::Plan;
use crate::recognise::{Found, UnknownFiles, look_at_all};
use crate::standard_stream::StandardStream;
use crate::walk::{LeftOutPaths, Walk};

/// The files to scan, and the errors of the search for them.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The files, in the order of the scan.
    pub(crate) files: Vec<PathBuf>,
    /// Whether a walk found the file, for each of `files`. The user named the other files.
    pub(crate) is_walked: Vec<bool>,
    /// The number of files that a walk skipped: binary files, links, special files, outputs, and XML without
    /// URLs.
    pub(crate) skipped: u64,
    /// The files that a walk skipped because they have no format.
    pub(crate) unknown: UnknownFiles,
    /// The paths that walks and lists left out.
    pub(crate) left_out: LeftOutPaths,
    /// The faults in files such as `.gitignore`.
    pub(crate) faults: Vec<String>,
    /// The unreadable paths, each with its error.
    pub(crate) errors: Vec<(PathBuf, io::Error)>,
}

/// Returns the files of the command line, then those that `--files-from` names; standard input if there are
/// no files. With `--recursive`, a directory is replaced by its files, and the default is the current
/// directory.
pub(crate) fn inputs(args: &Args, globs: &Arc<Globs>) -> Inputs {
    let mut inputs = Inputs { files: named(&args.files), ..Inputs::default() };
    match &args.files_from {
        None if inputs.files.is_empty() => inputs.files.push(if args.recursive { "." } else { "-" }.into()),
        None => {}
        Some(list) => {
            let mut listed = Vec::new();
            if let Err(error) = names_in(list, &mut listed) {
                inputs.errors.push((list.clone(), error));
            }
            let before = listed.len();
            listed.retain(|path| args.recursive && path.is_dir() || globs.want(path));
            inputs.left_out.unwanted += (before - listed.len()) as u64;
            inputs.files.append(&mut listed);
            // Standard input is the list of files.
            if is_hyphen(list) && inputs.files.iter().any(|file| is_hyphen(file)) {
                inputs.files.retain(|file| !is_hyphen(file));
                let message = "standard input is the list of files, and cannot be one of them";
                inputs.errors.push((list.clone(), io::Error::other(message)));
            }
        }
    }
    if !args.recursive {
        return inputs;
    }
    let walk = Walk { heeds_ignore_files: !args.no_ignore, skips_hidden: !args.hidden, globs: globs.clone() };
    inputs.walked(&walk)
}

impl Inputs {
    /// Replaces directories by their files.
    fn walked(self, walk: &Walk) -> Self {
        let mut inputs = Inputs { errors: self.errors, left_out: self.left_out, ..Inputs::default() };
        for path in self.files {
            if is_hyphen(&path) || !path.is_dir() {
                inputs.files.push(path);
                inputs.is_walked.push(false);
                continue;
            }
            let walked = walk.files(&path);
            inputs.files.extend(walked.files);
            inputs.is_walked.resize(inputs.files.len(), true);
            inputs.skipped += walked.skipped;
            inputs.left_out.append(walked.left_out);
            inputs.errors.extend(walked.errors);
            inputs.faults.extend(walked.faults);
        }
        inputs
    }

    /// Removes files that a walk found and for which `is_such` is true.
    pub(crate) fn skip_walked(&mut self, is_such: impl Fn(&Path) -> bool) {
        let found = self.walked_files().map(|file| file.is_some_and(&is_such)).collect();
        self.skipped += self.remove(found);
    }

    /// Removes files that a walk found and that are no input: binary files, files without a format, and files
    /// that surely have no records.
    pub(crate) fn skip_unknown(&mut self, plan: &Plan, args: &Args) {
        let walked: Vec<_> = self.walked_files().collect();
        let found = look_at_all(&walked, plan, args);
        drop(walked);
        for (file, found) in self.files.iter().zip(&found) {
            if *found == Found::NoFormat {
                self.unknown.add(file);
            }
        }
        let removed = self.remove(found.iter().map(|found| *found != Found::Input).collect());
        self.skipped += removed;
    }

    /// Returns notes about the files that are no inputs: each with what it is about.
    pub(crate) fn sentences(&self, args: &Args) -> Vec<(&'static str, String)> {
        let about = if args.recursive { "--recursive" } else { "--files-from" };
        let skipped = self.skipped - self.unknown.count();
        let skipped = (skipped > 0).then(|| {
            format!("{skipped} skipped: binary files, links, outputs, special files, and XML without URLs")
        });
        let left_out = self.left_out.sentence();
        let sentences = skipped.into_iter().chain(self.unknown.sentence()).chain(left_out);
        sentences.chain(self.faults.iter().cloned()).map(|sentence| (about, sentence)).collect()
    }

    /// Returns each file, or `None` in the place of a file that the user named.
    fn walked_files(&mut self) -> impl Iterator<Item = Option<&Path>> {
        self.is_walked.resize(self.files.len(), false);
        let files = self.files.iter().zip(&self.is_walked);
        files.map(|(file, is_walked)| is_walked.then_some(file.as_path()))
    }

    /// Removes the files for which `is_removed` is true, and returns their number.
    fn remove(&mut self, is_removed: Vec<bool>) -> u64 {
        let before = self.files.len();
        let mut removed = is_removed.iter();
        self.files.retain(|_| removed.next() == Some(&false));
        let mut removed = is_removed.iter();
        self.is_walked.retain(|_| removed.next() == Some(&false));
        (before - self.files.len()) as u64
    }
}

/// Returns the files of the command line.
#[cfg(not(windows))]
fn named(files: &[PathBuf]) -> Vec<PathBuf> {
    files.to_vec()
}

/// Returns the files of the command line. No shell of Windows replaces patterns such as `*.log` by the names of
/// files, and no name has `*` or `?` there. So patterns are replaced here. One that no file matches stays.
#[cfg(windows)]
fn named(files: &[PathBuf]) -> Vec<PathBuf> {
    use glob::{MatchOptions, glob_with};

    let of_shells = MatchOptions {
        case_sensitive: false,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let expanded = |file: &PathBuf| {
        // The prefix of a verbatim path (`\\?\`) has a question mark.
        let text = file.to_str().filter(|text| !text.starts_with(r"\\?\") && text.contains(['*', '?']))?;
        // Brackets are part of names.
        let pattern = text.replace('[', "[[]");
        let found: Vec<_> = glob_with(&pattern, of_shells).ok()?.flatten().collect();
        (!found.is_empty()).then_some(found)
    };
    files.iter().flat_map(|file| expanded(file).unwrap_or_else(|| vec![file.clone()])).collect()
}

/// Appends the files that a list names.
fn names_in(list: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let text = read(list, is_hyphen(list))?;
    // Programs on Windows begin a text with it.
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
    let listed = names(text).map(path_of).collect::<io::Result<Vec<_>>>()?;
    if listed.is_empty() {
        return Err(io::Error::other("the list names no files"));
    }
    files.extend(listed);
    Ok(())
}

fn read(list: &Path, is_stdin: bool) -> io::Result<Vec<u8>> {
    if !is_stdin {
        return fs::read(list);
    }
    StandardStream::Stdin.check()?;
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}

/// Returns the names in a list, without empty names. If the list has a NUL, which no name can have, each name
/// ends with NUL; otherwise each line is a name.
fn names(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let separator = if text.contains(&0) { 0 } else { b'\n' };
    let names = text.split(move |&byte| byte == separator);
    names
        .map(move |name| if separator == b'\n' { name.strip_suffix(b"\r").unwrap_or(name) } else { name })
        .filter(|name| !name.is_empty())
}
