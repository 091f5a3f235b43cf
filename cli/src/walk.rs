//! The files of directories, for `--recursive`, in the order of their names.
//!
//! The walk is that of ripgrep, by its crate `ignore`: `.gitignore`, `.ignore` and the other files that
//! version control reads leave paths out, and so does a name that starts with a dot. Links are not followed,
//! so a walk ends. The directories of version control (`.git`, `.hg`, `.svn`) are always left out. Everything
//! except regular files is skipped without being opened, because opening a FIFO waits. All names are in
//! memory before the scan begins, like those of the command line.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ignore::{DirEntry, WalkBuilder};

use crate::globs::Globs;

/// The choices of a walk.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// Whether files such as `.gitignore` leave paths out.
    pub(crate) heeds_ignore_files: bool,
    /// Whether a name that starts with a dot leaves a path out.
    pub(crate) skips_hidden: bool,
    /// The paths that the user wants.
    pub(crate) globs: Arc<Globs>,
}

/// The result of a walk.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) files: Vec<PathBuf>,
    /// The number of skipped files: links and special files.
    pub(crate) skipped: u64,
    pub(crate) left_out: LeftOutPaths,
    /// The unreadable paths, each with its error.
    pub(crate) errors: Vec<(PathBuf, io::Error)>,
    /// The faults in files such as `.gitignore`.
    pub(crate) faults: Vec<String>,
}

/// The numbers of files and directories that a walk passed by. What is in such a directory is not counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeftOutPaths {
    /// Those that `.gitignore` and its like name.
    pub(crate) ignored: u64,
    /// Those whose names start with a dot.
    pub(crate) hidden: u64,
    /// Those that the user did not want.
    pub(crate) unwanted: u64,
}

impl LeftOutPaths {
    pub(crate) fn append(&mut self, other: LeftOutPaths) {
        self.ignored += other.ignored;
        self.hidden += other.hidden;
        self.unwanted += other.unwanted;
    }

    /// Returns one sentence about these paths, if there are any.
    pub(crate) fn sentence(self) -> Option<String> {
        let part = |count: u64, about: &str| (count > 0).then(|| format!("{count} {about}"));
        let parts = [
            part(self.ignored, "by ignore files such as .gitignore (--no-ignore reads them)"),
            part(self.hidden, "hidden (--hidden reads them)"),
            part(self.unwanted, "by --include or --exclude"),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("left out: {}", parts.join(", ")))
    }
}

/// Directories of version control.
const VERSION_CONTROL: [&str; 3] = [GIT, ".hg", ".svn"];

/// Git's directory or, in work trees and submodules, a file with its path.
const GIT: &str = ".git";

/// The way in which a path can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Hidden,
    /// Only an ignore file or the user leaves it out.
    Other,
}

/// Numbers of entries of directories, of each kind.
#[derive(Clone, Debug, Default)]
struct Entries(Arc<[AtomicU64; 2]>);

impl Entries {
    fn add(&self, kind: Kind) {
        self.0[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    fn of(&self, kind: Kind) -> u64 {
        self.0[kind as usize].load(Ordering::Relaxed)
    }
}

impl Walk {
    /// Returns the files of a directory and of its subdirectories.
    pub(crate) fn files(&self, directory: &Path) -> Walked {
        let mut walked = Walked::default();
        let (all, passed, unwanted) = (Entries::default(), Entries::default(), Entries::default());
        for entry in self.entries(directory, &unwanted) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = path_of(&error).unwrap_or(directory).to_owned();
                    walked.errors.push((path, system_error(error)));
                    continue;
                }
            };
            walked.faults.extend(entry.error().map(ToString::to_string));
            if let Some(kind) = self.kind(entry.file_name(), is_dir(&entry)).filter(|_| entry.depth() > 0) {
                passed.add(kind);
            }
            if is_dir(&entry) {
                self.list(entry.path(), &all);
            } else if entry.file_type().is_some_and(|file_type| file_type.is_file()) {
                walked.files.push(with_slashes(entry.into_path()));
            } else {
                walked.skipped += 1;
            }
        }
        // Entries can come and go during the walk.
        let left_out = |kind| all.of(kind).saturating_sub(passed.of(kind)).saturating_sub(unwanted.of(kind));
        walked.left_out = LeftOutPaths {
            ignored: left_out(Kind::Other),
            hidden: left_out(Kind::Hidden),
            unwanted: unwanted.of(Kind::Other) + unwanted.of(Kind::Hidden),
        };
        walked
    }

    /// Returns the entries of a directory and of its subdirectories. Counts those that the user does not
    /// want.
    fn entries(&self, directory: &Path, unwanted: &Entries) -> ignore::Walk {
        let (walk, unwanted) = (self.clone(), unwanted.clone());
        let is_wanted = move |entry: &DirEntry| {
            let Some(kind) = walk.kind(entry.file_name(), is_dir(entry)).filter(|_| entry.depth() > 0) else {
                return entry.depth() == 0;
            };
            let (globs, path) = (&walk.globs, entry.path());
            let is_wanted = if is_dir(entry) { !globs.exclude(path) } else { globs.want(path) };
            if !is_wanted {
                unwanted.add(kind);
            }
            is_wanted
        };
        WalkBuilder::new(directory)
            .standard_filters(self.heeds_ignore_files)
            .hidden(self.skips_hidden)
            .sort_by_file_name(OsStr::cmp)
            .filter_entry(is_wanted)
            .build()
    }

    /// Counts the entries of a directory. The walk reports a directory that cannot be read.
    fn list(&self, directory: &Path, all: &Entries) {
        if !self.heeds_ignore_files && !self.skips_hidden {
            return;
        }
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let is_dir = entry.file_type().is_ok_and(|file_type| file_type.is_dir());
            if let Some(kind) = self.kind(&entry.file_name(), is_dir) {
                all.add(kind);
            }
        }
    }

    /// Returns the way in which an entry of this name can be left out, or `None` for version control.
    fn kind(&self, name: &OsStr, is_dir: bool) -> Option<Kind> {
        if name == GIT || is_dir && VERSION_CONTROL.iter().any(|control| name == *control) {
            return None;
        }
        let is_hidden = self.skips_hidden && name.as_encoded_bytes().starts_with(b".");
        Some(if is_hidden { Kind::Hidden } else { Kind::Other })
    }
}

/// Returns the path with `/` in the place of `\`, so that the names of a walk are the same on all systems. The
/// system takes both, except in verbatim paths.
fn with_slashes(path: PathBuf) -> PathBuf {
    match path.to_str() {
        Some(text) if cfg!(windows) && !text.starts_with(r"\\?\") => text.replace('\\', "/").into(),
        _ => path,
    }
}

fn is_dir(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|file_type| file_type.is_dir())
}

/// Returns the system's error. The messages of the crates around it also name the path.
fn system_error(error: ignore::Error) -> io::Error {
    let text = error.to_string();
    let Some(error) = error.into_io_error() else { return io::Error::other(text) };
    let inner = error.get_ref().and_then(|inner| inner.source()?.downcast_ref::<io::Error>());
    inner.and_then(io::Error::raw_os_error).map_or(error, io::Error::from_raw_os_error)
}

/// Returns the path that an error is about.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}
