//! Sets of hosts against a naive implementation, and the lines of lists.

use std::collections::HashMap;

use super::{HostListError, HostListFacts, HostListFault, HostSet, HostSetBuilder};

/// Returns numbers that look random, but are the same in each run.
fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// Returns a name of few different labels, so that names meet.
fn name(number: &mut impl FnMut(u64) -> u64) -> String {
    let labels = [
        "a",
        "b",
        "ab",
        "example",
        "com",
        "a-label-of-some-length",
        "x_1",
        "xn--bcher-kva",
        "0",
        "localhost",
    ];
    let count = 1 + number(5);
    let labels: Vec<_> = (0..count).map(|_| labels[number(labels.len() as u64) as usize]).collect();
    labels.join(".")
}

#[test]
fn a_set_has_what_a_naive_set_has() {
    let mut number = numbers(1);
    for size in [0, 1, 2, 7, 100, 3000] {
        let mut naive: HashMap<String, bool> = HashMap::new();
        let mut list = String::new();
        for _ in 0..size {
            let (name, has_below) = (name(&mut number), number(3) == 0);
            list += &format!("{}{name}\n", if has_below { "." } else { "" });
            *naive.entry(name).or_default() |= has_below;
        }
        // A name is no address because its last label is a number.
        let set = HostSet::from_list(list.as_bytes()).unwrap();
        assert!(set.len() >= naive.len() && set.len() <= 2 * naive.len());
        let is_in = |host: &str| {
            let host = host.strip_suffix('.').unwrap_or(host).to_lowercase();
            let above = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
            naive.contains_key(&host) || above.into_iter().any(|name| naive.get(name) == Some(&true))
        };
        let mut hosts: Vec<String> = naive.keys().cloned().collect();
        for _ in 0..2000 {
            let host = name(&mut number);
            hosts.push(match number(6) {
                0 => host.to_uppercase(),
                1 => format!("{host}."),
                2 => host.replace('a', "%61"),
                3 => host.replace('.', "%2E"),
                4 => format!("{host}.com"),
                _ => host,
            });
        }
        hosts.extend(["", ".", "..", "com..", ".com", "%", "[::1]", "1.2.3.4"].map(str::to_owned));
        // Each name with another byte in one place.
        for byte in 0..=0x7F_u8 {
            for host in ["a.b", "example.com", "x_1.a-label-of-some-length"] {
                let mut other = host.as_bytes().to_vec();
                other[(number(host.len() as u64)) as usize] = byte;
                hosts.push(String::from_utf8(other).unwrap());
            }
        }
        let expected: Vec<bool> =
            hosts.iter().map(|host| is_in(&host.replace("%61", "a").replace("%2E", "."))).collect();
        let singly: Vec<bool> = hosts.iter().map(|host| set.contains(host.as_bytes())).collect();
        for ((host, expected), found) in hosts.iter().zip(&expected).zip(&singly) {
            assert_eq!(expected, found, "{host}");
        }
        let mut at_once = Vec::new();
        let each = hosts.iter().flat_map(|host| [Some(host.as_bytes()), None, Some(host.as_bytes())]);
        set.contains_each(each, |index, found| {
            assert_eq!(index, at_once.len());
            at_once.push(found);
        });
        let expected: Vec<bool> = expected.iter().flat_map(|&found| [found, false, found]).collect();
        assert_eq!(at_once, expected);
    }
}

#[test]
fn names_of_all_lengths_are_found() {
    for len in 1..=253 {
        let name: String = (0..len).map(|at| if at % 9 == 8 && at + 1 < len { '.' } else { 'k' }).collect();
        for (line, has_below) in [(name.clone(), false), (format!(".{name}"), true)] {
            let set = HostSet::from_list(line.as_bytes()).unwrap();
            assert!(set.contains(name.as_bytes()), "{len}");
            assert!(set.contains(name.to_uppercase().as_bytes()), "{len}");
            for before in ["x.", "xxxxxxxx.", &format!("{}.", "y".repeat(300)), "x.y.z."] {
                assert_eq!(set.contains(format!("{before}{name}").as_bytes()), has_below, "{before} {len}");
            }
            for other in [format!("k{name}"), name[1..].to_owned(), format!("{}j", &name[..len - 1])] {
                assert!(other == name || !set.contains(other.as_bytes()), "{other}");
            }
        }
    }
    let long = "k".repeat(254);
    assert_eq!(
        HostSet::from_list(long.as_bytes()).unwrap_err(),
        HostListError::Line { line: 1, fault: HostListFault::TooLong }
    );
}

