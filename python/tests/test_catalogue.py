"""Compares the functions, their documentation, the stubs and the functions for Spark with the library's
catalogue."""

import ast
import inspect
import pathlib

import pytest
import urivalidate as uv
from urivalidate import _sql
from urivalidate._urivalidate import catalogue

# In Python, parse_uri selects a field.
FUNCTIONS = {function["name"]: function for function in catalogue() if function["result"] != "type of the field"}
PACKAGE = pathlib.Path(uv.__file__).parent
# The parameters that Python adds, and the names of columns there.
ADDED = {"zone_ids": False, "fields": None, "view": False, "dictionary": True}


def definitions(file):
    module = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    return {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}


def parameters_of(definition):
    """The names of the parameters after the columns, with the defaults of those that have one."""
    names = [argument.arg for argument in definition.args.args]
    defaults = [ast.literal_eval(default) for default in definition.args.defaults]
    return names, dict(zip(names[len(names) - len(defaults) :], defaults))


def test_every_function_is_here():
    functions = {name for name in uv.__all__ if name.islower()} - {"__version__", "is_valid", "parse", "scan", "stats", "uri_report"}
    assert functions == FUNCTIONS.keys()
    assert {"is_valid", "parse"} < {function["short_name"] for function in FUNCTIONS.values()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_documentation_begins_with_the_sentence(name):
    assert " ".join(getattr(uv, name).__doc__.split()).startswith(FUNCTIONS[name]["sentence"])


@pytest.mark.parametrize("file", ["__init__.pyi", "spark.py"])
def test_parameters_are_those_of_the_catalogue(file):
    defined = definitions(file)
    functions = FUNCTIONS if file == "__init__.pyi" else _sql.FUNCTIONS
    assert functions.keys() <= defined.keys()
    for name, function in functions.items():
        names, defaults = parameters_of(defined[name])
        options = [option for option, _, _ in function["options"]]
        # A base comes before the column.
        assert [one for one in names[function["columns"] :] if one not in ADDED] == options, name
        assert (names[0] == "base") == (function["columns"] == 2), name
        for option, is_required, _ in function["options"]:
            assert (option not in defaults) == is_required, (name, option)
        assert "grammar" not in options or defaults["grammar"] == function["grammar"], name
        assert all(defaults[one] == ADDED[one] for one in names if one in ADDED), name


def test_the_functions_for_spark_have_the_sentence():
    defined = definitions("spark.py")
    for name, function in _sql.FUNCTIONS.items():
        assert " ".join(ast.get_docstring(defined[name]).split()).startswith(function["sentence"]), name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_stubs_have_the_parameters_of_the_functions(name):
    names, defaults = parameters_of(definitions("__init__.pyi")[name])
    found = inspect.signature(getattr(uv, name)).parameters
    assert list(found) == names
    given = {one: parameter.default for one, parameter in found.items() if parameter.default is not inspect.Parameter.empty}
    assert given == defaults
