//! The one place where the command has files mapped.
#![expect(unsafe_code, reason = "other processes can change a mapped file")]

use urivalidate::corpus::Scanner;

/// Has the scanner map files.
pub(crate) fn mapping_files(scanner: Scanner) -> Scanner {
    // SAFETY: the jobs of this command copy what they write of a chunk, and check it for UTF-8 after they have copied it. They keep no reference to a chunk,
    // and the scanner discards what they made of a chunk that changed meanwhile.
    unsafe { scanner.map_files(true) }
}
