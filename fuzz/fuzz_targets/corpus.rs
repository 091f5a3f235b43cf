//! Compares the corpus reader with the definition of a record. The input is any bytes, in chunks and pieces
//! of any size, on one thread and on three, from memory, from a stream that ends normally or with an error,
//! and from a file that is read or mapped.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use urivalidate::Columns;
use urivalidate::corpus::ChunkScanner;
use urivalidate_fuzz::knobs::Knobs;
use urivalidate_fuzz::records::List;
use urivalidate_fuzz::ways::{self, From};

thread_local! {
    /// The scanner is reused, so data that a chunk leaves in it could affect the next chunk.
    static CHUNK_SCANNER: RefCell<ChunkScanner> = RefCell::default();
}

fuzz_target!(|input: &[u8]| {
    let (knobs, input) = Knobs::split(input);
    let expected = [false, true].map(|is_cut_off| List::expected(input, &knobs, is_cut_off));
    ways::each(knobs, |way| {
        // Another target tests compressed input.
        if way.decompresses(input) {
            return;
        }
        let found = way.scan(input, |chunk| {
            CHUNK_SCANNER.with_borrow_mut(|chunk_scanner| {
                let scanned = chunk_scanner.scan(chunk, &knobs.validator, Columns::RECORDS).expect("memory");
                (chunk.first_line(), chunk.base(), chunk.bytes().to_vec(), List::of(&scanned))
            })
        });
        if found.is_refused() {
            return;
        }
        let mut list = List::default();
        let mut bytes = Vec::new();
        for (first_line, base, part, records) in found.values {
            assert_eq!(first_line, Some(list.records.len() as u64 + 1), "{way:?}");
            assert_eq!(base, bytes.len() as u64, "{way:?}");
            bytes.extend(part);
            list.extend(records);
        }
        let is_broken = way.from == From::Broken;
        assert_eq!(found.end.map(|end| end.is_err()), Some(is_broken), "{way:?}");
        assert_eq!(bytes, input, "{way:?}");
        assert_eq!(&list, &expected[usize::from(is_broken)], "{way:?}");
    });
});
