//! The names of the numbers.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use std::ffi::{CStr, c_char};

use crate::guard::status_of;
use crate::numbers::{GRAMMARS, PART_COUNT};
use crate::pointers::{bytes, put};
use crate::status::Status;

const GRAMMAR_NAMES: [&CStr; 9] = [
    c"uri",
    c"uri-reference",
    c"absolute-uri",
    c"relative-ref",
    c"rfc2396",
    c"java",
    c"iri",
    c"iri-reference",
    c"request-target",
];
const PART_NAMES: [&CStr; PART_COUNT] = [
    c"uri",
    c"scheme",
    c"authority",
    c"userinfo",
    c"host",
    c"port",
    c"path",
    c"query",
    c"fragment",
    c"scheme_specific_part",
    c"path_and_query",
];
const ERROR_KIND_NAMES: [&CStr; 18] = [
    c"",
    c"empty",
    c"missing-scheme",
    c"invalid-scheme",
    c"space",
    c"control-character",
    c"non-ascii",
    c"invalid-character",
    c"invalid-percent-encoding",
    c"bracket-outside-host",
    c"invalid-ip-literal",
    c"invalid-port",
    c"second-fragment",
    c"colon-in-first-segment",
    c"invalid-authority",
    c"invalid-utf8",
    c"empty-scheme-specific-part",
    c"record-too-long",
];
const HOST_KIND_NAMES: [&CStr; 6] = [c"", c"reg-name", c"hostname", c"ipv4", c"ipv6", c"ipvfuture"];
const AUTHORITY_KIND_NAMES: [&CStr; 3] = [c"", c"server", c"registry"];

fn name(names: &[&'static CStr], number: u32) -> *const c_char {
    names.get(number as usize).filter(|name| !name.is_empty()).map_or(std::ptr::null(), |name| name.as_ptr())
}

/// The name of a grammar, as other bindings take it, or NULL if there is none of this number. It lives as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_grammar_name(grammar: u32) -> *const c_char {
    name(&GRAMMAR_NAMES, grammar)
}

/// The name of a part, `uri` for the record itself, or NULL if there is none of this number. It lives as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_part_name(part: u32) -> *const c_char {
    name(&PART_NAMES, part)
}

/// The name of an error's kind, or NULL if there is none of this number. It lives as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_error_kind_name(kind: u32) -> *const c_char {
    name(&ERROR_KIND_NAMES, kind)
}

/// The name of a host's kind, or NULL if there is none of this number. It lives as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_host_kind_name(kind: u32) -> *const c_char {
    name(&HOST_KIND_NAMES, kind)
}

/// The name of an authority's kind, or NULL if there is none of this number. It lives as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_authority_kind_name(kind: u32) -> *const c_char {
    name(&AUTHORITY_KIND_NAMES, kind)
}

/// Finds the grammar of a name: one that `uriv_grammar_name` returns, or `rfc3986` or `rfc3987`.
///
/// Returns `URIV_STATUS_NONE`, and writes nothing to `grammar`, if there is none of this name.
///
/// # Safety
///
/// `name` has `length` bytes; `grammar` is NULL or has room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_grammar_by_name(
    name: *const c_char,
    length: usize,
    grammar: *mut u32,
) -> Status {
    status_of(|| {
        // SAFETY: as the caller says.
        let name = unsafe { bytes(name, length) }?;
        let found = std::str::from_utf8(name).ok().and_then(|name| name.parse().ok()).ok_or(Status::None)?;
        let number = GRAMMARS.iter().position(|&one| one == found).ok_or(Status::None)?;
        // SAFETY: as the caller says.
        unsafe { put(grammar, number as u32) };
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{AuthorityKind, COMPONENTS, ErrorKind, HostKind, PARTS, Part, form};

    fn names(names: &[&'static CStr]) -> Vec<&'static str> {
        names.iter().map(|name| name.to_str().unwrap()).collect()
    }

    /// Whatever the library adds gets a number.
    #[test]
    fn everything_has_a_number_and_its_name() {
        for grammar in urivalidate::Grammar::ALL {
            let number = GRAMMARS.iter().position(|one| one == grammar).expect("a number");
            assert_eq!(names(&GRAMMAR_NAMES)[number], grammar.name());
        }
        for part in urivalidate::Part::ALL {
            let number = PARTS.iter().position(|one| one == part).expect("a number");
            assert_eq!(names(&PART_NAMES)[number], part.name());
        }
        for &component in urivalidate::Component::ALL {
            let number = Part::from(Some(component)) as usize;
            assert_eq!(COMPONENTS[number - 1], component);
            assert_eq!(PARTS[number], urivalidate::Part::from(component));
        }
        for &kind in urivalidate::ErrorKind::ALL {
            // Only the corpus reader, which is not here, breaks off a record.
            if kind != urivalidate::ErrorKind::Truncated {
                assert_eq!(names(&ERROR_KIND_NAMES)[ErrorKind::from(kind) as usize], kind.name());
            }
        }
        for &kind in urivalidate::HostKind::ALL {
            assert_eq!(names(&HOST_KIND_NAMES)[HostKind::from(Some(kind)) as usize], kind.name());
        }
        for &kind in urivalidate::AuthorityKind::ALL {
            assert_eq!(names(&AUTHORITY_KIND_NAMES)[AuthorityKind::from(Some(kind)) as usize], kind.name());
        }
        for &one in urivalidate::Form::ALL {
            assert!((0..2).any(|number| form(number) == Ok(one)));
        }
    }
}
