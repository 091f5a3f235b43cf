//! RFC 9112 section 3.2: the target of a request line.
//!
//! `request-target = origin-form / absolute-form / authority-form / asterisk-form`. The method decides which
//! form is meant, but it is not known here. So the first form that fits is taken: `/x`, `*`, `host:443`, and
//! then an absolute URI. (`host:443` is also a URI with the scheme `host`, but hardly anyone means that.)

use super::rfc3986;
use super::run::{Ascii, RunError, run, skip};
use super::scheme::{no_scheme_at, scheme};
use crate::charset::Class;
use crate::components::{Components, RecordForm};
use crate::error::{Component, Detail, Error, ErrorKind};

/// Parses any of the four forms.
pub(crate) fn request_target(record: &[u8], components: &mut Components) -> Result<(), Error> {
    match record {
        [b'/', ..] => origin_form(record, components),
        b"*" => {
            components.form = RecordForm::Pathless;
            Ok(())
        }
        _ => {
            // No port starts with a slash: most records in absolute-form are surely not in authority-form.
            // Trying it took a tenth of the time of an invalid record.
            if let Some(colon) = scheme(record)
                && record[colon + 1..].starts_with(b"//")
            {
                // The authority-form matches up to the first slash, and the absolute-form at least up to the
                // second.
                return rfc3986::absolute_after_scheme::<Ascii>(record, colon, false, components)
                    .map_err(|absolute| absolute.with_detail(Detail::RequestTarget));
            }
            let unmet = match authority_form(record, components) {
                Ok(()) => return Ok(()),
                Err(unmet) => unmet,
            };
            *components = Components::none(record.len());
            rfc3986::absolute_uri::<Ascii>(record, false, components).map_err(|absolute| match unmet {
                // The form that matches more of the record is probably the one that was meant.
                Unmet::NoScheme(offset) if offset > absolute.offset() => no_scheme_at(record, offset),
                Unmet::Port(offset) if offset > absolute.offset() => {
                    Error::at(record, offset, ErrorKind::InvalidPort, Some(Component::Port))
                }
                Unmet::Authority(error) if error.offset() > absolute.offset() => error,
                _ => absolute.with_detail(Detail::RequestTarget),
            })
        }
    }
}

/// `origin-form = absolute-path [ "?" query ]`, `absolute-path = 1*( "/" segment )`. Here `//` starts no
/// authority.
fn origin_form(record: &[u8], components: &mut Components) -> Result<(), Error> {
    components.path_start = 0;
    let within = |component| move |fault: RunError| fault.within(record, component);
    let mut end = run::<Ascii>(record, 0, Class::PATH).map_err(within(Component::Path))?;
    components.path_end = end as u32;
    let mut component = Component::Path;
    if record.get(end) == Some(&b'?') {
        component = Component::Query;
        end = run::<Ascii>(record, end + 1, Class::QUERY).map_err(within(component))?;
    }
    match record.get(end) {
        None => Ok(()),
        Some(b'#') => Err(RunError::by_byte(record, end)
            .within(record, Component::Fragment)
            .with_detail(Detail::RequestTarget)),
        Some(_) => Err(RunError::by_byte(record, end).within(record, component)),
    }
}

/// The reason why a record is not in authority-form.
enum Unmet {
    /// The host ends here, and a port is missing, as in a URI without a scheme. (Making an error takes
    /// longer, and most of these errors are never returned.)
    NoScheme(usize),
    /// The port ends here, where it must not: any absolute URI looks like an authority with an empty port.
    Port(usize),
    Authority(Error),
}

/// `authority-form = uri-host ":" port`. Both must be non-empty.
fn authority_form(record: &[u8], components: &mut Components) -> Result<(), Unmet> {
    components.form = RecordForm::Pathless;
    components.authority_start = 0;
    let colon = if record.first() == Some(&b'[') {
        let end =
            rfc3986::bracketed(record, 0, rfc3986::brackets(false), components).map_err(Unmet::Authority)?;
        match record.get(end) {
            Some(b':') => end,
            None => return Err(Unmet::Port(end)),
            _ => {
                let error = Error::at(record, end, ErrorKind::InvalidAuthority, Some(Component::Authority));
                return Err(Unmet::Authority(error.with_detail(Detail::AfterBrackets)));
            }
        }
    } else {
        let end = run::<Ascii>(record, 0, Class::REG_NAME).map_err(|fault| Unmet::NoScheme(fault.offset))?;
        if end == 0 || record.get(end) != Some(&b':') {
            return Err(Unmet::NoScheme(end));
        }
        rfc3986::name(record, 0, end, components);
        end
    };
    let end = skip(record, colon + 1, Class::DIGIT);
    if end == colon + 1 || end < record.len() {
        return Err(Unmet::Port(end));
    }
    Ok(())
}
