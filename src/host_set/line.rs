//! The lines of a list of hosts.
//!
//! No format has a mark of its own, so each line is taken by its form: a name of two labels or more is the same
//! name in every list. Only after a line that is surely of an adblock list may rules stand that are no names:
//! before it, such a line is an error. After it, a text of one label is a rule, too.

use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

use super::name::{HostName, MAX_NAME, NameFault};
use crate::work::{memchr, position};

/// The names of hosts files for the machine itself and for groups in its network. Such lines say nothing
/// about other hosts.
const LOCAL: [&[u8]; 12] = [
    b"0.0.0.0",
    b"broadcasthost",
    b"ip6-allhosts",
    b"ip6-allnodes",
    b"ip6-allrouters",
    b"ip6-localhost",
    b"ip6-localnet",
    b"ip6-loopback",
    b"ip6-mcastprefix",
    b"local",
    b"localhost",
    b"localhost.localdomain",
];

/// The marks between hosts and a rule about the elements of their pages.
const COSMETIC: [&[u8]; 6] = [b"##", b"#@#", b"#?#", b"#$#", b"#%#", b"#$?#"];

/// The options of a rule that do not limit it.
const UNLIMITED: [&[u8]; 2] = [b"all", b"important"];

/// The reason why a line of a list of hosts is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostListFault {
    /// The line has a URL.
    Url,
    /// The line has a byte that no name of a host has.
    Byte(u8),
    /// The name has more than 253 bytes.
    TooLong,
    /// The name has two dots in a row, or starts with a dot in a hosts file.
    EmptyLabel,
    /// UTS 46 forbids the name.
    Idna,
    /// The line has several names, and no address before them.
    SeveralNames,
    /// An address is said to have names below it.
    BelowAddress,
    /// The line is longer than 1 MiB.
    LongLine,
}

impl fmt::Display for HostListFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostListFault::Url => f.write_str("a URL; a list has only the names of hosts"),
            HostListFault::Byte(byte) => write!(f, "no name of a host has \"{}\"", byte.escape_ascii()),
            HostListFault::TooLong => write!(f, "a name of a host has at most {MAX_NAME} bytes"),
            HostListFault::EmptyLabel => f.write_str("a part of the name is empty"),
            HostListFault::Idna => f.write_str("UTS 46 forbids this name"),
            HostListFault::SeveralNames => {
                f.write_str("several names; only a hosts file, with an address before them, has these")
            }
            HostListFault::BelowAddress => f.write_str("an address has no names below it"),
            HostListFault::LongLine => f.write_str("the line is longer than 1 MiB"),
        }
    }
}

impl From<NameFault> for HostListFault {
    fn from(fault: NameFault) -> Self {
        match fault {
            NameFault::Url => HostListFault::Url,
            NameFault::Byte(byte) => HostListFault::Byte(byte),
            NameFault::TooLong => HostListFault::TooLong,
            NameFault::EmptyLabel => HostListFault::EmptyLabel,
            NameFault::Idna => HostListFault::Idna,
        }
    }
}

/// A name of a list.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: HostName,
    /// Whether the names below it belong to the set.
    pub(super) has_below: bool,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A blank line, a comment, a header, or names.
    Taken,
    /// A rule that is no name.
    LeftOut,
}

/// The lines of a list, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    /// Whether a line before is surely of an adblock list.
    is_adblock: bool,
}

/// Whether a byte may be in a name in its normal form.
static OF_NAME: [bool; 256] = {
    let mut of_name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        of_name[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
        byte += 1;
    }
    of_name
};