/// Returns the names of a list: those with all below start with a dot.
fn facts(list: &str) -> (Result<HostSet, HostListError>, HostListFacts) {
    let mut builder = HostSetBuilder::new();
    let mut reader = builder.list();
    let read = reader.add(list.as_bytes());
    let facts = reader.facts();
    (read.map(|()| builder.build().unwrap()), facts)
}

#[test]
fn lines_are_what_their_form_says() {
    let has = |set: &HostSet, host: &str| set.contains(host.as_bytes());
    // A line, a host that it has, and one that it has not.
    for (line, host, other) in [
        ("example.com", "example.com", "a.example.com"),
        ("  EXAMPLE.com.\t\r", "example.com", "com"),
        ("example.com # a comment", "example.com", "comment"),
        ("example.com#a comment", "example.com", "comment"),
        (".example.com", "a.b.example.com", "aexample.com"),
        (".example.com", "example.com", "com"),
        ("*.example.com", "a.example.com", "example.org"),
        ("0.0.0.0 a.example b.example # c.example", "b.example", "c.example"),
        ("127.0.0.1\ta.example", "a.example", "127.0.0.1"),
        ("::1 a.example", "a.example", "[::1]"),
        ("fe80::1%lo0 a.example", "a.example", "[fe80::1]"),
        ("0.0.0.0 localhost a.example", "a.example", "localhost"),
        ("localhost", "localhost", "a.localhost"),
        ("192.0.2.1", "192.0.2.1", "1.192.0.2.1"),
        ("2001:DB8:0:0::1", "[2001:db8::1]", "[2001:db8::2]"),
        ("[2001:db8::1]", "[2001:DB8:0::1]", "2001"),
        ("||example.com^", "a.example.com", "example.org"),
        ("||example.com^|", "example.com", "com"),
        ("||example.com^$important", "a.example.com", "com"),
        ("||192.0.2.1^", "192.0.2.1", "1.192.0.2.1"),
        ("my_host-1", "MY_HOST-1", "my"),
        ("!\na.example.", "a.example", "b.a.example"),
        ("!\n.a.example.", "b.a.example", "b.example"),
        ("!\n192.0.2.1.", "192.0.2.1", "192.0.2.2"),
        ("!\na.example#c", "a.example", "c"),
        ("\u{feff}example.com", "example.com", "com"),
    ] {
        let (set, facts) = facts(line);
        let set = set.unwrap();
        assert_eq!((has(&set, host), has(&set, other), facts.left_out), (true, false, 0), "{line}");
    }
    for line in [
        "",
        " \t",
        "# a.example",
        "#a.example",
        "! a.example",
        "[Adblock Plus 2.0]",
        "[uBlock]",
        "127.0.0.1 localhost",
        "255.255.255.255 broadcasthost # all",
        "0.0.0.0 0.0.0.0",
        "0.0.0.0 # none",
    ] {
        let (set, facts) = facts(line);
        let expected = usize::from(line == "0.0.0.0 # none");
        assert_eq!((set.unwrap().len(), facts.left_out), (expected, 0), "{line}");
    }
    for line in [
        "@@||example.com^",
        "||example.com^$third-party",
        "||example.com^$important,third-party",
        "||example.com",
        "||example.com/path^",
        "||example.*^",
        "||example.com^path",
        "example.com##.banner",
        "example.com#@#.banner",
        "!\n##.banner",
        "!\n/banner/*/img^",
        "!\n-ad-300x250.",
        "!\nbanner",
        "!\n|https://example.com/|",
        "!\na.example b.example",
        "!\n.banner.",
    ] {
        let (set, facts) = facts(line);
        let number = line.lines().count() as u64;
        assert_eq!(set.unwrap().len(), 0, "{line}");
        assert_eq!((facts.left_out, facts.first_left_out), (1, Some(number)), "{line}");
    }
    for (line, fault) in [
        ("https://example.com/", HostListFault::Url),
        ("example.com/path", HostListFault::Byte(b'/')),
        ("example.com:80", HostListFault::Byte(b':')),
        ("a.example b.example", HostListFault::SeveralNames),
        ("a.example,b.example", HostListFault::Byte(b',')),
        ("a*.example", HostListFault::Byte(b'*')),
        ("a..example", HostListFault::EmptyLabel),
        (".", HostListFault::EmptyLabel),
        ("..example", HostListFault::EmptyLabel),
        (".192.0.2.1", HostListFault::BelowAddress),
        ("*.::1", HostListFault::BelowAddress),
        ("0.0.0.0 https://example.com/", HostListFault::Url),
        ("a\0b", HostListFault::Byte(0)),
        ("/banner/*/img^", HostListFault::Byte(b'/')),
    ] {
        let error = HostListError::Line { line: 2, fault };
        assert_eq!(facts(&format!("a.example\n{line}\n")).0.unwrap_err(), error, "{line}");
    }
}

