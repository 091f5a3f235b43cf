//! Files that are written beside their place, and put in it when they are complete. If the run ends earlier,
//! even by a signal, it removes them. If the process is killed or the machine stops, they stay, under their
//! temporary names.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{Builder, NamedTempFile};

use crate::links;

/// The paths of the unfinished files.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is not in its place yet.
pub(crate) struct Unfinished {
    file: NamedTempFile,
    place: PathBuf,
}

impl Unfinished {
    /// Creates a file beside the one of this name. It gets the permissions of the old file, if one exists.
    pub(crate) fn beside(path: &Path, replaced: Option<&File>) -> io::Result<Self> {
        // If the path is a link, the link stays, and its target is replaced or created.
        let place = if replaced.is_some() { fs::canonicalize(path)? } else { links::target(path) };
        let folder = match place.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = Builder::new();
        builder.prefix(".urivalidate-").suffix(".unfinished");
        // These are the permissions of a new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The lock keeps a signal from ending the run between creating the file and listing it.
        let mut unfinished = list();
        let file = builder.tempfile_in(folder)?;
        unfinished.push(file.path().to_owned());
        drop(unfinished);
        let unfinished = Unfinished { file, place };
        if let Some(replaced) = replaced {
            unfinished.file().set_permissions(replaced.metadata()?.permissions())?;
        }
        Ok(unfinished)
    }

    pub(crate) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Returns the final name.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    /// Gives the file its final name.
    pub(crate) fn put_in_place(self) -> io::Result<()> {
        let path = self.file.path().to_owned();
        let done = self.file.persist(&self.place);
        list().retain(|unfinished| *unfinished != path);
        done.map(drop).map_err(|error| error.error)
    }
}

/// Removes all unfinished files, because the process ends.
pub(crate) fn remove_all() {
    for path in list().iter() {
        // An error is ignored, because nobody can read a message now.
        let _ = fs::remove_file(path);
    }
}

fn list() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
