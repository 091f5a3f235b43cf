//! IRIs to URIs.

use alloc::vec::Vec;

use super::escapes::push_encoded;
use crate::error::Error;
use crate::validator::Validator;

impl Validator {
    /// Appends the URI of an IRI (RFC 3987 section 3.1, step 2) to `to`, and returns it. All bytes that are not ASCII are percent-encoded, even in
    /// the host, without IDNA or Unicode normalisation. If all bytes are ASCII, the IRI is a URI already: appends nothing and returns `None`.
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
    pub fn to_uri<'b>(&self, iri: &[u8], to: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, Error> {
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
}
