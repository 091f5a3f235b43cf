//! A rule as an automaton over bytes: it judges a text in one pass, and returns the longest prefix that could
//! be correct.
//!
//! A rule becomes a nondeterministic automaton. Its sets of states become the states of a deterministic one,
//! which is minimised. The rules that it names are converted before, and inserted. States that lead to no end
//! are removed. From all remaining states an end can be reachable, so the texts that stay within the
//! automaton are exactly the prefixes of the language's texts.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::rc::Rc;

use super::abnf::{Node, Rules};

/// The texts that a rule describes.
#[derive(Clone)]
pub(crate) struct Language {
    /// The class of each byte. Every state treats the bytes of a class alike.
    class_of: [u8; 256],
    pub(crate) members: Vec<Vec<u8>>,
    /// The successor of each state by class; None if the text cannot continue with the class.
    pub(crate) next: Vec<Vec<Option<usize>>>,
    /// The minimum number of bytes from each state to an end; 0 if the text may end.
    pub(crate) distance: Vec<usize>,
}

/// The first state of any automaton.
pub(crate) const START: usize = 0;

impl Language {
    /// Returns true if `text` belongs to this language.
    pub(crate) fn contains(&self, text: &[u8]) -> bool {
        self.run(text).is_ok_and(|state| self.distance[state] == 0)
    }

    /// Returns the length of the longest prefix of `text` with which some text of this language starts.
    pub(crate) fn viable_prefix(&self, text: &[u8]) -> usize {
        self.run(text).map_or_else(|offset| offset, |_| text.len())
    }

    /// Returns a text of this language, on a path through the automaton that `choices` determines.
    ///
    /// The classes of bytes have equal weights, so delimiters are as frequent as letters.
    pub(crate) fn example(&self, choices: &[(u8, u8)]) -> Vec<u8> {
        let mut text = Vec::new();
        let mut state = START;
        for &(class, member) in choices {
            let open: Vec<_> = self.successors(state).collect();
            if open.is_empty() {
                break;
            }
            let (class, next) = open[class as usize % open.len()];
            let members = &self.members[class];
            text.push(members[member as usize % members.len()]);
            state = next;
        }
        // The shortest path to an end follows.
        while self.distance[state] > 0 {
            let (class, next) = self.successors(state).min_by_key(|&(_, next)| self.distance[next]).unwrap();
            text.push(self.members[class][0]);
            state = next;
        }
        text
    }

    fn successors(&self, state: usize) -> impl Iterator<Item = (usize, usize)> {
        self.next[state].iter().enumerate().filter_map(|(class, next)| Some((class, (*next)?)))
    }

    /// Returns the state after `text`, or the offset of the first byte that no text of this language has
    /// there.
    fn run(&self, text: &[u8]) -> Result<usize, usize> {
        text.iter().enumerate().try_fold(START, |state, (offset, &byte)| {
            self.next[state][self.class_of[byte as usize] as usize].ok_or(offset)
        })
    }
}

/// Makes languages from rules, each one once.
pub(crate) struct Compiler<'r> {
    rules: &'r Rules,
    known: HashMap<String, Rc<Language>>,
}

impl<'r> Compiler<'r> {
    pub(crate) fn new(rules: &'r Rules) -> Self {
        Compiler { rules, known: HashMap::new() }
    }

    /// Returns the language of a rule, which must exist.
    pub(crate) fn language(&mut self, name: &str) -> Language {
        (*self.rule(name)).clone()
    }

    /// Returns true if the rule exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.rules.get(name).is_some()
    }

    fn rule(&mut self, name: &str) -> Rc<Language> {
        if let Some(language) = self.known.get(name) {
            return language.clone();
        }
        let rules = self.rules;
        let node = rules.get(name).unwrap_or_else(|| panic!("there is no rule {name}"));
        for part in node.rules() {
            self.rule(part);
        }
        let mut nfa = Nfa { known: &self.known, states: vec![State::default()] };
        let end = nfa.node(node, START);
        let language = Rc::new(nfa.determine(end));
        self.known.insert(name.to_owned(), language.clone());
        language
    }
}

/// A nondeterministic automaton under construction.
struct Nfa<'k> {
    known: &'k HashMap<String, Rc<Language>>,
    states: Vec<State>,
}

#[derive(Default)]
struct State {
    edges: Vec<(RangeInclusive<u8>, usize)>,
    /// The successors without a byte.
    free: Vec<usize>,
}

