"""The functions by their names. Each takes expressions and returns an expression.

>>> from datafusion import SessionContext, col, lit
>>> from urivalidate_datafusion import functions as f
>>> df = SessionContext().from_pydict({"u": ["http://example.com/a", "http://example.com/ b"]})
>>> df.select(f.is_valid_uri(col("u"), lit("java")).alias("valid")).to_pydict()
{'valid': [True, False]}
"""

from __future__ import annotations

from datafusion import AggregateUDF, ScalarUDF

from . import _urivalidate_datafusion

_FUNCTIONS = {function.name: ScalarUDF.from_pycapsule(function) for function in _urivalidate_datafusion.all_functions()}
_AGGREGATES = {
    function.name: AggregateUDF.from_pycapsule(function) for function in _urivalidate_datafusion.aggregate_functions()
}
globals().update(_FUNCTIONS, **_AGGREGATES)
__all__ = ["aggregate_functions", "all_functions", *_FUNCTIONS, *_AGGREGATES]


def aggregate_functions() -> list[AggregateUDF]:
    """All aggregate functions, to register them with a context."""
    return list(_AGGREGATES.values())


def all_functions() -> list[ScalarUDF]:
    """All other functions, to register them with a context."""
    return list(_FUNCTIONS.values())
