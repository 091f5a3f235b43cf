"""Validates and takes apart URIs in bulk, over Arrow.

Functions of one record take a ``str`` or ``bytes``. Functions over arrays take any object with
``__arrow_c_array__`` or ``__arrow_c_stream__`` (pyarrow, polars, DuckDB, DataFusion and others), and return
an object with both. NULL in, NULL out.

``grammar`` is one of ``urivalidate.typing.Grammar``. The default is ``uri`` (RFC 3986 URI). ``zone_ids=True``
adds the zone identifiers of RFC 6874, which RFC 9844 made obsolete, to the grammars of RFC 3986.

>>> import urivalidate as uv
>>> uv.is_valid("http://example.com/")
True
>>> uv.parse("http://example.com/a?b").host
'example.com'
"""

from ._urivalidate import (
    Column,
    Components,
    InvalidURI,
    PUBLIC_SUFFIX_LIST_DATE,
    REGISTERED_SCHEMES_DATE,
    Scan,
    __version__,
    host_in,
    is_valid,
    is_valid_uri,
    normalize_uri,
    parse,
    parse_uri,
    parse_url,
    relativize_uri,
    resolve_uri,
    scan,
    stats,
    suggest_uri,
    to_uri,
    try_parse_url,
    uri_domain,
    uri_error,
    uri_host,
    uri_host_ascii,
    uri_host_reversed,
    uri_report,
    uri_spans,
    uri_suffix,
    uri_surt,
    url_decode,
    url_encode,
    url_extract_fragment,
    url_extract_host,
    url_extract_parameter,
    url_extract_path,
    url_extract_port,
    url_extract_protocol,
    url_extract_query,
    url_extract_query_names,
    url_parameters,
    url_parameters_all,
)

__all__ = [
    "Column",
    "Components",
    "InvalidURI",
    "PUBLIC_SUFFIX_LIST_DATE",
    "REGISTERED_SCHEMES_DATE",
    "Scan",
    "__version__",
    "host_in",
    "is_valid",
    "is_valid_uri",
    "normalize_uri",
    "parse",
    "parse_uri",
    "parse_url",
    "relativize_uri",
    "resolve_uri",
    "scan",
    "stats",
    "suggest_uri",
    "to_uri",
    "try_parse_url",
    "uri_domain",
    "uri_error",
    "uri_host",
    "uri_host_ascii",
    "uri_host_reversed",
    "uri_report",
    "uri_spans",
    "uri_suffix",
    "uri_surt",
    "url_decode",
    "url_encode",
    "url_extract_fragment",
    "url_extract_host",
    "url_extract_parameter",
    "url_extract_path",
    "url_extract_port",
    "url_extract_protocol",
    "url_extract_query",
    "url_extract_query_names",
    "url_parameters",
    "url_parameters_all",
]
