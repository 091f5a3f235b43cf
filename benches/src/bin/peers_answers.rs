//! Prints the results of urivalidate and its peers. Reads lines `normalize URI` and `resolve BASE REFERENCE`
//! from standard input, with tabs between the fields. For each line, prints the answers of urivalidate,
//! fluent-uri, iri-string and oxiri; `-` stands for no answer. `scripts/compare-peers` makes a table from the
//! answers.

use std::io::{self, BufRead};

use iri_string::format::ToDedicatedString;
use iri_string::types::{UriAbsoluteStr, UriReferenceStr, UriStr};
use urivalidate::{Grammar, NormalForm, Validator};

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answers = match line.split('\t').collect::<Vec<_>>()[..] {
            ["normalize", uri] => normal_forms(uri),
            ["resolve", base, reference] => resolved(base, reference),
            _ => panic!("no question: {line:?}"),
        };
        println!("{}", answers.map(|answer| answer.unwrap_or_else(|| "-".to_owned())).join("\t"));
    }
    Ok(())
}

fn normal_forms(uri: &str) -> [Option<String>; 4] {
    let normalizer =
        Validator::new(Grammar::Uri).normalizer(NormalForm::Syntax).expect("a form of every grammar");
    let ours = normalizer.normalize(uri.as_bytes(), &mut Vec::new()).ok().map(|normal| text(normal, uri));
    let fluent = fluent_uri::Uri::parse(uri).ok().map(|uri| uri.normalize().into_string());
    let iri_string = UriStr::new(uri).ok().map(|uri| uri.normalize().to_dedicated_string().to_string());
    [ours, fluent, iri_string, None]
}

fn resolved(base: &str, reference: &str) -> [Option<String>; 4] {
    let validator = Validator::new(Grammar::UriReference);
    let ours = validator.base(base.as_bytes()).and_then(|base| {
        base.resolve(reference.as_bytes(), &mut Vec::new()).map(|resolved| text(resolved, reference))
    });
    let fluent = || {
        let base = fluent_uri::Uri::parse(base).ok()?;
        let resolved = fluent_uri::UriRef::parse(reference).ok()?.resolve_against(&base).ok()?;
        Some(resolved.into_string())
    };
    let iri_string = || {
        let base = UriAbsoluteStr::new(base).ok()?;
        Some(UriReferenceStr::new(reference).ok()?.resolve_against(base).to_dedicated_string().to_string())
    };
    let oxiri = || {
        let reference = oxiri::IriRef::parse(reference).ok()?;
        Some(oxiri::Iri::parse(base).ok()?.resolve(&reference).ok()?.into_inner())
    };
    [ours.ok(), fluent(), iri_string(), oxiri()]
}

/// The result as text. `None` stands for the record itself.
fn text(result: Option<&[u8]>, record: &str) -> String {
    result.map_or(record.to_owned(), |result| String::from_utf8_lossy(result).into_owned())
}
