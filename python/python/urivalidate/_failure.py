"""Errors for those who hand over a column in parts."""

import urivalidate as uv


def without_row(error: uv.InvalidURI) -> uv.InvalidURI:
    """The error of an invalid URL without its row, which counts in the part of a column that was given, not in the column."""
    changed = uv.InvalidURI(str(error).replace(f" in row {error.row} is", " is", 1))
    changed.kind, changed.component, changed.offset, changed.row = error.kind, error.component, error.offset, None
    return changed
