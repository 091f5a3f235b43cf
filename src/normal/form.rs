//! The choice of a normal form.

use crate::names::named_enum;

named_enum! {
    /// The normal form that a [`Normalizer`](crate::Normalizer) makes: a rung on the comparison ladder of RFC
    /// 3986 section 6.2.
    #[non_exhaustive]
    #[derive(Default)]
    NormalForm {
        /// Section 6.2.2: letter case, escapes, dot segments.
        #[default]
        Syntax = "syntax",
        /// Also section 6.2.3: empty ports; the default ports and empty paths of `http`, `https`, `ws`, `wss`
        /// and `ftp`.
        Scheme = "scheme",
    }
}

/// Returns the default port of a scheme that [`NormalForm::Scheme`] knows. In all these schemes, an empty
/// path after an authority means `/`.
pub(crate) fn default_port(scheme: &[u8]) -> Option<&'static [u8]> {
    const PORTS: [(&[u8], &[u8]); 5] =
        [(b"http", b"80"), (b"https", b"443"), (b"ws", b"80"), (b"wss", b"443"), (b"ftp", b"21")];
    PORTS.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name)).map(|&(_, port)| port)
}
