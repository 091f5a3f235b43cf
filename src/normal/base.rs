//! A base URI: references that are resolved against it, and references that lead from it to a URI.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::dots::{Before, Dots};
use super::normalizer::before_path;
use super::{java, made_or_same, relative, unless_same};
use crate::components::Components;
use crate::error::{Component, Error, ErrorKind};
use crate::grammar::{Grammar, Rules, no_scheme};
use crate::validator::Validator;
use crate::work::memrchr;

impl Validator {
    /// Returns a base for references of this grammar. The fragment of `uri`, if any, is dropped.
    ///
    /// The base must be valid by the grammar of the resolved URIs. This is `iri` for the grammars of RFC
    /// 3987, `uri` for the grammars of RFC 3986 and for `request-target`, and the grammar itself for
    /// `rfc2396` and `java`.
    ///
    /// # Errors
    ///
    /// Returns an error if `uri` is invalid by that grammar, has no scheme, or has more than
    /// [`Base::MAX_LEN`] bytes without its fragment. `java` allows a base without a scheme.
    pub fn base<'a>(&self, uri: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Base<'a>, Error> {
        let uri = uri.as_ref();
        let rules = self.rules();
        let target = target_rules(rules);
        let components = target.parse(uri)?;
        if target.grammar() == Grammar::Rfc2396 && components.scheme().is_none() {
            return Err(no_scheme(uri));
        }
        if components.query_end as usize > Base::MAX_LEN {
            return Err(Error::record_too_long(uri, Base::MAX_LEN));
        }
        Ok(Base { rules, target, uri, components })
    }
}

/// Returns the rules of resolved URIs, which are also the rules of the URIs from which relative references
/// are made.
fn target_rules(rules: Rules) -> Rules {
    let grammar = match rules.grammar() {
        Grammar::Rfc2396 | Grammar::Java => return rules,
        Grammar::Iri | Grammar::IriReference => Grammar::Iri,
        _ => Grammar::Uri,
    };
    let target = Rules::new(grammar);
    if rules.zone_ids() { target.with_zone_ids().unwrap_or(target) } else { target }
}

/// A base URI, parsed once. It resolves references, and makes URIs relative. See [`Validator::base`].
///
/// ```
/// use urivalidate::{Grammar, Validator};
///
/// let base = Validator::new(Grammar::UriReference).base(b"http://a/b/c/d;p?q")?;
/// let mut to = Vec::new();
/// assert_eq!(base.resolve(b"../g?y#s", &mut to)?, Some(&b"http://a/b/g?y#s"[..]));
/// assert_eq!(base.relativize(b"http://a/b/g?y#s", &mut to)?, Some(&b"../g?y#s"[..]));
/// # Ok::<(), urivalidate::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Base<'a> {
    /// The rules of the references.
    pub(super) rules: Rules,
    /// The rules of the base.
    target: Rules,
    pub(super) uri: &'a [u8],
    pub(super) components: Components,
}

