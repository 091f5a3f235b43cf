"""csv, read by Python's csv module; jsonl, by its json module; tsv and text, by their rules.

The records are all bytes in all places that matter, RECORDS random records (default 5,000), the same number
of mutated records from corpora/sample.txt, and the unchanged sample. The script uses a grammar of each kind.
Every record must come back byte for byte in its row. All forms must have the same components, at the places
that the offsets state. A derived column must have the values that --emit writes. The rows of a verdict must
be those of all records with this verdict, and the rows of errors those of all invalid records.
"""

import csv
import io
import json
import random
import re
from pathlib import Path

import tested_command

from .derived import BASE, DERIVED

SAMPLE = Path(__file__).resolve().parent.parent.parent / "corpora" / "sample.txt"
PARTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
COLUMNS = ["line", "valid", "uri", *PARTS, *DERIVED, "error_kind"]
GRAMMARS = ["uri-reference", "java", "iri", "request-target"]


def records(count, seed):
    for byte in range(1, 256):
        one = bytes([byte])
        yield from (one, b"a" + one, one + b'"', one + b",", b"http://h/" + one + b"?" + one, one + b"\r\n")
    chance = random.Random(seed)
    alphabet = b'aZ0:/?#@[]%,;"\\\t\r\n \'N\x01\x7f\xc3\xa9\xff'
    sample = re.split(rb"[\n\0]", SAMPLE.read_bytes())
    for _ in range(count):
        yield bytes(chance.choices(alphabet, k=chance.randrange(12)))
        yield b"http://u@h:1/" + bytes(chance.choices(alphabet, k=chance.randrange(6)))
        mutated = bytearray(chance.choice(sample))
        at = chance.randrange(len(mutated) + 1)
        mutated[at : at + chance.randrange(2)] = chance.choices(alphabet, k=chance.randrange(3))
        yield bytes(mutated)
    yield from sample


def run(command, grammar, arguments, expected):
    arguments = ["--null", "-g", grammar, "--base", BASE, *arguments]
    # Each record has a terminator, so an empty last record is not lost.
    data = b"".join(record + b"\0" for record in expected)
    return tested_command.run(command, arguments, data)


def from_csv(output, columns):
    # Latin-1 maps each byte to a character. The reader does not distinguish absent and empty cells.
    reader = csv.reader(io.StringIO(output.decode("latin-1"), newline=""))
    assert next(reader) == columns
    for row in reader:
        yield [cell.encode("latin-1") for cell in row]


def from_tsv(output, columns):
    escapes = {b"\\t": b"\t", b"\\n": b"\n", b"\\r": b"\r", b"\\\\": b"\\"}
    header, *lines = output.split(b"\n")[:-1]
    assert header.decode().split("\t") == columns
    for line in lines:
        yield [unescaped(cell, rb"\\.", escapes.__getitem__) for cell in line.split(b"\t")]


def from_text(output, columns):
    for line in output.split(b"\n")[:-1]:
        cells = line.split(b"\t")
        assert len(cells) == len(columns)
        yield [unescaped(cell, rb"\\x..", lambda escape: bytes.fromhex(escape[2:].decode())) for cell in cells]


def unescaped(cell, escape, byte):
    return None if cell == b"\\N" else re.sub(escape, lambda m: byte(m[0]), cell, flags=re.S)


def from_jsonl(output, columns):
    for line in output.split(b"\n")[:-1]:
        row = json.loads(line)
        assert list(row) == columns
        yield [from_json(row[column]) for column in columns]


def from_json(value):
    if isinstance(value, list):
        return range(*value)
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return tested_command.text_bytes(str(value) if isinstance(value, int) else value)


def check(command, grammar, expected):
    forms = {"csv": from_csv, "tsv": from_tsv, "text": from_text, "jsonl": from_jsonl}

    def read(emit, form, columns, *more):
        arguments = ["--emit", emit, "--to", form, "--columns", ",".join(columns), *more]
        return list(forms[form](run(command, grammar, arguments, expected), columns))

    whole = {form: read("components", form, COLUMNS) for form in forms}
    for form, found in whole.items():
        assert len(found) == len(expected), f"{form}: {len(found)} rows of {len(expected)} records"
        for number, (row, record) in enumerate(zip(found, expected), 1):
            assert row[0] == str(number).encode() and row[2] == record, f"{form} {number}: {row} of {record}"
    assert whole["tsv"] == whole["text"] == whole["jsonl"]
    assert whole["csv"] == [[cell or b"" for cell in row] for row in whole["jsonl"]]
    # Each part in another form must be the text at the part's offsets.
    for row, ranges in zip(whole["jsonl"], read("offsets", "jsonl", PARTS), strict=True):
        parts = [None if part is None else row[2][part.start : part.stop] for part in ranges]
        assert parts == row[3 : 3 + len(PARTS)], f"{row}: {ranges}"
    for column in DERIVED:
        at = COLUMNS.index(column)
        values = b"".join(row[at] + b"\0" for row in whole["jsonl"] if row[at] is not None)
        assert run(command, grammar, ["--emit", column], expected) == values, f"{grammar}: {column}"
    for verdict, is_valid in [("valid", b"true"), ("invalid", b"false")]:
        for form in forms:
            found = [row for row in whole[form] if row[1] == is_valid]
            assert read("components", form, COLUMNS, "--only", verdict) == found, f"{verdict} in {form}"
    columns = ["line", "uri", "error_kind"]
    errors = [[row[0], row[2], row[-1]] for row in whole["jsonl"] if row[1] == b"false"]
    for form in forms:
        assert read("errors", form, columns) == errors, f"{form} of errors"


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("records", nargs="?", metavar="RECORDS", type=int, default=5000)
    parser.add_argument("seed", nargs="?", metavar="SEED", default="1")


def main(arguments):
    expected = list(records(arguments.records, arguments.seed))
    for grammar in GRAMMARS:
        check(arguments.command, grammar, expected)
    print(f"{len(expected)} records come back from csv, tsv, text and jsonl, by {', '.join(GRAMMARS)}")

