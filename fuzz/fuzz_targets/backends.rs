//! Compares every backend with the parsers, for every grammar: with the input as lines, and with the input
//! cut into records that contain line ends.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/backends/reference.rs"]
mod reference;

thread_local! {
    /// The checker reuses batches, so data that an input leaves in a batch could affect the next input.
    static CHECKER: RefCell<reference::Checker> = RefCell::default();
}

fuzz_target!(|input: &[u8]| {
    CHECKER.with_borrow_mut(|checker| {
        checker.lines(input);
        checker.rows(input);
        let mut offsets = vec![0];
        for (at, _) in input.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
            // Some records end before their LF, and some after it. After some of those that end before it,
            // the next record is a single LF.
            let cuts: &[usize] = match at % 4 {
                0 => &[at, at + 1],
                1 => &[at + 1],
                2 => &[at, at],
                _ => &[],
            };
            offsets.extend(cuts.iter().map(|&cut| cut as u32));
        }
        offsets.push(input.len() as u32);
        checker.ranges(&offsets, input);
    });
});
