//! The structure of a grammar's lines, as far as masks distinguish it.

use crate::grammar::{Facts, Grammar, SchemeRule};

/// The structure of a grammar's lines.
pub(in crate::simd) trait LineShape {
    const FACTS: Facts;
    const SCHEME: SchemeRule = Self::FACTS.scheme;
    /// Whether `//` starts an authority.
    const AUTHORITY: bool = Self::FACTS.authority;
    /// RFC 2396: a record without `/` after the scheme is opaque, and empty authorities are special.
    const OPAQUE: bool = Self::FACTS.opaque;
    /// Whether a line may have no scheme.
    const MAY_LACK_SCHEME: bool = !matches!(Self::SCHEME, SchemeRule::Required);
    /// Whether the scan notes lines that may differ from their normal form, see [`Forms`].
    const FORMS: bool = false;
    /// Whether the scan counts the lines that have a component, see [`Counts`].
    const COUNTS: bool = false;
    /// Whether the scan takes ports. RFC 2396 has rules of its own for them, and counts have no place for them.
    const PORTS: bool = Self::AUTHORITY && !Self::OPAQUE && !Self::COUNTS;
}

/// The differences between the grammars of one shape. A line falls back if its grammar forbids its scheme or
/// its fragment.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Allowed {
    /// Whether a line may have a scheme.
    pub(in crate::simd) scheme: bool,
    /// Whether a line may have a fragment.
    pub(in crate::simd) fragment: bool,
}

impl Allowed {
    /// Returns the differences for a grammar.
    #[inline(always)]
    pub(in crate::simd) fn by(grammar: Grammar) -> Self {
        let Facts { scheme, fragment, .. } = grammar.facts();
        Allowed { scheme: !matches!(scheme, SchemeRule::Forbidden), fragment }
    }
}

/// The shape of the same lines, for a scan that notes lines that may differ from their normal form
/// [`Syntax`](crate::NormalForm::Syntax). This is the normal form of RFC 3986, which does not decode escapes
/// beyond ASCII.
pub(in crate::simd) struct Forms<S>(core::marker::PhantomData<S>);

impl<S: LineShape> LineShape for Forms<S> {
    const FACTS: Facts = S::FACTS;
    const FORMS: bool = true;
}

/// The shape of the same lines, for a scan that counts the lines that have a component. It accepts only lines
/// with a scheme and a host that is a name in the DNS and ends with a letter, and so is no address: these lines
/// need no other count.
pub(in crate::simd) struct Counts<S>(core::marker::PhantomData<S>);

impl<S: LineShape> LineShape for Counts<S> {
    const FACTS: Facts = S::FACTS;
    const COUNTS: bool = true;
}

/// RFC 3986 `URI` and `absolute-URI`, RFC 3987 `IRI`.
pub(in crate::simd) enum Uri {}
/// RFC 3986 `URI-reference` and `relative-ref`, RFC 3987 `IRI-reference`.
pub(in crate::simd) enum Reference {}
/// RFC 2396 `URI-reference`, `java.net.URI`.
pub(in crate::simd) enum Rfc2396Reference {}
/// RFC 9112 `origin-form`.
pub(in crate::simd) enum OriginForm {}

impl LineShape for Uri {
    const FACTS: Facts = Grammar::Uri.facts();
}
impl LineShape for Reference {
    const FACTS: Facts = Grammar::UriReference.facts();
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
            crate::grammar::Grammar::Uri
            | crate::grammar::Grammar::AbsoluteUri
            | crate::grammar::Grammar::Iri => {
                type $shape = crate::simd::lines::shape::Uri;
                $value
            }
            crate::grammar::Grammar::UriReference
            | crate::grammar::Grammar::RelativeRef
            | crate::grammar::Grammar::IriReference => {
                type $shape = crate::simd::lines::shape::Reference;
                $value
            }
            crate::grammar::Grammar::Rfc2396 | crate::grammar::Grammar::Java => {
                type $shape = crate::simd::lines::shape::Rfc2396Reference;
                $value
            }
            crate::grammar::Grammar::RequestTarget => {
                type $shape = crate::simd::lines::shape::OriginForm;
                $value
            }
        }
    };
}
pub(in crate::simd) use with_shape;
