//! The manual page and the completions.

use std::io;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Args, Document};

/// The text of a document.
pub(crate) fn generate(document: Document) -> io::Result<Vec<u8>> {
    // Neither has room for the backends.
    let mut command = Args::command().version(env!("CARGO_PKG_VERSION"));
    let shell = match document {
        Document::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            return Ok(page);
        }
        Document::CompleteBash => Shell::Bash,
        Document::CompleteZsh => Shell::Zsh,
        Document::CompleteFish => Shell::Fish,
        Document::CompletePowershell => Shell::PowerShell,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "urivalidate", &mut script);
    Ok(script)
}
