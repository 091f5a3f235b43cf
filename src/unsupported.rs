//! Unsupported: the error that a grammar or this machine lacks a feature.

use core::fmt;

use crate::grammar::Grammar;
use crate::simd::{Available, Backend};

/// The error that a grammar or this machine lacks a requested feature. The message names the alternatives.
///
/// ```
/// use urivalidate::{Grammar, NormalForm, Validator};
///
/// let java = Validator::new(Grammar::Java);
/// assert_eq!(
///     java.normalizer(NormalForm::Scheme).unwrap_err().to_string(),
///     "grammar java does not support the form scheme; use syntax"
/// );
/// assert!(java.with_zone_ids().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unsupported(What);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    ZoneIds(Grammar),
    /// The grammar `java` has one normal form.
    FormScheme,
    Backend(Backend),
}

impl Unsupported {
    /// The normal form `scheme`, by the grammar `java`.
    pub(crate) const FORM_SCHEME: Unsupported = Unsupported(What::FormScheme);

    /// Zone identifiers, by this grammar.
    pub(crate) const fn zone_ids(grammar: Grammar) -> Self {
        Unsupported(What::ZoneIds(grammar))
    }

    /// This backend, on this machine.
    pub(crate) const fn backend(backend: Backend) -> Self {
        Unsupported(What::Backend(backend))
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            What::ZoneIds(grammar) => {
                write!(f, "grammar {grammar} does not support zone identifiers; use ")?;
                let grammars = || Grammar::ALL.iter().filter(|grammar| grammar.has_zone_ids());
                let last = grammars().count() - 1;
                for (index, grammar) in grammars().enumerate() {
                    let before = match index {
                        0 => "",
                        _ if index == last => " or ",
                        _ => ", ",
                    };
                    write!(f, "{before}{grammar}")?;
                }
                Ok(())
            }
            What::FormScheme => f.write_str("grammar java does not support the form scheme; use syntax"),
            What::Backend(backend) => {
                write!(f, "this machine has no {backend} backend; it has")?;
                for (i, available) in Available::all().enumerate() {
                    write!(f, "{} {}", if i == 0 { "" } else { "," }, available.backend())?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for Unsupported {}
