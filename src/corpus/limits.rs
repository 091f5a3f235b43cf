//! The limits of a scan: sizes, and how records end.

use crate::simd::{self, Available};
use crate::work::{looked_at, memchr_iter};

/// The limits of a piece of a chunk's records. Only chunks in which a line can hold several records have more
/// than one piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceLimits {
    /// The most records and malformed places.
    pub(crate) records: usize,
    /// If a record brings the records to this number of bytes, it is the last one of the piece.
    pub(crate) bytes: usize,
}

impl PieceLimits {
    /// All records of a chunk are one piece.
    pub(crate) const NONE: Self = PieceLimits { records: usize::MAX, bytes: usize::MAX };

    /// What a piece may have in chunks of any size.
    pub(crate) const ALWAYS: Self = PieceLimits { records: 16 << 10, bytes: 1 << 20 };
}

/// The limits that the sources need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) chunk_size: usize,
    /// The maximum number of lines of a chunk.
    pub(crate) chunk_lines: usize,
    /// Whether the number of lines in a chunk of a list may be [estimated](Self::estimated_first_lines).
    pub(crate) estimates_lines: bool,
    pub(crate) max_record: usize,
    /// The byte that ends a record.
    pub(crate) terminator: u8,
    /// Strips white space at both ends of a record.
    pub(crate) trim: bool,
    pub(crate) number_lines: bool,
    /// Whether rows are numbered: lines that are neither headers nor blank.
    pub(crate) number_rows: bool,
    /// Whether layouts keep the header that names the columns.
    pub(crate) keep_headers: bool,
}

impl Limits {
    /// Returns how many bytes of these whole lines fit into one chunk: all of them, unless there are more
    /// than [`chunk_lines`](Self::chunk_lines) lines.
    pub(crate) fn first_lines(&self, lines: &[u8]) -> usize {
        if self.chunk_lines == usize::MAX {
            return lines.len();
        }
        // A line has at least one byte. A kernel counts line ends: a search for each took 4 to 6% of the time
        // of record batches. The work is counted for few bytes, too, so that it grows steadily and not in a
        // step.
        looked_at(lines.len());
        if lines.len() <= self.chunk_lines
            || simd::count_bytes(Available::best(), lines, self.terminator) <= self.chunk_lines
        {
            return lines.len();
        }
        memchr_iter(self.terminator, lines).nth(self.chunk_lines - 1).map_or(lines.len(), |end| end + 1)
    }

    /// Returns the same, except that a chunk may have more lines if a sample of them has few.
    ///
    /// Counting takes up to a tenth of the time of rows: if the bytes come from memory, the count waits for
    /// them, while a scan has other work meanwhile.
    pub(crate) fn estimated_first_lines(&self, lines: &[u8]) -> usize {
        /// The number of pieces of the sample.
        const PIECES: usize = 4;
        /// The bytes of a piece. A machine waits for all pieces at once, if they are short: with 512 bytes,
        /// the sample took 4% of the time of rows of offsets.
        const PIECE: usize = 128;
        /// The fewest pieces' bytes that are worth a sample.
        const WORTHWHILE: usize = 32;

        if self.estimates_lines && lines.len() >= WORTHWHILE * PIECES * PIECE {
            let step = lines.len() / PIECES;
            let pieces = lines.chunks_exact(step).map(|part| &part[..PIECE]);
            let ends: usize =
                pieces.map(|piece| simd::count_bytes(Available::best(), piece, self.terminator)).sum();
            looked_at(PIECES * PIECE);
            // Few means at most half of the number that is allowed.
            let estimate = (lines.len() as u64).saturating_mul(ends as u64) / (PIECES * PIECE) as u64;
            if estimate <= self.chunk_lines as u64 / 2 {
                return lines.len();
            }
        }
        self.first_lines(lines)
    }

    /// Returns the limits of a piece of a chunk's records. They bound the results for a line, a tag or a page
    /// with many records.
    pub(crate) fn piece(&self) -> PieceLimits {
        /// The fewest bytes of a chunk for each record. Only texts made for this purpose have more records.
        const DENSEST: usize = 16;

        let PieceLimits { records, bytes } = PieceLimits::ALWAYS;
        PieceLimits {
            records: self.chunk_lines.min((self.chunk_size / DENSEST).max(records)),
            bytes: self.chunk_size.max(bytes),
        }
    }

    /// Returns the bytes of the longest line whose record is within the limit, with CR and LF.
    pub(crate) fn longest_line(&self) -> usize {
        self.max_record.saturating_add(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_has_too_many_lines_only_where_a_sample_has_few() {
        let limits = Limits {
            chunk_size: usize::MAX,
            chunk_lines: 1000,
            estimates_lines: true,
            max_record: 200,
            terminator: b'\n',
            trim: false,
            number_lines: false,
            number_rows: false,
            keep_headers: false,
        };
        let counts = Limits { estimates_lines: false, ..limits };
        let long = [&[b'a'; 199][..], b"\n"].concat();
        // Few lines, many lines, and few lines in the sample alone.
        let few = long.repeat(200);
        let many = b"\n".repeat(40_000);
        let mixed = [long.repeat(50), b"\n".repeat(4_000)].concat().repeat(4);
        assert_eq!(
            [&few, &many, &mixed].map(|lines| limits.estimated_first_lines(lines)),
            [40_000, 1000, 56_000]
        );
        assert_eq!(
            [&few, &many, &mixed].map(|lines| counts.estimated_first_lines(lines)),
            [40_000, 1000, 10_950]
        );
        // A chunk that is too short for a sample.
        assert_eq!(limits.estimated_first_lines(&[&long[..], &b"\n".repeat(9_000)].concat()), 1199);
    }
}
