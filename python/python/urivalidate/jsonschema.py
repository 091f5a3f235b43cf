"""The formats ``uri``, ``uri-reference``, ``iri`` and ``iri-reference`` of JSON Schema, for the packages
jsonschema and fastjsonschema. Importing this module imports neither.

>>> import jsonschema
>>> from urivalidate.jsonschema import format_checker
>>> checker = format_checker()
>>> jsonschema.validate("http://[2001:db8::1]:8080/a", {"format": "iri"}, format_checker=checker)
>>> jsonschema.validate("http://example.com/a b", {"format": "uri"}, format_checker=checker)
Traceback (most recent call last):
...
jsonschema.exceptions.ValidationError: 'http://example.com/a b' is not a 'uri'
...

``uri`` and ``iri`` need a scheme; the other two are references, which need none. As JSON Schema has it, a
value that is no string has any format. A string with a lone surrogate has none of these.

jsonschema itself looks for its own validators of these formats when it is imported. With the extra
``jsonschema[format]`` it loads a parser generator for that, which takes most of a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable

import urivalidate as uv

if TYPE_CHECKING:
    import jsonschema

    from .typing import Grammar

__all__ = ["FORMATS", "format_checker", "formats", "register"]


def _has(grammar: Grammar) -> Callable[[object], bool]:
    is_valid = uv.is_valid
    return lambda value: not isinstance(value, str) or is_valid(value, grammar)


# The formats, each with its function, which returns True for a value that has the format.
FORMATS: dict[str, Callable[[object], bool]] = {
    "uri": _has("uri"),
    "uri-reference": _has("uri-reference"),
    "iri": _has("iri"),
    "iri-reference": _has("iri-reference"),
}


def register(checker: jsonschema.FormatChecker) -> None:
    """Adds the formats to a checker of jsonschema. They replace its own.

    >>> import jsonschema
    >>> checker = jsonschema.FormatChecker()
    >>> register(checker)
    >>> checker.conforms("urn:a", "uri"), checker.conforms("a b", "uri-reference"), checker.conforms(1, "uri")
    (True, False, True)
    """
    for name, has_format in FORMATS.items():
        checker.checks(name)(has_format)


def format_checker() -> jsonschema.FormatChecker:
    """A new checker with these formats and with all others that jsonschema knows. Needs jsonschema.

    >>> checker = format_checker()
    >>> checker.conforms("/a", "uri"), checker.conforms("/a", "uri-reference"), checker.conforms("x", "date")
    (False, True, False)
    """
    import jsonschema

    checker = jsonschema.FormatChecker()
    register(checker)
    return checker


def formats() -> dict[str, Callable[[object], bool]]:
    """The formats for ``fastjsonschema.compile(schema, formats=formats())``. They replace its own.

    >>> import fastjsonschema
    >>> check = fastjsonschema.compile({"format": "iri"}, formats=formats())
    >>> check("http://example.com/ü")
    'http://example.com/ü'
    >>> check("http://example.com/ ü")
    Traceback (most recent call last):
    ...
    fastjsonschema.exceptions.JsonSchemaValueException: data must be iri
    """
    return dict(FORMATS)
