//! What the command's options can do about a line that does not fit its format.

use urivalidate::corpus::Malformed;

/// What is said behind the reason, or nothing.
pub(crate) fn advice(reason: Malformed) -> &'static str {
    match reason {
        Malformed::NoKey | Malformed::NoPair => "; choose another with --key",
        Malformed::NotInHeader => "; choose another with --field",
        _ => "",
    }
}
