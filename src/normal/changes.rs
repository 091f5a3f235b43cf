//! The changes that a record's normal form makes to it.

use alloc::vec::Vec;

use super::normalizer::Normalizer;
use super::steps::{FormChange, FormStep, Watch as _};
use crate::error::{Component, Error};
use crate::grammar::Grammar;

/// Returns the changes that the normal form makes to a record, in the order of the parts, and for each part in the order of the steps. The list is
/// empty if the record is its own normal form.
///
/// # Errors
///
/// The same as for [`Normalizer::normalize`].
pub(crate) fn form_changes(normalizer: &Normalizer, record: &[u8]) -> Result<Vec<FormChange>, Error> {
    let mut changes = Vec::new();
    let mut to = Vec::new();
    let normal = normalizer.normalize_watched(record, &mut to, &mut changes)?;
    if let Some(normal) = normal.filter(|_| normalizer.validator().grammar() == Grammar::Java) {
        // The class only removes dot segments, and then prints the parts.
        let rules = normalizer.validator().rules();
        let (before, after) = (rules.parse(record)?, rules.parse(normal)?);
        for component in [Component::Authority, Component::Port, Component::Path] {
            let [from, to] = [(record, &before), (normal, &after)]
                .map(|(text, components)| components.get(component).map_or(&b""[..], |range| &text[range]));
            let step = if component == Component::Path { FormStep::Dots } else { FormStep::Print };
            // If there is a port, only the port is shown, not the authority.
            if component != Component::Authority || before.port().is_none() {
                changes.step(step, component.into(), from, to);
            }
        }
    }
    Ok(changes)
}
