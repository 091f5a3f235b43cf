//! Complete suites: for each grammar, a set of records such that a parser that judges all of them correctly
//! accepts exactly the grammar.
//!
//! The URIs of a grammar are a regular language, so it has a smallest automaton, which the oracle makes from
//! the ABNF. If a parser is modelled as an automaton with no more states, Chow's W-method (T. S. Chow,
//! "Testing Software Design Modeled by Finite-State Machines", 1978) needs these records:
//!
//! ```text
//! a·w and a·b·w, where a is an access string, b a byte, and w of the characterising set
//! ```
//!
//! Every state has an access string, even the state after which no string is valid. For any two states, the
//! characterising set has a string that is valid after one and not after the other. So the records `a·w` show
//! that the parser has a state for each state of the automaton, and the records `a·b·w` show that each byte
//! leads to the right state. With two bytes in the middle, the parser may have one more state.
//!
//! The middle byte takes all 256 values. One byte of each class that the automaton treats alike would not be
//! enough, since a parser may distinguish them. This takes minutes with unoptimised code. So a build with
//! debug assertions uses one byte of each class, which differs from state to state.
//! `cargo test --release --test library suite::` uses all bytes, and for the grammars of RFC 3986 also pairs
//! of classes.
//!
//! The tests of the backends cover the effect of blocks and pieces on long records.

mod automaton;
mod judges;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use urivalidate::Validator;

use crate::agreement;
use crate::oracle::Oracle;
use automaton::Automaton;
use judges::Judges;

/// True if the middle byte takes every value, false if it takes one of each class.
const WHOLE: bool = !cfg!(debug_assertions);

/// An emulated processor only has time for the paths after some of the states.
const STRIDE: usize = if cfg!(target_arch = "x86_64") { 1 } else { 16 };

/// Passes each record of a grammar's suite to all judges, and prints the number of records.
fn run(validator: Validator) {
    let oracle = Oracle::of(validator);
    let automaton = Automaton::new(&oracle.whole);
    let mut judges = Judges::new(oracle);

    let each_state = || automaton.access.iter().enumerate().step_by(STRIDE);
    let suffixes = &automaton.characterising;
    for (state, access) in each_state() {
        judges.judge_each(access, &[], suffixes);
        if WHOLE {
            (0..=u8::MAX).for_each(|byte| judges.judge_each(access, &[byte], suffixes));
        } else {
            automaton.one_of_each(state).for_each(|byte| judges.judge_each(access, &[byte], suffixes));
        }
    }
    let mut records = format!("{} records", judges.finish());

    let is_rfc3986 = validator.with_zone_ids().is_ok();
    if WHOLE && is_rfc3986 {
        for (state, access) in each_state() {
            for first in automaton.one_of_each(state) {
                for second in automaton.one_of_each(state + 1) {
                    judges.judge_each(access, &[first, second], suffixes);
                }
            }
        }
        records += &format!(", and {} for one state more", judges.finish());
    }
    println!(
        "{}: {} states, {} classes of bytes, {} suffixes: {records}; no difference, parser and {} backends",
        agreement::name(oracle),
        automaton.access.len(),
        automaton.members.len(),
        suffixes.len(),
        judges.backends(),
    );
}

/// Runs the suites of every grammar, and of the grammars with zone identifiers, in parallel on all cores.
#[test]
fn all_who_judge_agree_on_the_suite_of_each_grammar() {
    let (oracles, next) = (Oracle::all(), AtomicUsize::new(0));
    let run_some = || {
        while let Some(oracle) = oracles.get(next.fetch_add(1, Ordering::Relaxed)) {
            run(oracle.validator);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(run_some);
        }
    });
}
