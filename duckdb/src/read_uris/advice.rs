//! The message about a file in which no line fits the format, with the parameters that read it.

use std::path::Path;

use urivalidate::corpus::{Advice, Misfits, ReadingOption, Remedy};

use crate::failure::Failure;

/// Returns the failure of a file in which no line fits.
pub(super) fn failure(path: &Path, misfits: &Misfits) -> Failure {
    let advice = misfits.advice.as_ref().map(sentence_of).unwrap_or_default();
    Failure(format!("{}: {}{advice}", path.display(), misfits.sentence))
}

fn sentence_of(Advice { looks, remedy, .. }: &Advice) -> String {
    let options = match remedy {
        Remedy::Options(options) => options,
        Remedy::Convert(encoding) => {
            return format!(
                ": this looks like {looks}; convert it first, for example with iconv -f {encoding} -t UTF-8"
            );
        }
        _ => return format!(": this looks like {looks}"),
    };
    let mut parameters = Vec::new();
    for (option, value) in options {
        let value = format!("'{}'", value.replace('\'', "''"));
        match option {
            ReadingOption::Format => parameters.push(format!("format => {value}")),
            ReadingOption::Field => parameters.push(format!("field => {value}")),
            ReadingOption::Key => parameters.push(format!("key => {value}")),
            ReadingOption::Delimiter => {
                parameters.push(format!("format => 'delimited', delimiter => {value}"))
            }
            ReadingOption::Grammar => parameters.push(format!("grammar => {value}")),
            ReadingOption::Trim => parameters.push("trim => true".to_owned()),
            // The function has no regular expressions.
            _ => return format!(": this looks like {looks}; the command reads it with --regex"),
        }
    }
    format!(": this looks like {looks}; try {}", parameters.join(", "))
}
