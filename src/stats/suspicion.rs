//! Valid records that their writer probably did not intend.

use std::net::Ipv4Addr;

use super::loops::GROUP;
use crate::batch::Batch;
use crate::column::Column;
use crate::components::Components;
use crate::error::Component;
#[cfg(feature = "surt")]
use crate::idna;
use crate::names::named_enum;
use crate::normal::default_port;
use crate::part::Part;
use crate::registry;
use crate::work::looked_at;

named_enum! {
    /// The reason why a valid record is suspicious. A record may have several reasons.
    #[non_exhaustive]
    Suspicion {
        /// A host and port without a scheme. The host is read as the scheme: `localhost:8080/x`,
        /// `example.com:443`.
        HostAsScheme = "host-as-scheme",
        /// The text that log writers put in the place of a missing URI: `-`, or a URI that starts with
        /// Squid's `error:`.
        Sentinel = "sentinel",
        /// `http` or `https` without a host, or with an empty one: `http:/a`, `http:///a`.
        HttpWithoutHost = "http-without-host",
        /// Userinfo, which may end up in logs: `http://user:pw@h/`.
        Userinfo = "userinfo",
        /// The default port of the scheme: `http://h:80/`.
        DefaultPort = "default-port",
        /// A port that is too high for TCP and UDP: `http://h:65536/`.
        PortOver65535 = "port-over-65535",
        /// More than 2,048 bytes, which some programs do not accept.
        Long = "over-2048-bytes",
        /// A scheme that IANA has not registered, often a misspelt one: `htps:`, `ttps:`. See
        /// [`Schemes::unregistered`](super::Schemes::unregistered).
        UnregisteredScheme = "unregistered-scheme",
        /// An escape in the host, which is never a name in the DNS: `http://a%20b/`, `http://h%3A80/`. Zone
        /// identifiers are not suspicious.
        EscapeInHost = "escape-in-host",
        /// A host of `http`, `https`, `ws`, `wss` or `ftp` that is neither a name in the DNS nor an address: a
        /// label that is empty, longer than 63 bytes, begins or ends with `-`, or holds another byte than a
        /// letter, a digit or `-`; more than 253 bytes; a last label of digits. One dot may end the host.
        /// Labels beyond ASCII are judged in Punycode: `http://a_b/`, `http://a..b/`, `http://1.2.3.256/`.
        HostNotDns = "host-not-dns",
    }
}

impl Suspicion {
    /// Returns the reasons why a valid record is suspicious, in the order of [`ALL`](Self::ALL).
    ///
    /// ```
    /// use urivalidate::stats::Suspicion;
    /// use urivalidate::{Grammar, parse};
    ///
    /// let record = b"http://user@a_b/";
    /// let components = parse(Grammar::Uri, record)?;
    /// let reasons: Vec<_> = Suspicion::of(record, &components).collect();
    /// assert_eq!(reasons, [Suspicion::Userinfo, Suspicion::HostNotDns]);
    /// # Ok::<(), urivalidate::Error>(())
    /// ```
    pub fn of(record: &[u8], components: &Components) -> impl Iterator<Item = Suspicion> + use<> {
        let mut counts = [0; Suspicion::ALL.len()];
        count(&mut counts, record, components);
        let scheme = components.scheme().map(|scheme| record.get(scheme).unwrap_or_default());
        let is_unregistered = |scheme: &[u8]| !registry::is_registered(&scheme.to_ascii_lowercase());
        counts[Suspicion::UnregisteredScheme as usize] += u64::from(scheme.is_some_and(is_unregistered));
        Suspicion::ALL.iter().copied().filter(move |&reason| counts[reason as usize] > 0)
    }

    /// Returns one sentence about a record that is suspicious for this reason.
    pub fn message(self) -> &'static str {
        match self {
            Suspicion::HostAsScheme => "a host and port without a scheme: the host is read as the scheme",
            Suspicion::Sentinel => "the text that programs write if they have no URI",
            Suspicion::HttpWithoutHost => "http and https need a host",
            Suspicion::Userinfo => "the userinfo may end up in logs",
            Suspicion::DefaultPort => "the port is the default of the scheme",
            Suspicion::PortOver65535 => "the port is higher than 65535",
            Suspicion::Long => "more than 2048 bytes, which some programs do not accept",
            Suspicion::UnregisteredScheme => "no such scheme is registered",
            Suspicion::EscapeInHost => "a host with an escape is no name in the DNS",
            Suspicion::HostNotDns => "the host is neither a name in the DNS nor an address",
        }
    }
}

