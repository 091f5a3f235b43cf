//! The grammars, and one exact scalar parser for each. Only this module decides whether a record is invalid, and
//! makes the errors.
//!
//! | module | parses |
//! |---|---|
//! | [`rules`] | [`Grammar`], and [`Rules`]: a grammar with its options; which parser judges a record |
//! | [`rfc3986`] | the grammars of RFC 3986; generic over the repertoire of characters |
//! | [`rfc3987`] | the repertoire of characters for the grammars of RFC 3987 |
//! | [`rfc2396`] | the grammar of RFC 2396; generic over the points in which `java.net.URI` differs |
//! | [`java`] | the points in which `java.net.URI` differs |
//! | [`request_target`] | the request targets of RFC 9112 |
//! | [`forbidden`] | the error of a record whose first forbidden byte is known |
//! | [`ip`] | IPv4 and IPv6 addresses, IPvFuture |
//! | [`scheme`] | the scheme, and the error if it is missing |
//! | [`run`] | runs of characters and escapes, which all parsers read |
//! | [`utf8`] | characters beyond ASCII |
//!
//! A parser takes empty [`Components`](crate::components::Components), and fills them: see
//! [`Rules::parse_into`].

mod forbidden;
mod ip;
mod java;
mod request_target;
mod rfc2396;
mod rfc3986;
mod rfc3987;
mod rules;
mod run;
mod scheme;
pub(crate) mod utf8;

pub(crate) use rfc3987::is_ucschar;
pub use rules::Grammar;
pub(crate) use rules::{Facts, Rules, SchemeRule};
#[cfg(feature = "corpus")]
pub(crate) use run::skip;
pub(crate) use scheme::no_scheme;
