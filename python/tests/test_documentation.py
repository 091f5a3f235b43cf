"""Tests the examples and names in the documentation."""

import doctest
import importlib
import pathlib

import cases
import pytest
import urivalidate as uv
from urivalidate import _sql, _urivalidate


def test_docstrings():
    functions = {name: getattr(uv, name) for name in uv.__all__}
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    examples = 0
    for name, function in {**functions, "urivalidate": uv}.items():
        for test in finder.find(function, name, globs=functions, module=False):
            examples += len(test.examples)
            assert runner.run(test).failed == 0, name
    assert examples > 20


@pytest.mark.parametrize("name", ["typing", "polars", "pandas", "duckdb", "jsonschema", "pydantic"])
def test_modules(name):
    module = importlib.import_module(f"urivalidate.{name}")
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 2 and result.failed == 0


def test_namespaces_have_every_function():
    """The methods have the functions' names without `uri`, which is the name of the namespace. Text to encode
    is no URI."""
    settled = {function["short_name"] for function in _sql.FUNCTIONS.values()}
    for name in ("polars", "pandas"):
        methods = cases.names_of(importlib.import_module(f"urivalidate.{name}").Uri)
        assert methods == settled | set(cases.COMPONENTS) | {"report"}
    asked = {method for method, *_ in cases.CALLS} | {"parse_url", "resolve", "relativize"}
    assert asked == settled | set(cases.COMPONENTS)


def test_readme():
    readme = pathlib.Path(__file__).parent.parent / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted > 20 and result.failed == 0


def test_stubs_name_what_is_there():
    stubs = pathlib.Path(uv.__file__).parent / "__init__.pyi"
    for name in uv.__all__:
        declared = (f"def {name}(", f"class {name}", f"{name}: ")
        assert any(declaration in stubs.read_text() for declaration in declared), name
    assert (stubs.parent / "py.typed").exists()
    assert set(uv.__all__) <= set(dir(_urivalidate))
