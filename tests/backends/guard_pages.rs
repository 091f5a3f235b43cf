//! Tests inputs next to memory that must not be touched.

#![allow(unsafe_code)]

use std::ptr;
use std::slice;

use urivalidate::copy_rows::{RowStep, ShortText, TextsAround, write_rows};
use urivalidate::{Backend, Batch, Columns, Grammar, ScanError, Validator};

use crate::cases::CASES;
use crate::reference::Checker;
use crate::stride;

/// Pages for an input, between two pages that cannot be read or written.
struct Guarded {
    pages: *mut u8,
    length: usize,
    page: usize,
}

impl Guarded {
    /// Makes room for at least `room` bytes.
    fn new(room: usize) -> Self {
        // SAFETY: the call only queries.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let length = room.next_multiple_of(page);
        // SAFETY: new pages, at an address that the system chooses. The pages between the outer two are made
        // accessible.
        let pages = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let all = libc::mmap(ptr::null_mut(), length + 2 * page, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(all, libc::MAP_FAILED);
            let pages = all.cast::<u8>().add(page);
            assert_eq!(libc::mprotect(pages.cast(), length, libc::PROT_READ | libc::PROT_WRITE), 0);
            pages
        };
        Guarded { pages, length, page }
    }

    /// Puts the input right after the first guard page.
    fn at_the_start(&mut self, input: &[u8]) -> &[u8] {
        self.put(0, input)
    }

    /// Puts the input right before the second guard page.
    fn at_the_end(&mut self, input: &[u8]) -> &[u8] {
        self.put(self.length - input.len(), input)
    }

    /// Returns writable bytes right before the second guard page.
    fn room_at_the_end(&mut self, room: usize) -> &mut [u8] {
        // SAFETY: as in `put`.
        let pages = unsafe { slice::from_raw_parts_mut(self.pages, self.length) };
        &mut pages[self.length - room..]
    }

    fn put(&mut self, at: usize, input: &[u8]) -> &[u8] {
        // SAFETY: `self` owns these pages, and they are accessible and initialised. The slice borrows `self`.
        let pages = unsafe { slice::from_raw_parts_mut(self.pages, self.length) };
        let place = &mut pages[at..at + input.len()];
        place.copy_from_slice(input);
        place
    }

    /// Returns true if the system can read the byte at this distance from the first page.
    fn is_readable(&self, at: isize) -> bool {
        let mut pipe = [0; 2];
        // SAFETY: the kernel checks the address that `write` gets, and reports it if it is not readable.
        unsafe {
            assert_eq!(libc::pipe(pipe.as_mut_ptr()), 0);
            let written = libc::write(pipe[1], self.pages.wrapping_offset(at).cast(), 1);
            libc::close(pipe[0]);
            libc::close(pipe[1]);
            written == 1
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: `self` owns the mapping, and no slice of it exists any more.
        unsafe { libc::munmap(self.pages.sub(self.page).cast(), self.length + 2 * self.page) };
    }
}

#[test]
fn the_guards_are_there() {
    let guarded = Guarded::new(1);
    let length = guarded.length as isize;
    assert!(guarded.is_readable(0) && guarded.is_readable(length - 1));
    assert!(!guarded.is_readable(-1) && !guarded.is_readable(length));
}

/// Asserts that scans touch only the input, and find its records.
fn check(checker: &mut Checker, guarded: &mut Guarded, input: &[u8]) {
    for at_the_end in [false, true] {
        let input = if at_the_end { guarded.at_the_end(input) } else { guarded.at_the_start(input) };
        checker.lines(input);
        let length = input.len() as u32;
        checker.ranges(&[0, length / 3, length / 2, length], input);
    }
}

#[test]
fn short_inputs() {
    let mut checker = Checker::default();
    let mut guarded = Guarded::new(4096);
    let text = CASES.join(&b'\n');
    for length in 0..=260 {
        for start in (length % 7..text.len() - length).step_by(401 * stride(8)) {
            check(&mut checker, &mut guarded, &text[start..start + length]);
        }
    }
    for case in CASES {
        check(&mut checker, &mut guarded, case);
    }
}

#[test]
fn long_inputs() {
    let mut checker = Checker::default();
    let mut guarded = Guarded::new(300 << 10);
    let mut text = CASES.join(&b'\n');
    while text.len() < 300 << 10 {
        text.extend_from_within(..);
    }
    for length in [4095, 4096, 4097, (128 << 10) - 1, 128 << 10, (128 << 10) + 1, 256 << 10, 300 << 10] {
        check(&mut checker, &mut guarded, &text[..length]);
        check(&mut checker, &mut guarded, &vec![b'a'; length]);
    }
}

/// Tests 4 GiB to which nothing is ever written: 32-bit offsets would not reach the end.
#[test]
#[cfg(target_pointer_width = "64")]
fn buffers_that_are_too_large() {
    const LENGTH: usize = u32::MAX as usize;
    // SAFETY: new pages, which read as zeros.
    let pages = unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let pages = libc::mmap(ptr::null_mut(), LENGTH, libc::PROT_READ, flags, -1, 0);
        assert_ne!(pages, libc::MAP_FAILED);
        pages
    };
    // SAFETY: the pages stay mapped until the last use of the buffer.
    let buffer = unsafe { slice::from_raw_parts(pages.cast::<u8>(), LENGTH) };
    let validator = Validator::new(Grammar::Uri);
    let mut batch = Batch::new();
    let too_large = Some(ScanError::BufferTooLarge);
    assert_eq!(validator.scan(buffer, Columns::NONE, &mut batch).err(), too_large);
    let scanned = validator.scan_ranges(&[0, u32::MAX], buffer, None, Columns::NONE, &mut batch);
    assert_eq!(scanned.err(), too_large);
    // Offsets still reach a record at the far end.
    let offsets = [u32::MAX - 2, u32::MAX - 1];
    validator.scan_ranges(&offsets, buffer, None, Columns::ALL, &mut batch).unwrap();
    assert_eq!(batch.invalid()[0].start, u32::MAX - 2);
    // SAFETY: this unmaps the pages mapped above.
    unsafe { libc::munmap(pages, LENGTH) };
}

/// Tests rows made of parts at either end of their buffer, and written into room before the guard page.
#[test]
fn rows_of_text() {
    let (mut guarded, mut room) = (Guarded::new(1), Guarded::new(8192));
    let texts = ShortText::new("text").unwrap();
    let texts = TextsAround::new(texts, texts, texts, Some(b'\n'));
    let validators =
        Backend::ALL.iter().filter_map(|&backend| Validator::new(Grammar::Uri).with_backend(backend).ok());
    for validator in validators {
        for length in (1..=300).chain([1000, 2000]) {
            let input: Vec<u8> = (0..length).map(|i| b'a' + (i % 26) as u8).collect();
            for at_the_end in [false, true] {
                let from = if at_the_end { guarded.at_the_end(&input) } else { guarded.at_the_start(&input) };
                let (starts, ends) = ([0, length / 2, length - 1], [length; 3]);
                let mut steps = [RowStep::parts(&texts, from, &starts, &ends), RowStep::constant(&texts)];
                let mut asked = 0;
                let written = write_rows(&validator, &mut steps, 3, |needed| {
                    asked = needed;
                    Ok::<_, ()>(room.room_at_the_end(needed))
                });
                let written = written.unwrap().unwrap();
                let expected: Vec<u8> = starts
                    .iter()
                    .flat_map(|&start| [b"text", &input[start as usize..], b"\ntext"].concat())
                    .collect();
                assert_eq!(&room.room_at_the_end(asked)[..written], expected);
            }
        }
    }
}
