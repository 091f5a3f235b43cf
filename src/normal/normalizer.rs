//! The normal form of one record.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::dots::{Before, Dots};
use super::escapes::{Triplets, lower_letters};
use super::form::{NormalForm, default_port};
use super::made_or_same;
use super::steps::{FormStep, Watch};
use super::{java, unless_same};
use crate::components::Components;
use crate::error::Error;
use crate::grammar::{Grammar, Rules};
use crate::part::Part;
use crate::unsupported::Unsupported;
use crate::validator::Validator;

impl Validator {
    /// Returns a normaliser, which brings records of this grammar into a normal form.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar is `java` and the form is [`NormalForm::Scheme`]: `java` has only one
    /// form, that of `java.net.URI.normalize()`.
    pub fn normalizer(&self, form: NormalForm) -> Result<Normalizer, Unsupported> {
        match (self.grammar(), form) {
            (Grammar::Java, NormalForm::Scheme) => Err(Unsupported::FORM_SCHEME),
            _ => Ok(Normalizer { validator: *self, form }),
        }
    }
}

/// Brings records into a normal form, in which equivalent records have the same bytes (RFC 3986 section 6.2).
///
/// [`NormalForm::Syntax`] (section 6.2.2) changes the scheme and the host to lower case and the digits of
/// escapes to upper case, decodes escapes of unreserved characters, and then removes dot segments.
/// [`NormalForm::Scheme`] (section 6.2.3) also drops empty ports. For `http`, `https`, `ws`, `wss` and `ftp`,
/// it drops the default port, too, and writes an empty path after an authority as `/`. Nothing else changes:
/// queries are not sorted, and slashes are not merged.
///
/// A normal form is valid by the same grammar and is its own normal form. Its components are the results of
/// the algorithms of the RFC for the record's components: if a path without dot segments would be read as
/// something else, it gets `/.` or `./` before it. In references without scheme and authority, a `..` that
/// leads out of the path stays. Under `rfc2396`, such a `..` always stays. Under the grammars of RFC 3987,
/// escapes of `ucschar` in UTF-8 are decoded, too. `java` has the form of `java.net.URI.normalize()`.
///
/// ```
/// use urivalidate::{Grammar, NormalForm, Validator};
///
/// let normalizer = Validator::new(Grammar::Uri).normalizer(NormalForm::Scheme)?;
/// let mut to = Vec::new();
/// let record = b"HTTP://Example.COM:80/a/../%7euser";
/// let normal = normalizer.normalize(record, &mut to)?;
/// assert_eq!(normal, Some(&b"http://example.com/~user"[..]));
///
/// let record = b"http://example.com/";
/// assert_eq!(normalizer.normalize(record, &mut to)?.unwrap_or(record), record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Normalizer {
    validator: Validator,
    form: NormalForm,
}

impl Normalizer {
    /// Returns the validator of the records.
    pub fn validator(&self) -> Validator {
        self.validator
    }

    /// Returns the form into which records are brought.
    pub fn form(&self) -> NormalForm {
        self.form
    }

    /// Appends the normal form of `record` to `to`, and returns it. If `record` is its own normal form,
    /// appends nothing and returns `None`. Takes linear time.
    ///
    /// # Errors
    ///
    /// Returns the error of [`Validator::parse`] if the record is invalid.
    pub fn normalize<'b>(
        &self,
        record: impl AsRef<[u8]>,
        to: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Error> {
        self.normalize_watched(record.as_ref(), to, &mut ())
    }

    /// Returns the normal form of `record`. Two records are equivalent if these values are equal.
    ///
    /// ```
    /// use urivalidate::{Grammar, NormalForm, Validator};
    ///
    /// let normalizer = Validator::new(Grammar::Uri).normalizer(NormalForm::Scheme)?;
    /// assert_eq!(normalizer.normalized(b"HTTP://h:80/%7ea")?, normalizer.normalized(b"http://h/b/../~a")?);
    /// assert_ne!(normalizer.normalized(b"http://h/a")?, normalizer.normalized(b"http://h/A")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`normalize`](Self::normalize).
    pub fn normalized<'r>(&self, record: &'r (impl AsRef<[u8]> + ?Sized)) -> Result<Cow<'r, [u8]>, Error> {
        made_or_same(record.as_ref(), |record, to| self.normalize(record, to))
    }

    /// [`normalize`](Self::normalize), and reports each step to `watch`, unless the grammar is `java`.
    pub(super) fn normalize_watched<'b>(
        &self,
        record: &[u8],
        to: &'b mut Vec<u8>,
        watch: &mut impl Watch,
    ) -> Result<Option<&'b [u8]>, Error> {
        let rules = self.validator.rules();
        let components = rules.parse(record)?;
        let start = to.len();
        to.reserve(record.len() + 2);
        if rules.grammar() == Grammar::Java {
            java::normalize(record, &components, to);
        } else {
            Writer { rules, form: self.form, record, components, to, watch }.write();
        }
        Ok(unless_same(record, to, start))
    }
}

/// Writes the normal form of a valid record, for any grammar except `java`.
struct Writer<'a, W> {
    rules: Rules,
    form: NormalForm,
    record: &'a [u8],
    components: Components,
    to: &'a mut Vec<u8>,
    watch: &'a mut W,
}

