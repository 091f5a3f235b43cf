//! RFC 3986 sections 5.2, 5.3 and 6.2.2, as the RFC prints them. The code is slow, and uses nothing of the
//! library.

/// The five components (section 3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Uri {
    pub(super) scheme: Option<String>,
    pub(super) authority: Option<String>,
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

impl Uri {
    /// Appendix B: `^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`.
    pub(super) fn parse(text: &str) -> Self {
        let (text, fragment) = match text.split_once('#') {
            Some((text, fragment)) => (text, Some(fragment.to_owned())),
            None => (text, None),
        };
        let (text, query) = match text.split_once('?') {
            Some((text, query)) => (text, Some(query.to_owned())),
            None => (text, None),
        };
        let (scheme, text) = match text.split_once(':') {
            Some((scheme, text)) if !scheme.is_empty() && !scheme.contains('/') => {
                (Some(scheme.to_owned()), text)
            }
            _ => (None, text),
        };
        let (authority, path) = match text.strip_prefix("//") {
            Some(text) => {
                let (authority, path) = text.split_at(text.find('/').unwrap_or(text.len()));
                (Some(authority.to_owned()), path)
            }
            None => (None, text),
        };
        Uri { scheme, authority, path: path.to_owned(), query, fragment }
    }
}

/// Section 5.2.2, strict: T.
pub(super) fn transform(base: &Uri, r: &Uri) -> Uri {
    let mut t = Uri::default();
    if r.scheme.is_some() {
        t.scheme = r.scheme.clone();
        t.authority = r.authority.clone();
        t.path = remove_dot_segments(&r.path);
        t.query = r.query.clone();
    } else {
        if r.authority.is_some() {
            t.authority = r.authority.clone();
            t.path = remove_dot_segments(&r.path);
            t.query = r.query.clone();
        } else {
            if r.path.is_empty() {
                t.path = base.path.clone();
                t.query = r.query.clone().or(base.query.clone());
            } else {
                t.path = if r.path.starts_with('/') {
                    remove_dot_segments(&r.path)
                } else {
                    remove_dot_segments(&merge(base, r))
                };
                t.query = r.query.clone();
            }
            t.authority = base.authority.clone();
        }
        t.scheme = base.scheme.clone();
    }
    t.fragment = r.fragment.clone();
    t
}

/// Section 5.2.3.
fn merge(base: &Uri, r: &Uri) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{}", r.path);
    }
    let last = base.path.rfind('/').map_or(0, |slash| slash + 1);
    format!("{}{}", &base.path[..last], r.path)
}

/// Section 5.2.4.
pub(super) fn remove_dot_segments(path: &str) -> String {
    let (mut input, mut output) = (path.to_owned(), String::new());
    while !input.is_empty() {
        if let Some(rest) = input.strip_prefix("../").or(input.strip_prefix("./")) {
            // 2A.
            input = rest.to_owned();
        } else if input.starts_with("/./") || input == "/." {
            // 2B.
            input.replace_range(..input.len().min(3), "/");
        } else if input.starts_with("/../") || input == "/.." {
            // 2C.
            input.replace_range(..input.len().min(4), "/");
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if input == "." || input == ".." {
            // 2D.
            input.clear();
        } else {
            // 2E.
            let next = input.char_indices().skip(1).find(|&(_, char)| char == '/');
            let end = next.map_or(input.len(), |(slash, _)| slash);
            output.extend(input.drain(..end));
        }
    }
    output
}

/// Section 5.3.
pub(super) fn recompose(t: &Uri) -> String {
    let mut result = String::new();
    if let Some(scheme) = &t.scheme {
        result += scheme;
        result += ":";
    }
    if let Some(authority) = &t.authority {
        result += "//";
        result += authority;
    }
    result += &t.path;
    if let Some(query) = &t.query {
        result += "?";
        result += query;
    }
    if let Some(fragment) = &t.fragment {
        result += "#";
        result += fragment;
    }
    result
}

/// Normalises a component by sections 6.2.2.1 and 6.2.2.2. `lower` is set for a scheme or a host, which
/// ignore case.
pub(super) fn normal_text(text: &str, is_unreserved: fn(char) -> bool, lower: bool) -> String {
    let mut pieces = text.split('%');
    let case = |text: &str| if lower { text.to_ascii_lowercase() } else { text.to_owned() };
    let mut normal = case(pieces.next().unwrap());
    for piece in pieces {
        let (digits, rest) = piece.split_at(2);
        let byte = u8::from_str_radix(digits, 16).unwrap();
        if byte.is_ascii() && is_unreserved(byte.into()) {
            normal += &case(&char::from(byte).to_string());
        } else {
            normal += &format!("%{byte:02X}");
        }
        normal += &case(rest);
    }
    normal
}

/// Sections 3.2.3 and 6.2.3: returns the port with its colon, or nothing if it is empty or the default of the
/// scheme.
pub(super) fn normal_port<'a>(scheme: &str, port: &'a str) -> &'a str {
    let number = port.trim_start_matches(':');
    let is_default = default_port(scheme) == Some(number.trim_start_matches('0'));
    if number.is_empty() || is_default { "" } else { port }
}

/// Returns the default port of the schemes whose form section 6.2.3 settles here.
pub(super) fn default_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" | "ws" => Some("80"),
        "https" | "wss" => Some("443"),
        "ftp" => Some("21"),
        _ => None,
    }
}

/// Section 2.3.
pub(super) fn is_unreserved(char: char) -> bool {
    char.is_ascii_alphanumeric() || "-._~".contains(char)
}

/// Section 3.2: returns the userinfo with its `@`, the host, and the port with its colon.
pub(super) fn authority(text: &str) -> (&str, &str, &str) {
    let at = text.rfind('@').map_or(0, |at| at + 1);
    let (userinfo, rest) = text.split_at(at);
    let digits = rest.rfind(|char: char| !char.is_ascii_digit());
    let colon = digits.filter(|&last| rest[last..].starts_with(':')).unwrap_or(rest.len());
    let (host, port) = rest.split_at(colon);
    (userinfo, host, port)
}
