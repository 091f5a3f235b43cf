//! Colours.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// The styles of the output. Without colours, all styles are plain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Styles {
    pub(crate) place: Style,
    pub(crate) heading: Style,
    pub(crate) good: Style,
    pub(crate) bad: Style,
    pub(crate) faint: Style,
    /// Whether the locale has only ASCII, as with LC_ALL=C.
    pub(crate) is_ascii: bool,
}

impl Styles {
    /// Returns the styles for a stream, which may be a terminal.
    pub(crate) fn new(color: Color, stream: &impl IsTerminal) -> Self {
        let is_colored = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => stream.is_terminal() && !is_set("NO_COLOR") && !is_dumb(),
        };
        if !is_colored {
            return Styles { is_ascii: is_ascii(), ..Styles::default() };
        }
        Styles {
            place: AnsiColor::Magenta.on_default(),
            heading: Style::new().bold(),
            good: AnsiColor::Green.on_default().bold(),
            bad: AnsiColor::Red.on_default().bold(),
            faint: AnsiColor::Cyan.on_default(),
            is_ascii: is_ascii(),
        }
    }
}

/// Returns true if the locale names a charset other than UTF-8, by the POSIX variables in their order.
/// Without a setting, the terminal is assumed to show UTF-8.
fn is_ascii() -> bool {
    let mut variables = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let locale = variables.find(|locale| !locale.is_empty());
    locale.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}
