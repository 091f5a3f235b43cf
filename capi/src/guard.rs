//! The boundary between Rust and C: no panic crosses it, and failures become numbers and messages.

use std::any::Any;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use urivalidate::Error;
use urivalidate::arrow::FunctionError;

use crate::numbers::{ErrorKind, Part};
use crate::status::Status;

/// The size of a failure's message in bytes, including its NUL.
pub const MESSAGE_SIZE: usize = 488;

/// The failure of a function that takes arrays or makes a part of URLs. It has 512 bytes and belongs to the
/// caller. The function writes it only if it fails.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// The status that the function returned.
    pub status: Status,
    /// The kind of the error, if an invalid record is the reason.
    pub kind: ErrorKind,
    /// The part that the error is in, if an invalid record is the reason: `URIV_PART_RECORD` if the error is
    /// in no part.
    pub part: Part,
    /// The offset of the error in bytes from the start of the record, if an invalid record is the reason.
    pub offset: u32,
    /// The row, counted from 0, if an invalid record or text is the reason. Otherwise -1.
    pub row: i64,
    /// A sentence for people, with a NUL at its end. A sentence that is too long is cut and ends with "...".
    pub message: [c_char; MESSAGE_SIZE],
}

/// A failure before it becomes a [`Failure`] for C.
#[derive(Debug)]
pub(crate) struct Cause {
    status: Status,
    row: Option<usize>,
    error: Option<Error>,
    message: String,
}

impl Cause {
    pub(crate) fn new(status: Status, message: impl ToString) -> Self {
        Cause { status, row: None, error: None, message: message.to_string() }
    }

    fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        Cause::new(Status::Internal, format_args!("internal error: {message}"))
    }

    /// The failure as C sees it.
    pub(crate) fn failure(&self) -> Failure {
        let error = self.error.as_ref();
        Failure {
            status: self.status,
            kind: error.map_or(ErrorKind::None, |error| ErrorKind::of(error.kind())),
            part: error.and_then(Error::component).into(),
            offset: error.map_or(0, |error| error.offset() as u32),
            row: self.row.map_or(-1, |row| row as i64),
            message: message(&self.message),
        }
    }
}

/// The message with a NUL at its end, cut if it is too long.
fn message(text: &str) -> [c_char; MESSAGE_SIZE] {
    const MORE: &str = "...";

    let mut shown = text.replace('\0', "\\0");
    if shown.len() >= MESSAGE_SIZE {
        let mut end = MESSAGE_SIZE - 1 - MORE.len();
        while !shown.is_char_boundary(end) {
            end -= 1;
        }
        shown.truncate(end);
        shown.push_str(MORE);
    }
    let mut message = [0; MESSAGE_SIZE];
    for (to, byte) in message.iter_mut().zip(shown.bytes()) {
        *to = byte as c_char;
    }
    message
}

impl From<Status> for Cause {
    fn from(status: Status) -> Self {
        Cause::new(status, status.message().to_string_lossy())
    }
}

impl From<FunctionError> for Cause {
    fn from(error: FunctionError) -> Self {
        let message = error.to_string();
        let status = match error {
            FunctionError::UnsupportedType(_) => Status::UnsupportedType,
            FunctionError::UnknownField { .. }
            | FunctionError::RepeatedField(_)
            | FunctionError::UnknownPart { .. } => Status::InvalidField,
            FunctionError::InvalidKey { .. } | FunctionError::KeyWithoutQuery { .. } => Status::InvalidKey,
            FunctionError::Unsupported(_) => Status::Unsupported,
            FunctionError::InvalidBase { .. } => Status::InvalidBase,
            FunctionError::InvalidUrl { row, error, .. } => {
                return Cause { status: Status::Invalid, row: Some(row), error: Some(error), message };
            }
            FunctionError::InvalidEscape { row, .. } => {
                return Cause { status: Status::Invalid, row: Some(row), error: None, message };
            }
            FunctionError::TooLong(_) => Status::TooLong,
            FunctionError::OutOfMemory(_) => Status::OutOfMemory,
            _ => Status::InvalidArray,
        };
        Cause::new(status, message)
    }
}

/// Runs `work` and returns the status of its result. A panic becomes [`Status::Internal`].
pub(crate) fn status_of(work: impl FnOnce() -> Result<(), Status>) -> Status {
    // A value that a panic leaves half done is dropped with the call, or filled again by the next call.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(status)) => status,
        Err(_) => Status::Internal,
    }
}

/// Like [`status_of`], but also passes the failure to `describe`.
pub(crate) fn described(work: impl FnOnce() -> Result<(), Cause>, describe: impl FnOnce(Failure)) -> Status {
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Cause::of_panic(&*panic)));
    match result {
        Ok(()) => Status::Ok,
        Err(cause) => {
            describe(cause.failure());
            cause.status
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(failure: &Failure) -> String {
        let bytes = failure.message.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0);
        String::from_utf8(bytes.collect()).unwrap()
    }

    #[test]
    fn no_panic_gets_out() {
        assert_eq!(status_of(|| panic!("one")), Status::Internal);
        assert_eq!(status_of(|| std::panic::panic_any(7)), Status::Internal);

        let mut failure = None;
        assert_eq!(described(|| panic!("number {}", 2), |made| failure = Some(made)), Status::Internal);
        let failure = failure.unwrap();
        assert_eq!((failure.status, failure.row), (Status::Internal, -1));
        assert_eq!(text(&failure), "internal error: number 2");
    }

    #[test]
    fn long_messages_are_cut_between_characters() {
        for length in [0, 1, 483, 484, 485, 486, 487, 488, 5000] {
            let long = "é".repeat(length) + "\0";
            let shown = text(&Cause::new(Status::Internal, &long).failure());
            if long.len() + 1 < MESSAGE_SIZE {
                assert_eq!(shown, long.replace('\0', "\\0"));
            } else {
                assert!(shown.ends_with("é..."), "{shown}");
                assert!(shown.len() > MESSAGE_SIZE - 4);
            }
        }
    }

    /// Checks the size of 512 bytes that the header states.
    #[test]
    fn failures_have_512_bytes() {
        assert_eq!(size_of::<Failure>(), 512);
    }
}
