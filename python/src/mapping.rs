//! The only place where the package lets a scanner map files.
#![expect(unsafe_code, reason = "other processes can change a mapped file")]

use urivalidate::corpus::Scanner;

/// Makes the scanner map files.
pub(crate) fn mapping_files(scanner: Scanner) -> Scanner {
    // SAFETY: scans copy text into columns, and Arrow checks that the copies are UTF-8. Statistics keep
    // counts, and copies of their samples. No reference to a chunk outlives its job, and the scanner discards
    // the results of a chunk that changed meanwhile.
    unsafe { scanner.map_files(true) }
}
