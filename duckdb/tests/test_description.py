"""Tests the description for the community repository."""

import tomllib

import pytest
import yaml


@pytest.fixture
def description(root):
    return yaml.safe_load((root / "duckdb" / "description.yml").read_text(encoding="utf-8"))


def test_it_describes_this_package(description, root):
    package = tomllib.loads((root / "duckdb" / "Cargo.toml").read_text(encoding="utf-8"))["package"]
    extension = description["extension"]
    assert extension["name"] == "urivalidate"
    assert (extension["version"], extension["license"]) == (package["version"], package["license"])


def test_its_example_runs(description, con):
    rows = con.execute(description["docs"]["hello_world"]).fetchall()
    assert rows == [("example.com", True, None), (None, False, "a space must be written %20")]


def test_its_text_names_functions(description, con):
    functions = {name for (name,) in con.execute("SELECT function_name FROM duckdb_functions()").fetchall()}
    for name in ["parse_uri", "uri_spans", "url_extract_host", "parse_url", "try_parse_url", "read_uris"]:
        assert name in functions and name in description["docs"]["extended_description"]