impl Nfa<'_> {
    fn state(&mut self) -> usize {
        self.states.push(State::default());
        self.states.len() - 1
    }

    /// Adds the texts of `node` after the state `from`, and returns the state after them.
    fn node(&mut self, node: &Node, from: usize) -> usize {
        match node {
            Node::Rule(name) => self.copy(&self.known[name].clone(), from),
            Node::Literal(text) => text.bytes().fold(from, |from, byte| {
                let to = self.state();
                for byte in BTreeSet::from([byte.to_ascii_lowercase(), byte.to_ascii_uppercase()]) {
                    self.states[from].edges.push((byte..=byte, to));
                }
                to
            }),
            Node::Range(range) => {
                let to = self.state();
                self.code_points(range, from, to);
                to
            }
            Node::Sequence(nodes) => nodes.iter().fold(from, |from, node| self.node(node, from)),
            Node::Choice(nodes) => {
                let to = self.state();
                for node in nodes {
                    let start = self.state();
                    self.states[from].free.push(start);
                    let end = self.node(node, start);
                    self.states[end].free.push(to);
                }
                to
            }
            Node::Repeat { min, max, node } => {
                let mut end = (0..*min).fold(from, |from, _| self.node(node, from));
                let to = self.state();
                self.states[end].free.push(to);
                match max {
                    Some(max) => {
                        for _ in *min..*max {
                            end = self.node(node, end);
                            self.states[end].free.push(to);
                        }
                    }
                    None => {
                        let again = self.node(node, to);
                        self.states[again].free.push(to);
                    }
                }
                to
            }
        }
    }

    fn copy(&mut self, language: &Language, from: usize) -> usize {
        let base = self.states.len();
        let to = base + language.next.len();
        self.states.resize_with(to + 1, State::default);
        self.states[from].free.push(base + START);
        for (state, &distance) in language.distance.iter().enumerate() {
            if distance == 0 {
                self.states[base + state].free.push(to);
            }
            for (class, next) in language.successors(state) {
                let runs = language.members[class].chunk_by(|byte, next| byte + 1 == *next);
                let edges = runs.map(|run| (run[0]..=run[run.len() - 1], base + next));
                self.states[base + state].edges.extend(edges);
            }
        }
        to
    }

    /// Adds the UTF-8 of a range of code points.
    fn code_points(&mut self, range: &RangeInclusive<u32>, from: usize, to: usize) {
        for encodable in [0..=0x7F, 0x80..=0x7FF, 0x800..=0xFFFF, 0x10000..=0x10FFFF] {
            let first = *range.start().max(encodable.start());
            let last = *range.end().min(encodable.end());
            if first <= last {
                let encode = |code_point| char::from_u32(code_point).unwrap().to_string().into_bytes();
                self.sequences(&encode(first), &encode(last), from, to);
            }
        }
    }

    /// Adds the sequences of bytes from `first` to `last`, which have the same length.
    fn sequences(&mut self, first: &[u8], last: &[u8], from: usize, to: usize) {
        const LEAST: [u8; 3] = [0x80; 3];
        const MOST: [u8; 3] = [0xBF; 3];
        let rest = first.len() - 1;
        if rest == 0 {
            self.states[from].edges.push((first[0]..=last[0], to));
        } else if first[0] == last[0] {
            let tail = self.state();
            self.states[from].edges.push((first[0]..=first[0], tail));
            self.sequences(&first[1..], &last[1..], tail, to);
        } else {
            let mut add = |heads: RangeInclusive<u8>, first: &[u8], last: &[u8]| {
                if !heads.is_empty() {
                    let tail = self.state();
                    self.states[from].edges.push((heads, tail));
                    self.sequences(first, last, tail, to);
                }
            };
            add(first[0]..=first[0], &first[1..], &MOST[..rest]);
            add(first[0] + 1..=last[0] - 1, &LEAST[..rest], &MOST[..rest]);
            add(last[0]..=last[0], &LEAST[..rest], &last[1..]);
        }
    }

    /// Returns for each state whether it reaches `end`.
    fn living(&self, end: usize) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.states.len()];
        for (from, state) in self.states.iter().enumerate() {
            for &to in state.edges.iter().map(|(_, to)| to).chain(&state.free) {
                before[to].push(from);
            }
        }
        let mut living = vec![false; self.states.len()];
        let mut todo = vec![end];
        while let Some(state) = todo.pop() {
            if !std::mem::replace(&mut living[state], true) {
                todo.extend(&before[state]);
            }
        }
        living
    }

    /// Returns the living states among `states`, and all states that follow them without a byte.
    fn closure(&self, states: impl IntoIterator<Item = usize>, living: &[bool]) -> BTreeSet<usize> {
        let mut todo: Vec<_> = states.into_iter().collect();
        let mut closure = BTreeSet::new();
        while let Some(state) = todo.pop() {
            if living[state] && closure.insert(state) {
                todo.extend(&self.states[state].free);
            }
        }
        closure
    }

    fn determine(&self, end: usize) -> Language {
        let living = self.living(end);
        assert!(living[START], "the language is empty");

        // No edge distinguishes bytes between two borders.
        let mut borders = BTreeSet::from([0]);
        for (range, _) in self.states.iter().flat_map(|state| &state.edges) {
            borders.extend([*range.start() as usize, *range.end() as usize + 1]);
        }
        borders.remove(&256);
        let borders: Vec<usize> = borders.into_iter().collect();

        let first = self.closure([START], &living);
        let mut number = HashMap::from([(first.clone(), START)]);
        let mut sets = vec![first];
        let mut next: Vec<Vec<Option<usize>>> = Vec::new();
        while let Some(set) = sets.get(next.len()).cloned() {
            let row = borders.iter().map(|&border| {
                let edges = set.iter().flat_map(|&state| &self.states[state].edges);
                let reachable = edges.filter(|(range, _)| range.contains(&(border as u8))).map(|&(_, to)| to);
                let reachable = self.closure(reachable, &living);
                (!reachable.is_empty()).then(|| {
                    *number.entry(reachable.clone()).or_insert_with(|| {
                        sets.push(reachable);
                        sets.len() - 1
                    })
                })
            });
            next.push(row.collect());
        }
        let ends: Vec<bool> = sets.iter().map(|set| set.contains(&end)).collect();
        let (next, ends) = smallest(&next, &ends);

        // Intervals with equal columns form one class.
        let mut columns: Vec<Vec<Option<usize>>> = Vec::new();
        let (mut class_of, mut members) = ([0; 256], Vec::new());
        for (interval, &start) in borders.iter().enumerate() {
            let column: Vec<_> = next.iter().map(|row| row[interval]).collect();
            let class = columns.iter().position(|known| *known == column).unwrap_or_else(|| {
                columns.push(column);
                members.push(Vec::new());
                columns.len() - 1
            });
            let stop = borders.get(interval + 1).copied().unwrap_or(256);
            members[class].extend((start..stop).map(|byte| byte as u8));
            class_of[start..stop].fill(class as u8);
        }
        let next: Vec<_> =
            (0..next.len()).map(|state| columns.iter().map(|column| column[state]).collect()).collect();
        Language { class_of, members, distance: distances(&next, &ends), next }
    }
}

