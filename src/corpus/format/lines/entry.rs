//! The self-description of a format, and the fields that a user can select.

use std::sync::Arc;

use super::log_format::LogFormat;
use super::options::{FieldSelector, LayoutOptions};

/// The self-description of a format.
pub(crate) struct Entry {
    /// The format, in a few words. The names of declared fields follow.
    pub(crate) about: &'static str,
    /// The text that the writer puts in the place of a URI if it has none.
    pub(crate) sentinels: &'static str,
    pub(crate) fields: FieldChoice,
    /// An example line without its field: the text before all lines, the text before the field, and the text
    /// after it.
    #[cfg(test)]
    pub(crate) example: [&'static str; 3],
}

/// The fields of a format.
pub(crate) enum FieldChoice {
    /// There is nothing to select. The text completes "the format has ...".
    None(&'static str, fn() -> Arc<dyn LogFormat>),
    /// One of these fields, the first one by default. The number counts in this list.
    Named(&'static [&'static str], fn(usize) -> Arc<dyn LogFormat>),
    /// A column, by its number, which counts from 1, or by one of these names. The default is the first one.
    Columns(&'static [(&'static str, usize)], fn(usize) -> Arc<dyn LogFormat>),
    /// Whatever the function makes of the options. The text completes "the format has ...".
    Other(&'static str, fn(&LayoutOptions) -> Option<Arc<dyn LogFormat>>),
}

impl FieldChoice {
    /// Returns the format with the selected field, if it has that field.
    pub(crate) fn select(&self, options: &LayoutOptions) -> Option<Arc<dyn LogFormat>> {
        match (self, &options.field) {
            (FieldChoice::Other(_, select), _) => select(options),
            (FieldChoice::None(_, make), FieldSelector::Uri) => Some(make()),
            (FieldChoice::Named(_, make), FieldSelector::Uri) => Some(make(0)),
            (FieldChoice::Named(names, make), FieldSelector::Field(field)) => {
                names.iter().position(|name| name == field).map(make)
            }
            (FieldChoice::Columns(names, make), FieldSelector::Uri) => Some(make(names[0].1)),
            (FieldChoice::Columns(names, make), FieldSelector::Field(field)) => {
                let named = names.iter().find(|(name, _)| name == field).map(|&(_, column)| column);
                named.or_else(|| options.field.number()).map(make)
            }
            (_, FieldSelector::Field(_) | FieldSelector::Key(_)) => None,
        }
    }

    /// Returns the fields in words that follow "the format has".
    pub(crate) fn words(&self) -> String {
        match self {
            FieldChoice::None(words, _) | FieldChoice::Other(words, _) => (*words).to_owned(),
            FieldChoice::Named([name], _) => format!("the field {name}"),
            FieldChoice::Named(names, _) => format!("the fields {}", list(names, "and")),
            FieldChoice::Columns([(name, _)], _) => format!("the field {name}, and columns by number"),
            FieldChoice::Columns(names, _) => {
                format!("the fields {}, and columns by number", list(&of_columns(names), "and"))
            }
        }
    }

    /// Returns the words that follow the description of the format, if its fields are declared.
    pub(crate) fn hint(&self) -> String {
        match self {
            FieldChoice::None(..) | FieldChoice::Other(..) => String::new(),
            FieldChoice::Named(names, _) => format!("; field {}", list(names, "or")),
            FieldChoice::Columns(names, _) => {
                format!("; field {}", list(&[&of_columns(names)[..], &["a number"]].concat(), "or"))
            }
        }
    }
}

fn of_columns(columns: &[(&'static str, usize)]) -> Vec<&'static str> {
    columns.iter().map(|(name, _)| *name).collect()
}

/// Returns the names with commas, and this word before the last one.
fn list(names: &[&str], word: &str) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
