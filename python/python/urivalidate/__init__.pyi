from os import PathLike
from typing import Any, Iterator, Literal, Protocol, Sequence, TypedDict, final

_Grammar = Literal[
    "uri",
    "uri-reference",
    "absolute-uri",
    "relative-ref",
    "rfc2396",
    "java",
    "iri",
    "iri-reference",
    "request-target",
    "rfc3986",
    "rfc3987",
]
_Format = Literal[
    "auto",
    "lines",
    "heritrix",
    "cdx",
    "cdxj",
    "envoy",
    "elb",
    "s3",
    "haproxy",
    "common",
    "combined",
    "squid",
    "w3c",
    "caddy",
    "jsonl",
    "har",
    "json",
    "csv",
    "tsv",
    "delimited",
    "pairs",
    "wat",
    "warc",
    "robots",
    "html",
    "xml",
    "markdown",
    "text",
    "syslog",
    "cri",
    "docker",
    "journald",
    "kubernetes",
    "compose",
    "timestamps",
]
__version__: str

_Part = Literal["HOST", "PATH", "QUERY", "REF", "PROTOCOL", "FILE", "AUTHORITY", "USERINFO"]

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...

_File = str | PathLike[str] | _Readable

class _Spans(TypedDict):
    scheme: tuple[int, int] | None
    authority: tuple[int, int] | None
    userinfo: tuple[int, int] | None
    host: tuple[int, int] | None
    port: tuple[int, int] | None
    path: tuple[int, int] | None
    query: tuple[int, int] | None
    fragment: tuple[int, int] | None

class InvalidURI(ValueError):
    kind: str
    component: str | None
    offset: int

@final
class Components:
    @property
    def scheme(self) -> str | None: ...
    @property
    def authority(self) -> str | None: ...
    @property
    def userinfo(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def host_kind(self) -> str | None: ...
    @property
    def port(self) -> str | None: ...
    @property
    def path(self) -> str | None: ...
    @property
    def query(self) -> str | None: ...
    @property
    def fragment(self) -> str | None: ...
    @property
    def scheme_specific_part(self) -> str: ...
    @property
    def opaque(self) -> bool: ...
    @property
    def authority_kind(self) -> str | None: ...
    @property
    def spans(self) -> _Spans: ...

@final
class Column:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    def to_pylist(self) -> list[Any]: ...

@final
class Scan:
    def __iter__(self) -> Iterator[Column]: ...
    def __next__(self) -> Column: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

def is_valid(record: str | bytes, grammar: _Grammar = "uri", zone_ids: bool = False) -> bool: ...
def parse(record: str | bytes, grammar: _Grammar = "uri", zone_ids: bool = False) -> Components: ...
def is_valid_uri(array: _ArrowArray | _ArrowStream, grammar: _Grammar = "uri", zone_ids: bool = False) -> Column: ...
def parse_uri(
    array: _ArrowArray | _ArrowStream,
    grammar: _Grammar = "uri",
    zone_ids: bool = False,
    fields: Sequence[str] | None = None,
    view: bool = False,
    dictionary: bool = True,
) -> Column: ...
def uri_spans(array: _ArrowArray | _ArrowStream, grammar: _Grammar = "uri", zone_ids: bool = False) -> Column: ...
def uri_error(array: _ArrowArray | _ArrowStream, grammar: _Grammar = "uri", zone_ids: bool = False) -> Column: ...
def parse_url(array: _ArrowArray | _ArrowStream, part: _Part | str, key: str | None = None) -> Column: ...
def try_parse_url(array: _ArrowArray | _ArrowStream, part: _Part | str, key: str | None = None) -> Column: ...
def normalize_uri(
    array: _ArrowArray | _ArrowStream,
    form: Literal["syntax", "scheme"] = "syntax",
    grammar: _Grammar = "uri",
    zone_ids: bool = False,
) -> Column: ...
def resolve_uri(
    base: str | bytes | _ArrowArray | _ArrowStream,
    array: _ArrowArray | _ArrowStream,
    grammar: _Grammar = "uri-reference",
    zone_ids: bool = False,
) -> Column: ...
def relativize_uri(
    base: str | bytes | _ArrowArray | _ArrowStream,
    array: _ArrowArray | _ArrowStream,
    grammar: _Grammar = "uri-reference",
    zone_ids: bool = False,
) -> Column: ...
def surt(array: _ArrowArray | _ArrowStream) -> Column: ...
def uri_suffix(
    array: _ArrowArray | _ArrowStream, private: bool = False, grammar: _Grammar = "uri", zone_ids: bool = False
) -> Column: ...
def uri_domain(
    array: _ArrowArray | _ArrowStream, private: bool = False, grammar: _Grammar = "uri", zone_ids: bool = False
) -> Column: ...
def scan(
    files: _File | Sequence[_File],
    format: _Format = "auto",
    emit: Literal["components", "offsets", "errors"] = "components",
    columns: Sequence[str] | None = None,
    only: Literal["valid", "invalid"] | None = None,
    threads: int = 0,
    *,
    grammar: _Grammar | None = None,
    zone_ids: bool = False,
    field: str | None = None,
    key: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    trim: bool = False,
) -> Scan: ...
def stats(
    files: _File | Sequence[_File],
    format: _Format = "auto",
    threads: int = 0,
    *,
    grammar: _Grammar | None = None,
    zone_ids: bool = False,
    field: str | None = None,
    key: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    trim: bool = False,
    top_hosts: int | None = None,
) -> dict[str, Any]: ...
