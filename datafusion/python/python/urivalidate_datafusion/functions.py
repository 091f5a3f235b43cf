"""The functions by their names. Each takes expressions and returns an expression.

>>> from datafusion import SessionContext, col, lit
>>> from urivalidate_datafusion import functions as f
>>> df = SessionContext().from_pydict({"u": ["http://example.com/a", "http://example.com/ b"]})
>>> df.select(f.is_valid_uri(col("u"), lit("java")).alias("valid")).to_pydict()
{'valid': [True, False]}
"""

from __future__ import annotations

from datafusion import ScalarUDF

from . import _urivalidate_datafusion

_FUNCTIONS = {function.name: ScalarUDF.from_pycapsule(function) for function in _urivalidate_datafusion.all_functions()}
globals().update(_FUNCTIONS)
__all__ = ["all_functions", *_FUNCTIONS]


def all_functions() -> list[ScalarUDF]:
    """All functions, to register them with a context."""
    return list(_FUNCTIONS.values())
