//! Compares the parsers with the ABNF of the RFCs: verdicts, components and errors of every grammar.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/library/agreement.rs"]
mod agreement;
// The tests use more of this module.
#[allow(dead_code, unused_imports)]
#[path = "../../tests/library/oracle/mod.rs"]
mod oracle;

fuzz_target!(|record: &[u8]| {
    for oracle in oracle::Oracle::all() {
        agreement::check(oracle, record);
    }
});
