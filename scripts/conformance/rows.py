"""Compares the rows of the command with a reference, record by record."""
from collections import Counter

import errors
from report import Mismatch

# The time of a partial match is proportional to the length of the record. Longer records would find no other
# mismatches.
LONGEST_CHECKED_ERROR = 400


class ErrorSample:
    """Picks the invalid records whose errors are checked: the first `per_kind` records of each kind."""

    def __init__(self, per_kind):
        self.per_kind = per_kind
        self.taken = Counter()

    def takes(self, record, kind):
        if len(record) > LONGEST_CHECKED_ERROR or self.taken[kind] >= self.per_kind:
            return False
        self.taken[kind] += 1
        return True


def compare_offsets(grammar, records, rows, file, first_column, sample, report):
    """Compares the verdict, every range and kind of each record, and the errors of a sample, for a file and a
    grammar."""
    if len(records) != len(rows):
        raise RuntimeError(f"{grammar.label}: {file}: {len(rows)} rows for {len(records)} records")
    for number, (record, row) in enumerate(zip(records, rows), start=1):
        place = {"file": str(file), "line": number, "column": first_column if number == 1 else 1,
                 "length": len(record)}
        ours = {key: row[key] for key in place}
        if ours != place:
            report.add(Mismatch(grammar.label, record, ours, place))
            continue
        if not grammar.judges(record):
            report.skipped[f"{grammar.label} (beyond the reference)"] += 1
        else:
            report.compared[grammar.label] += 1
            expected = grammar.parse(record)
            wanted = expected or dict.fromkeys(grammar.keys)
            ours = {key: row[key] for key in grammar.keys}
            agree = row["valid"] == (expected is not None) and (row["error"] is None) == row["valid"]
            if not agree or ours != wanted:
                verdict = "invalid" if expected is None else expected
                report.add(Mismatch(grammar.label, record, row["error"] or ours, verdict))
                continue
        if not row["valid"] and sample.takes(record, row["error"]["kind"]):
            label = f"{grammar.label} errors"
            report.compared[label] += 1
            if wrong := errors.check(grammar, record, row["error"]):
                report.add(Mismatch(label, record, row["error"], wrong))
