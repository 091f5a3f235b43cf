//! The targets of symbolic links.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

/// The most links to follow, which is the limit of Linux.
const MOST: usize = 40;

/// Returns the path, and then the target of each link in turn. The last path may not exist.
pub(crate) fn followed(path: &Path) -> impl Iterator<Item = PathBuf> {
    iter::successors(Some(path.to_owned()), |link| {
        let target = fs::read_link(link).ok()?;
        Some(link.parent().unwrap_or(Path::new("")).join(target))
    })
    .take(MOST + 1)
}

/// Returns the name at the end of all links.
pub(crate) fn target(path: &Path) -> PathBuf {
    followed(path).last().unwrap_or_else(|| path.to_owned())
}
