//! The steps to a normal form: the normaliser reports each one to a [`Watch`].

use alloc::vec::Vec;

use crate::error::named_enum;
use crate::part::Part;

named_enum! {
    /// A step to a normal form.
    #[non_exhaustive]
    FormStep {
        /// Letters of the scheme or the host in lower case.
        Case = "case",
        /// Escapes of unreserved characters decoded, digits of others in upper case.
        Escapes = "escapes",
        /// Dot segments removed. Under `java`, repeated slashes too.
        Dots = "dots",
        /// An empty port, or the default one, removed.
        Port = "default-port",
        /// An empty path written as `/`.
        Root = "empty-path",
        /// A port or an authority as `java.net.URI.toString()` prints it.
        Print = "print",
    }
}

/// The change that a step makes to a part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormChange {
    /// The step.
    pub step: FormStep,
    /// The part of the record.
    pub part: Part,
    /// Its text before the step; of a port that goes, with its colon.
    pub from: Vec<u8>,
    /// Its text after the step; empty if the part is gone.
    pub to: Vec<u8>,
}

/// Watches a record being normalised.
pub(super) trait Watch {
    /// A copy of text that the next step overwrites.
    fn keep(&self, text: &[u8]) -> Vec<u8>;

    /// A step is done, which may have changed nothing.
    fn step(&mut self, step: FormStep, part: Part, from: &[u8], to: &[u8]);
}

/// Nobody watches, and nothing is copied or compared.
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
