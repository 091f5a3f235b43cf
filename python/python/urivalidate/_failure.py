"""Errors for engines that pass a column in parts."""

import urivalidate as uv


def without_row(error: uv.InvalidURI) -> uv.InvalidURI:
    """Removes the row from the error of an invalid URL: the row is a number in the passed part, and not in
    the whole column."""
    changed = uv.InvalidURI(str(error).replace(f" in row {error.row} is", " is", 1))
    changed.kind, changed.component, changed.offset, changed.row = error.kind, error.component, error.offset, None
    return changed
