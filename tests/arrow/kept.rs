//! What is kept of one function's scan does not show in what the next one gives.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray, StringViewArray, make_array};
use proptest::prelude::*;
use urivalidate::arrow::{ParseUri, ParseUrl, Text, is_valid_uri, keep_scan, uri_error, url_extract};
use urivalidate::{Component, Grammar, Validator};

use crate::arrays::arrays;
use crate::records;

/// The number of functions that [`call`] knows.
const FUNCTIONS: usize = 9;

fn call(function: usize, array: &dyn Array) -> ArrayRef {
    let (uri, java) = (Validator::new(Grammar::Uri), Validator::new(Grammar::Java));
    let part = |part, key| ParseUrl::new(part, key).unwrap().try_parse(array).unwrap();
    match function {
        0 => part("HOST", None),
        1 => part("PATH", None),
        2 => part("QUERY", Some("a")),
        3 => part("none", None),
        4 => url_extract(&java, array, Component::Path).unwrap(),
        5 => url_extract(&uri, array, Component::Port).unwrap(),
        6 => Arc::new(is_valid_uri(&uri, array).unwrap()),
        7 => Arc::new(uri_error(&uri, array).unwrap()),
        _ => Arc::new(ParseUri::new(java).text(Text::of(array.data_type())).parse(array).unwrap()),
    }
}

/// What the function gives where nothing is kept: of a copy.
fn alone(function: usize, array: &ArrayRef) -> ArrayRef {
    call(function, &make_array(array.to_data()))
}

proptest! {
    #[test]
    fn functions_in_any_order_give_what_they_give_alone(
        one in records::values(),
        other in records::texts(),
        calls in prop::collection::vec((any::<bool>(), 0..FUNCTIONS), 1..12),
    ) {
        for ((layout, one), (_, other)) in arrays(&one).into_iter().zip(arrays(&other)) {
            for &(is_one, function) in &calls {
                let array = if is_one { &one } else { &other };
                keep_scan(array);
                prop_assert_eq!(&call(function, array), &alone(function, array), "{} of {}", function, layout);
            }
        }
    }
}

/// More than is kept, and records that are as long as blocks.
#[test]
fn large_arrays_are_as_any() {
    let urls = |count: usize, len: usize| {
        (0..count).map(move |number| Some(format!("http://h{number}/{}?a=1", "p".repeat(len))))
    };
    let arrays: [ArrayRef; 6] = [
        Arc::new(urls(100_000, 9).collect::<StringViewArray>()),
        Arc::new(urls(100_000, 9).collect::<StringArray>()),
        Arc::new(urls(30_000, 200).collect::<StringViewArray>()),
        Arc::new(urls(3, 700_000).collect::<StringViewArray>()),
        Arc::new(urls(3, 700_000).collect::<StringArray>()),
        Arc::new(urls(0, 0).collect::<StringViewArray>()),
    ];
    for array in &arrays {
        keep_scan(array);
        for function in 0..FUNCTIONS {
            assert_eq!(&call(function, array), &alone(function, array), "{function}");
        }
    }
}

/// Each array may come to lie where the one before it was.
#[test]
fn what_is_kept_of_an_array_is_not_taken_for_anothers() {
    for number in 0..1000 {
        let host = format!("h{number}");
        let array: ArrayRef = Arc::new(StringViewArray::from(vec![format!("http://{host}/")]));
        if number % 3 != 2 {
            keep_scan(&array);
        }
        for (function, expected) in [(0, host.as_str()), (1, "/")] {
            let found = call(function, &array);
            assert_eq!(found.as_string_view().iter().collect::<Vec<_>>(), [Some(expected)]);
        }
    }
}
