//! The automaton of a language, with the strings that the W-method needs: access strings, and strings that
//! distinguish its states.

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::oracle::{Language, START};

/// The smallest automaton of a language in which every byte leads somewhere.
pub(super) struct Automaton {
    /// A shortest string that leads to each state.
    pub(super) access: Vec<Vec<u8>>,
    /// A set of strings: for any two states, one string is valid after exactly one of them.
    pub(super) characterising: Vec<Vec<u8>>,
    /// The bytes of each class, which every state treats alike.
    pub(super) members: Vec<Vec<u8>>,
}

impl Automaton {
    pub(super) fn new(language: &Language) -> Self {
        // The last state is the one from which no end can be reached.
        let lost = language.next.len();
        let classes = language.members.len();
        let mut next: Vec<Vec<usize>> =
            language.next.iter().map(|row| row.iter().map(|to| to.unwrap_or(lost)).collect()).collect();
        next.push(vec![lost; classes]);
        let mut accepts: Vec<bool> = language.distance.iter().map(|&distance| distance == 0).collect();
        accepts.push(false);

        let text = |classes: &[usize]| classes.iter().map(|&class| language.members[class][0]).collect();
        let access = access(&next).iter().map(|classes| text(classes)).collect();
        let characterising = characterising(&next, &accepts).iter().map(|classes| text(classes)).collect();
        Automaton { access, characterising, members: language.members.clone() }
    }

    /// Returns one byte of each class. `number` chooses it.
    pub(super) fn one_of_each(&self, number: usize) -> impl Iterator<Item = u8> {
        self.members.iter().map(move |members| members[number % members.len()])
    }
}

/// Returns the shortest paths to all states, by classes.
fn access(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut ways = vec![None; next.len()];
    ways[START] = Some(Vec::new());
    let mut todo = VecDeque::from([START]);
    while let Some(state) = todo.pop_front() {
        for (class, &to) in next[state].iter().enumerate() {
            if ways[to].is_none() {
                let mut way: Vec<usize> = ways[state].clone().unwrap();
                way.push(class);
                ways[to] = Some(way);
                todo.push_back(to);
            }
        }
    }
    ways.into_iter().map(|way| way.expect("a state that nothing leads to")).collect()
}

/// Returns a set of paths: for any two states, one path leads from exactly one of them to an end. Among the
/// candidates, always takes the path that separates most states.
fn characterising(next: &[Vec<usize>], accepts: &[bool]) -> Vec<Vec<usize>> {
    // The candidate paths, each with the states after which it is valid.
    let candidates: Vec<(Vec<usize>, Vec<bool>)> = ways_apart(next, accepts)
        .into_iter()
        .map(|way| {
            let end = |state| way.iter().fold(state, |state: usize, &class| next[state][class]);
            let valid = (0..next.len()).map(|state| accepts[end(state)]).collect();
            (way, valid)
        })
        .collect();
    let mut group = vec![0; next.len()];
    let mut chosen = Vec::new();
    loop {
        let split = |valid: &[bool]| {
            let mut number = HashMap::new();
            let group: Vec<usize> = group
                .iter()
                .zip(valid)
                .map(|pair| {
                    let fresh = number.len();
                    *number.entry(pair).or_insert(fresh)
                })
                .collect();
            (number.len(), group)
        };
        // Among equal paths, the first one, which is the shortest.
        let groups = |(_, valid): &&(Vec<usize>, Vec<bool>)| split(valid).0;
        let (way, valid) = candidates.iter().rev().max_by_key(groups).unwrap();
        let (groups, finer) = split(valid);
        chosen.push(way.clone());
        group = finer;
        if groups == next.len() {
            return chosen;
        }
    }
}

/// Returns for any two states a shortest path that leads from exactly one of them to an end. The shortest
/// paths come first.
fn ways_apart(next: &[Vec<usize>], accepts: &[bool]) -> Vec<Vec<usize>> {
    let states = next.len();
    let index = |a: usize, b: usize| a.min(b) * states + a.max(b);
    let pairs = || (0..states).flat_map(move |a| (a + 1..states).map(move |b| (a, b)));
    let mut ways: Vec<Option<Vec<usize>>> = vec![None; states * states];
    for (a, b) in pairs().filter(|&(a, b)| accepts[a] != accepts[b]) {
        ways[index(a, b)] = Some(Vec::new());
    }
    let mut open: Vec<_> = pairs().filter(|&(a, b)| accepts[a] == accepts[b]).collect();
    while !open.is_empty() {
        let mut found = Vec::new();
        open.retain(|&(a, b)| {
            let after = |class: usize| Some((class, ways[index(next[a][class], next[b][class])].as_ref()?));
            let Some((class, way)) = (0..next[a].len()).find_map(after) else { return true };
            found.push((index(a, b), [&[class], &way[..]].concat()));
            false
        });
        assert!(!found.is_empty(), "two states are the same: {:?}", open[0]);
        for (pair, way) in found {
            ways[pair] = Some(way);
        }
    }
    let ways: BTreeSet<(usize, Vec<usize>)> =
        ways.into_iter().flatten().map(|way| (way.len(), way)).collect();
    ways.into_iter().map(|(_, way)| way).collect()
}
