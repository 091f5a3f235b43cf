//! A grammar with its options.
#![expect(unsafe_code, reason = "its function has a name for C, and takes a pointer")]

use urivalidate::Validator as Inner;

use crate::guard::status_of;
use crate::numbers::GRAMMARS;
use crate::status::Status;

/// An option of a validator: the zone identifiers of RFC 6874 in IPv6 addresses (`[fe80::1%25en0]`), which RFC
/// 9844 made obsolete, are valid, too.
/// The grammars of RFC 3986 support this option.
pub const ZONE_IDS: u32 = 1;

/// A grammar with its options. All validators are constants of the library: nobody frees them, and any number
/// of threads may use them.
#[derive(Debug)]
pub struct Validator(pub(crate) Inner);

/// The validators without options, in the order of the grammars' numbers.
static WITHOUT_OPTIONS: [Validator; GRAMMARS.len()] = {
    let mut all = [const { Validator(Inner::new(GRAMMARS[0])) }; GRAMMARS.len()];
    let mut i = 0;
    while i < GRAMMARS.len() {
        all[i] = Validator(Inner::new(GRAMMARS[i]));
        i += 1;
    }
    all
};

/// The validators with zone identifiers.
static ZONED: [Option<Validator>; GRAMMARS.len()] = {
    let mut all = [const { None }; GRAMMARS.len()];
    let mut i = 0;
    while i < GRAMMARS.len() {
        if let Ok(inner) = Inner::new(GRAMMARS[i]).with_zone_ids() {
            all[i] = Some(Validator(inner));
        }
        i += 1;
    }
    all
};

/// Finds the validator of a grammar with options: 0 or `URIV_ZONE_IDS`. Do not free it.
///
/// Returns `URIV_STATUS_UNSUPPORTED` if the grammar does not support the options, and
/// `URIV_STATUS_INVALID_ARGUMENT` if the grammar or the option does not exist.
///
/// # Safety
///
/// `validator` has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_validator_get(
    grammar: u32,
    options: u32,
    validator: *mut *const Validator,
) -> Status {
    status_of(|| {
        let number = grammar as usize;
        let found =
            WITHOUT_OPTIONS.get(number).filter(|_| !validator.is_null()).ok_or(Status::InvalidArgument)?;
        let found = match options {
            0 => found,
            ZONE_IDS => ZONED[number].as_ref().ok_or(Status::Unsupported)?,
            _ => return Err(Status::InvalidArgument),
        };
        // SAFETY: the pointer is not NULL, and the caller guarantees the room.
        unsafe { validator.write(found) };
        Ok(())
    })
}
