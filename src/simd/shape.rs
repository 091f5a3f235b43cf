//! The structure of a grammar's lines, as far as masks distinguish it.

use crate::grammar::{Facts, Grammar, SchemeRule};

/// The structure of a grammar's lines.
pub(super) trait LineShape {
    const FACTS: Facts;
    const SCHEME: SchemeRule = Self::FACTS.scheme;
    /// Whether `//` starts an authority.
    const AUTHORITY: bool = Self::FACTS.authority;
    /// Whether a line may have a fragment.
    const FRAGMENT: bool = Self::FACTS.fragment;
    /// RFC 2396: a record without `/` after the scheme is opaque, and empty authorities are special.
    const OPAQUE: bool = Self::FACTS.opaque;
    /// Whether a line may have no scheme.
    const MAY_LACK_SCHEME: bool = !matches!(Self::SCHEME, SchemeRule::Required);
    /// Whether the scan notes lines that may differ from their normal form, see [`Forms`].
    const FORMS: bool = false;
    /// Whether the scan counts the lines that have a component, see [`Counts`].
    const COUNTS: bool = false;
}

/// The shape of the same lines, for a scan that notes lines that may differ from their normal form [`Syntax`](crate::NormalForm::Syntax). This is the
/// normal form of RFC 3986, which does not decode escapes beyond ASCII.
pub(super) struct Forms<S>(core::marker::PhantomData<S>);

impl<S: LineShape> LineShape for Forms<S> {
    const FACTS: Facts = S::FACTS;
    const FORMS: bool = true;
}

/// The shape of the same lines, for a scan that counts the lines that have a component. It vouches only for lines with a scheme and a host that ends
/// with a letter, and so is no address: these lines need no other count.
pub(super) struct Counts<S>(core::marker::PhantomData<S>);

impl<S: LineShape> LineShape for Counts<S> {
    const FACTS: Facts = S::FACTS;
    const COUNTS: bool = true;
}

/// RFC 3986 `URI`, RFC 3987 `IRI`.
pub(super) enum Uri {}
/// RFC 3986 `absolute-URI`.
pub(super) enum AbsoluteUri {}
/// RFC 3986 `URI-reference`, RFC 3987 `IRI-reference`.
pub(super) enum Reference {}
/// RFC 3986 `relative-ref`.
pub(super) enum RelativeRef {}
/// RFC 2396 `URI-reference`, `java.net.URI`.
pub(super) enum Rfc2396Reference {}
/// RFC 9112 `origin-form`.
pub(super) enum OriginForm {}

impl LineShape for Uri {
    const FACTS: Facts = Grammar::Uri.facts();
}
impl LineShape for AbsoluteUri {
    const FACTS: Facts = Grammar::AbsoluteUri.facts();
}
impl LineShape for Reference {
    const FACTS: Facts = Grammar::UriReference.facts();
}
impl LineShape for RelativeRef {
    const FACTS: Facts = Grammar::RelativeRef.facts();
}
impl LineShape for Rfc2396Reference {
    const FACTS: Facts = Grammar::Rfc2396.facts();
}
impl LineShape for OriginForm {
    const FACTS: Facts = Grammar::RequestTarget.facts();
}

/// Evaluates an expression in which `$shape` is the shape of a grammar's lines.
macro_rules! with_shape {
    ($grammar:expr, $shape:ident => $value:expr) => {
        match $grammar {
            crate::grammar::Grammar::Uri | crate::grammar::Grammar::Iri => {
                type $shape = crate::simd::shape::Uri;
                $value
            }
            crate::grammar::Grammar::AbsoluteUri => {
                type $shape = crate::simd::shape::AbsoluteUri;
                $value
            }
            crate::grammar::Grammar::UriReference | crate::grammar::Grammar::IriReference => {
                type $shape = crate::simd::shape::Reference;
                $value
            }
            crate::grammar::Grammar::RelativeRef => {
                type $shape = crate::simd::shape::RelativeRef;
                $value
            }
            crate::grammar::Grammar::Rfc2396 | crate::grammar::Grammar::Java => {
                type $shape = crate::simd::shape::Rfc2396Reference;
                $value
            }
            crate::grammar::Grammar::RequestTarget => {
                type $shape = crate::simd::shape::OriginForm;
                $value
            }
        }
    };
}
pub(super) use with_shape;
