//! A valid record with its components, as one value. From `&str` it returns `&str`, from bytes it returns
//! bytes.

use core::fmt;

use crate::components::Components;
use crate::error::Component;

/// The texts that a [`Record`] can hold: `&str` or `&[u8]`.
pub trait RecordText: Copy + sealed::Sealed {}

impl RecordText for &str {}
impl RecordText for &[u8] {}

/// The methods that a record needs of its text. Only this crate can name the trait.
pub(crate) mod sealed {
    use core::ops::Range;

    pub trait Sealed {
        /// Returns the bytes to judge.
        fn as_record_bytes(&self) -> &[u8];

        /// Returns a component. Components start and end at ASCII characters, so no border lies within a
        /// character of a `str`.
        #[must_use]
        fn part(self, range: Range<usize>) -> Self;
    }

    impl Sealed for &str {
        fn as_record_bytes(&self) -> &[u8] {
            self.as_bytes()
        }

        fn part(self, range: Range<usize>) -> Self {
            &self[range]
        }
    }

    impl Sealed for &[u8] {
        fn as_record_bytes(&self) -> &[u8] {
            self
        }

        fn part(self, range: Range<usize>) -> Self {
            &self[range]
        }
    }
}

/// A valid record and its components, as [`Validator::record`](crate::Validator::record) returns it.
///
/// ```
/// use urivalidate::{Grammar, Validator};
///
/// let record = Validator::new(Grammar::Uri).record("http://example.com:80/a?b")?;
/// assert_eq!((record.host(), record.port()), (Some("example.com"), Some("80")));
/// assert_eq!((record.path(), record.fragment()), (Some("/a"), None));
/// assert_eq!(record.components().host(), Some(7..18));
/// # Ok::<(), urivalidate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<T> {
    text: T,
    components: Components,
}

/// Declares the methods that return a component.
macro_rules! components {
    ($($name:ident: $what:literal;)*) => {$(
        #[doc = $what]
        pub fn $name(&self) -> Option<T> {
            self.components.$name().map(|range| self.text.part(range))
        }
    )*};
}

impl<T: RecordText> Record<T> {
    /// `components` are the components of `text`.
    pub(crate) fn new(text: T, components: Components) -> Self {
        Record { text, components }
    }

    /// Returns the whole record.
    pub fn text(&self) -> T {
        self.text
    }

    /// Returns the components, the kind of the host, and the address that the host spells.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// Returns the text of `component`.
    pub fn get(&self, component: Component) -> Option<T> {
        self.components.get(component).map(|range| self.text.part(range))
    }

    components! {
        scheme: "The scheme, without its colon.";
        authority: "The authority, without the `//` before it.";
        userinfo: "The userinfo, without its `@`.";
        host: "The host, with the brackets of an IP literal.";
        port: "The port's digits, possibly none (`http://h:/`), without the colon.";
        path: "The path, possibly empty; absent only in an opaque URI and in a request target without one.";
        query: "The query, without its `?`.";
        fragment: "The fragment, without its `#`.";
    }
}

impl fmt::Display for Record<&str> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl AsRef<str> for Record<&str> {
    fn as_ref(&self) -> &str {
        self.text
    }
}

impl<T: RecordText> AsRef<[u8]> for Record<T> {
    fn as_ref(&self) -> &[u8] {
        self.text.as_record_bytes()
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::grammar::Grammar;
    use crate::validator::Validator;

    /// Tests that no component of any grammar starts or ends within a character.
    #[test]
    fn components_of_text_are_text() {
        for &grammar in Grammar::ALL {
            let validator = Validator::new(grammar);
            for text in [
                "http://u:ü@höst.例え:80/ä/é?ö=ß#文",
                "é",
                "//例え",
                "/é?é#é",
                "mailto:é@é",
                "?é",
                "#é",
                "a:é",
            ] {
                let Ok(record) = validator.record(text) else { continue };
                let bytes = validator.record(text.as_bytes()).unwrap();
                for &component in Component::ALL {
                    assert_eq!(
                        record.get(component).map(str::as_bytes),
                        bytes.get(component),
                        "{component} of {text}"
                    );
                }
                assert_eq!((record.text(), record.to_string().as_str()), (text, text));
            }
        }
        let record = Validator::new(Grammar::Iri).record("http://u@höst:80/ä?ö#文").unwrap();
        let (text, bytes): (&str, &[u8]) = (record.as_ref(), record.as_ref());
        assert_eq!((text, bytes), (record.text(), record.text().as_bytes()));
        assert_eq!((record.scheme(), record.authority()), (Some("http"), Some("u@höst:80")));
        assert_eq!((record.userinfo(), record.host(), record.port()), (Some("u"), Some("höst"), Some("80")));
        assert_eq!((record.path(), record.query(), record.fragment()), (Some("/ä"), Some("ö"), Some("文")));
    }
}
