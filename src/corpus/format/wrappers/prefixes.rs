//! The prefixes of container runtimes and their tools.
//!
//! ```text
//! 2026-11-23T01:02:03.123456789Z stdout F MESSAGE      CRI: P instead of F for a part
//! [pod/web-5d9c/nginx] MESSAGE                         kubectl logs --prefix
//! web-5d9c nginx MESSAGE                               stern
//! web-1  | MESSAGE                                     docker compose logs
//! 2026-11-23T01:02:03.123456789Z MESSAGE               docker logs --timestamps, kubectl logs --timestamps
//! ```

use crate::corpus::format::lines::message::Message;
use crate::corpus::format::lines::words::is_date;
use crate::work::{memchr, position};

/// Returns the message of a line of a container runtime. Tags can follow the `F`, after colons.
pub(super) fn cri(line: &[u8]) -> Option<Message> {
    let time = after_time(line)?;
    let rest = &line[time..];
    let stream = rest.strip_prefix(b"stdout ").or_else(|| rest.strip_prefix(b"stderr "))?;
    let tags = memchr(b' ', stream).unwrap_or(stream.len());
    let is_part = match stream[..tags].split(|&byte| byte == b':').next()? {
        b"F" => false,
        b"P" => true,
        _ => return None,
    };
    let start = (line.len() - stream.len() + tags + 1).min(line.len());
    Some(Message { is_part, ..Message::unescaped(start..line.len()) })
}

/// Returns the message after a pod and a container, and after a time if the line has one.
pub(super) fn kubernetes(line: &[u8]) -> Option<Message> {
    let prefix = after_brackets(line).or_else(|| after_names(line))?;
    Some(after_prefix(line, prefix))
}

/// Returns the first byte after a pod and a container in brackets, and a space.
fn after_brackets(line: &[u8]) -> Option<usize> {
    let prefix = line.strip_prefix(b"[pod/")?;
    let end = memchr(b']', prefix)?;
    let has_container = memchr(b'/', &prefix[..end]).is_some() && memchr(b' ', &prefix[..end]).is_none();
    let has_space = prefix.get(end + 1) == Some(&b' ');
    (has_container && has_space).then(|| line.len() - prefix.len() + end + 2)
}

/// Returns the first byte after the names of a pod and a container, and a space. The name must have a hyphen:
/// names of pods that a controller starts have one.
fn after_names(line: &[u8]) -> Option<usize> {
    let pod = after_name(line)?;
    let container = after_name(&line[pod..])?;
    memchr(b'-', &line[..pod]).map(|_| pod + container)
}

/// Returns the first byte after a name of Kubernetes, and a space. A name with a dot does not count: it can
/// be a host at the start of an access log.
fn after_name(text: &[u8]) -> Option<usize> {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let end = position(text, |&byte| !is_alphanumeric(byte) && byte != b'-')?;
    let has_ends = end > 0 && is_alphanumeric(text[0]) && is_alphanumeric(text[end - 1]);
    (has_ends && text[end] == b' ').then_some(end + 1)
}

/// Returns the message after a prefix, and after a time if one follows.
fn after_prefix(line: &[u8], prefix: usize) -> Message {
    let time = after_time(&line[prefix..]).unwrap_or(0);
    Message::unescaped(prefix + time..line.len())
}

/// Returns the message after the name of a container, spaces and a bar, and after a time if one follows.
pub(super) fn compose(line: &[u8]) -> Option<Message> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let name = position(line, |&byte| !is_of_name(byte))?;
    let spaces = line[name..].iter().take_while(|&&byte| byte == b' ').count();
    let bar = name + spaces;
    if name == 0 || spaces == 0 || line.get(bar) != Some(&b'|') {
        return None;
    }
    match line.get(bar + 1) {
        None => Some(Message::unescaped(line.len()..line.len())),
        Some(b' ') => Some(after_prefix(line, bar + 2)),
        Some(_) => None,
    }
}

/// Returns the message after a time.
pub(super) fn timestamps(line: &[u8]) -> Option<Message> {
    Some(Message::unescaped(after_time(line)?..line.len()))
}

/// Returns the first byte after a time of ISO 8601 with a zone, and a space.
fn after_time(line: &[u8]) -> Option<usize> {
    if !is_date(line) {
        return None;
    }
    let end = memchr(b' ', line)?;
    let time = &line[..end];
    let is_zone = |zone: &[u8]| matches!(zone, [b'+' | b'-', _, _, b':', _, _]);
    let has_zone = time.ends_with(b"Z") || time.len() >= 25 && is_zone(&time[end - 6..]);
    has_zone.then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(unwrap: fn(&[u8]) -> Option<Message>, line: &str) -> Option<&str> {
        unwrap(line.as_bytes()).map(|message| &line[message.range])
    }

    #[test]
    fn lines_of_container_runtimes() {
        for (line, content) in [
            ("2026-11-23T01:02:03.123456789Z stdout F GET /a b", Some("GET /a b")),
            ("2026-11-23T01:02:03.123456789+01:00 stderr P:tag part", Some("part")),
            ("2026-11-23T01:02:03Z stdout F", Some("")),
            ("2026-11-23T01:02:03Z stdout X a", None),
            ("2026-11-23T01:02:03Z stdin F a", None),
            ("2026-11-23 stdout F a", None),
            ("stdout F a", None),
        ] {
            assert_eq!(text(cri, line), content, "{line}");
        }
        assert!(cri(b"2026-11-23T01:02:03Z stdout P a").unwrap().is_part);
        assert!(!cri(b"2026-11-23T01:02:03Z stdout F a").unwrap().is_part);
    }

    #[test]
    fn lines_of_tools() {
        for (line, content) in [
            ("[pod/web-5d9c/nginx] GET /a", Some("GET /a")),
            ("[pod/web-5d9c/nginx] 2026-11-23T01:02:03.1Z GET /a", Some("GET /a")),
            ("[pod/web-5d9c/nginx]", None),
            ("[pod/web] a", None),
            ("[06/Feb/2026] a", None),
            ("web-5d9c nginx GET /a", Some("GET /a")),
            ("web-5d9c nginx 2026-11-23T01:02:03.1Z GET /a", Some("GET /a")),
            ("web-5d9c nginx", None),
            ("web nginx GET /a", None),
            ("www.a-b.example localhost - - GET /a", None),
            ("www-a 192.0.2.1 - - GET /a", None),
            ("-web nginx GET /a", None),
            ("web-5d9c - GET /a", None),
            ("web-5d9c  nginx GET /a", None),
            ("web-5d9c\tnginx GET /a", None),
        ] {
            assert_eq!(text(kubernetes, line), content, "{line}");
        }
        for (line, content) in [
            ("web-1  | GET /a", Some("GET /a")),
            ("web-1 |", Some("")),
            ("web-1  | 2026-11-23T01:02:03.1Z GET /a", Some("GET /a")),
            ("web-1| a", None),
            ("| a", None),
            ("http://h/ | a", None),
            ("web-1  |a", None),
        ] {
            assert_eq!(text(compose, line), content, "{line}");
        }
        for (line, content) in [
            ("2026-11-23T01:02:03.1Z a b", Some("a b")),
            ("2026-11-23T01:02:03-08:00 a", Some("a")),
            ("2026-11-23T01:02:03 a", None),
            ("2026-11-23T01:02:03Z", None),
        ] {
            assert_eq!(text(timestamps, line), content, "{line}");
        }
    }
}
