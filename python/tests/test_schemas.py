"""Tests the formats of JSON Schema, and the types of pydantic."""

import itertools
import json
import os
import pathlib
import subprocess
import sys

import fastjsonschema
import jsonschema
import pydantic
import pytest
import urivalidate as uv
from urivalidate import jsonschema as formats
from urivalidate import pydantic as types

SUITE = os.environ.get("JSON_SCHEMA_SUITE")


def cases():
    """The cases of the test suite of JSON Schema for these formats: the format, the value, and whether the
    value has the format."""
    for file in sorted(pathlib.Path(SUITE).glob("*/optional/format/*.json")):
        if file.stem in formats.FORMATS:
            for group in json.loads(file.read_text(encoding="utf-8")):
                for test in group["tests"]:
                    yield file.stem, test["data"], test["valid"]


@pytest.mark.skipif(SUITE is None, reason="JSON_SCHEMA_SUITE does not name the test suite")
def test_the_suite_of_json_schema():
    checker = formats.format_checker()
    found = set()
    for name, value, expected in cases():
        compiled = fastjsonschema.compile({"format": name}, formats=formats.formats())
        try:
            compiled(value)
            by_compiled = True
        except fastjsonschema.JsonSchemaValueException:
            by_compiled = False
        assert (checker.conforms(value, name), by_compiled) == (expected, expected), (name, value)
        found.add((name, json.dumps(value)))
    assert len(found) > 60 and {name for name, _ in found} == set(formats.FORMATS)


STRINGS = [
    "",
    "urn:a",
    "http://example.com/a b",
    "//example.com/é",
    "http://[2001:db8::1]:8080/a",
    "http://a/%zz",
    "http://a/\ud800",
    "a:b\n",
    "{}",
]


@pytest.mark.parametrize("name", list(formats.FORMATS))
def test_formats_have_the_verdicts_of_their_grammars(name):
    checker = jsonschema.FormatChecker()
    before = dict(checker.checkers)
    formats.register(checker)
    assert set(checker.checkers) == {*before, *formats.FORMATS}
    for value in STRINGS:
        assert checker.conforms(value, name) == uv.is_valid(value, name)
    # A value that is no string has any format.
    for value in [1, 1.5, None, True, [], {}, ["a b"], b"a b"]:
        assert checker.conforms(value, name)


def test_other_checkers_stay_as_they_are():
    formats.format_checker()
    assert not {*formats.FORMATS} & {*jsonschema.FormatChecker().checkers} - {*jsonschema.FormatChecker.checkers}
    made = formats.formats()
    made.clear()
    assert len(formats.formats()) == 4


TYPES = {
    "Uri": "uri",
    "UriReference": "uri-reference",
    "Iri": "iri",
    "IriReference": "iri-reference",
    "JavaUri": "java",
}


@pytest.mark.parametrize("name, value", list(itertools.product(TYPES, STRINGS)))
def test_types_of_pydantic(name, value):
    adapter = pydantic.TypeAdapter(getattr(types, name))
    grammar = TYPES[name]
    try:
        uv.parse(value, grammar)
        expected = None
    except uv.InvalidURI as error:
        expected = error
    if expected is None:
        assert adapter.validate_python(value) == value
        return
    with pytest.raises(pydantic.ValidationError) as caught:
        adapter.validate_python(value)
    (error,) = caught.value.errors()
    # pydantic itself refuses lone surrogates.
    if error["type"] != "string_unicode":
        assert (error["type"], error["msg"]) == (grammar, str(expected))
        assert (error["ctx"]["kind"], error["ctx"]["offset"]) == (expected.kind, expected.offset)


def test_schemas_of_pydantic():
    class Page(pydantic.BaseModel):
        url: types.Iri
        java: types.JavaUri = pydantic.Field("a", max_length=10)
        links: list[types.UriReference] = []

    properties = Page.model_json_schema()["properties"]
    assert properties["url"]["format"] == "iri"
    assert properties["links"]["items"]["format"] == "uri-reference"
    assert "format" not in properties["java"] and properties["java"]["maxLength"] == 10
    page = Page.model_validate_json('{"url": "http://é/", "links": ["/a", "b"]}')
    assert page.model_dump() == {"url": "http://é/", "java": "a", "links": ["/a", "b"]}
    with pytest.raises(pydantic.ValidationError, match="links.1"):
        Page(url="a:b", links=["/a", "b c"])
    with pytest.raises(pydantic.ValidationError):
        Page(url=1)
    with pytest.raises(ValueError, match="grammar"):
        types.Matches("url")


@pytest.mark.parametrize("module", ["jsonschema", "pydantic"])
def test_an_import_needs_no_other_package(module):
    program = f"""
import sys
for name in ("jsonschema", "fastjsonschema", "pydantic", "pydantic_core"):
    sys.modules[name] = None
import urivalidate.{module}
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_page_about_schemas():
    here = pathlib.Path(__file__).resolve().parent
    pages = [here.parent / "schemas.md", here.parent.parent / "docs/schemas.md"]
    page = next(page for page in pages if page.exists()).read_text(encoding="utf-8")
    programs = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    for program in programs:
        exec(compile(program, "schemas.md", "exec"), {})
    assert len(programs) == 3