/// Returns the same automaton with the minimum number of states: states that no text distinguishes become
/// one.
fn smallest(next: &[Vec<Option<usize>>], ends: &[bool]) -> (Vec<Vec<Option<usize>>>, Vec<bool>) {
    // States are distinguished by the empty text, then by texts of at most one byte, of at most two, and so
    // on.
    let mut group: Vec<usize> = vec![0; next.len()];
    let mut groups = 1;
    loop {
        let row =
            |state: usize| next[state].iter().map(|next| next.map(|next| group[next])).collect::<Vec<_>>();
        let mut number = HashMap::new();
        let finer: Vec<usize> = (0..next.len())
            .map(|state| {
                let fresh = number.len();
                *number.entry((ends[state], row(state))).or_insert(fresh)
            })
            .collect();
        if number.len() == groups {
            // The first state of each group represents it. START is the first state of all.
            let first = |wanted| group.iter().position(|&group| group == wanted).unwrap();
            let states: Vec<usize> = (0..groups).map(first).collect();
            break (
                states.iter().map(|&state| row(state)).collect(),
                states.iter().map(|&state| ends[state]).collect(),
            );
        }
        (groups, group) = (number.len(), finer);
    }
}

/// Returns the distance of each state to the nearest end.
fn distances(next: &[Vec<Option<usize>>], ends: &[bool]) -> Vec<usize> {
    let mut distance: Vec<Option<usize>> = ends.iter().map(|end| end.then_some(0)).collect();
    for steps in 1.. {
        let near = |next: &Option<usize>| next.is_some_and(|next| distance[next] == Some(steps - 1));
        let reachable: Vec<usize> = (0..next.len())
            .filter(|&state| distance[state].is_none() && next[state].iter().any(near))
            .collect();
        if reachable.is_empty() {
            break;
        }
        for state in reachable {
            distance[state] = Some(steps);
        }
    }
    distance.into_iter().map(|steps| steps.expect("every state reaches an end")).collect()
}
