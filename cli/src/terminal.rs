//! The terminal: its width, and what the console of Windows needs.

use std::io::IsTerminal;
#[cfg(windows)]
use std::io::{self, StdoutLock, Write};

use terminal_size::{Width, terminal_size};

/// Returns the number of columns of the terminal that shows this stream, if it is one and its width is known.
pub(crate) fn columns(stream: &impl IsTerminal) -> Option<usize> {
    let (Width(columns), _) = stream.is_terminal().then(terminal_size).flatten()?;
    (columns > 0).then_some(columns.into())
}

/// Lets the console of Windows show colours. Newer terminals do it anyway, and older consoles than those of
/// Windows 10 cannot.
#[cfg(windows)]
pub(crate) fn enable_colors() {
    use winapi_util::console::Console;

    for console in [Console::stdout(), Console::stderr()] {
        // An error means that the stream is no console.
        let _ = console.map(|mut console| console.set_virtual_terminal_processing(true));
    }
}

/// Standard output, if it is a console of Windows. The console takes text alone, and the standard library
/// refuses bytes that are not UTF-8; this writes U+FFFD in their place.
#[cfg(windows)]
pub(crate) struct Console(pub(crate) StdoutLock<'static>);

#[cfg(windows)]
impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for chunk in bytes.utf8_chunks() {
            self.0.write_all(chunk.valid().as_bytes())?;
            if !chunk.invalid().is_empty() {
                self.0.write_all("\u{FFFD}".as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
