//! The files that a query names.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Returns the files with these names. A name with `*`, `?` or `[` is a pattern unless a file with this name
/// exists. The files that match a pattern are sorted by name.
pub(super) fn named(names: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for name in names {
        let is_pattern = name.contains(['*', '?', '[']) && !Path::new(name).exists();
        if !is_pattern {
            paths.push(PathBuf::from(name));
            continue;
        }
        // As in DuckDB, `**` at the end matches files at any depth.
        let pattern = match name.strip_suffix("**") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => format!("{name}/*"),
            _ => name.clone(),
        };
        let matching = glob::glob(&pattern).map_err(|error| Failure(format!("{name}: {error}")))?;
        let before = paths.len();
        for path in matching {
            let path = path?;
            if !path.is_dir() {
                paths.push(path);
            }
        }
        if paths.len() == before {
            return Err(Failure(format!("{name}: no file matches")));
        }
    }
    match paths.first() {
        None => Err(Failure("read_uris: expected at least one file".to_owned())),
        // If the first file is missing, the query fails at once. This does not open the file, because a pipe
        // can be opened only once.
        Some(first) => match first.metadata() {
            Ok(_) => Ok(paths),
            Err(error) => Err(of_file(first, error)),
        },
    }
}

/// Returns the failure of a file.
pub(super) fn of_file(path: &Path, error: std::io::Error) -> Failure {
    Failure(format!("{}: {error}", path.display()))
}
