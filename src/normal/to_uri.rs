//! IRIs to URIs.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::escapes::push_encoded;
use super::made_or_same;
use crate::error::Error;
use crate::validator::Validator;

impl Validator {
    /// Appends the URI of an IRI (RFC 3987 section 3.1, step 2) to `to`, and returns it. All bytes that are
    /// not ASCII are percent-encoded, even in the host, without IDNA or Unicode normalisation. If all bytes
    /// are ASCII, the IRI is a URI already: appends nothing and returns `None`.
    ///
    /// ```
    /// use urivalidate::{Grammar, Validator};
    ///
    /// let mut to = Vec::new();
    /// let uri = Validator::new(Grammar::Iri).to_uri("http://h/é".as_bytes(), &mut to)?;
    /// assert_eq!(uri, Some(&b"http://h/%C3%A9"[..]));
    /// # Ok::<(), urivalidate::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`](Self::parse).
    pub fn to_uri<'b>(&self, iri: impl AsRef<[u8]>, to: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, Error> {
        let iri = iri.as_ref();
        self.parse(iri)?;
        if iri.is_ascii() {
            return Ok(None);
        }
        let start = to.len();
        for &byte in iri {
            if byte.is_ascii() { to.push(byte) } else { push_encoded(byte, to) }
        }
        Ok(Some(&to[start..]))
    }

    /// Returns the URI of an IRI, as [`to_uri`](Self::to_uri) appends it.
    ///
    /// ```
    /// use urivalidate::{Grammar, Validator};
    ///
    /// let uri = Validator::new(Grammar::Iri).uri_of("http://h/é")?;
    /// assert_eq!(&uri[..], b"http://h/%C3%A9");
    /// # Ok::<(), urivalidate::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`](Self::parse).
    pub fn uri_of<'r>(&self, iri: &'r (impl AsRef<[u8]> + ?Sized)) -> Result<Cow<'r, [u8]>, Error> {
        made_or_same(iri.as_ref(), |iri, to| self.to_uri(iri, to))
    }
}