/// The longest label and the longest name in the DNS, in bytes.
const LONGEST_LABEL: usize = 63;
const LONGEST_NAME: usize = 253;

/// Records of more than this number of bytes are suspicious.
const LONG: u32 = 2048;

/// Counts a valid record.
pub(super) fn count(counts: &mut [u64; Suspicion::ALL.len()], record: &[u8], components: &Components) {
    let mut add = |reason: Suspicion, is_there: bool| counts[reason as usize] += u64::from(is_there);
    // The bytes of a file may have changed since they were parsed, and the record may be gone.
    let part = |component| components.get(component).map(|range| record.get(range).unwrap_or_default());
    add(Suspicion::Long, record.len() > LONG as usize);
    let host = part(Component::Host);
    add(Suspicion::EscapeInHost, host.is_some_and(has_escape));
    add(Suspicion::Userinfo, part(Component::Userinfo).is_some());
    add(Suspicion::PortOver65535, part(Component::Port).is_some_and(is_too_large));
    let Some(scheme) = part(Component::Scheme) else {
        add(Suspicion::Sentinel, record == b"-");
        return;
    };
    let is_http = [&b"http"[..], b"https"].iter().any(|http| scheme.eq_ignore_ascii_case(http));
    add(Suspicion::HttpWithoutHost, is_http && host.is_none_or(<[u8]>::is_empty));
    add(Suspicion::DefaultPort, part(Component::Port).is_some_and(|port| is_default(scheme, port)));
    add(Suspicion::HostNotDns, host.is_some_and(|host| needs_dns(scheme, host) && is_not_dns(host)));
    if components.authority().is_none() {
        add(Suspicion::Sentinel, scheme.eq_ignore_ascii_case(b"error"));
        let rest = record.get(scheme.len() + 1..).unwrap_or_default();
        add(Suspicion::HostAsScheme, is_host(scheme, rest));
    }
}

/// Counts the valid records of a batch that has all columns.
///
/// Most records are not suspicious. A plain authority has neither userinfo nor a port nor an escape in the host,
/// and two pairs of columns show all other reasons.
pub(crate) fn count_batch(counts: &mut [u64; Suspicion::ALL.len()], buffer: &[u8], batch: &Batch) {
    let [starts, ends, hosts, host_ends] =
        [Column::Start, Column::End, Column::HostStart, Column::HostEnd].map(|column| batch.filled(column));
    // This is also true of invalid records, which have no host.
    let has_no_host_or_is_long = |start: u32, end: u32, host: u32, host_end: u32| {
        u32::from(end - start > LONG) | u32::from(host >= host_end)
    };
    let mut count = |index: usize| {
        let record = buffer.get(starts[index] as usize..ends[index] as usize).unwrap_or_default();
        count(counts, record, &batch.delimited(index));
    };
    let of = |i: usize| has_no_host_or_is_long(starts[i], ends[i], hosts[i], host_ends[i]) != 0;
    let groups = starts.chunks(GROUP).zip(ends.chunks(GROUP));
    let host_groups = hosts.chunks(GROUP).zip(host_ends.chunks(GROUP));
    for (group, ((starts, ends), (hosts, host_ends))) in groups.zip(host_groups).enumerate() {
        let records = starts.iter().zip(ends).zip(hosts.iter().zip(host_ends));
        let any = records.fold(0, |any, ((&start, &end), (&host, &host_end))| {
            any | has_no_host_or_is_long(start, end, host, host_end)
        });
        if any != 0 {
            let first = group * GROUP;
            (first..first + starts.len()).filter(|&i| of(i) && batch.is_valid(i)).for_each(&mut count);
        }
    }
    for index in batch.other_authorities.iter().map(|&index| index as usize).filter(|&i| !of(i)) {
        count_authority(counts, buffer, batch, index);
    }
    // The masks accept each host of a few characters. Adjacent records often have the same host.
    let mut other_authorities = batch.other_authorities.iter().peekable();
    let (mut last, mut is_last_wrong): (&[u8], bool) = (b"", false);
    for index in 0..hosts.len() {
        if other_authorities.next_if(|&&other_authorities| other_authorities as usize == index).is_some()
            || of(index)
        {
            continue;
        }
        let host = buffer.get(hosts[index] as usize..host_ends[index] as usize).unwrap_or_default();
        if host != last {
            (last, is_last_wrong) = (host, is_not_dns(host));
        }
        if is_last_wrong && batch.is_valid(index) {
            let scheme = batch.part(Part::Scheme, index).and_then(|scheme| buffer.get(scheme));
            let is_wrong = scheme.is_some_and(|scheme| needs_dns(scheme, host));
            counts[Suspicion::HostNotDns as usize] += u64::from(is_wrong);
        }
    }
}

