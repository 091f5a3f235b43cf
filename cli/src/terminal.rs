//! The width of the terminal.

use std::io::IsTerminal;

use terminal_size::{Width, terminal_size};

/// Returns the number of columns of the terminal that shows this stream, if it is one and its width is known.
pub(crate) fn columns(stream: &impl IsTerminal) -> Option<usize> {
    let (Width(columns), _) = stream.is_terminal().then(terminal_size).flatten()?;
    (columns > 0).then_some(columns.into())
}
