//! Columns whose values are made of a record, in whatever form rows are written: one function makes them all.

use alloc::borrow::Cow;
use alloc::vec::Vec;

#[cfg(feature = "domains")]
use crate::domains::{self, Domains};
use crate::error::Error;
use crate::normal::{Base, Form, FormUnsupported, Normalizer};
use crate::row_column::RowColumn;
use crate::validator::Validator;

/// The options of [derived columns](RowColumn::derived).
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    form: Form,
    base: Option<Vec<u8>>,
}

impl Derivation {
    /// The form of `normalized`.
    #[must_use]
    pub fn form(self, form: Form) -> Self {
        Derivation { form, ..self }
    }

    /// The base of `resolved`, which is absent without one.
    #[must_use]
    pub fn base(self, uri: &[u8]) -> Self {
        Derivation { base: Some(uri.to_vec()), ..self }
    }

    /// Makes the values for records that this validator judges.
    ///
    /// # Errors
    ///
    /// If the grammar does not have the form, or its references cannot have the base.
    pub fn deriver(&self, validator: Validator) -> Result<Deriver<'_>, DerivationError> {
        Ok(Deriver {
            validator,
            normalizer: validator.normalizer(self.form).map_err(DerivationError::Form)?,
            base: self
                .base
                .as_ref()
                .map(|uri| validator.base(uri))
                .transpose()
                .map_err(DerivationError::Base)?,
        })
    }
}

/// Why there is no [`Deriver`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DerivationError {
    /// The grammar does not have the form.
    Form(FormUnsupported),
    /// The base is invalid.
    Base(Error),
}

impl core::fmt::Display for DerivationError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            DerivationError::Form(error) => error.fmt(f),
            DerivationError::Base(error) => write!(f, "invalid base: {error}"),
        }
    }
}

impl core::error::Error for DerivationError {}

/// Makes the values of [derived columns](RowColumn::derived). See [`Derivation::deriver`].
#[derive(Clone, Copy, Debug)]
pub struct Deriver<'a> {
    validator: Validator,
    normalizer: Normalizer,
    base: Option<Base<'a>>,
}

impl Deriver<'_> {
    /// The normaliser of the column `normalized`.
    pub fn normalizer(&self) -> Normalizer {
        self.normalizer
    }

    /// The value of a derived column for a valid record; `None` if the record lacks it, or the column is not derived.
    pub fn value<'r>(&self, column: RowColumn, record: &'r [u8]) -> Option<Cow<'r, [u8]>> {
        let mut made = Vec::new();
        // The bytes of a mapped file can change at any time, and what follows looks at them more than once.
        let copy = &record.to_vec();
        let changed = match column {
            RowColumn::Normalized => self.normalizer.normalize(copy, &mut made),
            RowColumn::Resolved => self.base?.resolve(copy, &mut made),
            RowColumn::ToUri => self.validator.to_uri(copy, &mut made),
            #[cfg(feature = "surt")]
            RowColumn::Surt => return crate::surt(copy, &mut made).is_some().then_some(Cow::Owned(made)),
            #[cfg(feature = "domains")]
            column => return self.domain(column, record),
            #[cfg(not(feature = "domains"))]
            _ => return None,
        };
        Some(if changed.ok()?.is_some() { Cow::Owned(made) } else { Cow::Borrowed(record) })
    }

    /// A part of the host.
    #[cfg(feature = "domains")]
    fn domain<'r>(&self, column: RowColumn, record: &'r [u8]) -> Option<Cow<'r, [u8]>> {
        let is_wanted = matches!(
            column,
            RowColumn::Suffix | RowColumn::Domain | RowColumn::PrivateSuffix | RowColumn::PrivateDomain
        );
        let host = &record[self.validator.parse(record).ok().filter(|_| is_wanted)?.host()?];
        let domains = Domains::of(host)?;
        let part = match column {
            RowColumn::Suffix => domains.suffix,
            RowColumn::Domain => domains.domain?,
            RowColumn::PrivateSuffix => domains.private_suffix,
            _ => domains.private_domain?,
        };
        Some(domains::lower_case(&host[part]))
    }
}
