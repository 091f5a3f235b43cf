//! Names beyond ASCII: `ToASCII` of IDNA 2003 (RFC 3490), as Python's codec `idna` does it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use stringprep::tables;
use unicode_normalization::UnicodeNormalization as _;

/// The characters that separate labels (RFC 3490 section 3.1).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// The maximum number of bytes of a label.
const LONGEST: usize = 63;

/// Returns the name in ASCII, or unchanged if it has no such form. Bytes that are not UTF-8 are ignored,
/// unless the name stays unchanged.
pub(crate) fn to_ascii(host: &[u8]) -> Cow<'_, [u8]> {
    let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
    match name_to_ascii(&text) {
        Some(name) => Cow::Owned(name),
        None => Cow::Borrowed(host),
    }
}

/// Returns the name in ASCII, if browsers and this function agree on it: IDNA 2008 treats some characters in
/// another way. The result has only letters, digits, hyphens, underscores and dots.
pub(crate) fn agreed_ascii(host: &[u8]) -> Option<Vec<u8>> {
    // RFC 5894 section 7.2: the sharp s, the final sigma and the joiners.
    const DEVIATIONS: [char; 4] = ['\u{DF}', '\u{3C2}', '\u{200C}', '\u{200D}'];
    let name = core::str::from_utf8(host).ok().filter(|name| !name.contains(DEVIATIONS))?;
    let mut ascii = name_to_ascii(name)?;
    if name.ends_with(DOTS) {
        ascii.push(b'.');
    }
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    ascii.iter().all(is_of_name).then_some(ascii)
}

fn name_to_ascii(name: &str) -> Option<Vec<u8>> {
    if name.is_empty() {
        return Some(Vec::new());
    }
    let name = name.strip_suffix(DOTS).unwrap_or(name);
    let mut ascii = Vec::with_capacity(name.len());
    for label in name.split(DOTS) {
        if !ascii.is_empty() {
            ascii.push(b'.');
        }
        push_label(label, &mut ascii)?;
    }
    Some(ascii)
}

fn push_label(label: &str, to: &mut Vec<u8>) -> Option<()> {
    const PREFIX: &str = "xn--";
    let prepared = if label.is_ascii() { Cow::Borrowed(label) } else { Cow::Owned(nameprep(label)?) };
    let start = to.len();
    if prepared.is_ascii() {
        to.extend_from_slice(prepared.as_bytes());
    } else {
        // Every character takes at least one byte.
        if prepared.starts_with(PREFIX) || prepared.chars().count() > LONGEST {
            return None;
        }
        to.extend_from_slice(PREFIX.as_bytes());
        push_punycode(&prepared, to);
    }
    (1..=LONGEST).contains(&(to.len() - start)).then_some(())
}

/// RFC 3491, but code points that Unicode 3.2 lacks are allowed.
fn nameprep(label: &str) -> Option<String> {
    let kept = label.chars().filter(|&c| !tables::commonly_mapped_to_nothing(c));
    // Python also lowers letters whose case is newer than the tables of RFC 3454.
    let mapped: String = kept.flat_map(char::to_lowercase).flat_map(tables::case_fold_for_nfkc).collect();
    let mut prepared = String::with_capacity(mapped.len());
    // Code points that Unicode 3.2 lacks are not normalised, since the normalisation is that of Unicode 3.2.
    for run in mapped.split_inclusive(tables::unassigned_code_point) {
        let last = run.char_indices().next_back().filter(|&(_, c)| tables::unassigned_code_point(c));
        let (known, unknown) = run.split_at(last.map_or(run.len(), |(at, _)| at));
        prepared.extend(known.nfkc());
        prepared.push_str(unknown);
    }
    let is_prohibited = |c| {
        tables::non_ascii_space_character(c)
            || tables::non_ascii_control_character(c)
            || tables::private_use(c)
            || tables::non_character_code_point(c)
            || tables::inappropriate_for_plain_text(c)
            || tables::inappropriate_for_canonical_representation(c)
            || tables::change_display_properties_or_deprecated(c)
            || tables::tagging_character(c)
    };
    let is_wrong = prepared.contains(is_prohibited) || is_mixed(&prepared);
    (!is_wrong).then_some(prepared)
}

/// Returns true if right-to-left characters occur where RFC 3454 section 6 does not allow them.
fn is_mixed(label: &str) -> bool {
    // Unicode 3.2 has no direction for code points that it lacks.
    let is_right_to_left = |c| tables::bidi_r_or_al(c) && !tables::unassigned_code_point(c);
    let is_left_to_right = |c| tables::bidi_l(c) && !tables::unassigned_code_point(c);
    label.contains(is_right_to_left)
        && (label.contains(is_left_to_right)
            || !label.starts_with(is_right_to_left)
            || !label.ends_with(is_right_to_left))
}

/// Appends the label in Punycode (RFC 3492 section 6.3). It has few characters, so nothing overflows.
fn push_punycode(label: &str, to: &mut Vec<u8>) {
    const BASE: u32 = 36;
    const T_MIN: u32 = 1;
    const T_MAX: u32 = 26;
    let start = to.len();
    to.extend(label.bytes().filter(u8::is_ascii));
    let basic = (to.len() - start) as u32;
    if basic > 0 {
        to.push(b'-');
    }
    let (mut next, mut delta, mut bias, mut handled) = (0x80, 0_u32, 72, basic);
    while let Some(lowest) = label.chars().map(u32::from).filter(|&code| code >= next).min() {
        delta += (lowest - next) * (handled + 1);
        next = lowest;
        for code in label.chars().map(u32::from) {
            if code < next {
                delta += 1;
            } else if code == next {
                let (mut left, mut k) = (delta, BASE);
                loop {
                    let threshold = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
                    if left < threshold {
                        break;
                    }
                    to.push(digit(threshold + (left - threshold) % (BASE - threshold)));
                    left = (left - threshold) / (BASE - threshold);
                    k += BASE;
                }
                to.push(digit(left));
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta += 1;
        next += 1;
    }
}

fn digit(value: u32) -> u8 {
    b"abcdefghijklmnopqrstuvwxyz0123456789"[value as usize]
}

/// RFC 3492 section 6.1.
fn adapt(delta: u32, points: u32, is_first: bool) -> u32 {
    const BASE_LESS_T_MIN: u32 = 35;
    const T_MAX: u32 = 26;
    const SKEW: u32 = 38;
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > BASE_LESS_T_MIN * T_MAX / 2 {
        delta /= BASE_LESS_T_MIN;
        k += 36;
    }
    k + 36 * delta / (delta + SKEW)
}