/// Counts the valid records of a batch that are suspicious only because they are long: the parser judged none
/// of them.
pub(super) fn count_long(counts: &mut [u64; Suspicion::ALL.len()], batch: &Batch) {
    let [starts, ends] = [Column::Start, Column::End].map(|column| batch.filled(column));
    let is_long = |index: usize| ends[index].saturating_sub(starts[index]) > LONG;
    for (group, (starts, ends)) in starts.chunks(GROUP).zip(ends.chunks(GROUP)).enumerate() {
        let lengths = starts.iter().zip(ends).map(|(start, end)| end.saturating_sub(*start));
        if lengths.fold(0, u32::max) > LONG {
            let records = group * GROUP..group * GROUP + starts.len();
            let long = records.filter(|&index| is_long(index) && batch.is_valid(index));
            let by_masks =
                long.filter(|&index| batch.other_authorities.binary_search(&(index as u32)).is_err());
            counts[Suspicion::Long as usize] += by_masks.count() as u64;
        }
    }
}

/// Counts a valid record that has a host and is not long: only its authority can still be suspicious.
fn count_authority(counts: &mut [u64; Suspicion::ALL.len()], buffer: &[u8], batch: &Batch, index: usize) {
    let mut add = |reason: Suspicion, is_there: bool| counts[reason as usize] += u64::from(is_there);
    let part = |component| {
        let range = batch.part(Part::from(component), index)?;
        Some(buffer.get(range).unwrap_or_default())
    };
    let (host, scheme) = (part(Component::Host), part(Component::Scheme));
    add(Suspicion::EscapeInHost, host.is_some_and(has_escape));
    let is_wrong = |(scheme, host): (&[u8], &[u8])| needs_dns(scheme, host) && is_not_dns(host);
    add(Suspicion::HostNotDns, scheme.zip(host).is_some_and(is_wrong));
    add(Suspicion::Userinfo, part(Component::Userinfo).is_some());
    if let Some(port) = part(Component::Port) {
        add(Suspicion::PortOver65535, is_too_large(port));
        add(Suspicion::DefaultPort, part(Component::Scheme).is_some_and(|scheme| is_default(scheme, port)));
    }
}

/// Returns true if the host has an escape. In brackets, a `%` starts a zone identifier instead.
fn has_escape(host: &[u8]) -> bool {
    looked_at(host.len());
    !host.starts_with(b"[") && host.contains(&b'%')
}

/// Returns true if hosts of this scheme are names in the DNS, and there is a host. An empty host of `http`
/// or `https` has a reason of its own.
fn needs_dns(scheme: &[u8], host: &[u8]) -> bool {
    let is = |name: &&[u8]| scheme.eq_ignore_ascii_case(name);
    let is_http = [&b"http"[..], b"https"].iter().any(is);
    is_http && !host.is_empty() || [&b"ws"[..], b"wss", b"ftp"].iter().any(is)
}

/// Returns true if a host is neither a name in the DNS nor an address. A host with an escape is not judged:
/// it has a reason of its own. A host beyond ASCII is judged in Punycode, which only the feature `surt` makes.
fn is_not_dns(host: &[u8]) -> bool {
    looked_at(host.len());
    if is_usual_name(host) || host.starts_with(b"[") || host.contains(&b'%') {
        return false;
    }
    if !host.is_ascii() {
        #[cfg(feature = "surt")]
        return !is_dns_name(&idna::to_ascii(host));
        #[cfg(not(feature = "surt"))]
        return false;
    }
    !is_dns_name(host) && !str::from_utf8(host).is_ok_and(|host| host.parse::<Ipv4Addr>().is_ok())
}

