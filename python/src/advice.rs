//! Lines that do not fit the format of a file, and the arguments that read them.

use urivalidate::corpus::{Advice, Misfits, ReadingOption, Remedy};

/// The message about lines that do not fit, with advice.
pub(crate) fn message(name: &[u8], misfits: &Misfits) -> String {
    let name = String::from_utf8_lossy(name);
    let sentence = &misfits.sentence;
    let advice = misfits.advice.as_ref().map(sentence_of).unwrap_or_default();
    let rows = if misfits.are_all { "" } else { "; emit=\"errors\" or the column malformed shows them" };
    format!("{name}: {sentence}{rows}{advice}")
}

fn sentence_of(Advice { looks, remedy, .. }: &Advice) -> String {
    let options = match remedy {
        Remedy::Options(options) => options,
        Remedy::Convert(encoding) => {
            return format!(": this looks like {looks}; decode it from {encoding} first");
        }
        _ => return format!(": this looks like {looks}"),
    };
    let mut arguments = Vec::new();
    for (option, value) in options {
        match option {
            ReadingOption::Format => arguments.push(format!("format={value:?}")),
            ReadingOption::Field => arguments.push(format!("field={value:?}")),
            ReadingOption::Key => arguments.push(format!("key={value:?}")),
            ReadingOption::Delimiter => arguments.push(format!("format=\"delimited\", delimiter={value:?}")),
            ReadingOption::Grammar => arguments.push(format!("grammar={value:?}")),
            ReadingOption::Trim => arguments.push("trim=True".to_owned()),
            // The package has no regular expressions.
            _ => return format!(": this looks like {looks}; the command reads it with --regex"),
        }
    }
    format!(": this looks like {looks}; try {}", arguments.join(", "))
}