#[cfg(feature = "domains")]
#[test]
fn names_beyond_ascii_are_those_in_punycode() {
    for list in ["bücher.example", "BÜCHER.example。", "xn--bcher-kva.example", "||bücher.example^"] {
        let set = HostSet::from_list(list.as_bytes()).unwrap();
        for host in ["bücher.example", "B%C3%BCcher.EXAMPLE", "xn--Bcher-Kva.example.", "bücher。example"]
        {
            assert!(set.contains(host.as_bytes()), "{list} {host}");
        }
        assert!(!set.contains("bucher.example".as_bytes()));
    }
    // UTS 46 forbids the first label, but the host is below the name.
    let set = HostSet::from_list(".bücher.example".as_bytes()).unwrap();
    for host in ["a%20b.bücher.example", "a%FF.b%C3%BCcher.example", "%00.xn--bcher-kva.example"] {
        assert!(set.contains(host.as_bytes()), "{host}");
    }
    let error = HostSet::from_list("a\u{fffd}".as_bytes()).unwrap_err();
    assert_eq!(error, HostListError::Line { line: 1, fault: HostListFault::Idna });
    assert!(HostSet::from_list(b"a\xff").is_err());
}

#[cfg(not(feature = "domains"))]
#[test]
fn names_beyond_ascii_need_the_feature() {
    let error = HostSet::from_list("b\u{fc}cher".as_bytes()).unwrap_err();
    assert_eq!(error, HostListError::Line { line: 1, fault: HostListFault::Byte(0xC3) });
}

#[test]
fn a_name_takes_at_most_24_bytes() {
    let mut number = numbers(2);
    let mut list = Vec::new();
    let count = 400_000;
    for _ in 0..count {
        // 14 characters, and now and then up to 22.
        let len = 10 + if number(4) == 0 { number(9) } else { 0 };
        list.extend((0..len).map(|_| b"abcdefghijklmnopqrstuvwxyz0123456789"[number(36) as usize]));
        list.extend_from_slice(b".com\n");
    }
    let set = HostSet::from_list(&list).unwrap();
    assert!(set.len() > count - 100, "{}", set.len());
    let each = set.held_bytes() as f64 / set.len() as f64;
    assert!(each <= 17.5, "{each}");
    assert!(list.split(|&byte| byte == b'\n').all(|name| name.is_empty() || set.contains(name)));
}

#[test]
fn equal_names_are_one() {
    let set = HostSet::from_list(&b"a.example\n".repeat(10_000)).unwrap();
    assert_eq!(set.len(), 1);
    assert!(set.contains(b"a.example"));
}

#[cfg(debug_assertions)]
#[test]
fn hostile_hosts_take_linear_time() {
    use crate::work::so_far;

    let set = HostSet::from_list(b".example.com\n.a.b.c.d.e\na\n").unwrap();
    // Names above hosts that are too long for a list are found.
    let long = "%41%C3%BC".repeat(20_000);
    for (above, is_in) in [(".example.com", true), (".a.b.c.d.e", true), (".a", false), ("a", false)] {
        assert_eq!(set.contains(format!("{long}{above}").as_bytes()), is_in, "{above}");
        assert_eq!(set.contains(format!("x{long}{above}").as_bytes()), is_in, "{above}");
    }
    let shapes: [&[u8]; 6] = [b".", b"a.", b"%2E", b"%", b"a", "ü.".as_bytes()];
    for shape in shapes {
        let work = |times: usize| {
            let host = shape.repeat(times);
            let before = so_far();
            assert!(!set.contains(&host));
            so_far() - before
        };
        assert!(work(20_000) <= 20 * work(2_000), "{}", shape.escape_ascii());
    }
}
