//! RFC 9112 section 3.2: what a request line asks for.
//!
//! `request-target = origin-form / absolute-form / authority-form / asterisk-form`. The method that decides which is
//! meant is not known here, so the first that fits is taken: `/x`, `*`, `host:443`, and then an absolute URI.
//! (`host:443` is also a URI with the scheme `host`; nobody means that.)

use super::ip::{Brackets, Octets, Zone};
use super::rfc3986;
use super::run::{Ascii, Fault, run, skip};
use super::scheme::no_scheme_at;
use crate::charset::Class;
use crate::components::{Components, Form};
use crate::error::{Component, Error, ErrorKind};

const BRACKETS: Brackets = Brackets { octets: Octets::NoLeadingZeros, zone: Zone::None, future: true };

/// Any of the four forms.
pub(crate) fn request_target(record: &[u8]) -> Result<Components, Error> {
    match record {
        [b'/', ..] => origin_form(record),
        b"*" => Ok(Components { form: Form::Pathless, ..Components::none(record.len()) }),
        _ => {
            let authority = match authority_form(record) {
                Ok(components) => return Ok(components),
                Err(error) => error,
            };
            // The form that goes further is the one that was meant.
            rfc3986::absolute_uri::<Ascii>(record, false)
                .map_err(|absolute| if authority.offset() > absolute.offset() { authority } else { absolute })
        }
    }
}

/// `origin-form = absolute-path [ "?" query ]`, `absolute-path = 1*( "/" segment )`: here `//` starts no authority.
fn origin_form(record: &[u8]) -> Result<Components, Error> {
    let mut components = Components::none(record.len());
    components.path_start = 0;
    let within = |component| move |fault: Fault| fault.within(record, component);
    let mut end = run::<Ascii>(record, 0, Class::PATH).map_err(within(Component::Path))?;
    components.path_end = end as u32;
    let mut component = Component::Path;
    if record.get(end) == Some(&b'?') {
        component = Component::Query;
        end = run::<Ascii>(record, end + 1, Class::QUERY).map_err(within(component))?;
    }
    match record.get(end) {
        None => Ok(components),
        Some(b'#') => Err(Fault::by_byte(record, end).within(record, Component::Fragment)),
        Some(_) => Err(Fault::by_byte(record, end).within(record, component)),
    }
}

/// `authority-form = uri-host ":" port`; neither may be empty.
fn authority_form(record: &[u8]) -> Result<Components, Error> {
    let mut components = Components { form: Form::Pathless, ..Components::none(record.len()) };
    components.authority_start = 0;
    let colon = if record.first() == Some(&b'[') {
        let end = rfc3986::bracketed(record, 0, BRACKETS, &mut components)?;
        match record.get(end) {
            Some(b':') => end,
            None => return Err(Error::at(record, end, ErrorKind::InvalidPort, Some(Component::Port))),
            _ => return Err(Error::at(record, end, ErrorKind::InvalidAuthority, Some(Component::Authority))),
        }
    } else {
        // Without a port it could have been a URI: what it lacks is a scheme.
        let end =
            run::<Ascii>(record, 0, Class::REG_NAME).map_err(|fault| no_scheme_at(record, fault.offset))?;
        if end == 0 || record.get(end) != Some(&b':') {
            return Err(no_scheme_at(record, end));
        }
        rfc3986::name(record, 0, end, &mut components);
        end
    };
    let end = skip(record, colon + 1, Class::DIGIT);
    if end == colon + 1 || end < record.len() {
        return Err(Error::at(record, end, ErrorKind::InvalidPort, Some(Component::Port)));
    }
    Ok(components)
}
