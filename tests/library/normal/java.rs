//! `java.net.URI` against what the class itself said (JDK 17): recorded with `scripts/conformance/JavaReferences.java`,
//! so that no JDK is needed here.

use urivalidate::{Form, Grammar};

use super::{normalized, relativized, resolved};

/// Base, reference, `reference.normalize()`, `base.resolve(reference)`, `base.relativize(reference)`.
const RECORDED: &str = include_str!("java.tsv");

#[test]
fn the_class_says_the_same() {
    for line in RECORDED.lines() {
        let [base, reference, normal, result, relative] =
            line.split('\t').collect::<Vec<_>>().try_into().expect("five columns");
        assert_eq!(normalized(Grammar::Java, Form::Syntax, reference), normal, "{reference}");
        assert_eq!(resolved(Grammar::Java, base, reference), result, "{base} {reference}");
        assert_eq!(relativized(Grammar::Java, base, reference), relative, "{base} {reference}");
    }
}

/// Its own reading of ways back: this one leads elsewhere.
#[test]
fn some_ways_do_not_lead_back() {
    assert_eq!(relativized(Grammar::Java, "http://h/a/b", "http://h/a/b/c"), "c");
    assert_eq!(resolved(Grammar::Java, "http://h/a/b", "c"), "http://h/a/c");
}
