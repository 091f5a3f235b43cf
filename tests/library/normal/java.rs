//! Tests against the results of `java.net.URI` in JDK 17, which `scripts/conformance/JavaReferences.java`
//! recorded. So the tests need no JDK.

use urivalidate::{Grammar, NormalForm};

use super::{normalized, relativized, resolved};

/// The columns are base, reference, `reference.normalize()`, `base.resolve(reference)`,
/// `base.relativize(reference)`.
const RECORDED: &str = include_str!("java.tsv");

#[test]
fn the_class_says_the_same() {
    for line in RECORDED.lines() {
        let [base, reference, normal, result, relative] =
            line.split('\t').collect::<Vec<_>>().try_into().expect("five columns");
        assert_eq!(normalized(Grammar::Java, NormalForm::Syntax, reference), normal, "{reference}");
        assert_eq!(resolved(Grammar::Java, base, reference), result, "{base} {reference}");
        assert_eq!(relativized(Grammar::Java, base, reference), relative, "{base} {reference}");
    }
}

/// Tests that a relativized URI may resolve to another URI, as with the class.
#[test]
fn some_ways_do_not_lead_back() {
    assert_eq!(relativized(Grammar::Java, "http://h/a/b", "http://h/a/b/c"), "c");
    assert_eq!(resolved(Grammar::Java, "http://h/a/b", "c"), "http://h/a/c");
}
