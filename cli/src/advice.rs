//! Advice on a problem: the option of the command that helps.

use urivalidate::corpus::Malformed;
use urivalidate::stats::Problem;

/// Returns the text to append to the message of a problem, or an empty text.
pub(crate) fn advice(problem: Problem) -> &'static str {
    match problem {
        Problem::Malformed(Malformed::NotInHeader) => "; choose another with --field",
        Problem::Invalid(error) if error.is_zone_id() => "; --zone-ids allows it",
        _ => "",
    }
}
