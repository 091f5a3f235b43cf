//! Tests the oracle's automata against those that regex-automata makes from the same rules, written as
//! regular expressions.
//!
//! The test walks both automata together from the first states on: in each pair of states, both must accept
//! the same bytes, and agree whether the text may end.

use std::collections::HashSet;

use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

use crate::agreement;
use crate::oracle::{Node, Oracle, Rules, START};

/// Returns a regular expression for the texts of a node.
fn expression(rules: &Rules, node: &Node) -> String {
    let join = |nodes: &[Node], sign: &str| -> String {
        let texts: Vec<_> = nodes.iter().map(|node| expression(rules, node)).collect();
        texts.join(sign)
    };
    match node {
        Node::Literal(text) => text
            .chars()
            .map(|char| {
                let [lower, upper] = [char.to_ascii_lowercase(), char.to_ascii_uppercase()];
                format!(r"[\x{{{:X}}}\x{{{:X}}}]", lower as u32, upper as u32)
            })
            .collect(),
        Node::Range(range) => format!(r"[\x{{{:X}}}-\x{{{:X}}}]", range.start(), range.end()),
        Node::Rule(name) => expression(rules, rules.get(name).unwrap()),
        Node::Sequence(nodes) => join(nodes, ""),
        Node::Choice(nodes) => format!("(?:{})", join(nodes, "|")),
        Node::Repeat { min, max, node } => {
            let max = max.map_or_else(String::new, |max| max.to_string());
            format!("(?:{}){{{min},{max}}}", expression(rules, node))
        }
    }
}

#[test]
fn automata_are_those_of_a_library() {
    for oracle in Oracle::all() {
        let (rules, start) = Oracle::rules(oracle.validator);
        let expression = expression(&rules, rules.get(start).unwrap());
        let dfa = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .match_kind(MatchKind::All)
                    .start_kind(regex_automata::dfa::StartKind::Anchored),
            )
            .build(&expression)
            .unwrap();
        let first = dfa.start_state(&start::Config::new().anchored(Anchored::Yes)).unwrap();

        let language = &oracle.whole;
        let mut known = HashSet::from([(Some(START), first)]);
        let mut todo: Vec<_> = known.iter().copied().collect();
        while let Some((ours, theirs)) = todo.pop() {
            let ends = ours.is_some_and(|state| language.distance[state] == 0);
            assert_eq!(ends, dfa.is_match_state(dfa.next_eoi_state(theirs)), "{}", agreement::name(oracle));
            for (class, members) in language.members.iter().enumerate() {
                for &byte in members {
                    let pair =
                        (ours.and_then(|state| language.next[state][class]), dfa.next_state(theirs, byte));
                    if known.insert(pair) {
                        todo.push(pair);
                    }
                }
            }
        }
        assert!(known.len() > 100);
    }
}
