//! The RFCs' character classes, as sets built from the constants of the ABNF.
//!
//! [`Charset`] is a set with its operations; all sets are computed at compile time. [`Class`] names the sets
//! that parsers use for runs. One table of 256 entries holds all classes, one bit for each.
//!
//! `pct-encoded` and characters beyond ASCII are not single bytes, so no set contains them:
//! [`grammar::run`](crate::grammar) handles them.

/// A set of ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Charset(u128);

impl Charset {
    /// Returns the set of the characters of a string.
    pub(crate) const fn of(chars: &[u8]) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < chars.len() {
            assert!(chars[i].is_ascii());
            set |= 1 << chars[i];
            i += 1;
        }
        Charset(set)
    }

    /// Returns the set of the characters from `first` to `last`, both included.
    pub(crate) const fn range(first: u8, last: u8) -> Self {
        assert!(first <= last && last.is_ascii());
        Charset((u128::MAX >> (127 - (last - first))) << first)
    }

    /// Returns the union.
    pub(crate) const fn or(self, other: Self) -> Self {
        Charset(self.0 | other.0)
    }

    /// Returns the difference.
    pub(crate) const fn without(self, other: Self) -> Self {
        Charset(self.0 & !other.0)
    }

    /// Returns true if both sets have the same members.
    pub(crate) const fn is(self, other: Self) -> bool {
        self.0 == other.0
    }

    /// Returns true if `byte` is in the set.
    pub(crate) const fn contains(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 >> byte & 1 == 1
    }
}

/// RFC 5234 appendix B.1: `ALPHA = %x41-5A / %x61-7A`.
pub(crate) const ALPHA: Charset = Charset::range(b'A', b'Z').or(Charset::range(b'a', b'z'));
/// RFC 5234 appendix B.1: `DIGIT = %x30-39`.
pub(crate) const DIGIT: Charset = Charset::range(b'0', b'9');
/// RFC 5234 appendix B.1: `HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"`; literals ignore case.
pub(crate) const HEXDIG: Charset = DIGIT.or(Charset::range(b'A', b'F')).or(Charset::range(b'a', b'f'));

/// RFC 3986 appendix A, each rule without its `pct-encoded`.
pub(crate) mod rfc3986 {
    use super::{ALPHA, Charset, DIGIT};

    /// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"`.
    pub(crate) const UNRESERVED: Charset = ALPHA.or(DIGIT).or(Charset::of(b"-._~"));
    /// `sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="`.
    pub(crate) const SUB_DELIMS: Charset = Charset::of(b"!$&'()*+,;=");
    /// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`: the characters after the first one.
    pub(crate) const SCHEME: Charset = ALPHA.or(DIGIT).or(Charset::of(b"+-."));
    /// `reg-name = *( unreserved / pct-encoded / sub-delims )`.
    pub(crate) const REG_NAME: Charset = UNRESERVED.or(SUB_DELIMS);
    /// `userinfo = *( unreserved / pct-encoded / sub-delims / ":" )`. The same characters follow IPvFuture's
    /// dot.
    pub(crate) const USERINFO: Charset = REG_NAME.or(Charset::of(b":"));
    /// `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`.
    pub(crate) const PCHAR: Charset = REG_NAME.or(Charset::of(b":@"));
    /// `segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )`.
    pub(crate) const SEGMENT_NZ_NC: Charset = PCHAR.without(Charset::of(b":"));
    /// The paths: `pchar` and `"/"`.
    pub(crate) const PATH: Charset = PCHAR.or(Charset::of(b"/"));
    /// `query = *( pchar / "/" / "?" )`, and `fragment` is the same.
    pub(crate) const QUERY: Charset = PATH.or(Charset::of(b"?"));
}

/// RFC 2396 appendix A with RFC 2732 section 3, each rule without its `escaped`.
pub(crate) mod rfc2396 {
    use super::{ALPHA, Charset, DIGIT};