impl Base<'_> {
    /// The maximum number of bytes of a base without its fragment: 8 KiB. Each reference may become that much
    /// longer, so a longer base could make a small page take gigabytes. RFC 9110 section 4.1 recommends to
    /// support URIs of at least 8,000 bytes.
    pub const MAX_LEN: usize = 8 << 10;

    /// Returns the number of bytes of the base without its fragment.
    #[cfg(feature = "arrow")]
    pub(crate) fn len(&self) -> usize {
        self.components.query_end as usize
    }

    /// Appends the target of `reference` to `to`, and returns it. If the target is the reference itself,
    /// appends nothing and returns `None`. Takes time linear in the lengths of the base and the reference.
    ///
    /// The grammars of RFC 3986 and RFC 3987 resolve strictly by RFC 3986 section 5.2.2: the target of a
    /// reference with a scheme is the reference without dot segments. `rfc2396` follows section 5.2 of RFC
    /// 2396, in which `?y` refers to the base's directory, and a `..` that leads out of the path stays.
    /// `java` has the results of `java.net.URI.resolve()`, as `toString()` prints them. A `request-target` in
    /// origin form gets the base's scheme and authority before it, and a `request-target` in absolute form is
    /// its own target (RFC 9112 section 3.3). Nothing else is normalised.
    ///
    /// # Errors
    ///
    /// Returns an error if the reference is invalid by the grammar, and
    /// [`MissingScheme`](crate::ErrorKind::MissingScheme) if the reference has no target: a request target in
    /// authority form or `*`, and, against an opaque base of `rfc2396`, every reference that neither has a
    /// scheme nor refers to the base itself.
    pub fn resolve<'b>(
        &self,
        reference: impl AsRef<[u8]>,
        to: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Error> {
        let reference = reference.as_ref();
        let components = self.rules.parse(reference)?;
        let start = to.len();
        to.reserve(self.uri.len() + reference.len() + 2);
        match self.rules.grammar() {
            Grammar::Java => java::resolve((self.uri, &self.components), (reference, &components), to),
            Grammar::Rfc2396 => self.resolve_by_rfc2396(reference, &components, to)?,
            Grammar::RequestTarget => self.resolve_request_target(reference, &components, to)?,
            _ => self.resolve_by_rfc3986(reference, &components, to),
        }
        Ok(unless_same(reference, to, start))
    }

    /// Returns the target of `reference`.
    ///
    /// ```
    /// use urivalidate::{Grammar, Validator};
    ///
    /// let base = Validator::new(Grammar::UriReference).base("http://a/b/c/d;p?q")?;
    /// assert_eq!(&base.resolved("../g?y#s")?[..], b"http://a/b/g?y#s");
    /// assert_eq!(&base.relativized("http://a/b/g?y#s")?[..], b"../g?y#s");
    /// # Ok::<(), urivalidate::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`resolve`](Self::resolve).
    pub fn resolved<'r>(&self, reference: &'r (impl AsRef<[u8]> + ?Sized)) -> Result<Cow<'r, [u8]>, Error> {
        made_or_same(reference.as_ref(), |reference, to| self.resolve(reference, to))
    }

    /// Appends a reference from this base to `uri` to `to`, and returns it. If the reference is `uri` itself,
    /// appends nothing and returns `None`. Takes time linear in the lengths of the base and `uri`.
    ///
    /// The reference resolves to `uri` again, byte by byte, if `uri` is in its normal form (it is enough that
    /// it has no dot segments). The reference is `uri` itself if no shorter reference leads there, for
    /// example if the schemes differ, or if `uri` has dot segments. `java` has the results of
    /// `java.net.URI.relativize()`, whose references do not always lead back: with the base `http://h/a/b`,
    /// it changes `http://h/a/b/c` to `c`, which resolves to `http://h/a/c`.
    ///
    /// # Errors
    ///
    /// Returns an error if `uri` is invalid by the grammar of the base, or has no scheme.
    pub fn relativize<'b>(
        &self,
        uri: impl AsRef<[u8]>,
        to: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Error> {
        let uri = uri.as_ref();
        let components = self.target.parse(uri)?;
        let start = to.len();
        to.reserve(uri.len() + 2);
        let (base, uri) = ((self.uri, &self.components), (uri, &components));
        match self.rules.grammar() {
            Grammar::Java => java::relativize(base, uri, to),
            _ if components.scheme().is_none() => return Err(no_scheme(uri.0)),
            grammar => relative::relativize(grammar, base, uri, to),
        }
        Ok(unless_same(uri.0, to, start))
    }

    /// Returns a reference from this base to `uri`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`relativize`](Self::relativize).
    pub fn relativized<'r>(&self, uri: &'r (impl AsRef<[u8]> + ?Sized)) -> Result<Cow<'r, [u8]>, Error> {
        made_or_same(uri.as_ref(), |uri, to| self.relativize(uri, to))
    }

    /// Resolves a reference by RFC 3986 sections 5.2.2 and 5.3.
    fn resolve_by_rfc3986(&self, reference: &[u8], components: &Components, to: &mut Vec<u8>) {
        let (base, base_components) = (self.uri, &self.components);
        let path = components.path_of(reference).unwrap_or_default();
        let has_own = components.scheme().is_some() || components.authority().is_some();
        if has_own && components.scheme().is_none() {
            to.extend_from_slice(&base[..after_scheme(base_components)]);
        }
        let target = if has_own {
            to.extend_from_slice(&reference[..components.path_start as usize]);
            components
        } else {
            to.extend_from_slice(&base[..base_components.path_start as usize]);
            base_components
        };
        if path.is_empty() && !has_own {
            // The base's path is kept, and so is its query if the reference has none.
            let end = if components.query().is_some() {
                base_components.path_end
            } else {
                base_components.query_end
            };
            to.extend_from_slice(&base[base_components.path_start as usize..end as usize]);
        } else {
            let start = to.len();
            if !has_own && path[0] != b'/' {
                to.extend_from_slice(self.directory(b"/"));
            }
            to.extend_from_slice(path);
            let had_root = to.get(start) == Some(&b'/');
            Dots::All.remove(to, start);
            let before = if target.authority().is_some() { Before::Authority } else { Before::Scheme };
            before.guard(to, start, had_root);
        }
        to.extend_from_slice(&reference[components.path_end as usize..]);
    }

    /// Resolves a reference by RFC 2396 section 5.2.
    fn resolve_by_rfc2396(
        &self,
        reference: &[u8],
        components: &Components,
        to: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let (base, base_components) = (self.uri, &self.components);
        let path = components.path_of(reference).unwrap_or_default();
        let is_bare = components.scheme().is_none() && components.authority().is_none();
        if components.scheme().is_some() {
            // Step 3.
            to.extend_from_slice(reference);
        } else if is_bare && path.is_empty() && components.query().is_none() {
            // Step 2: the current document.
            to.extend_from_slice(&base[..base_components.query_end as usize]);
            to.extend_from_slice(reference);
        } else if base_components.is_opaque() {
            return Err(no_scheme(reference));
        } else if !is_bare {
            // Step 4.
            to.extend_from_slice(&base[..after_scheme(base_components)]);
            to.extend_from_slice(reference);
        } else {
            to.extend_from_slice(&base[..base_components.path_start as usize]);
            let start = to.len();
            if path.starts_with(b"/") {
                // Step 5.
                to.extend_from_slice(path);
            } else {
                // Step 6.
                to.extend_from_slice(self.directory(b""));
                to.extend_from_slice(path);
                Dots::Inner.remove(to, start);
            }
            let before =
                if base_components.authority().is_some() { Before::Authority } else { Before::Scheme };
            before.guard(to, start, true);
            to.extend_from_slice(&reference[components.path_end as usize..]);
        }
        Ok(())
    }

    /// Resolves a request target by RFC 9112 section 3.3.
    fn resolve_request_target(
        &self,
        target: &[u8],
        components: &Components,
        to: &mut Vec<u8>,
    ) -> Result<(), Error> {
        if components.path().is_none() {
            // `h:80` has no scheme, although a colon comes first.
            return Err(Error::at(target, 0, ErrorKind::MissingScheme, Some(Component::Scheme)));
        }
        if components.scheme().is_none() {
            to.extend_from_slice(&self.uri[..self.components.path_start as usize]);
            let start = to.len();
            to.extend_from_slice(target);
            before_path(Grammar::Uri, &self.components).guard(to, start, true);
        } else {
            to.extend_from_slice(target);
        }
        Ok(())
    }

    /// Returns the base's path up to and including its last slash. For an empty path after an authority,
    /// returns `root`.
    pub(super) fn directory<'s>(&'s self, root: &'s [u8]) -> &'s [u8] {
        let path = self.components.path_of(self.uri).unwrap_or_default();
        if path.is_empty() && self.components.authority().is_some() {
            return root;
        }
        &path[..memrchr(b'/', path).map_or(0, |slash| slash + 1)]
    }
}

/// Returns the byte after the scheme and its colon.
fn after_scheme(components: &Components) -> usize {
    components.scheme().map_or(0, |scheme| scheme.end + 1)
}
