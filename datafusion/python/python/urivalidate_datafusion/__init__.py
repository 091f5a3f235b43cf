"""SQL functions for DataFusion that validate and take apart URIs.

>>> from datafusion import SessionContext
>>> import urivalidate_datafusion
>>> ctx = urivalidate_datafusion.register(SessionContext())
>>> ctx.sql("SELECT try_parse_url('http://example.com/a', 'HOST') AS host").to_pydict()
{'host': ['example.com']}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import functions
from ._urivalidate_datafusion import __version__

if TYPE_CHECKING:
    from datafusion import SessionContext

__all__ = ["__version__", "functions", "register"]


def register(ctx: SessionContext) -> SessionContext:
    """Register all functions with ``ctx``, replace others with the same names, and return ``ctx``."""
    for function in functions.all_functions():
        ctx.register_udf(function)
    for aggregate in functions.aggregate_functions():
        ctx.register_udaf(aggregate)
    return ctx
