//! The changes that a record's normal form makes to it.

use alloc::vec::Vec;

use super::normalizer::Normalizer;
use super::steps::{FormChange, FormStep, Watch as _};
use crate::error::{Component, Error};
use crate::grammar::Grammar;

impl Normalizer {
    /// Returns the changes from a record to its normal form, in the order of its parts, and for each part in
    /// the order of the steps. A record that is its own normal form has no changes.
    ///
    /// ```
    /// use urivalidate::{FormStep, Grammar, NormalForm, Part, Validator};
    ///
    /// let normalizer = Validator::new(Grammar::Uri).normalizer(NormalForm::Syntax)?;
    /// let changes = normalizer.changes(b"HTTP://h/a/../b")?;
    /// let steps: Vec<_> = changes.iter().map(|change| (change.step, change.part)).collect();
    /// assert_eq!(steps, [(FormStep::Case, Part::Scheme), (FormStep::Dots, Part::Path)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`normalize`](Self::normalize).
    pub fn changes(&self, record: impl AsRef<[u8]>) -> Result<Vec<FormChange>, Error> {
        let record = record.as_ref();
        let mut changes = Vec::new();
        let mut to = Vec::new();
        let normal = self.normalize_watched(record, &mut to, &mut changes)?;
        if let Some(normal) = normal.filter(|_| self.validator().grammar() == Grammar::Java) {
            // The class only removes dot segments, and then prints the parts.
            let rules = self.validator().rules();
            let (before, after) = (rules.parse(record)?, rules.parse(normal)?);
            for component in [Component::Authority, Component::Port, Component::Path] {
                let [from, to] = [(record, &before), (normal, &after)].map(|(text, components)| {
                    components.get(component).map_or(&b""[..], |range| &text[range])
                });
                let step = if component == Component::Path { FormStep::Dots } else { FormStep::Print };
                // If there is a port, only the port is shown, not the authority.
                if component != Component::Authority || before.port().is_none() {
                    changes.step(step, component.into(), from, to);
                }
            }
        }
        Ok(changes)
    }
}
