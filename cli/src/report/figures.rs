//! Numbers and shares for people.

/// Returns the digits of a number, with commas between groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number and its noun, in the plural unless the number is one.
pub(super) fn plural(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Returns a share in percent. It is 0% only if `count` is 0, and 100% only if `count` is `all`.
pub(super) fn percent(count: u64, all: u64) -> String {
    let percent = count as f64 * 100.0 / all as f64;
    match percent {
        _ if count == 0 || count == all => format!("{percent:.2}%"),
        percent if percent < 0.01 => "<0.01%".to_owned(),
        percent if percent > 99.99 => ">99.99%".to_owned(),
        percent => format!("{percent:.2}%"),
    }
}

pub(super) fn rate(bytes_per_second: f64) -> String {
    match bytes_per_second {
        rate if rate >= 1e9 => format!("{:.2} GB/s", rate / 1e9),
        rate => format!("{:.1} MB/s", rate / 1e6),
    }
}

/// Returns a bar for the share of `count` in `whole`. A full bar has `columns` columns; a bar has at least
/// one sign unless `count` is 0.
pub(super) fn bar(count: u64, whole: u64, columns: u64, is_ascii: bool) -> String {
    let eighths = u128::from(count) * u128::from(columns * 8) / u128::from(whole.max(1));
    let eighths = (eighths as usize).max(usize::from(count > 0));
    if is_ascii {
        return "#".repeat(eighths.div_ceil(8));
    }
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8).copied());
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_never_rounded_to_none_or_all() {
        for (count, all, expected) in [
            (0, 7, "0.00%"),
            (7, 7, "100.00%"),
            (1, 3, "33.33%"),
            (1, 10_000, "0.01%"),
            (1, 10_001, "<0.01%"),
            (1, u64::MAX, "<0.01%"),
            (9_999, 10_000, "99.99%"),
            (10_000, 10_001, ">99.99%"),
            (u64::MAX - 1, u64::MAX, ">99.99%"),
        ] {
            assert_eq!(percent(count, all), expected, "{count} of {all}");
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            (plural(1, "line"), plural(2000, "line")),
            ("1 line".to_owned(), "2,000 lines".to_owned())
        );
    }

    #[test]
    fn bars_are_as_long_as_their_counts() {
        assert_eq!(bar(50, 100, 20, false), "█".repeat(10));
        assert_eq!(bar(1, u64::MAX, 20, false), "▏");
        assert_eq!(bar(11, 160, 20, false), "█▍");
        assert_eq!((bar(11, 160, 20, true), bar(0, 160, 20, true)), ("##".to_owned(), String::new()));
    }
}
