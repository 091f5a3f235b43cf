"""Computes the statistics of a file from its rows."""
import math
from collections import Counter

import grammars

# The command counts this number of different schemes separately, and no longer scheme.
_SCHEMES = 1_000
_LONGEST_SCHEME = 64


def _schemes(records, rows):
    counted = Counter()
    for record, row in zip(records, rows):
        if row["scheme"] is None:
            continue
        scheme = record[slice(*row["scheme"])].decode().lower()
        known = scheme in counted or (len(scheme) <= _LONGEST_SCHEME and len(counted) - ("other" in counted) < _SCHEMES)
        counted[scheme if known else "other"] += 1
    return counted


def _of_rows(data, records, rows):
    valid = [row for row in rows if row["valid"]]
    errors = [row["error"] for row in rows if not row["valid"]]
    components = {name: sum(row[name] is not None for row in valid) for name in grammars.COMPONENTS}
    components["path"] = sum(row["path"] is not None and row["path"][0] < row["path"][1] for row in valid)
    lengths = [len(record) for record in records]
    return {
        "bytes": len(data),
        "records": len(rows),
        "valid": len(valid),
        "invalid": len(errors),
        "empty": lengths.count(0),
        "components": components,
        "host_kinds": Counter(row["host_kind"] for row in valid if row["host_kind"]),
        "errors": Counter(error["kind"] for error in errors),
        "error_components": Counter(error["component"] or "none" for error in errors),
        "length": {"min": min(lengths), "max": max(lengths), "mean": sum(lengths) / len(lengths)},
        "schemes": _schemes(records, rows),
    }


def differences(stats, data, records, rows):
    """The statistics that differ from the rows, as {name: (stated, counted)}."""
    found = {}
    for name, counted in _of_rows(data, records, rows).items():
        stated = stats[name]
        if name == "length":
            agree = (stated["min"], stated["max"]) == (counted["min"], counted["max"]) and \
                math.isclose(stated["mean"], counted["mean"])
        else:
            agree = stated == counted
        if not agree:
            found[name] = (stated, counted)
    return found
