"""Types of pydantic for strings that must be URIs. The value stays the string, byte for byte. Importing this
module imports nothing of pydantic.

>>> from pydantic import BaseModel
>>> from urivalidate.pydantic import Uri, UriReference
>>> class Page(BaseModel):
...     url: Uri
...     icon: UriReference = "/favicon.ico"
>>> Page(url="http://example.com/").url
'http://example.com/'
>>> Page(url="http://example.com/a b")
Traceback (most recent call last):
...
pydantic_core._pydantic_core.ValidationError: 1 validation error for Page
url
  a space must be written %20 (at byte 20) [type=uri, input_value='http://example.com/a b', input_type=str]

An error has the grammar as its type, and ``kind``, ``component`` and ``offset`` (in bytes of UTF-8) as its
context. The JSON Schema of a type names its format, except that of ``JavaUri``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import urivalidate as uv

if TYPE_CHECKING:
    from .typing import Grammar


__all__ = ["Iri", "IriReference", "JavaUri", "Matches", "Uri", "UriReference"]


class Matches:
    """An annotation: the string must match a grammar.

    >>> from typing import Annotated
    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(Annotated[str, Matches("absolute-uri")]).validate_python("urn:a")
    'urn:a'
    """

    def __init__(self, grammar: Grammar, zone_ids: bool = False):
        self.grammar = grammar
        self.zone_ids = zone_ids
        # An unknown grammar is an error here, and not at the first value.
        uv.is_valid("", grammar, zone_ids)

    def __repr__(self) -> str:
        return f"Matches({self.grammar!r})"

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import PydanticCustomError, core_schema

        def checked(value: str) -> str:
            if uv.is_valid(value, self.grammar, self.zone_ids):
                return value
            try:
                uv.parse(value, self.grammar, self.zone_ids)
            except uv.InvalidURI as error:
                context = {"kind": error.kind, "component": error.component, "offset": error.offset}
                # Braces in a template of pydantic name values of the context.
                raise PydanticCustomError(self.grammar, "{reason}", {"reason": str(error), **context}) from None
            return value

        return core_schema.no_info_after_validator_function(checked, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        from .jsonschema import FORMATS

        made = handler(schema)
        return {**made, "format": self.grammar} if self.grammar in FORMATS else made


# A URI of RFC 3986, which has a scheme.
Uri = Annotated[str, Matches("uri")]
# A URI, or a reference to one.
UriReference = Annotated[str, Matches("uri-reference")]
# A URI of RFC 3987, which may have characters beyond ASCII.
Iri = Annotated[str, Matches("iri")]
# An IRI, or a reference to one.
IriReference = Annotated[str, Matches("iri-reference")]
# A URI as java.net.URI accepts it.
JavaUri = Annotated[str, Matches("java")]
