"""The methods of the namespace ``uri``, for columns of polars and of pandas."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from .typing import Form, Grammar, Names, Part

# C is the type of a column of text or booleans, T the type of a result with several fields.
C = TypeVar("C")
T = TypeVar("T")


class UriNamespace(Generic[C, T]):
    """Functions over a column of URIs. A subclass applies the functions of this package to its columns."""

    def _column(self, function: str, **options: Any) -> C:
        """The result of the function over arrays with this name and these options."""
        raise NotImplementedError

    def _fields(self, function: str, **options: Any) -> T:
        """The result of a function that returns structs."""
        raise NotImplementedError

    def _field(self, field: str, grammar: Grammar, zone_ids: bool) -> C:
        """A field of parse_uri."""
        raise NotImplementedError

    def _with_base(self, function: str, base: Any, **options: Any) -> C:
        """The result of a function that takes a base, or a column of bases, in addition."""
        raise NotImplementedError

    def is_valid(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """Whether each record is valid."""
        return self._column("is_valid_uri", grammar=grammar, zone_ids=zone_ids)

    def parse(self, grammar: Grammar = "uri", zone_ids: bool = False, fields: Names | None = None) -> T:
        """The verdict and the components of each record. ``fields`` picks some of them."""
        return self._fields("parse_uri", grammar=grammar, zone_ids=zone_ids, fields=fields, dictionary=False)

    def spans(self, grammar: Grammar = "uri", zone_ids: bool = False) -> T:
        """The verdict and the places of the components: start and end, in bytes from the start of the record."""
        return self._fields("uri_spans", grammar=grammar, zone_ids=zone_ids)

    def error(self, grammar: Grammar = "uri", zone_ids: bool = False) -> T:
        """The error of each record: its kind, component, offset in bytes and message; NULL for valid records."""
        return self._fields("uri_error", grammar=grammar, zone_ids=zone_ids)

    def scheme(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The scheme of each valid record."""
        return self._field("scheme", grammar, zone_ids)

    def authority(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The authority of each valid record: user information, host and port."""
        return self._field("authority", grammar, zone_ids)

    def userinfo(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The user information of each valid record."""
        return self._field("userinfo", grammar, zone_ids)

    def host(self, grammar: Grammar = "uri", zone_ids: bool = False, default_scheme: str | None = None) -> C:
        """The host of each valid record, unchanged. With ``default_scheme``, a string may also begin with its
        host (``example.com/a``)."""
        return self._column("uri_host", grammar=grammar, zone_ids=zone_ids, default_scheme=default_scheme)

    def host_reversed(
        self, grammar: Grammar = "uri", zone_ids: bool = False, default_scheme: str | None = None
    ) -> C:
        """The labels of each host that is a name, in its normal form and in reverse order
        (``com.example.www``)."""
        return self._column("uri_host_reversed", grammar=grammar, zone_ids=zone_ids, default_scheme=default_scheme)

    def host_ascii(self, grammar: Grammar = "uri", zone_ids: bool = False, default_scheme: str | None = None) -> C:
        """Each host in ASCII: names beyond ASCII in Punycode, by UTS 46 as browsers look them up."""
        return self._column("uri_host_ascii", grammar=grammar, zone_ids=zone_ids, default_scheme=default_scheme)

    def host_kind(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The kind of each host: ``reg-name`` (``hostname`` in rfc2396 and java), ``ipv4``, ``ipv6`` or
        ``ipvfuture``."""
        return self._field("host_kind", grammar, zone_ids)

    def port(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The port of each valid record, as text: it has any number of digits, possibly 0."""
        return self._field("port", grammar, zone_ids)

    def path(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The path of each valid record."""
        return self._field("path", grammar, zone_ids)

    def query(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The query of each valid record, without its question mark."""
        return self._field("query", grammar, zone_ids)

    def fragment(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The fragment of each valid record, without its number sign."""
        return self._field("fragment", grammar, zone_ids)

    def parse_url(self, part: Part | str, key: str | None = None) -> C:
        """A part of each URL, as Spark's ``parse_url`` returns it; an invalid URL is an error.

        ``part`` is PROTOCOL, AUTHORITY, USERINFO, HOST, PATH, QUERY, REF or FILE. With QUERY, the regular
        expression ``key`` picks the value of a parameter.
        """
        return self._column("parse_url", part=part, key=key)

    def try_parse_url(self, part: Part | str, key: str | None = None) -> C:
        """A part of each URL, like ``parse_url``, but NULL for an invalid URL."""
        return self._column("try_parse_url", part=part, key=key)

    def normalize(self, form: Form = "syntax", grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The normal form of each valid record. Equivalent URIs have the same normal form."""
        return self._column("normalize_uri", form=form, grammar=grammar, zone_ids=zone_ids)

    def suggest(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """Each invalid record, repaired, if only one repair is likely; NULL for valid records."""
        return self._column("suggest_uri", grammar=grammar, zone_ids=zone_ids)

    def to_uri(self, grammar: Grammar = "iri", zone_ids: bool = False) -> C:
        """The URI of each IRI: characters beyond ASCII are percent-encoded."""
        return self._column("to_uri", grammar=grammar, zone_ids=zone_ids)

    def resolve(self, base: Any, grammar: Grammar = "uri-reference", zone_ids: bool = False) -> C:
        """The URI that each reference refers to. ``base`` is the base URI as a ``str`` or ``bytes``, or a
        column of bases."""
        return self._with_base("resolve_uri", base, grammar=grammar, zone_ids=zone_ids)

    def relativize(self, base: Any, grammar: Grammar = "uri-reference", zone_ids: bool = False) -> C:
        """A reference from the base to each URI. ``resolve`` with the same ``base`` turns it into the URI
        again."""
        return self._with_base("relativize_uri", base, grammar=grammar, zone_ids=zone_ids)

    def surt(self) -> C:
        """The key of each URL in the indexes of web archives (SURT); NULL if it has no key."""
        return self._column("uri_surt")

    def suffix(
        self,
        private: bool = False,
        grammar: Grammar = "uri",
        zone_ids: bool = False,
        default_scheme: str | None = None,
    ) -> C:
        """The public suffix of each host, in lower case. With ``private``, suffixes of companies
        (``github.io``) also count."""
        options: Any = {"private": private, "default_scheme": default_scheme}
        return self._column("uri_suffix", grammar=grammar, zone_ids=zone_ids, **options)

    def domain(
        self,
        private: bool = False,
        grammar: Grammar = "uri",
        zone_ids: bool = False,
        default_scheme: str | None = None,
    ) -> C:
        """The registered domain of each host, in lower case: the public suffix with one more label.
        ``private`` works as in ``suffix``."""
        options: Any = {"private": private, "default_scheme": default_scheme}
        return self._column("uri_domain", grammar=grammar, zone_ids=zone_ids, **options)

    def host_in(self, list: str, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """True for each record whose host is in the list: a name a line, or between spaces; ``.example.com`` is
        this name and all below."""
        return self._column("host_in", list=list, grammar=grammar, zone_ids=zone_ids)

    def url_extract_protocol(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The scheme of each valid record, under Presto's name."""
        return self._column("url_extract_protocol", grammar=grammar, zone_ids=zone_ids)

    def url_extract_host(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The host of each valid record."""
        return self._column("url_extract_host", grammar=grammar, zone_ids=zone_ids)

    def url_extract_port(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The port of each valid record, as a number; NULL if it is empty or does not fit into 64 bits."""
        return self._column("url_extract_port", grammar=grammar, zone_ids=zone_ids)

    def url_extract_path(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The path of each valid record."""
        return self._column("url_extract_path", grammar=grammar, zone_ids=zone_ids)

    def url_extract_query(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The query of each valid record, without its question mark."""
        return self._column("url_extract_query", grammar=grammar, zone_ids=zone_ids)

    def url_extract_fragment(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The fragment of each valid record, without its number sign."""
        return self._column("url_extract_fragment", grammar=grammar, zone_ids=zone_ids)

    def url_extract_parameter(self, name: str, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The value of the first parameter of this name in the query of each valid record, decoded."""
        return self._column("url_extract_parameter", name=name, grammar=grammar, zone_ids=zone_ids)

    def url_extract_query_names(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The names of the parameters in the query of each valid record, decoded: a list."""
        return self._column("url_extract_query_names", grammar=grammar, zone_ids=zone_ids)

    def url_parameters(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """The first value of each parameter in the query of each valid record, decoded: a map."""
        return self._column("url_parameters", grammar=grammar, zone_ids=zone_ids)

    def url_parameters_all(self, grammar: Grammar = "uri", zone_ids: bool = False) -> C:
        """All values of each parameter in the query of each valid record, decoded: a map to lists."""
        return self._column("url_parameters_all", grammar=grammar, zone_ids=zone_ids)

    def report(self, grammar: Grammar = "uri", zone_ids: bool = False) -> Any:
        """Counts the valid records, and the errors of the others by their kinds: a dict of numbers, as ``uri_report``
        returns it."""
        raise NotImplementedError