/// Returns true if a host is a name in the DNS by one look at each byte, which is enough for nearly all: the
/// host has no label of 64 bytes, and ends with a letter.
fn is_usual_name(host: &[u8]) -> bool {
    /// A byte that no name has.
    const OTHER: u8 = 0b100;
    /// What each byte is, in the bits 0 to 2: 1 for a dot, 2 for a dash. And which of them may not follow it,
    /// in the bits 4 and 5: labels neither are empty nor start or end with a dash.
    const BYTES: [u8; 256] = {
        let mut bytes = [OTHER; 256];
        let mut byte = 0;
        while byte < 256 {
            if (byte as u8).is_ascii_alphanumeric() {
                bytes[byte] = 0;
            }
            byte += 1;
        }
        bytes[b'-' as usize] = 0b01_0010;
        bytes[b'.' as usize] = 0b11_0001;
        bytes
    };
    let (mut wrong, mut not_next) = (0, 0b11 | OTHER);
    for &byte in host {
        let byte = BYTES[usize::from(byte)];
        wrong |= byte & not_next;
        not_next = byte >> 4 | OTHER;
    }
    wrong == 0 && host.len() <= LONGEST_LABEL && host.last().is_some_and(u8::is_ascii_alphabetic)
}

/// Returns true if a host of ASCII is a name in the DNS, and its last label is no number.
fn is_dns_name(host: &[u8]) -> bool {
    let name = host.strip_suffix(b".").unwrap_or(host);
    let is_label = |label: &[u8]| {
        (1..=LONGEST_LABEL).contains(&label.len())
            && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            && !label.starts_with(b"-")
            && !label.ends_with(b"-")
    };
    let mut labels = name.split(|&byte| byte == b'.');
    let is_number = |label: &[u8]| label.iter().all(u8::is_ascii_digit);
    name.len() <= LONGEST_NAME
        && labels.clone().all(is_label)
        && labels.next_back().is_some_and(|last| !is_number(last))
}

fn is_too_large(port: &[u8]) -> bool {
    let digits = without_zeros(port);
    digits.len() > 5 || digits.len() == 5 && digits > b"65535".as_slice()
}

fn without_zeros(port: &[u8]) -> &[u8] {
    let zeros = port.iter().take_while(|&&digit| digit == b'0').count();
    &port[zeros..]
}

fn is_default(scheme: &[u8], port: &[u8]) -> bool {
    default_port(scheme).is_some_and(|default| default == without_zeros(port))
}

