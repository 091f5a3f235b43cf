//! Derived columns, whose values are made of a record: all outputs share the same functions.

#[cfg(feature = "domains")]
mod ascii;
mod decoded;
mod hosts;
mod queries;
#[cfg(feature = "surt")]
mod surts;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::batch::Batch;
use crate::column::{Column, Columns, ColumnsMissing};
use crate::error::Error;
#[cfg(feature = "surt")]
use crate::grammar::Grammar;
#[cfg(feature = "surt")]
use crate::memory::OutOfMemory;
use crate::normal::{Base, NormalForm, NormalizedRecords, Normalizer, Targets};
use crate::part::Part;
use crate::query::{Decoding, parameters};
use crate::row_column::RowColumn;
#[cfg(feature = "surt")]
use crate::simd;
#[cfg(feature = "surt")]
use crate::surt::SurtMaker;
use crate::unsupported::Unsupported;
use crate::validator::Validator;
use crate::work::memchr;

#[cfg(feature = "domains")]
pub(crate) use ascii::{labels_in_ascii, name_in_ascii};
pub(crate) use decoded::percent_decoded;
use hosts::Whose;
pub(crate) use hosts::{HostColumn, HostValues};
use queries::QueryColumn;
#[cfg(feature = "surt")]
use surts::SurtLines;

/// The reason why a batch has a column.
const FILLED: &str = "the scan filled the columns of the derived one";

/// The options of [derived columns](RowColumn::derived).
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    form: NormalForm,
    base: Option<Vec<u8>>,
    decoding: Decoding,
}

impl Derivation {
    /// Sets the form of the column `normalized`.
    #[must_use]
    pub fn form(self, form: NormalForm) -> Self {
        Derivation { form, ..self }
    }

    /// Sets the base of the column `resolved` for records that do not come from a [page](Page); its fragment
    /// is dropped. Without a base, these records have no value of `resolved`. A base has at most
    /// [`Base::MAX_LEN`] bytes.
    #[must_use]
    pub fn base(self, uri: &[u8]) -> Self {
        Derivation { base: Some(without_fragment(uri).to_vec()), ..self }
    }

    /// Makes `+` a space in the names and values of parameters, as in HTML forms. Without it, `+` is a `+`.
    #[must_use]
    pub fn plus_as_space(self, plus_as_space: bool) -> Self {
        Derivation { decoding: Decoding { plus_as_space }, ..self }
    }

    /// Returns true if a base is set.
    #[cfg(all(feature = "arrow", feature = "corpus"))]
    pub(crate) fn has_base(&self) -> bool {
        self.base.is_some()
    }

    /// Returns a [`Deriver`], which makes the values for records that this validator judges.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar lacks the form, or the base is invalid.
    pub fn deriver(&self, validator: Validator) -> Result<Deriver<'_>, DerivationError> {
        Ok(Deriver {
            validator,
            base_uri: self.base.as_deref(),
            normalizer: validator.normalizer(self.form).map_err(DerivationError::Unsupported)?,
            base: self
                .base
                .as_ref()
                .map(|uri| validator.base(uri))
                .transpose()
                .map_err(DerivationError::Base)?,
            decoding: self.decoding,
        })
    }
}

/// The page that a record comes from.
#[derive(Clone, Copy, Debug, Eq)]
#[non_exhaustive]
pub struct Page<'a> {
    /// The URI of the page, if the input has it. Archives have it.
    pub uri: Option<&'a [u8]>,
    /// The URL of the page's `<base href>`, if the page has one. In a page outside of archives, it applies
    /// only to the records after it.
    pub base: Option<&'a [u8]>,
}

impl PartialEq for Page<'_> {
    /// Compares the places of the texts first: the records of a page share them, and a base of 8 KiB per
    /// record would take long to compare.
    fn eq(&self, other: &Self) -> bool {
        let are_same = |one: Option<&[u8]>, other: Option<&[u8]>| match (one, other) {
            (Some(one), Some(other)) => core::ptr::eq(one, other) || one == other,
            (one, other) => one == other,
        };
        are_same(self.uri, other.uri) && are_same(self.base, other.base)
    }
}

