//! Strings that lie apart, in Arrow's views, copied side by side as lines.
//!
//! With an LF after each string, the scan takes the copies unchanged, in less time than strings without gaps,
//! which it has to move apart. The loops are plain; the compiler vectorises them for each backend.

use crate::simd::block::vector::BLOCK;

/// The bytes that are copied at a time: most strings are shorter, and copying only the bytes of the string
/// takes longer.
const STEP: usize = 2 * BLOCK;

/// The bytes of the longest string that a view itself holds.
pub(crate) const INLINE: u32 = 12;

/// The copied strings: the first `count` strings, in `len` bytes with their LFs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GatheredLines {
    pub(crate) count: usize,
    pub(crate) len: usize,
}

/// [`gather`], compiled for a backend.
pub(in crate::simd) type Gather = unsafe fn(&[u128], &[&[u8]], &mut [u8]) -> GatheredLines;

/// Copies strings into `room`, an LF after each. Stops before the first string that does not fit, is not in
/// the buffer that its view names, or ends with CR, which would become part of the line's end.
///
/// A view has the length of its string from bit 0 on. If the string has at most [`INLINE`] bytes, the view
/// has the string itself from bit 32 on; else it has the number of the buffer from bit 64 on, and the offset
/// in that buffer from bit 96 on. The bytes of the room after the copies have no meaning. A string that holds
/// LFs makes more than one line.
#[inline(always)]
pub(in crate::simd) fn gather(views: &[u128], buffers: &[&[u8]], room: &mut [u8]) -> GatheredLines {
    let mut end = 0;
    for (count, &view) in views.iter().enumerate() {
        let line = &mut room[end..];
        let len = view as u32 as usize;
        if copy(view, len, buffers, line).is_none_or(|last| last == b'\r') {
            return GatheredLines { count, len: end };
        }
        line[len] = b'\n';
        end += len + 1;
    }
    GatheredLines { count: views.len(), len: end }
}

/// Copies the string of a view to the start of `line`, if it fits there with its LF. Returns the last byte of
/// the string, or an LF if it is empty: reading the last byte from the copy would have to wait until the copy
/// is written.
#[inline(always)]
fn copy(view: u128, len: usize, buffers: &[&[u8]], line: &mut [u8]) -> Option<u8> {
    if len >= line.len() {
        return None;
    }
    if len <= INLINE as usize {
        let bytes = (view >> 32).to_le_bytes();
        *line.first_chunk_mut()? = bytes;
        return Some(if len == 0 { b'\n' } else { bytes[len - 1] });
    }
    let (buffer, start) = ((view >> 64) as u32 as usize, (view >> 96) as u32 as usize);
    let from = buffers.get(buffer)?.get(start..)?;
    let steps = len.next_multiple_of(STEP);
    if steps < line.len()
        && let Some(from) = from.get(..steps)
    {
        for (to, from) in line.as_chunks_mut::<STEP>().0.iter_mut().zip(from.as_chunks().0) {
            *to = *from;
        }
    } else {
        line[..len].copy_from_slice(from.get(..len)?);
    }
    from.get(len - 1).copied()
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::simd::{Available, Backend};

    /// Returns the strings that the backends gather, asserted to be the same for all.
    fn gathered(views: &[u128], buffers: &[&[u8]], room: usize) -> (usize, Vec<u8>) {
        let results: Vec<_> = Backend::ALL
            .iter()
            .filter_map(|&backend| Available::new(backend))
            .map(|backend| {
                let mut room = vec![b'#'; room];
                let GatheredLines { count, len } = crate::simd::gather(backend, views, buffers, &mut room);
                room.truncate(len);
                (count, room)
            })
            .collect();
        assert!(results.iter().all(|result| *result == results[0]));
        results.into_iter().next().expect("the scalar backend")
    }

    fn view(bytes: &[u8], buffer: u32, start: u32) -> u128 {
        let len = bytes.len();
        let mut view = [0; 16];
        view[..4].copy_from_slice(&(len as u32).to_le_bytes());
        if len <= 12 {
            view[4..4 + len].copy_from_slice(bytes);
        } else {
            view[4..8].copy_from_slice(&bytes[..4]);
            view[8..12].copy_from_slice(&buffer.to_le_bytes());
            view[12..].copy_from_slice(&start.to_le_bytes());
        }
        u128::from_le_bytes(view)
    }

    #[test]
    fn strings_of_every_length_become_lines_wherever_they_are() {
        let bytes: Vec<u8> = (0..700u32).map(|i| b'a' + (i * 7 % 26) as u8).collect();
        let buffers = [&b"another buffer"[..], &bytes];
        for len in 0..400 {
            // Strings at the start, at the end and in the middle of the buffer.
            let starts = [0, 13, 700 - len];
            let views: Vec<_> =
                starts.iter().map(|&start| view(&bytes[start..][..len], 1, start as u32)).collect();
            let lines: Vec<u8> =
                starts.iter().flat_map(|&start| [&bytes[start..][..len], b"\n"].concat()).collect();
            // In any room, the lines that fit are copied; the largest room takes all of them.
            for room in [0, len, len + 1, 2 * len + 2, 3 * len + 2, 3 * len + 3, 3 * len + 19, 2000] {
                let (count, found) = gathered(&views, &buffers, room);
                assert_eq!(found, lines[..count * (len + 1)], "{len} bytes, room of {room}");
                // A string in its view is copied with the other bytes of the view.
                let fits = room.saturating_sub(if len <= 12 { 15 - len } else { 0 }) / (len + 1);
                assert_eq!(count, fits.min(3), "{len} bytes, room of {room}");
            }
        }
    }

    #[test]
    fn it_ends_before_a_string_that_is_no_line_or_not_there() {
        let bytes = b"http://example.com/\rhttp://example.com/\n";
        let (line, with_cr) = (view(&bytes[..19], 0, 0), view(&bytes[..20], 0, 0));
        for bad in [
            with_cr,
            view(b"\r", 0, 0),
            view(b"http://h/\r", 0, 0),
            // Strings beyond the end of the buffer, and one in no buffer.
            view(&bytes[..19], 0, 22),
            view(&bytes[..19], 0, u32::MAX),
            view(&bytes[..19], 1, 0),
            line | u128::from(u32::MAX),
        ] {
            assert_eq!(gathered(&[line, bad, line], &[bytes], 1000), (1, b"http://example.com/\n".to_vec()));
        }
        // A CR inside a string is not part of a line's end; an LF inside makes two lines.
        let views = [view(&bytes[1..], 0, 1), 0, line];
        assert_eq!(
            gathered(&views, &[bytes], 1000),
            (3, [&bytes[1..], b"\n\nhttp://example.com/\n"].concat())
        );
    }
}