    /// `alphanum = alpha | digit`.
    pub(crate) const ALPHANUM: Charset = ALPHA.or(DIGIT);
    /// `unreserved = alphanum | mark`, `mark = "-" | "_" | "." | "!" | "~" | "*" | "'" | "(" | ")"`.
    pub(crate) const UNRESERVED: Charset = ALPHANUM.or(Charset::of(b"-_.!~*'()"));
    /// `reserved = ";" | "/" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | "," | "[" | "]"`.
    pub(crate) const RESERVED: Charset = Charset::of(b";/?:@&=+$,[]");
    /// `uric = reserved | unreserved | escaped`: the query and the fragment.
    pub(crate) const URIC: Charset = RESERVED.or(UNRESERVED);
    /// `uric_no_slash = unreserved | escaped | ";" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | ","`.
    pub(crate) const URIC_NO_SLASH: Charset = UNRESERVED.or(Charset::of(b";?:@&=+$,"));
    /// `reg_name = 1*( unreserved | escaped | "$" | "," | ";" | ":" | "@" | "&" | "=" | "+" )`; the userinfo
    /// of a server is the same without `"@"`.
    pub(crate) const REG_NAME: Charset = UNRESERVED.or(Charset::of(b"$,;:@&=+"));
    /// `rel_segment = 1*( unreserved | escaped | ";" | "@" | "&" | "=" | "+" | "$" | "," )`.
    pub(crate) const REL_SEGMENT: Charset = UNRESERVED.or(Charset::of(b";@&=+$,"));
    /// `path_segments`: `pchar = unreserved | escaped | ":" | "@" | "&" | "=" | "+" | "$" | ","`, `";"` and
    /// `"/"`.
    pub(crate) const PATH: Charset = UNRESERVED.or(Charset::of(b":@&=+$,;/"));
}

/// A set that parsers run through, as a bit of the table.
#[derive(Clone, Copy)]
pub(crate) struct Class(u32);

impl Class {
    /// Returns true if `byte` is in the class.
    #[inline(always)]
    pub(crate) fn contains(self, byte: u8) -> bool {
        TABLE[byte as usize] & self.0 != 0
    }
}

/// Gives each class a bit, and fills the table from their sets.
macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $set:expr;)*) => {
        /// The order of the bits.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Bit { $($name,)* }

        impl Class {
            $($(#[$doc])* pub(crate) const $name: Class = Class(1 << Bit::$name as u32);)*
        }

        /// The classes of each byte.
        static TABLE: [u32; 256] = {
            let mut table = [0; 256];
            let mut byte = 0;
            while byte < 256 {
                $(if $set.contains(byte as u8) { table[byte] |= Class::$name.0; })*
                byte += 1;
            }
            table
        };
    };
}

classes! {
    /// `ALPHA`.
    ALPHA = ALPHA;
    /// `DIGIT`.
    DIGIT = DIGIT;
    /// `HEXDIG`.
    HEXDIG = HEXDIG;
    /// The bytes that end an authority (RFC 3986 section 3.2).
    AUTHORITY_END = Charset::of(b"/?#");
    /// [`rfc3986::UNRESERVED`].
    UNRESERVED = rfc3986::UNRESERVED;
    /// [`rfc3986::SCHEME`].
    SCHEME = rfc3986::SCHEME;
    /// [`rfc3986::REG_NAME`].
    REG_NAME = rfc3986::REG_NAME;
    /// [`rfc3986::USERINFO`].
    USERINFO = rfc3986::USERINFO;
    /// [`rfc3986::SEGMENT_NZ_NC`].
    SEGMENT_NZ_NC = rfc3986::SEGMENT_NZ_NC;
    /// [`rfc3986::PATH`].
    PATH = rfc3986::PATH;
    /// [`rfc3986::QUERY`].
    QUERY = rfc3986::QUERY;
    /// [`rfc2396::ALPHANUM`].
    RFC2396_ALPHANUM = rfc2396::ALPHANUM;
    /// [`rfc2396::UNRESERVED`].
    RFC2396_UNRESERVED = rfc2396::UNRESERVED;
    /// [`rfc2396::URIC`].
    RFC2396_URIC = rfc2396::URIC;
    /// [`rfc2396::URIC_NO_SLASH`].
    RFC2396_URIC_NO_SLASH = rfc2396::URIC_NO_SLASH;
    /// [`rfc2396::REG_NAME`].
    RFC2396_REG_NAME = rfc2396::REG_NAME;
    /// [`rfc2396::REL_SEGMENT`].
    RFC2396_REL_SEGMENT = rfc2396::REL_SEGMENT;
    /// [`rfc2396::PATH`].
    RFC2396_PATH = rfc2396::PATH;
    /// The characters that `java.net.URI` takes in a scope identifier: `alphanum`, `"_"` and `"."`.
    JAVA_SCOPE_ID = rfc2396::ALPHANUM.or(Charset::of(b"_."));
}
