//! What to try where a file read as a list hardly is one.

use urivalidate::Grammar;
use urivalidate::corpus::LooksLike;

/// What is kept of a file that is read as a list because nothing else was found out, to say what it looks like.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hint {
    /// By its first lines.
    pub(crate) looks_like: Option<LooksLike>,
    pub(crate) records: u64,
    pub(crate) invalid: u64,
}

impl Hint {
    /// One sentence, if nearly all records are invalid or nearly every one holds another URI, and there is something to try.
    pub(crate) fn sentence(self, grammar: Grammar) -> Option<String> {
        /// Fewer records say nothing of the others.
        const FEW: u64 = 10;

        if self.records < FEW {
            return None;
        }
        let looks_like = self.looks_like?;
        let are_invalid = self.invalid.saturating_mul(10) >= self.records.saturating_mul(9);
        let (looks, advice) = match looks_like {
            LooksLike::Cells { delimiter, column, has_more } if are_invalid || has_more => {
                let (name, from) = cells_between(delimiter)?;
                let others = if has_more { " and others" } else { "" };
                let looks = format!("cells between {name}, with URIs in column {column}{others}");
                (looks, format!("{from} --field {column}"))
            }
            LooksLike::CellsWithPaths { delimiter, column } if are_invalid => {
                let (name, from) = cells_between(delimiter)?;
                let looks = format!("cells between {name}, with paths in column {column}");
                (looks, format!("{from} --field {column} --grammar uri-reference"))
            }
            LooksLike::Utf16 if are_invalid => {
                ("UTF-16".to_owned(), "iconv -f UTF-16 -t UTF-8 first".to_owned())
            }
            LooksLike::Padded if are_invalid => {
                ("URIs with white space around them".to_owned(), "--trim".to_owned())
            }
            LooksLike::NoSchemes if are_invalid && grammar.needs_scheme() => {
                ("URIs without schemes".to_owned(), "--grammar uri-reference".to_owned())
            }
            LooksLike::Text if are_invalid => ("text with URIs in it".to_owned(), "--from text".to_owned()),
            _ => return None,
        };
        let reason = if are_invalid {
            "nearly every record is invalid"
        } else {
            "nearly every line holds more than one URI"
        };
        Some(format!("{reason}: this looks like {looks}; try {advice}"))
    }
}

/// What such a byte is called, and the option that reads cells between them.
fn cells_between(delimiter: u8) -> Option<(&'static str, &'static str)> {
    Some(match delimiter {
        b',' => ("commas", "--from csv"),
        b'\t' => ("tabs", "--from tsv"),
        b' ' => ("spaces", "--delimiter space"),
        b';' => ("semicolons", "--delimiter ';'"),
        b'|' => ("vertical bars", "--delimiter '|'"),
        _ => return None,
    })
}
