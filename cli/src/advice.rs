//! Advice for lines that do not fit their format: the option of the command that helps.

use urivalidate::corpus::Malformed;

/// Returns the text to append to the reason, or an empty text.
pub(crate) fn advice(reason: Malformed) -> &'static str {
    match reason {
        Malformed::NoKey | Malformed::NoPair => "; choose another with --key",
        Malformed::NotInHeader => "; choose another with --field",
        _ => "",
    }
}
