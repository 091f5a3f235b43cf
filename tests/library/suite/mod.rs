//! Complete suites: of each grammar records so chosen that whoever agrees on all of them accepts exactly the grammar.
//!
//! The URIs of a grammar are a regular language, so there is a smallest automaton for it, which the oracle makes of the
//! ABNF. For a parser that is taken for an automaton with no more states, Chow's W-method (T. S. Chow, "Testing Software
//! Design Modeled by Finite-State Machines", 1978) needs these records:
//!
//! ```text
//! a·w and a·b·w, where a is an access string, b a byte, and w of the characterising set
//! ```
//!
//! Every state has an access string, even the one after which no string is valid. For any two states the characterising set
//! has a string that is valid after one and not after the other. So the records `a·w` show that the parser has a state for
//! each of the automaton's, and the records `a·b·w` that each byte leads it to the right one. With two bytes in the middle
//! the parser may have one state more.
//!
//! In the middle stands any of the 256 bytes, and not one of each class that the automaton does not tell apart: a parser may
//! tell them apart. This takes minutes where code is not optimised, so a build with debug assertions takes one byte of each
//! class, another one from state to state. `cargo test --release --test library suite::` takes all, and for the grammars of RFC
//! 3986 also pairs of classes.
//!
//! Not here: what blocks and pieces do to long records, which the backends' tests show.

mod automaton;
mod judges;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use urivalidate::Validator;

use crate::agreement;
use crate::oracle::Oracle;
use automaton::Automaton;
use judges::Judges;

/// Whether every byte stands in the middle, or one of each class.
const WHOLE: bool = !cfg!(debug_assertions);

/// An emulated processor has time only for the ways after some of the states.
const STRIDE: usize = if cfg!(target_arch = "x86_64") { 1 } else { 16 };

/// Gives each record of a grammar's suite to all who judge, and prints how many there were.
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

/// Of every grammar, and of those with zone identifiers; side by side on all cores.
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
