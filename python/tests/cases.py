"""Records and calls for the tests of every engine, and the expected results: those of the functions over
arrays of pyarrow."""

import pyarrow as pa
import urivalidate as uv

URIS = [
    "http://u:p@example.com:8080/a/b?q=1#top",
    "HTTP://a-host-name-of-some-length.example.org/a/path/of/some/length?and=a&query",
    None,
    "http://h",
    "",
    "mailto:a@b",
    "//a_b/c",
    "http://[::1]:/",
    "http://1.2.3.4/",
    "http://h/a b",
    "http://h/é",
    "http://h/%zz",
    "http://www.bbc.CO.UK:80/%7ea/../b?y&x",
    "https://a.b.github.io/?id=7",
    "../c?d",
]

COMPONENTS = ["scheme", "authority", "userinfo", "host", "host_kind", "port", "path", "query", "fragment"]

EXTRACTS = [f"url_extract_{component}" for component in ("protocol", "host", "port", "path", "query", "fragment")]

PARAMETERS = ["url_extract_query_names", "url_parameters", "url_parameters_all"]

# Each case has a method of the namespaces, its arguments, the function over arrays, and whether it returns
# structs.
CALLS = [
    (method, options, function, is_struct)
    for method, function, is_struct, all_options in [
        ("is_valid", "is_valid_uri", False, [{}, {"grammar": "java"}, {"grammar": "uri-reference", "zone_ids": True}]),
        ("parse", "parse_uri", True, [{}, {"grammar": "java"}, {"fields": ["host", "valid"]}]),
        ("spans", "uri_spans", True, [{}, {"grammar": "iri-reference"}]),
        ("error", "uri_error", True, [{}, {"grammar": "rfc2396"}]),
        ("try_parse_url", "try_parse_url", False, [{"part": "HOST"}, {"part": "QUERY", "key": "id"}]),
        ("normalize", "normalize_uri", False, [{}, {"form": "scheme"}, {"grammar": "java"}]),
        ("suggest", "suggest_uri", False, [{}, {"grammar": "java"}]),
        ("to_uri", "to_uri", False, [{}, {"grammar": "iri-reference"}]),
        ("host", "uri_host", False, [{}, {"default_scheme": "http"}]),
        ("host_reversed", "uri_host_reversed", False, [{}, {"grammar": "java", "default_scheme": "http"}]),
        ("host_ascii", "uri_host_ascii", False, [{}, {"default_scheme": "http"}]),
        ("surt", "uri_surt", False, [{}]),
        ("suffix", "uri_suffix", False, [{}, {"private": True}]),
        ("domain", "uri_domain", False, [{}, {"private": True, "grammar": "java"}, {"default_scheme": "http"}]),
        *((name, name, False, [{}, {"grammar": "java"}]) for name in EXTRACTS),
        *((name, name, False, [{}, {"grammar": "java"}]) for name in PARAMETERS),
        ("host_in", "host_in", False, [{"list": ".bbc.co.uk"}, {"list": "a.b.github.io", "grammar": "java"}]),
        ("url_extract_parameter", "url_extract_parameter", False, [{"name": "id"}, {"name": "q", "grammar": "java"}]),
    ]
    for options in all_options
] + [(field, options, field, False) for field in COMPONENTS if field != "host" for options in ({}, {"grammar": "java"})]

BASE = "http://base.example/a/b?c"


def expected(function, options, uris=URIS):
    """The result of the function over arrays, or a component of the result of `parse_uri`."""
    array = pa.array(uris, pa.string())
    if function in COMPONENTS:
        return [row and row[function] for row in uv.parse_uri(array, **options).to_pylist()]
    return getattr(uv, function)(array, **options).to_pylist()


def names_of(namespace):
    """The public methods of a namespace."""
    return {name for name in dir(namespace) if not name.startswith("_")}
