"""One record at a time."""

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
    # Bytes, not characters.
    assert uv.parse("http://é/p", "iri").spans["path"] == (9, 11)
    opaque = uv.parse("mailto:a", "java")
    assert (opaque.path, opaque.opaque, opaque.scheme_specific_part) == (None, True, "a")
    assert uv.parse("//a_b/", "java").authority_kind == "registry"


def test_errors():
    with pytest.raises(uv.InvalidURI) as caught:
        uv.parse("http://h/a b")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.kind, error.component, error.offset) == ("space", "path", 10)
    assert str(error) == "a space must be written %20 (at byte 10)"
    copied = pickle.loads(pickle.dumps(error))
    assert (copied.kind, copied.offset) == ("space", 10)


def test_bad_arguments():
    with pytest.raises(TypeError, match="expected str or bytes, got int"):
        uv.is_valid(1)
    with pytest.raises(ValueError, match="expected one of uri, uri-reference, "):
        uv.is_valid("a:b", grammar="url")
    with pytest.raises(ValueError, match="no zone identifiers"):
        uv.is_valid("a:b", "java", zone_ids=True)
