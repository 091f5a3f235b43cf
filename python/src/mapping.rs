//! The one place where the package has files mapped.
#![expect(unsafe_code, reason = "other processes can change a mapped file")]

use urivalidate::corpus::Scanner;

/// Has the scanner map files.
pub(crate) fn mapping_files(scanner: Scanner) -> Scanner {
    // SAFETY: scans copy text into columns, and Arrow checks the copies for UTF-8; statistics count, and copy their samples. No reference to a
    // chunk outlives its job, and the scanner discards the results of a chunk that changed meanwhile.
    unsafe { scanner.map_files(true) }
}