impl Lines {
    /// Returns the name of a line in one of the two most frequent forms, `example.com` or `||example.com^`,
    /// and whether the names below it belong to the set. Returns `None` for all other lines, and for some
    /// names that need a closer look.
    pub(super) fn common<'l>(&mut self, line: &'l [u8]) -> Option<(&'l [u8], bool)> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let rule = line.strip_prefix(b"||").and_then(|rule| rule.strip_suffix(b"^"));
        let name = rule.unwrap_or(line);
        let (first, last) = (name.first()?, name.last()?);
        // A number at the end may be that of an address.
        if name.len() > MAX_NAME || *first == b'.' || !last.is_ascii_lowercase() {
            return None;
        }
        let (mut are_of_name, mut is_empty, mut before) = (true, false, 0);
        for &byte in name {
            are_of_name &= OF_NAME[usize::from(byte)];
            is_empty |= byte == b'.' && before == b'.';
            before = byte;
        }
        if !are_of_name || is_empty || rule.is_none() && self.is_adblock && is_part_of_url(name) {
            return None;
        }
        self.is_adblock |= rule.is_some();
        Some((name, rule.is_some()))
    }

    /// Passes the names of the next line to `take`. The line has no LF.
    pub(super) fn next<E: From<HostListFault>>(
        &mut self,
        line: &[u8],
        mut take: impl FnMut(Entry) -> Result<(), E>,
    ) -> Result<Line, E> {
        let line = line.trim_ascii();
        match line {
            [] => return Ok(Line::Taken),
            [b'!', ..] => {
                self.is_adblock = true;
                return Ok(Line::Taken);
            }
            [b'[', inner @ .., b']']
                if inner.iter().any(|byte| byte.is_ascii_whitespace()) || is_header(inner) =>
            {
                self.is_adblock = true;
                return Ok(Line::Taken);
            }
            [b'@', b'@', ..] => {
                self.is_adblock = true;
                return Ok(Line::LeftOut);
            }
            [b'|', b'|', rule @ ..] => {
                self.is_adblock = true;
                return match name_of_rule(rule) {
                    Some(name) => take(Entry { has_below: !name.is_address, name }).map(|()| Line::Taken),
                    None => Ok(Line::LeftOut),
                };
            }
            _ => {}
        }
        let mut text = line;
        if let Some(at) = memchr(b'#', line) {
            let is_cosmetic = COSMETIC.iter().any(|mark| line[at..].starts_with(mark));
            let is_comment = at == 0 || line[at - 1].is_ascii_whitespace();
            if is_cosmetic && !is_comment {
                self.is_adblock = true;
            }
            let is_rule = match at {
                0 => is_cosmetic && !matches!(line.get(2), None | Some(b'#' | b' ')),
                _ => is_cosmetic && !is_comment,
            };
            if self.is_adblock && is_rule {
                return Ok(Line::LeftOut);
            }
            text = line[..at].trim_ascii_end();
        }
        if text.is_empty() {
            return Ok(Line::Taken);
        }
        if let Some(space) = position(text, u8::is_ascii_whitespace) {
            let (first, names) = (&text[..space], text[space..].trim_ascii_start());
            if !is_address(first) {
                return if self.is_adblock {
                    Ok(Line::LeftOut)
                } else {
                    Err(HostListFault::SeveralNames.into())
                };
            }
            let names = names.split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
            for name in names.filter(|name| !is_local(name)) {
                let name = HostName::of_list(name).map_err(HostListFault::from)?;
                take(Entry { name, has_below: false })?;
            }
            return Ok(Line::Taken);
        }
        match entry(text) {
            Ok(_) if self.is_adblock && is_part_of_url(text) => Ok(Line::LeftOut),
            Ok(entry) => take(entry).map(|()| Line::Taken),
            Err(_) if self.is_adblock => Ok(Line::LeftOut),
            Err(fault) => Err(fault.into()),
        }
    }
}

/// Returns the name of a line that is nothing else.
fn entry(text: &[u8]) -> Result<Entry, HostListFault> {
    let parent = text.strip_prefix(b"*.").or_else(|| text.strip_prefix(b"."));
    let name = HostName::of_list(parent.unwrap_or(text))?;
    if parent.is_some() && name.is_address {
        return Err(HostListFault::BelowAddress);
    }
    Ok(Entry { name, has_below: parent.is_some() })
}

/// Returns the name of an adblock rule after `||`, if the rule is about all of a host.
fn name_of_rule(rule: &[u8]) -> Option<HostName> {
    let end = memchr(b'^', rule)?;
    let rest = &rule[end + 1..];
    let rest = rest.strip_prefix(b"|").unwrap_or(rest);
    let is_whole = match rest {
        [] => true,
        [b'$', options @ ..] => options.split(|&byte| byte == b',').all(|option| UNLIMITED.contains(&option)),
        _ => false,
    };
    HostName::of_list(&rule[..end]).ok().filter(|_| is_whole)
}

/// Returns true if brackets around this text make the header of an adblock list, such as `[Adblock Plus
/// 2.0]`.
fn is_header(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_alphabetic) && !text.contains(&b':')
}

/// Returns true if a text that could be a name has one label alone. In an adblock list, it is a part of URLs.
fn is_part_of_url(text: &[u8]) -> bool {
    let name = text.strip_prefix(b"*.").or_else(|| text.strip_prefix(b".")).unwrap_or(text);
    let name = name.strip_suffix(b".").unwrap_or(name);
    !name.iter().any(|byte| b".:".contains(byte))
}

/// Returns true if this is the address before the names of a hosts file. Those of IPv6 may have a zone.
fn is_address(text: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(text) else { return false };
    let address = text.split_once('%').map_or(text, |(address, _)| address);
    text.parse::<Ipv4Addr>().is_ok() || address.parse::<Ipv6Addr>().is_ok()
}

fn is_local(name: &[u8]) -> bool {
    LOCAL.iter().any(|local| local.eq_ignore_ascii_case(name))
}