/// The reason why [`Derivation::deriver`] returns no [`Deriver`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DerivationError {
    /// The grammar lacks the form.
    Unsupported(Unsupported),
    /// The base is invalid.
    Base(Error),
}

impl core::fmt::Display for DerivationError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            DerivationError::Unsupported(error) => error.fmt(f),
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
    /// The base of records without a page.
    base_uri: Option<&'a [u8]>,
    base: Option<Base<'a>>,
    decoding: Decoding,
}

impl Deriver<'_> {
    /// Returns the normaliser of the column `normalized`.
    pub fn normalizer(&self) -> Normalizer {
        self.normalizer
    }

    /// Returns the URI of the page that a record comes from, or the base set by [`Derivation::base`] if the
    /// page or its URI is unknown. Returns `None` if the URI of the page is too long for a base.
    pub fn page_uri<'r>(&'r self, page: Option<Page<'r>>) -> Option<&'r [u8]> {
        page.and_then(|page| page.uri).or(self.base_uri).filter(|uri| is_short(uri))
    }

    /// Returns the base of a record: the `<base href>` of its page, resolved against the URI of the page, or
    /// else that URI. The base has no fragment. Returns `None` if the base, the `<base href>` or the URI has
    /// more than [`Base::MAX_LEN`] bytes.
    pub fn base<'r>(&'r self, page: Option<Page<'r>>) -> Option<Cow<'r, [u8]>> {
        let own = page.and_then(|page| page.base);
        let has_long =
            page.is_some_and(|page| [page.uri, page.base].into_iter().flatten().any(|uri| !is_short(uri)));
        if has_long {
            return None;
        }
        let Some(uri) = self.page_uri(page) else {
            let own = own.filter(|own| self.validator.base(own).is_ok());
            return own.map(|own| Cow::Borrowed(without_fragment(own)));
        };
        let own = own.and_then(|own| {
            let own = without_fragment(own);
            let mut made = Vec::new();
            let is_made = self.validator.base(uri).ok()?.resolve(own, &mut made).ok()?.is_some();
            Some(if is_made { Cow::Owned(made) } else { Cow::Borrowed(own) })
        });
        Some(own.unwrap_or(Cow::Borrowed(without_fragment(uri)))).filter(|base| is_short(base))
    }

    /// Appends the target of a reference, resolved against the base of its page, and returns true; returns
    /// false if the target is the reference itself.
    fn resolve(&self, record: &[u8], page: Option<Page<'_>>, made: &mut Vec<u8>) -> Option<bool> {
        if page.is_none_or(|page| page.uri.is_none() && page.base.is_none()) {
            return Some(self.base?.resolve(record, made).ok()?.is_some());
        }
        let base = self.base(page)?;
        Some(self.validator.base(&base).ok()?.resolve(record, made).ok()?.is_some())
    }

    /// Makes the column `resolved` for all records of a batch, as [`derive_batch`](Self::derive_batch) does.
    /// `take` gets each value in two parts: other values may have the same first part, which is a beginning
    /// of the base.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`derive_batch`](Self::derive_batch).
    #[cfg(feature = "corpus")]
    pub fn resolve_in_parts<'p, E>(
        &self,
        batch: &Batch,
        values: &[u8],
        page_of: impl Fn(usize) -> Option<Page<'p>>,
        mut take: impl FnMut(usize, Option<[&[u8]; 2]>) -> Result<(), E>,
    ) -> Result<Result<(), E>, ColumnsMissing> {
        ColumnsMissing::check(batch.columns(), Self::columns(RowColumn::Resolved))?;
        Ok(self.resolve_all(batch, values, page_of, |index, target| {
            take(index, target.and_then(|(targets, at)| targets.parts(at)))
        }))
    }

    /// Does the work of [`derive_batch`](Self::derive_batch) for the column `resolved`. The base is parsed
    /// only once for consecutive records of one page. `take` gets each record's index, and the targets with
    /// the place of the record's target; `None` if the record has no base.
    fn resolve_all<'p, E>(
        &self,
        batch: &Batch,
        values: &[u8],
        page_of: impl Fn(usize) -> Option<Page<'p>>,
        mut take: impl FnMut(usize, Option<(&Targets, usize)>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut targets = Targets::new();
        let mut run = 0..0;
        let mut page = None;
        while run.start < batch.len() {
            if run.is_empty() {
                page = page_of(run.start);
                run.end =
                    (run.start + 1..batch.len()).find(|&index| page_of(index) != page).unwrap_or(batch.len());
            }
            let uri = self.base(page);
            let base = match page {
                Some(_) => uri.as_deref().and_then(|uri| self.validator.base(uri).ok()),
                None => self.base,
            };
            let Some(base) = base else {
                run.try_for_each(|index| take(index, None))?;
                run = run.end..run.end;
                continue;
            };
            let first = run.start;
            run.start = base.resolve_some(batch, values, run.clone(), &mut targets).expect(FILLED);
            for at in 0..targets.len() {
                take(first + at, Some((&targets, at)))?;
            }
        }
        Ok(())
    }

    /// Returns the columns of a scan from which [`derive_batch`](Self::derive_batch) makes a derived column.
    pub fn columns(column: RowColumn) -> Columns {
        match (column, HostColumn::of(column).map(|column| column.whose)) {
            (RowColumn::Resolved, _) | (_, Some(Whose::Target)) => Base::COLUMNS,
            (_, Some(Whose::Record)) => Columns::RECORDS | Part::Host.columns(),
            _ if QueryColumn::of(column).is_some() => Columns::RECORDS | Part::Query.columns(),
            _ => Columns::RECORDS,
        }
    }

    /// Makes a derived column for all records of a batch, which this deriver's validator must have filled
    /// from `values`. `take` gets each record's index and value, in order; the value is `None` if the record
    /// is invalid or has no value. `page_of` returns a record's page.
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill the [`columns`](Self::columns). The inner result is the
    /// first error of `take`.
    pub fn derive_batch<'p, E>(
        &self,
        column: RowColumn,
        batch: &Batch,
        values: &[u8],
        page_of: impl Fn(usize) -> Option<Page<'p>>,
        mut take: impl FnMut(usize, Option<&[u8]>) -> Result<(), E>,
    ) -> Result<Result<(), E>, ColumnsMissing> {
        ColumnsMissing::check(batch.columns(), Self::columns(column))?;
        Ok(match column {
            RowColumn::Resolved => self.resolve_all(batch, values, page_of, |index, target| {
                take(index, target.and_then(|(targets, at)| targets.get(at)))
            }),
            _ => self.derive_all(column, batch, values, page_of, take),
        })
    }

    /// Does the work of [`derive_batch`](Self::derive_batch) for the other columns.
    fn derive_all<'p, E>(
        &self,
        column: RowColumn,
        batch: &Batch,
        values: &[u8],
        page_of: impl Fn(usize) -> Option<Page<'p>>,
        mut take: impl FnMut(usize, Option<&[u8]>) -> Result<(), E>,
    ) -> Result<(), E> {
        let offsets = |column| batch.column(column).expect(FILLED);
        let (starts, ends) = (offsets(Column::Start), offsets(Column::End));
        // A file that changes can get shorter; the results that are made of its bytes are not delivered.
        let record = |index: usize| {
            values.get(starts[index] as usize..ends[index] as usize).filter(|_| batch.is_valid(index))
        };
        if column == RowColumn::Normalized {
            let mut forms = NormalizedRecords::new();
            self.normalizer.normalize_batch(batch, values, &mut forms).expect(FILLED);
            let mut changed = forms.changed().peekable();
            return (0..batch.len()).try_for_each(|index| {
                let form = changed.next_if(|&(at, _)| at == index).map(|(_, form)| form);
                take(index, form.or_else(|| record(index)))
            });
        }
        if let Some(column) = QueryColumn::of(column) {
            let (mut copy, mut made) = (Vec::new(), Vec::new());
            return (0..batch.len()).try_for_each(|index| {
                let query = record(index).and_then(|_| values.get(batch.part(Part::Query, index)?));
                let Some(query) = query else { return take(index, None) };
                // The bytes of a mapped file can change, and values are UTF-8.
                copy.clear();
                copy.extend_from_slice(query);
                take(index, column.find(&copy, self.decoding, &mut made))
            });
        }
        if let Some(column) = HostColumn::of(column) {
            let mut hosts = HostValues::new(column, self.validator.rules());
            return match column.whose {
                Whose::Record => (0..batch.len()).try_for_each(|index| {
                    let host = record(index).and_then(|_| values.get(batch.part(Part::Host, index)?));
                    take(index, host.and_then(|host| hosts.find(host)))
                }),
                Whose::Page => {
                    let mut last = (None, None);
                    (0..batch.len()).try_for_each(|index| {
                        let page = page_of(index);
                        // Pages are parsed once: they may be long, and have thousands of records.
                        if index == 0 || page != last.0 {
                            last = (page, self.page_uri(page).and_then(|uri| self.host_of(uri)));
                        }
                        let host = last.1.filter(|_| record(index).is_some());
                        take(index, host.and_then(|host| hosts.find(host)))
                    })
                }
                Whose::Target => self.resolve_all(batch, values, page_of, |index, target| {
                    let target = target.and_then(|(targets, at)| targets.get(at));
                    let host = target.and_then(|target| self.host_of(target));
                    take(index, host.and_then(|host| hosts.find(host)))
                }),
            };
        }
        let (mut copy, mut made) = (Vec::new(), Vec::new());
        #[cfg(feature = "surt")]
        if column == RowColumn::Surt {
            let mut surts = SurtMaker::default();
            return (0..batch.len()).try_for_each(|index| {
                let Some(record) = record(index) else { return take(index, None) };
                made.clear();
                let text = values.get(starts[index] as usize..).unwrap_or(record);
                let is_made = surts.push(text, record.len(), &mut made)
                    || self.push_other_surt(record, &mut made).is_some();
                take(index, is_made.then_some(&made))
            });
        }
        (0..batch.len()).try_for_each(|index| {
            let Some(record) = record(index) else { return take(index, None) };
            made.clear();
            // The bytes of a mapped file can change, and they are read more than once from here on.
            copy.clear();
            copy.extend_from_slice(record);
            let changed = self.make(column, &copy, page_of(index), &mut made);
            take(index, changed.map(|changed| if changed { &made[..] } else { &copy }))
        })
    }

    /// Appends the keys of web archives of a batch's valid records, each with `terminator` after it. This
    /// deriver's validator must have filled the batch from `values`. Returns the number of keys: some records have
    /// none. Keys have no line ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill the [`columns`](Self::columns) of [`RowColumn::Surt`]. The inner
    /// result is an error if memory runs out.
    #[cfg(feature = "surt")]
    pub fn append_surts(
        &self,
        batch: &Batch,
        values: &[u8],
        terminator: u8,
        to: &mut Vec<u8>,
    ) -> Result<Result<usize, OutOfMemory>, ColumnsMissing> {
        ColumnsMissing::check(batch.columns(), Self::columns(RowColumn::Surt))?;
        let push_other = |record: &[u8], to: &mut Vec<u8>| self.push_other_surt(record, to);
        let lines = SurtLines { push_other, batch, values, terminator, to };
        Ok(simd::run(self.validator.available_backend(), lines))
    }

    /// Appends the key of a valid record that one pass could not make. Returns `None` if it has no key.
    #[cfg(feature = "surt")]
    #[inline(never)]
    fn push_other_surt(&self, record: &[u8], to: &mut Vec<u8>) -> Option<()> {
        // The bytes of a mapped file can change, and they are read more than once from here on.
        let copy = record.to_vec();
        if self.has_scheme(&copy) { SurtMaker::push_other(&copy, to) } else { None }
    }

    /// Returns the value of a derived column for a valid record, or `None` if the record has no value, or the
    /// column is not derived.
    pub fn value<'r>(
        &self,
        column: RowColumn,
        record: &'r [u8],
        page: Option<Page<'_>>,
    ) -> Option<Cow<'r, [u8]>> {
        let mut made = Vec::new();
        // The bytes of a mapped file can change at any time, and they are read more than once from here on.
        let copy = record.to_vec();
        if let Some(column) = HostColumn::of(column) {
            let uri = match column.whose {
                Whose::Record => &copy,
                Whose::Page => self.page_uri(page)?,
                Whose::Target if self.resolve(&copy, page, &mut made)? => &made[..],
                Whose::Target => &copy,
            };
            let host = self.host_of(uri)?;
            return HostValues::new(column, self.validator.rules())
                .find(host)
                .map(|value| Cow::Owned(value.to_vec()));
        }
        if let Some(column) = QueryColumn::of(column) {
            let query = copy.get(self.validator.parse(&copy).ok()?.query()?)?;
            return column.find(query, self.decoding, &mut made).map(|value| Cow::Owned(value.to_vec()));
        }
        let changed = self.make(column, &copy, page, &mut made)?;
        Some(if changed { Cow::Owned(made) } else { Cow::Borrowed(record) })
    }

    /// Passes to `take` the decoded names of the parameters in the query of a valid record, each name once.
    ///
    /// # Errors
    ///
    /// Returns the first error of `take`.
    pub fn query_names<E>(&self, query: &[u8], take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut names: Vec<_> = parameters(query)
            .map(|parameter| {
                let mut made = Vec::new();
                if self.decoding.decode(parameter.name, &mut made) {
                    Cow::Owned(made)
                } else {
                    Cow::Borrowed(parameter.name)
                }
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names.iter().map(|name| &name[..]).try_for_each(take)
    }

    /// Appends the value of a derived column that is made of the whole record, and returns true. If the value
    /// is the record itself, appends nothing and returns false. Returns `None` if the record has no value, or
    /// the column is not made of the whole record.
    fn make(
        &self,
        column: RowColumn,
        record: &[u8],
        page: Option<Page<'_>>,
        made: &mut Vec<u8>,
    ) -> Option<bool> {
        Some(match column {
            RowColumn::Normalized => self.normalizer.normalize(record, made).ok()?.is_some(),
            RowColumn::Resolved => self.resolve(record, page, made)?,
            RowColumn::ToUri => self.validator.to_uri(record, made).ok()?.is_some(),
            #[cfg(feature = "surt")]
            RowColumn::Surt if self.has_scheme(record) => crate::surt(record, made).map(|_| true)?,
            _ => return None,
        })
    }

    /// Returns true if a valid record has a scheme. References and request targets may have none, but web
    /// archives have keys only for URIs.
    #[cfg(feature = "surt")]
    fn has_scheme(&self, record: &[u8]) -> bool {
        self.all_have_schemes()
            || self.validator.parse(record).is_ok_and(|components| components.scheme().is_some())
    }

    /// Returns true if all valid records have a scheme.
    #[cfg(feature = "surt")]
    fn all_have_schemes(&self) -> bool {
        matches!(self.validator.grammar(), Grammar::Uri | Grammar::AbsoluteUri | Grammar::Iri)
    }

    /// Returns the host of a URI, if it is valid and has one.
    fn host_of<'u>(&self, uri: &'u [u8]) -> Option<&'u [u8]> {
        uri.get(self.validator.parse(uri).ok()?.host()?)
    }
}

/// Returns true if a URI is not too long for a base.
fn is_short(uri: &[u8]) -> bool {
    uri.len() <= Base::MAX_LEN || without_fragment(&uri[..Base::MAX_LEN + 1]).len() <= Base::MAX_LEN
}

/// Returns a URI without its fragment, which RFC 3986 section 5.1 requires of bases.
fn without_fragment(uri: &[u8]) -> &[u8] {
    &uri[..memchr(b'#', uri).unwrap_or(uri.len())]
}
