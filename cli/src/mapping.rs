//! The only place where the command lets the scanner map files.
#![expect(unsafe_code, reason = "other processes can change a mapped file")]

use urivalidate::corpus::Scanner;

/// Lets the scanner map files.
pub(crate) fn mapping_files(scanner: Scanner) -> Scanner {
    // SAFETY: the jobs of this command copy a chunk's bytes before they write them, and check the copies for
    // UTF-8. They keep no reference to a chunk, and the scanner discards the results of a chunk that changed
    // meanwhile.
    unsafe { scanner.map_files(true) }
}