/// Returns true if a scheme and the text after its colon look like a host and port. `tel:911` does not look
/// like that.
fn is_host(scheme: &[u8], rest: &[u8]) -> bool {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=5).contains(&digits) {
        return false;
    }
    let is_host = scheme.contains(&b'.') || scheme.eq_ignore_ascii_case(b"localhost");
    match rest.get(digits) {
        None | Some(b'?' | b'#') => is_host,
        // No scheme in use has only digits before a slash.
        Some(b'/') => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Columns, Grammar, Validator};

    /// Returns the suspicious of a record, and asserts that they are the same alone and in a batch.
    fn of(record: &str) -> Vec<Suspicion> {
        let validator = Validator::new(Grammar::UriReference);
        let mut alone = [0; Suspicion::ALL.len()];
        count(&mut alone, record.as_bytes(), &validator.parse(record.as_bytes()).unwrap());
        for around in ["", "http://example.com/\n", "a b\n"] {
            let buffer = format!("{around}{record}\n{around}{}", around.repeat(10));
            let mut batch = Batch::new();
            validator.scan(buffer.as_bytes(), Columns::ALL, &mut batch).unwrap();
            let mut counts = [0; Suspicion::ALL.len()];
            count_batch(&mut counts, buffer.as_bytes(), &batch);
            assert_eq!(counts, alone, "{record}");
        }
        Suspicion::ALL.iter().copied().filter(|&reason| alone[reason as usize] == 1).collect()
    }

    #[test]
    #[cfg(feature = "surt")]
    fn a_host_beyond_ascii_is_judged_in_punycode() {
        for (record, expected) in [
            ("http://münchen.example/", false),
            ("http://例え.テスト/", false),
            ("http://例え。テスト/", false),
            ("http://mün_chen.example/", true),
            // The A-label begins with xn--.
            ("http://-é.example/", false),
            (&*format!("http://{}.example/", "é".repeat(40)), false),
            (&*format!("http://{}.example/", "éa".repeat(60)), true),
        ] {
            let components = crate::parse(Grammar::Iri, record.as_bytes()).unwrap();
            let found = Suspicion::of(record.as_bytes(), &components);
            assert_eq!(found.collect::<Vec<_>>() == [Suspicion::HostNotDns], expected, "{record}");
        }
    }

    #[test]
    fn reasons_of_a_record_come_with_its_scheme() {
        let of = |record: &str| {
            let components = crate::parse(Grammar::Uri, record.as_bytes()).unwrap();
            Suspicion::of(record.as_bytes(), &components).collect::<Vec<_>>()
        };
        assert_eq!(of("ttps://h/"), [Suspicion::UnregisteredScheme]);
        assert_eq!(of("HTTPS:///x"), [Suspicion::HttpWithoutHost]);
        assert_eq!(of("https://h/"), []);
    }

    #[test]
    fn each_record_is_suspicious_for_its_own_reasons() {
        use Suspicion::*;
        let long = format!("http://h/{}", "a".repeat(2040));
        for (record, expected) in [
            ("localhost:8080/x", &[HostAsScheme][..]),
            ("localhost:8080", &[HostAsScheme]),
            ("example.com:443", &[HostAsScheme]),
            ("example.com:443?q", &[HostAsScheme]),
            ("intranet:8080/", &[HostAsScheme]),
            ("tel:911", &[]),
            ("tel:12345678", &[]),
            ("urn:isbn:1", &[]),
            ("example.com:123456", &[]),
            ("-", &[Sentinel]),
            ("--", &[]),
            ("error:invalid-request", &[Sentinel]),
            ("ERROR:", &[Sentinel]),
            ("error://h/", &[]),
            ("http:///a", &[HttpWithoutHost]),
            ("HTTPS:a", &[HttpWithoutHost]),
            ("http://:80/", &[HttpWithoutHost, DefaultPort]),
            ("file:///a", &[]),
            ("http://u@h/", &[Userinfo]),
            ("ftp://@h:021/", &[Userinfo, DefaultPort]),
            ("http://h:443/", &[]),
            ("https://h:443", &[DefaultPort]),
            ("http://h:/", &[]),
            ("//h:80/", &[]),
            ("http://a%20b/", &[EscapeInHost]),
            ("http://h%3a80/", &[EscapeInHost]),
            ("http://h%2Fa", &[EscapeInHost]),
            ("http://h%41/", &[EscapeInHost]),
            ("http://%C3%A9.example/", &[EscapeInHost]),
            ("http://h:65535/", &[]),
            ("http://h:065535/", &[]),
            ("http://h:65536/", &[PortOver65535]),
            ("//h:000100000", &[PortOver65535]),
            ("http://u@h:99999", &[Userinfo, PortOver65535]),
            ("http://h/%20", &[]),
            ("http://h.0123456789.0123456789.0123456789.%20/", &[EscapeInHost]),
            (&long[..2049], &[Long]),
            (&long[..2048], &[]),
            ("", &[]),
            ("/a?b", &[]),
            ("http://a_b/", &[HostNotDns]),
            ("http://a..b/", &[HostNotDns]),
            ("HTTPS://.a/", &[HostNotDns]),
            ("ws://-a.b/", &[HostNotDns]),
            ("wss://a-.b/", &[HostNotDns]),
            ("ftp://a!b/", &[HostNotDns]),
            ("ws:///", &[HostNotDns]),
            ("http://u@a_b/", &[Userinfo, HostNotDns]),
            ("http://a_b:80/", &[DefaultPort, HostNotDns]),
            ("http://1.2.3.256/", &[HostNotDns]),
            ("http://1.2.3/", &[HostNotDns]),
            ("http://a.1/", &[HostNotDns]),
            ("http://a../", &[HostNotDns]),
            ("http://./", &[HostNotDns]),
            (&*format!("http://{}.b/", "a".repeat(64)), &[HostNotDns]),
            (&*format!("http://{}.b/", "a".repeat(63)), &[]),
            (&*format!("http://{}b/", "a.".repeat(126)), &[]),
            (&*format!("http://{}b./", "a.".repeat(126)), &[]),
            (&*format!("http://{}bc/", "a.".repeat(126)), &[HostNotDns]),
            ("http://a.b./", &[]),
            ("http://a--b.c1/", &[]),
            ("http://1a.b/", &[]),
            ("http://1.2.3.4/", &[]),
            ("http://[::1]/", &[]),
            ("http://a%20_b/", &[EscapeInHost]),
            ("gopher://a_b/", &[]),
            ("//a_b/", &[]),
            ("urn:a_b", &[]),
        ] {
            assert_eq!(of(record), expected, "{}", &record[..record.len().min(60)]);
        }
    }
}
