//! Where symbolic links lead.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

/// As many as Linux follows.
const MOST: usize = 40;

/// The path, and where it leads link by link, whether the last one is there or not.
pub(crate) fn followed(path: &Path) -> impl Iterator<Item = PathBuf> {
    iter::successors(Some(path.to_owned()), |link| {
        let target = fs::read_link(link).ok()?;
        Some(link.parent().unwrap_or(Path::new("")).join(target))
    })
    .take(MOST + 1)
}

/// The name behind all links.
pub(crate) fn target(path: &Path) -> PathBuf {
    followed(path).last().unwrap_or_else(|| path.to_owned())
}
