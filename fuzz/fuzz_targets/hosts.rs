//! Lists of hosts: any bytes are a list or an error of a line, also if they are read in two pieces, and a set
//! answers for many hosts at once what it answers for each. A list of names of letters, digits and hyphens has
//! the names that a search through them finds.

#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use urivalidate::{HostSet, HostSetBuilder};

/// Reads a list in pieces, and returns the set with the numbers of its names and of the lines that are left
/// out.
fn read(pieces: &[&[u8]]) -> Result<(HostSet, u64, u64), String> {
    let mut builder = HostSetBuilder::new();
    let mut reader = builder.list();
    for piece in pieces {
        reader.add(piece).map_err(|error| error.to_string())?;
    }
    let facts = reader.facts();
    Ok((builder.build().expect("memory"), facts.names, facts.left_out))
}

/// Whether a name has nothing but labels of letters, digits and hyphens in lower case, and is no address.
fn is_common(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    name.len() <= 253
        && name.split('.').all(is_label)
        && name.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// The names of a list, and whether it has the names below them, too; `None` unless all lines are such names.
fn naive(list: &[u8]) -> Option<HashMap<&str, bool>> {
    let mut names = HashMap::new();
    for line in std::str::from_utf8(list).ok()?.lines().filter(|line| !line.is_empty()) {
        let below = line.strip_prefix("*.").or_else(|| line.strip_prefix('.'));
        let name = below.unwrap_or(line);
        if !is_common(name) {
            return None;
        }
        *names.entry(name).or_default() |= below.is_some();
    }
    Some(names)
}

fuzz_target!(|input: &[u8]| {
    let cut = input.windows(2).position(|pair| pair == b"\n\n").map_or(input.len(), |at| at + 1);
    let (list, rest) = input.split_at(cut);
    let mut hosts: Vec<&[u8]> = rest.split(|&byte| byte == b'\n').collect();
    hosts.extend(list.split(|byte| b"\n \t.|^*".contains(byte)));
    hosts.extend(list.split(|&byte| byte == b'\n'));

    let whole = read(&[list]);
    let middle = list.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let in_two = read(&[&list[..middle], &list[middle..]]);
    let (set, names, left_out) = match (whole, in_two) {
        (Ok(whole), Ok((set, names, left_out))) => {
            assert_eq!((set.len(), names, left_out), (whole.0.len(), whole.1, whole.2));
            whole
        }
        (Err(one), Err(other)) => return assert_eq!(one, other),
        (one, other) => panic!("{one:?} and in two pieces {other:?}"),
    };
    assert!(set.len() as u64 <= 2 * names);

    let mut found = Vec::new();
    set.contains_each(hosts.iter().map(|&host| Some(host)), |index, is_in| {
        assert_eq!(index, found.len());
        found.push(is_in);
    });
    let singly: Vec<_> = hosts.iter().map(|host| set.contains(host)).collect();
    assert_eq!(found, singly);

    let Some(naive) = naive(list) else { return };
    assert_eq!(left_out, 0);
    for (host, is_in) in hosts.iter().zip(singly) {
        let Ok(host) = std::str::from_utf8(host) else { continue };
        if is_common(host) {
            let mut above = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
            let expected = naive.contains_key(host) || above.any(|name| naive.get(name) == Some(&true));
            assert_eq!(is_in, expected, "{host}");
        }
    }
});
