"""The results of a check."""
from collections import Counter
from dataclasses import dataclass, field

SHOWN_PER_GRAMMAR = 20
RECORD_SHOWN = 300


@dataclass(frozen=True)
class Mismatch:
    """A record for which the command and a reference disagree."""

    grammar: str
    record: bytes
    ours: object
    reference: object

    def __str__(self):
        record = repr(self.record[:RECORD_SHOWN])
        if len(self.record) > RECORD_SHOWN:
            record += f"... ({len(self.record)} bytes)"
        return f"  {self.grammar}: {record}\n    command:   {self.ours}\n    reference: {self.reference}"


@dataclass
class Report:
    """Counts comparisons by label, and keeps mismatches."""

    compared: Counter = field(default_factory=Counter)
    skipped: Counter = field(default_factory=Counter)
    mismatched: Counter = field(default_factory=Counter)
    mismatches: list = field(default_factory=list)

    def add(self, mismatch):
        self.mismatched[mismatch.grammar] += 1
        if self.mismatched[mismatch.grammar] <= SHOWN_PER_GRAMMAR:
            self.mismatches.append(mismatch)

    def merge(self, other):
        self.compared += other.compared
        self.skipped += other.skipped
        for mismatch in other.mismatches:
            self.add(mismatch)
        # Add the mismatches that `other` counted and did not keep.
        self.mismatched += other.mismatched - Counter(mismatch.grammar for mismatch in other.mismatches)

    def print(self):
        for mismatch in sorted(self.mismatches, key=lambda mismatch: (mismatch.grammar, len(mismatch.record))):
            print(mismatch)
        for label, count in sorted(self.compared.items()):
            print(f"  {label}: {count:,} compared, {self.mismatched[label]:,} differ")
        for label, count in sorted(self.skipped.items()):
            print(f"  left out: {count:,} {label}")

    @property
    def failed(self):
        return sum(self.mismatched.values()) > 0 or sum(self.compared.values()) == 0