impl<W: Watch> Writer<'_, W> {
    fn write(mut self) {
        let (record, components) = (self.record, self.components);
        if let Some(scheme) = components.scheme_of(record) {
            let start = self.to.len();
            self.to.extend_from_slice(scheme);
            self.to[start..].make_ascii_lowercase();
            self.done(FormStep::Case, Part::Scheme, scheme, start);
            self.to.push(b':');
        }
        let port = match components.scheme_of(record) {
            Some(scheme) if self.form == NormalForm::Scheme => default_port(scheme),
            _ => None,
        };
        if let Some(authority) = components.authority_of(record) {
            if components.path().is_some() {
                self.to.extend_from_slice(b"//");
            }
            match components.host_of(record) {
                Some(host) => self.write_server(host, port),
                None => self.write_registry(authority),
            }
        }
        match components.path_of(record) {
            Some([]) if port.is_some() && components.authority().is_some() => {
                self.to.push(b'/');
                self.watch.step(FormStep::Root, Part::Path, b"", b"/");
            }
            Some(path) => self.write_path(path),
            // An opaque part, or the request target `*`. The authority form of a request target is written
            // already.
            None if components.authority().is_none() => {
                self.push(Part::SchemeSpecificPart, &record[components.scheme_specific_part()]);
            }
            None => {}
        }
        if let Some(query) = components.query_of(record) {
            self.to.push(b'?');
            self.push(Part::Query, query);
        }
        if let Some(fragment) = components.fragment_of(record) {
            self.to.push(b'#');
            self.push(Part::Fragment, fragment);
        }
    }

    /// Writes `[ userinfo "@" ] host [ ":" port ]`. The form [`NormalForm::Scheme`] has no port that is empty
    /// or `default` (RFC 3986 section 3.2.3).
    fn write_server(&mut self, host: &[u8], default: Option<&[u8]>) {
        if let Some(userinfo) = self.components.userinfo_of(self.record) {
            self.push(Part::Userinfo, userinfo);
            self.to.push(b'@');
        }
        let start = self.to.len();
        self.push(Part::Host, host);
        let escaped = self.watch.keep(&self.to[start..]);
        lower_letters(&mut self.to[start..]);
        self.done(FormStep::Case, Part::Host, &escaped, start);
        if let Some(place) = self.components.port() {
            let port = &self.record[place.clone()];
            let is_default = |default| {
                let zeros = port.iter().take_while(|&&digit| digit == b'0').count();
                &port[zeros..] == default
            };
            let is_empty = self.form == NormalForm::Scheme && port.is_empty();
            if is_empty || default.is_some_and(is_default) {
                let with_colon = &self.record[place.start - 1..place.end];
                self.watch.step(FormStep::Port, Part::Port, with_colon, b"");
            } else {
                self.to.push(b':');
                self.to.extend_from_slice(port);
            }
        }
    }

    /// Writes a registry-based authority of RFC 2396. Its escapes stay if it would be read as a server
    /// without them.
    fn write_registry(&mut self, authority: &[u8]) {
        let start = self.to.len();
        self.escapes().push(authority, self.to);
        let reads_as_server = |text: &[u8]| self.rules.parse(text).is_ok_and(|read| read.host().is_some());
        if reads_as_server(&self.to[start - 2..]) {
            self.to.truncate(start);
            Triplets::KEPT.push(authority, self.to);
        }
        self.done(FormStep::Escapes, Part::Authority, authority, start);
    }

    fn write_path(&mut self, path: &[u8]) {
        let [first, ..] = path else { return };
        let start = self.to.len();
        self.push(Part::Path, path);
        let escaped = self.watch.keep(&self.to[start..]);
        let before = before_path(self.rules.grammar(), &self.components);
        let dots = match (self.rules.grammar(), before) {
            (Grammar::Rfc2396, _) | (_, Before::Nothing) => Dots::Inner,
            _ => Dots::All,
        };
        dots.remove(self.to, start);
        before.guard(self.to, start, *first == b'/');
        self.done(FormStep::Dots, Part::Path, &escaped, start);
    }

    /// Writes a part with its escapes in their normal form.
    fn push(&mut self, part: Part, text: &[u8]) {
        let start = self.to.len();
        self.escapes().push(text, self.to);
        self.done(FormStep::Escapes, part, text, start);
    }

    /// Reports a step that has written a part from `start` on.
    fn done(&mut self, step: FormStep, part: Part, from: &[u8], start: usize) {
        self.watch.step(step, part, from, &self.to[start..]);
    }

    fn escapes(&self) -> Triplets {
        escapes(self.rules.grammar())
    }
}

/// Returns the escapes that the normal form of a grammar decodes.
pub(super) fn escapes(grammar: Grammar) -> Triplets {
    match grammar {
        Grammar::Rfc2396 => Triplets::RFC2396,
        Grammar::Iri | Grammar::IriReference => Triplets::RFC3987,
        _ => Triplets::RFC3986,
    }
}

/// Appends the normal form of a host that is valid by this grammar: its escapes, then its letters.
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub(crate) fn push_normal_host(grammar: Grammar, host: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    escapes(grammar).push(host, to);
    lower_letters(&mut to[start..]);
}

/// Returns the kind of text before the path of a record.
pub(super) fn before_path(grammar: Grammar, components: &Components) -> Before {
    if components.authority().is_some() {
        Before::Authority
    } else if components.scheme().is_some() {
        Before::Scheme
    } else if grammar == Grammar::RequestTarget {
        Before::RequestLine
    } else {
        Before::Nothing
    }
}
