//! Gives each line of a chunk to one share: valid, invalid, header or rest.

use std::ops::Range;

use super::Fields;

/// The role of an input's line when lines are sorted by role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineRole {
    /// The line holds a valid record.
    Valid,
    /// The line holds an invalid record.
    Invalid,
    /// The line describes the others, so each share needs it to be readable again: the header of a table, of
    /// an index, or of a W3C log.
    Header,
    /// The line holds no record: it does not fit its format, it has a sentinel in the record's place, or it
    /// never holds one, like the lines in the blocks of a WARC file.
    Rest,
}

impl Fields {
    /// Assigns a role to each line of the chunk. `bytes` are those of the chunk. Calls `each` in order with
    /// the bytes of each role, line ends included; together they are all bytes of the chunk. `role_of` takes
    /// the index of a record.
    ///
    /// A line has one role: that of its first record.
    pub(crate) fn share_out(
        &self,
        bytes: &[u8],
        role_of: impl Fn(usize) -> LineRole,
        mut each: impl FnMut(LineRole, Range<usize>),
    ) {
        let mut runs = Runs { from: 0, to: 0, role: LineRole::Rest };
        let mut records =
            (0..self.len()).map(|index| (self.origins[index].line_start, Some(index))).peekable();
        let mut headers = self.headers.iter().map(|header| (header.start, None)).peekable();
        while let Some((start, record)) = {
            let is_header_next = match (records.peek(), headers.peek()) {
                (Some((record, _)), Some((header, _))) => header < record,
                (_, header) => header.is_some(),
            };
            if is_header_next { headers.next() } else { records.next() }
        } {
            if (start as usize) < runs.to {
                continue;
            }
            let line = self.line_range(bytes, start);
            // The byte order mark goes with the first line.
            let is_first = line.start == self.mark && runs.to == 0;
            if !is_first {
                runs.extend(line.start, LineRole::Rest, &mut each);
            }
            let role = record.map_or(LineRole::Header, &role_of);
            runs.extend(line.end, role, &mut each);
        }
        runs.extend(bytes.len(), LineRole::Rest, &mut each);
        runs.end(&mut each);
    }
}

/// Merges neighbouring ranges of one role.
struct Runs {
    from: usize,
    to: usize,
    role: LineRole,
}

impl Runs {
    /// Gives this role to the bytes from the end of the last range up to `to`.
    fn extend(&mut self, to: usize, role: LineRole, each: &mut impl FnMut(LineRole, Range<usize>)) {
        if to == self.to {
            return;
        }
        if role != self.role {
            self.end(each);
            (self.from, self.role) = (self.to, role);
        }
        self.to = to;
    }

    fn end(&self, each: &mut impl FnMut(LineRole, Range<usize>)) {
        if self.from < self.to {
            each(self.role, self.from..self.to);
        }
    }
}
