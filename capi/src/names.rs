//! The names of the values in `numbers`.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use std::ffi::c_char;

use crate::bytes::Bytes;
use crate::guard::status_of;
use crate::numbers::{AuthorityKind, ErrorKind, GRAMMARS, HostKind, PART_COUNT, PARTS};
use crate::pointers::put;
use crate::status::Status;

/// A name with NULs after it.
type Name = [u8; 32];

const NO_NAME: Name = [0; 32];

/// Converts a name of the library to a C string.
const fn c_name(name: &str) -> Name {
    let (name, mut bytes, mut at) = (name.as_bytes(), NO_NAME, 0);
    assert!(name.len() < bytes.len(), "a NUL follows the name");
    while at < name.len() {
        bytes[at] = name[at];
        at += 1;
    }
    bytes
}

/// Makes an array of names. The index of a name is its number in C. Numbers without a name have `NO_NAME`.
macro_rules! names {
    ($count:expr, $all:expr, |$at:ident, $one:ident| $number:expr) => {{
        let (mut names, mut $at) = ([NO_NAME; $count], 0);
        while $at < $all.len() {
            let $one = $all[$at];
            let number = $number as usize;
            if number < $count {
                names[number] = c_name($one.name());
            }
            $at += 1;
        }
        names
    }};
}

static GRAMMAR_NAMES: [Name; GRAMMARS.len()] = names!(GRAMMARS.len(), GRAMMARS, |at, grammar| at);
static PART_NAMES: [Name; PART_COUNT] = names!(PART_COUNT, PARTS, |at, part| at);
static ERROR_KIND_NAMES: [Name; 18] = names!(18, urivalidate::ErrorKind::ALL, |at, kind| ErrorKind::of(kind));
static HOST_KIND_NAMES: [Name; 6] =
    names!(6, urivalidate::HostKind::ALL, |at, kind| HostKind::of(Some(kind)));
static AUTHORITY_KIND_NAMES: [Name; 3] =
    names!(3, urivalidate::AuthorityKind::ALL, |at, kind| AuthorityKind::of(Some(kind)));

fn name(names: &'static [Name], number: u32) -> *const c_char {
    let name = names.get(number as usize).filter(|name| **name != NO_NAME);
    name.map_or(std::ptr::null(), |name| name.as_ptr().cast())
}

/// The name of a grammar, as in other languages, or NULL if no grammar has this number. The name lives as
/// long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_grammar_name(grammar: u32) -> *const c_char {
    name(&GRAMMAR_NAMES, grammar)
}

/// The name of a part, `uri` for the record itself, or NULL if no part has this number. The name lives as
/// long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_part_name(part: u32) -> *const c_char {
    name(&PART_NAMES, part)
}

/// The name of an error's kind, or NULL if no kind has this number. The name lives as long as the library is
/// loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_error_kind_name(kind: u32) -> *const c_char {
    name(&ERROR_KIND_NAMES, kind)
}

/// The name of a host's kind, or NULL if no kind has this number. The name lives as long as the library is
/// loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_host_kind_name(kind: u32) -> *const c_char {
    name(&HOST_KIND_NAMES, kind)
}

/// The name of an authority's kind, or NULL if no kind has this number. The name lives as long as the library
/// is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_authority_kind_name(kind: u32) -> *const c_char {
    name(&AUTHORITY_KIND_NAMES, kind)
}

/// Finds a grammar by its name: a name that `uriv_grammar_name` returns, or `rfc3986` or `rfc3987`.
///
/// If no grammar has this name, returns `URIV_STATUS_NONE` and writes nothing to `grammar`.
///
/// # Safety
///
/// `name` has its bytes; `grammar` is NULL or has room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_grammar_by_name(name: Bytes, grammar: *mut u32) -> Status {
    status_of(|| {
        // SAFETY: the caller guarantees this.
        let name = unsafe { name.slice() }?;
        let found = std::str::from_utf8(name).ok().and_then(|name| name.parse().ok()).ok_or(Status::None)?;
        let number = GRAMMARS.iter().position(|&one| one == found).ok_or(Status::None)?;
        // SAFETY: the caller guarantees this.
        unsafe { put(grammar, number as u32) };
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;
    use crate::numbers::{COMPONENTS, Part, form};

    fn text(name: *const c_char) -> Option<&'static str> {
        // SAFETY: the name is NULL, or has a NUL at its end and lives as long as the program.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_str().unwrap())
    }

    /// Fails if the library adds a value to an enumeration, and this crate does not.
    #[test]
    fn everything_has_a_number_and_its_name() {
        for grammar in urivalidate::Grammar::ALL {
            let number = GRAMMARS.iter().position(|one| one == grammar).expect("a number");
            assert_eq!(text(uriv_grammar_name(number as u32)), Some(grammar.name()));
        }
        for part in urivalidate::Part::ALL {
            let number = PARTS.iter().position(|one| one == part).expect("a number");
            assert_eq!(text(uriv_part_name(number as u32)), Some(part.name()));
        }
        for &component in urivalidate::Component::ALL {
            let number = Part::from(Some(component)) as usize;
            assert_eq!(COMPONENTS[number - 1], component);
            assert_eq!(PARTS[number], urivalidate::Part::from(component));
        }
        for &kind in urivalidate::ErrorKind::ALL {
            // Only the corpus reader truncates records, and C has no corpus reader.
            let name = Some(kind.name()).filter(|_| kind != urivalidate::ErrorKind::Truncated);
            assert_eq!(text(uriv_error_kind_name(ErrorKind::of(kind) as u32)), name);
        }
        for &kind in urivalidate::HostKind::ALL {
            assert_eq!(text(uriv_host_kind_name(HostKind::of(Some(kind)) as u32)), Some(kind.name()));
        }
        for &kind in urivalidate::AuthorityKind::ALL {
            assert_eq!(
                text(uriv_authority_kind_name(AuthorityKind::of(Some(kind)) as u32)),
                Some(kind.name())
            );
        }
        for &one in urivalidate::NormalForm::ALL {
            assert!((0..2).any(|number| form(number) == Ok(one)));
        }
    }

    #[test]
    fn numbers_of_nothing_have_no_name() {
        assert_eq!(
            [uriv_error_kind_name(0), uriv_host_kind_name(0), uriv_authority_kind_name(0)].map(text),
            [None; 3]
        );
        for name in [
            uriv_grammar_name,
            uriv_part_name,
            uriv_error_kind_name,
            uriv_host_kind_name,
            uriv_authority_kind_name,
        ] {
            assert_eq!([18, 255, u32::MAX].map(|number| text(name(number))), [None; 3]);
        }
    }
}
