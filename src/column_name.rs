//! Names of columns that a user makes by picking them, such as `query.` and the name of a parameter.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The name of a column that a user made by picking it.
///
/// Equal names share their text, and it is kept until the process ends. So a column stays a small value that
/// can be copied, and a program that picks the same columns again needs no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnName(&'static str);

impl ColumnName {
    /// Returns this name.
    pub(crate) fn of(name: &str) -> Self {
        static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = names.get(name) {
            return ColumnName(kept);
        }
        let kept = name.to_owned().leak();
        names.insert(kept);
        ColumnName(kept)
    }

    pub(crate) const fn text(self) -> &'static str {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_share_their_text() {
        let [one, other] = ["query.a"; 2].map(|name| ColumnName::of(&String::from(name)));
        assert!(core::ptr::eq(one.text(), other.text()));
        assert_ne!(one, ColumnName::of("query.A"));
    }
}
