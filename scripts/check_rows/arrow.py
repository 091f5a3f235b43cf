"""Arrow and Parquet, read by pyarrow, polars and DuckDB, and compared value by value with --to jsonl.

The command needs the feature parquet, and this Python the packages pyarrow, polars and duckdb.

The records are all strings of up to two pieces, and a fifth of those of three, including text that is not
UTF-8. The script uses every grammar, and writes components, offsets, errors and derived columns. The input is
many files (one of them empty), an empty input, standard input, a log with malformed lines, and pages.
"""

import functools
import io
import itertools
import tempfile
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet

import tested_command
from all_grammars import GRAMMARS

from .derived import BASE, DERIVED

COMPONENTS = "scheme authority userinfo host port path query fragment scheme_specific_part".split()
ERROR = ["kind", "component", "offset"]
PIECES = [
    b"http:", b"mailto:", b"//", b"/", b"u:p@", b"example.com", b"a_b", b"1.2.3.4", b"[::1]", b"[v1.x]", b":80", b":", b"/a/b",
    b"?q=1", b"?", b"#f", b"#", b"%41", b"%zz", b" ", b"\t", "é".encode(), b"\xff", b"*", b"h:443", b"a" * 70, b"b.Co.uk", b"/../.",
]
LOG = (
    b'192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a\\"b?c HTTP/1.1" 200 0\n'
    b'192.0.2.1 - - [01/Jan/2026:00:00:01 +0000] "-" 408 0\n'
    b"no line of a log\n"
    b'192.0.2.1 - - [01/Jan/2026:00:00:02 +0000] "GET /a\\x0ab\\xff HTTP/1.1" 200 0\n'
)
PAGES = Path(__file__).parent.parent.parent / "corpora/logs"


def records():
    for count in range(3):
        yield from map(b"".join, itertools.product(PIECES, repeat=count))
    # The number of pieces is no multiple of the step, so that each piece comes at each place.
    yield from map(b"".join, itertools.islice(itertools.product(PIECES, repeat=3), 0, None, 5))


def expected(row, emit):
    """A row of jsonl with the columns of record batches, in the same order."""
    out = {name: row[name] for name in ("file", "line", "column", "length")}
    if "uri" in row:
        uri = tested_command.text_bytes(row["uri"])
        try:
            out |= {"uri": None if uri is None else uri.decode(), "uri_bytes": None}
        except UnicodeDecodeError:
            out |= {"uri": None, "uri_bytes": uri}
    for name, value in row.items():
        if name in COMPONENTS and emit == "offsets":
            out[name + "_start"], out[name + "_end"] = value or (None, None)
        elif name == "error":
            error = value or dict.fromkeys(ERROR)
            out |= {f"error_{part}": error[part] for part in ERROR}
        elif name not in out:
            out[name] = value
    return out


def from_arrow(stream):
    """The rows that each reader reads from an Arrow stream, and the batches of the stream."""
    batches = list(pyarrow.ipc.open_stream(io.BytesIO(stream)))
    for batch in batches:
        batch.validate(full=True)
    table = pyarrow.ipc.open_stream(io.BytesIO(stream)).read_all()
    yield "pyarrow", table.to_pylist()
    yield "polars", polars.read_ipc_stream(io.BytesIO(stream)).to_dicts()
    relation = duckdb.connect().from_arrow(pyarrow.ipc.open_stream(io.BytesIO(stream)))
    yield "DuckDB", [dict(zip(relation.columns, row)) for row in relation.fetchall()]


def from_parquet(path):
    """The rows that each reader reads from a Parquet file."""
    yield "pyarrow", pyarrow.parquet.read_table(path).to_pylist()
    yield "polars", polars.read_parquet(path).to_dicts()
    relation = duckdb.connect().read_parquet(str(path))
    yield "DuckDB", [dict(zip(relation.columns, row)) for row in relation.fetchall()]


def check_run(command, what, arguments, emit, folder, data=b""):
    """Compares the rows of a run in all forms. Returns the number of rows."""
    arguments = ["--emit", emit, *arguments]
    rows = [expected(row, emit) for row in tested_command.json_rows(command, arguments, data)]
    stream = tested_command.run(command, [*arguments, "--to", "arrow"], data)
    file = folder / "rows.parquet"
    assert tested_command.run(command, [*arguments, "--to", "parquet", "--output", str(file)], data) == b""
    metadata = pyarrow.ipc.open_stream(io.BytesIO(stream)).schema.metadata
    assert set(metadata) == {b"format", b"grammar", b"version"}, metadata
    for form, reader in [("arrow", from_arrow(stream)), ("parquet", from_parquet(file))]:
        for name, found in reader:
            about = f"{what}, {emit}, {form} by {name}"
            assert len(found) == len(rows), f"{about}: {len(found)} rows of {len(rows)}"
            for number, (mine, theirs) in enumerate(zip(found, rows), 1):
                assert mine == theirs, f"{about}, row {number}:\n{mine}\n{theirs}"
                assert list(mine) == list(theirs), f"{about}: {list(mine)}"
    return len(rows)


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")


def main(arguments):
    check, compared = functools.partial(check_run, arguments.command), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mixed, crlf, empty, log = (folder / name for name in ("mixed", "crlf", "empty", "log"))
        mixed.write_bytes(b"\n".join(records()))
        crlf.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(itertools.islice(records(), 500)) + b"\r\n")
        empty.write_bytes(b"")
        log.write_bytes(LOG * 1000)
        valid = b"http://example.com/%d\n" % 7 * 20000
        for emit in ("components", "offsets", "errors"):
            for grammar in GRAMMARS:
                compared += check(grammar, ["--grammar", grammar, str(mixed)], emit, folder)
            compared += check("many files", [str(crlf), str(empty), str(crlf), str(mixed)], emit, folder)
            compared += check("nothing", [str(empty)], emit, folder)
            compared += check("standard input", ["-j2"], emit, folder, valid + mixed.read_bytes() + b"\n" + valid)
            compared += check("log", ["--from", "common", str(log)], emit, folder)
            compared += check("log that is found out", [str(log)], emit, folder)
            compared += check("short limit", ["--max-record", "10", str(mixed)], emit, folder)
            compared += check("trimmed", ["--trim", str(crlf)], emit, folder)
        derived = ["--columns", ",".join(["file", "line", "column", "length", "uri", "valid", *DERIVED])]
        derived += ["--base", BASE]
        for grammar in GRAMMARS:
            compared += check(grammar, ["--grammar", grammar, *derived, str(mixed)], "components", folder)
        for more in (["-j1"], ["-j2"], ["--only", "valid"], ["--only", "invalid"]):
            data = valid + mixed.read_bytes() + b"\n" + valid
            compared += check("standard input", [*more, *derived], "components", folder, data)
        for form in ("syntax", "scheme"):
            compared += check(form, ["--normalize", form, *derived, str(crlf), str(empty), str(mixed)], "components", folder)
        sources = [empty, log, *(PAGES / name for name in ("site.html", "pages.warc", "links.wat", "records.arc", "feed.rss", "notes.md"))]
        for source in sources:
            compared += check(source.name, [*derived, str(source)], "components", folder)
        for verdict in ("valid", "invalid"):
            compared += check(verdict, ["--only", verdict, str(mixed)], "components", folder)
        compared += check("kinds", ["--kind", "space,malformed-line", str(log), str(mixed)], "errors", folder)
    print(f"{compared} rows are the same in jsonl, Arrow and Parquet")

