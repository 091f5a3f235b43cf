"""Finds the longest viable prefix of a record by partial matching with the references' patterns."""
import functools

import regex


@functools.cache
def _compiled(patterns):
    return [regex.compile(pattern) for pattern in patterns]


def is_viable(patterns, prefix):
    """Whether some valid record starts with `prefix`."""
    return any(pattern.fullmatch(prefix, partial=True) for pattern in _compiled(patterns))


def longest_viable(patterns, record):
    """The length of the longest prefix of `record` with which some valid record starts."""
    low, high = 0, len(record)
    while low < high:
        middle = (low + high + 1) // 2
        if is_viable(patterns, record[:middle]):
            low = middle
        else:
            high = middle - 1
    return low
