//! Every backend against the parsers, by every grammar: the input as lines, and cut into records that hold line ends.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/backends/reference.rs"]
mod reference;

thread_local! {
    /// Batches are used again, so what one input leaves meets the next.
    static CHECKER: RefCell<reference::Checker> = RefCell::default();
}

fuzz_target!(|input: &[u8]| {
    CHECKER.with_borrow_mut(|checker| {
        checker.lines(input);
        checker.rows(input);
        let mut offsets = vec![0];
        for (at, _) in input.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
            // Some records end before their LF and some after it; some of the former are followed by a record that is one
            // LF.
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
