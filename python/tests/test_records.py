"""Tests the functions of one record."""

import copy
import pickle

import pytest
import urivalidate as uv


def test_verdicts():
    assert uv.is_valid("http://example.com/")
    assert uv.is_valid(b"http://example.com/")
    assert not uv.is_valid("www.example.com")
    assert uv.is_valid("www.example.com", grammar="uri-reference")
    assert uv.is_valid("http://[fe80::1%25en0]/", zone_ids=True)
    assert not uv.is_valid("http://[fe80::1%25en0]/")
    assert uv.is_valid("http://h/é", "iri")
    assert not uv.is_valid("http://h/\ud800", "iri")
    assert not uv.is_valid(b"http://h/\xff", "iri")


def test_components():
    c = uv.parse("http://u:p@[::1]:80/a?#f")
    assert (c.scheme, c.authority, c.userinfo, c.host, c.host_kind) == ("http", "u:p@[::1]:80", "u:p", "[::1]", "ipv6")
    assert (c.port, c.path, c.query, c.fragment) == ("80", "/a", "", "f")
    assert c.spans == {
        "scheme": (0, 4),
        "authority": (7, 19),
        "userinfo": (7, 10),
        "host": (11, 16),
        "port": (17, 19),
        "path": (19, 21),
        "query": (22, 22),
        "fragment": (23, 24),
    }
    assert c == uv.parse(b"http://u:p@[::1]:80/a?#f")
    # Places count bytes, not characters.
    assert uv.parse("http://é/p", "iri").spans["path"] == (9, 11)
    opaque = uv.parse("mailto:a", "java")
    assert (opaque.path, opaque.opaque, opaque.scheme_specific_part) == (None, True, "a")
    assert uv.parse("//a_b/", "java").authority_kind == "registry"


def test_components_are_values():
    c, same, other = uv.parse("http://h/a?b"), uv.parse(b"http://h/a?b"), uv.parse("http://h/a")
    assert c == same != other and hash(c) == hash(same) and len({c, same, other}) == 2
    assert c != "http://h/a?b"
    # With another grammar, a component may have another place.
    opaque, path = uv.parse("mailto:a", "java"), uv.parse("mailto:a")
    assert opaque != path
    zone = uv.parse("http://[fe80::1%25en0]/", zone_ids=True)
    for value in (c, opaque, path, zone, uv.parse("http://é/", "iri")):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            copied = pickle.loads(pickle.dumps(value, protocol))
            assert copied == value and hash(copied) == hash(value)
            assert (copied.spans, copied.host_kind, copied.opaque) == (value.spans, value.host_kind, value.opaque)
        assert copy.copy(value) == copy.deepcopy(value) == value
        assert copy.deepcopy([value])[0] == value
    with pytest.raises(AttributeError):
        c.host = "other"


def test_errors():
    with pytest.raises(uv.InvalidURI) as caught:
        uv.parse("http://h/a b")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.kind, error.component, error.offset) == ("space", "path", 10)
    assert str(error) == "a space must be written %20 (at byte 10)"
    copied = pickle.loads(pickle.dumps(error))
    assert (copied.kind, copied.offset, copied.row) == ("space", 10, None)


def test_bad_arguments():
    with pytest.raises(TypeError, match="expected str or bytes, got int"):
        uv.is_valid(1)
    with pytest.raises(ValueError, match="expected one of uri, uri-reference, "):
        uv.is_valid("a:b", grammar="url")
    with pytest.raises(ValueError, match="does not support zone identifiers"):
        uv.is_valid("a:b", "java", zone_ids=True)
