//! Names that users see: the macro for enums whose variants have them, and the error of an unknown name.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Declares a fieldless enum whose variants have names that users see.
macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal $(or $alias:literal)*,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// All values, in the order in which they are documented.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Returns the name that users see, in lower case.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Returns the other names that [parse](core::str::FromStr) as this value.
            pub const fn aliases(self) -> &'static [&'static str] {
                match self { $($name::$variant => &[$($alias,)*],)* }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl core::str::FromStr for $name {
            type Err = crate::names::UnknownName;

            /// Returns the value of this name or alias.
            ///
            /// # Errors
            ///
            /// Returns an error if no value has the name. The message lists the names.
            fn from_str(name: &str) -> Result<Self, crate::names::UnknownName> {
                const NAMES: &[&str] = &[$($text,)*];
                match name {
                    $($text $(| $alias)* => Ok($name::$variant),)*
                    _ => Err(crate::names::UnknownName::new(name, NAMES)),
                }
            }
        }
    };
}
pub(crate) use named_enum;

/// Returns the message for a name that is not one of the known names. `what` is the kind of name, such as
/// `grammar`.
///
/// ```
/// let message = urivalidate::unknown_name("field", "hots", &["host", "port"]);
/// assert_eq!(message, "unknown field \"hots\": expected one of host, port");
/// ```
pub fn unknown_name(what: &str, name: &str, known: &[impl AsRef<str>]) -> String {
    let known: Vec<_> = known.iter().map(AsRef::as_ref).collect();
    format!("unknown {what} {name:?}: expected one of {}", known.join(", "))
}

/// An unknown name.
///
/// ```
/// use urivalidate::HostKind;
///
/// assert_eq!("ipv6".parse(), Ok(HostKind::Ipv6));
/// let error = "IPv6".parse::<HostKind>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown name \"IPv6\": expected one of reg-name, hostname, ipv4, ipv6, ipvfuture");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnknownName {
    name: String,
    names: &'static [&'static str],
}

impl UnknownName {
    pub(crate) fn new(name: &str, names: &'static [&'static str]) -> Self {
        UnknownName { name: name.to_owned(), names }
    }

    /// Returns the unknown name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the known names.
    pub const fn names(&self) -> &'static [&'static str] {
        self.names
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&unknown_name("name", &self.name, self.names))
    }
}

impl core::error::Error for UnknownName {}
