//! The paths that a user wants: `--include` and `--exclude`.

use std::env;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Globs as in `.gitignore`: without a slash, a glob stands for a name in any directory; with one, for a path
/// from the current directory. A directory stands for everything in it.
#[derive(Debug)]
pub(crate) struct Globs {
    included: Option<Gitignore>,
    excluded: Option<Gitignore>,
}

impl Globs {
    /// Returns the globs of the options. An empty list has no effect.
    ///
    /// # Errors
    ///
    /// Returns a message that names a faulty glob.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Self, String> {
        Ok(Globs { included: matcher("--include", include)?, excluded: matcher("--exclude", exclude)? })
    }

    /// Returns true if the user wants the file at this path.
    pub(crate) fn want(&self, path: &Path) -> bool {
        let is_included = |globs: &Gitignore| stands_for(globs, path, false);
        self.included.as_ref().is_none_or(is_included)
            && !self.excluded.as_ref().is_some_and(|globs| stands_for(globs, path, false))
    }

    /// Returns true if the user wants nothing of the directory at this path.
    pub(crate) fn exclude(&self, path: &Path) -> bool {
        self.excluded.as_ref().is_some_and(|globs| stands_for(globs, path, true))
    }
}

fn matcher(option: &str, globs: &[String]) -> Result<Option<Gitignore>, String> {
    if globs.is_empty() {
        return Ok(None);
    }
    let root = env::current_dir().unwrap_or_default();
    let mut builder = GitignoreBuilder::new(root);
    for glob in globs {
        // A comment or a blank line of a file would have no effect here.
        if glob.trim().is_empty() || glob.starts_with(['#', '!']) {
            return Err(format!(
                "{option}: {glob:?} is no glob; a backslash before its first character makes it one"
            ));
        }
        builder.add_line(None, glob).map_err(|error| format!("{option}: {error}"))?;
    }
    builder.build().map(Some).map_err(|error| format!("{option}: {error}"))
}

/// Returns true if one of the globs stands for a path or for a directory above it.
fn stands_for(globs: &Gitignore, path: &Path, is_dir: bool) -> bool {
    let mut above = path.ancestors();
    above.next().is_some_and(|path| globs.matched(path, is_dir).is_ignore())
        || above.any(|directory| directory != Path::new("") && globs.matched(directory, true).is_ignore())
}
