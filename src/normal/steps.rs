//! The steps to a normal form, which the normaliser reports to a [`Watch`].

use alloc::vec::Vec;

use crate::names::named_enum;
use crate::part::Part;

named_enum! {
    /// A step to a normal form.
    #[non_exhaustive]
    FormStep {
        /// Changes letters of the scheme or the host to lower case.
        Case = "case",
        /// Decodes escapes of unreserved characters, and changes the digits of other escapes to upper case.
        Escapes = "escapes",
        /// Removes dot segments; under `java`, also repeated slashes.
        Dots = "dots",
        /// Removes an empty port, or the default port.
        Port = "default-port",
        /// Writes an empty path as `/`.
        Root = "empty-path",
        /// Writes a port or an authority as `java.net.URI.toString()` prints it.
        Print = "print",
    }
}

/// The change that a step makes to a part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormChange {
    /// The step.
    pub step: FormStep,
    /// The part of the record.
    pub part: Part,
    /// The text of the part before the step; if a port is removed, including its colon.
    pub from: Vec<u8>,
    /// The text of the part after the step; empty if the part is removed.
    pub to: Vec<u8>,
}

/// Watches the normalisation of a record.
pub(super) trait Watch {
    /// Returns a copy of a text that the next step overwrites.
    fn keep(&self, text: &[u8]) -> Vec<u8>;

    /// Reports a completed step, which may have changed nothing.
    fn step(&mut self, step: FormStep, part: Part, from: &[u8], to: &[u8]);
}

/// Ignores the steps: nothing is copied or compared.
impl Watch for () {
    #[inline(always)]
    fn keep(&self, _: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    #[inline(always)]
    fn step(&mut self, _: FormStep, _: Part, _: &[u8], _: &[u8]) {}
}

impl Watch for Vec<FormChange> {
    fn keep(&self, text: &[u8]) -> Vec<u8> {
        text.to_vec()
    }

    fn step(&mut self, step: FormStep, part: Part, from: &[u8], to: &[u8]) {
        if from != to {
            self.push(FormChange { step, part, from: from.to_vec(), to: to.to_vec() });
        }
    }
}
