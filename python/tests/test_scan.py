"""Tests scans of files, which are streams of record batches."""

import gzip
import io
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import pyarrow as pa
import pytest
import urivalidate as uv

LIST = b"http://example.com/a?b\r\nno uri\n\nhttp://h/\xff\nmailto:a@b"


def table(*args, **kwargs):
    return pa.RecordBatchReader.from_stream(uv.scan(*args, **kwargs)).read_all()


def test_components():
    rows = table(io.BytesIO(LIST)).to_pylist()
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 5]
    assert [row["valid"] for row in rows] == [True, False, False, False, True]
    assert [row["length"] for row in rows] == [22, 6, 0, 10, 10]
    assert [row["uri"] for row in rows] == ["http://example.com/a?b", "no uri", "", None, "mailto:a@b"]
    assert [row["uri_bytes"] for row in rows] == [None, None, None, b"http://h/\xff", None]
    assert [row["host"] for row in rows] == ["example.com", None, None, None, None]
    assert [row["error_kind"] for row in rows] == [None, "missing-scheme", "empty", "non-ascii", None]
    assert [row["error_offset"] for row in rows] == [None, 2, 0, 9, None]
    assert {row["file"] for row in rows} == {"-"}


def test_columns_and_rows_that_are_asked_for():
    assert table(io.BytesIO(LIST), columns=["host", "line"], only="valid").to_pylist() == [
        {"host": "example.com", "line": 1},
        {"host": None, "line": 5},
    ]
    invalid = table(io.BytesIO(LIST), columns=["line"], only="invalid")
    assert invalid.to_pylist() == [{"line": 2}, {"line": 3}, {"line": 4}]
    spans = table(io.BytesIO(LIST), emit="offsets", columns=["host"])
    assert spans.slice(0, 1).to_pylist() == [{"host_start": 7, "host_end": 18}]
    errors = table(io.BytesIO(LIST), emit="errors")
    assert errors.column("line").to_pylist() == [2, 3, 4]
    assert errors.column("message").to_pylist()[1] == "the record is empty"


def test_files(tmp_path):
    plain, packed, empty = tmp_path / "a.txt", tmp_path / "b.gz", tmp_path / "empty"
    lines = b"".join(b"http://h%d.example/%d?q\n" % (i, i) for i in range(300_000))
    plain.write_bytes(lines)
    packed.write_bytes(gzip.compress(lines, 1))
    empty.write_bytes(b"")
    for threads in (1, 2):
        found = table([plain, str(packed), empty], threads=threads, columns=["file", "line", "path"])
        assert found.num_rows == 600_000
        assert found.column("line").to_pylist() == list(range(1, 300_001)) * 2
        assert found.column("path").to_pylist() == [f"/{i}" for i in range(300_000)] * 2
        assert found.column("file").unique().to_pylist() == [str(plain), str(packed)]
    assert table(empty).num_rows == 0
    with open(plain, "rb") as file:
        assert table(file, columns=["line"]).num_rows == 300_000


def test_formats():
    log = b'192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a\\"b?c HTTP/1.1" 200 0\nnothing\n'
    with pytest.warns(UserWarning, match="-: 1 line does not fit the format common and is left out; line 2: "):
        rows = table(io.BytesIO(log), format="common")
    assert rows.column("uri").to_pylist() == ['/a"b?c']
    assert rows.column("column").to_pylist() == [49]
    assert rows.schema.metadata == {b"format": b"common", b"grammar": b"request-target", b"version": b"0.1.0"}
    errors = table(io.BytesIO(log), format="common", emit="errors")
    assert errors.column("error_kind").to_pylist() == ["invalid-character", "malformed-line"]
    assert table(io.BytesIO(b'{"u":"a:b"}\n'), format="jsonl", key="u").column("valid").to_pylist() == [True]
    assert table(io.BytesIO(b'{"u":"/a?b"}\n'), format="jsonl", key="u").column("valid").to_pylist() == [True]


PAGE = b"<p>Links:\n<a href='/a'>a</a> <a href='http://h/b'>b</a>\n"
GUIDE = b"# Guide\n\nSee [this](http://h/a) and [that](b.md).\nMore text.\n"


@pytest.mark.parametrize(
    "name, content, expected, uris",
    [
        ("page.html", PAGE, "html", ["/a", "http://h/b"]),
        ("guide.md", GUIDE, "markdown", ["http://h/a", "b.md"]),
        ("map.xml", b"<urlset>\n<url><loc>http://h/a</loc></url>\n</urlset>\n", "xml", ["http://h/a"]),
        ("list.txt", b"http://h/a\n", "lines", ["http://h/a"]),
    ],
)
def test_the_name_decides_what_the_lines_do_not(tmp_path, name, content, expected, uris):
    class Named(io.BytesIO):
        pass

    path = tmp_path / name
    path.write_bytes(content)
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(content))
    named = Named(content)
    named.name = name
    for file in (path, str(path), packed, named, open(path, "rb")):
        scan = uv.scan(file, columns=["uri"])
        assert scan.format == expected
        assert [row["uri"] for batch in scan for row in batch.to_pylist()] == uris
        assert scan.format == expected
        counts = uv.stats(path)
        assert (counts["format"], counts["records"]) == (expected, len(uris))
    assert set(table(path, columns=["format"]).column("format").to_pylist()) == {expected}


def test_the_format_of_a_scan(tmp_path):
    list_, log, empty = tmp_path / "a.txt", tmp_path / "b.jsonl", tmp_path / "empty"
    list_.write_bytes(b"a:b\n" * 100_000)
    log.write_bytes(b'{"url":"a:b"}\n')
    empty.write_bytes(b"")
    assert uv.scan(log).format == "jsonl" and uv.scan(empty).format == "lines" and uv.scan(empty, "csv", field="1").format == "csv"
    # The request for the format takes no rows away.
    scan = uv.scan([list_, log], columns=["line"])
    assert scan.format == "lines"
    assert [row["line"] for batch in scan for row in batch.to_pylist()] == [*range(1, 100_001), 1]
    assert scan.format == "several"
    taken = uv.scan(list_)
    reader = pa.RecordBatchReader.from_stream(taken)
    assert reader.read_all().num_rows == 100_000 and taken.format == "lines"
    scan = uv.scan(io.BytesIO(b"PK\x03\x04"))
    with pytest.raises(OSError, match="a zip archive"):
        scan.format
    with pytest.raises(ValueError, match="the scan has ended"):
        pa.RecordBatchReader.from_stream(scan)
    closed = uv.scan(list_)
    closed.close()
    assert closed.format is None


MIXED = b'{"url":"a:b"}\nno object\n{"url":"c d"}\n{"id":1}\n'


def test_lines_that_do_not_fit_are_no_rows_and_a_warning(tmp_path):
    (tmp_path / "mixed.jsonl").write_bytes(MIXED)
    (tmp_path / "whole.jsonl").write_bytes(b'{"url":"a:b"}\n')
    message = r'mixed\.jsonl: 1 line does not fit the format jsonl and is left out; line 2: .*; emit="errors" or the column malformed'
    for consume in (list, lambda scan: pa.RecordBatchReader.from_stream(scan).read_all()):
        with pytest.warns(UserWarning, match=message) as warned:
            consume(uv.scan([tmp_path / "mixed.jsonl", tmp_path / "whole.jsonl"], "jsonl"))
        assert len(warned) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="1 line does not fit"):
            list(uv.scan(tmp_path / "mixed.jsonl", "jsonl"))
        # Nothing is left out.
        assert table(tmp_path / "mixed.jsonl", "jsonl", emit="errors").num_rows == 2
        rows = table(tmp_path / "mixed.jsonl", "jsonl", columns=["line", "column", "length", "uri", "valid", "malformed", "error_kind", "host_kind"])
    assert rows.to_pylist() == [
        {"line": 1, "column": 9, "length": 3, "uri": "a:b", "uri_bytes": None, "valid": True, "malformed": False, "error_kind": None, "host_kind": None},
        {"line": 2, "column": 1, "length": 9, "uri": None, "uri_bytes": None, "valid": False, "malformed": True, "error_kind": "malformed-line", "host_kind": None},
        {"line": 3, "column": 9, "length": 3, "uri": "c d", "uri_bytes": None, "valid": False, "malformed": False, "error_kind": "missing-scheme", "host_kind": None},
    ]
    offsets = table(tmp_path / "mixed.jsonl", "jsonl", emit="offsets", columns=["line", "path", "malformed"])
    assert offsets.column("path_start").to_pylist() == [2, None, None]
    only = {kind: table(tmp_path / "mixed.jsonl", "jsonl", columns=["line", "malformed"], only=kind).column("line").to_pylist() for kind in ("valid", "invalid")}
    assert only == {"valid": [1], "invalid": [2, 3]}


def test_rows_of_lines_that_do_not_fit_are_in_order():
    lines = [b'{"url":"http://h/%d"}' % i if i % 3 else b"garbage" for i in range(200_000)]
    for threads in (1, 2):
        rows = table(io.BytesIO(b"\n".join(lines)), "jsonl", columns=["line", "path", "malformed"], threads=threads)
        assert rows.column("line").to_pylist() == list(range(1, 200_001))
        assert rows.column("malformed").to_pylist() == [i % 3 == 0 for i in range(200_000)]
        assert rows.column("path").to_pylist() == [f"/{i}" if i % 3 else None for i in range(200_000)]


@pytest.mark.parametrize(
    "content, options, message",
    [
        (b"http://h/\n" * 1000, {"format": "combined"}, 'no line fits the format combined; line 1: .*try format="lines"$'),
        (b"see <http://h/>\n" * 20, {"format": "cdxj"}, 'this looks like text with URIs in it; try format="text"$'),
        (b"garbage", {"format": "cdxj"}, "no line fits the format cdxj; line 1: "),
    ],
)
def test_a_file_in_which_no_line_fits_is_an_error(content, options, message):
    with pytest.raises(ValueError, match=message):
        list(uv.scan(io.BytesIO(content), **options))
    with pytest.raises((ValueError, OSError), match=message):
        table(io.BytesIO(content), **options)
    rows = table(io.BytesIO(content), **options, columns=["malformed"])
    assert all(rows.column("malformed").to_pylist()) and rows.num_rows == content.count(b"\n") + (not content.endswith(b"\n"))
    assert table(io.BytesIO(content), **options, emit="errors").num_rows == rows.num_rows


def test_tables():
    rows = b"name;url\nx;http://h/\n"
    found = table(io.BytesIO(rows), format="delimited", delimiter=";", field="url", columns=["line", "host"])
    assert found.to_pylist() == [{"line": 2, "host": "h"}]
    found = table(io.BytesIO(rows), format="delimited", delimiter=";", field="2", header=False, columns=["valid"])
    assert found.column("valid").to_pylist() == [False, True]


def test_an_exception_of_a_file_object_is_kept():
    class Broken:
        def read(self, size):
            raise KeyError("no such shard")

    with pytest.raises(KeyError, match="no such shard"):
        list(uv.scan(Broken()))


def test_batches_have_as_many_rows_as_serves(tmp_path):
    (tmp_path / "list").write_bytes(b"http://example.com/path/to/something?with=query\n" * 400_000)
    sizes = [len(batch) for batch in uv.scan(tmp_path / "list", columns=["host"])]
    assert sum(sizes) == 400_000 and max(sizes) <= 65_536 and len(sizes) < 20


def test_batches_one_by_one():
    batches = list(uv.scan(io.BytesIO(LIST), columns=["line"]))
    assert [row["line"] for batch in batches for row in batch.to_pylist()] == [1, 2, 3, 4, 5]
    assert pa.record_batch(batches[0]).schema.names == ["line"]


def test_a_scan_is_a_context_manager(tmp_path):
    (tmp_path / "list").write_bytes(b"http://example.com/\n" * 1_000_000)
    threads = threading.active_count()
    with uv.scan(tmp_path / "list", columns=["host"]) as scan:
        assert not scan.closed
        assert len(next(scan)) > 0
    assert scan.closed
    for use in (lambda: next(scan), lambda: list(scan), lambda: pa.RecordBatchReader.from_stream(scan)):
        with pytest.raises(ValueError, match="the scan is closed"):
            use()
    scan.close()
    assert threading.active_count() == threads
    with pytest.raises(KeyError, match="mine"):
        with uv.scan(tmp_path / "list") as scan:
            raise KeyError("mine")
    assert scan.closed
    # Closes a scan that has ended, and a scan whose stream a consumer has taken, which continues.
    scan = uv.scan(io.BytesIO(LIST))
    assert sum(map(len, scan)) == 5 and list(scan) == []
    scan.close()
    with uv.scan(io.BytesIO(LIST), columns=["line"]) as scan:
        reader = pa.RecordBatchReader.from_stream(scan)
        with pytest.raises(ValueError, match="has been taken"):
            next(scan)
    assert reader.read_all().num_rows == 5


def test_a_closed_scan_reads_no_more():
    class Endless:
        reads = 0

        def read(self, size):
            self.reads += 1
            return (b"http://h/\n" * (size // 10 + 1))[:size]

    endless = Endless()
    with uv.scan(endless, columns=["host"], threads=1) as scan:
        next(scan)
    reads = endless.reads
    time.sleep(0.2)
    assert endless.reads == reads


def test_a_schema_that_is_requested():
    rows = pa.RecordBatchReader.from_stream(
        uv.scan(io.BytesIO(LIST), columns=["line", "host", "valid"]),
        schema=pa.schema({"line": pa.int64(), "host": pa.large_string(), "valid": pa.bool_()}),
    )
    assert rows.schema.field("host").type == pa.large_string()
    assert rows.read_all()["host"].to_pylist()[0] == "example.com"


def test_failures(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.txt"):
        uv.scan(tmp_path / "none.txt")
    (tmp_path / "a").write_bytes(b"a:b\n")
    scan = uv.scan([tmp_path / "a", tmp_path / "none.txt"])
    assert len(next(scan)) == 1
    with pytest.raises(FileNotFoundError, match="none.txt"):
        next(scan)
    with pytest.raises(StopIteration):
        next(scan)
    (tmp_path / "cut.gz").write_bytes(gzip.compress(os.urandom(1000))[:-9])
    with pytest.raises(OSError, match="truncated gzip"):
        list(uv.scan(tmp_path / "cut.gz"))
    with pytest.raises(TypeError, match="mode 'rb'"):
        list(uv.scan(io.StringIO("a:b")))
    with pytest.raises(TypeError, match="expected a path, a file object, or a list of them, got int"):
        uv.scan(1)
    with pytest.raises(IsADirectoryError, match=tmp_path.name):
        uv.scan(tmp_path)
    for function in (uv.scan, uv.stats):
        with pytest.raises(ValueError, match="threads is -1: it cannot be negative"):
            function(io.BytesIO(b""), threads=-1)
    for wrong in ({"format": "no such format"}, {"emit": "none"}, {"only": "both"}, {"columns": ["x"]}, {"grammar": "url"}, {"field": "x"}, {"delimiter": "||"}):
        with pytest.raises(ValueError):
            uv.scan(io.BytesIO(b""), **{"format": "squid", **wrong})
    scan = uv.scan(io.BytesIO(b"a:b"))
    pa.RecordBatchReader.from_stream(scan)
    with pytest.raises(ValueError, match="has been taken"):
        pa.RecordBatchReader.from_stream(scan)


def test_a_lack_of_memory_is_a_memory_error():
    class Exhausted:
        def read(self, size):
            raise MemoryError("no memory for the file")

    for consume in (list, lambda scan: pa.RecordBatchReader.from_stream(scan).read_all()):
        with pytest.raises(MemoryError, match="no memory for the file"):
            consume(uv.scan(Exhausted(), "lines"))


class Endless:
    """A file object that returns an endless list."""

    def __init__(self):
        self.bytes = 0

    def read(self, size):
        self.bytes += size
        return (b"http://h/a?b\n" * (size // 13 + 1))[:size]


def test_memory_is_bounded():
    endless = Endless()
    scan = uv.scan(endless)
    next(scan)
    # The consumer requests no more batches, so the reading stops.
    before, end = 0, time.monotonic() + 60
    while endless.bytes != before and time.monotonic() < end:
        before = endless.bytes
        time.sleep(1)
    assert endless.bytes == before
    assert before < 100 << 20
    next(scan)
    threads = threading.active_count()
    del scan
    assert threading.active_count() <= threads


# Scans a page with a base of 100 KB and many short references, checks each row, and prints the number of
# batches and the growth of the peak memory.
LONG_BASE = """
import io, pathlib, sys
import pyarrow as pa
import urivalidate as uv

def peak():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10

count, limit = int(sys.argv[1]), int(sys.argv[2])
base = "http://hh.example/" + "a/" * 4_087
assert len(base) == 8_192
links = [f"x y{i}" if i % 70 == 3 else f"../{i}" if i % 70 == 6 else str(i) for i in range(count)]
page = f"<base href='{base}'>" + "".join(f"\\n<a href='{link}'>" for link in links)

def target(link):
    # The base applies only to the references after it.
    if " " in link or link is base:
        return None
    return base[:-2] + link[3:] if link.startswith("../") else base + link

expected = iter([(1, base), *enumerate(links, 2)])
batches, peak_before = 0, peak()
scan = uv.scan(io.BytesIO(page.encode()), "html", columns=["line", "uri", "resolved", "valid"], threads=2)
for batch in pa.RecordBatchReader.from_stream(scan):
    batches += batch.num_rows > 0
    for line, uri, resolved, valid in zip(*(batch[name].to_pylist() for name in ["line", "uri", "resolved", "valid"])):
        expected_line, link = next(expected)
        assert (line, uri, valid) == (expected_line, link, " " not in link), line
        assert resolved == target(link), line
assert next(expected, None) is None
growth = peak() - peak_before
assert batches > 1 and growth < limit, (batches, growth)
print("all rows are right")
"""


@pytest.mark.parametrize("format", ["auto", "lines", "csv", "markdown"])
def test_resolved_needs_a_base(format):
    with pytest.raises(OSError, match="the column resolved needs a base, and the input names none; resolve_uri takes one"):
        table(io.BytesIO(b"a,b\nc,d\n"), format, columns=["resolved"])


def test_resolved_of_pages_needs_no_option():
    page = b"<base href='http://h/a/'><a href='b'>"
    assert table(io.BytesIO(page), "html", columns=["resolved"]).to_pylist() == [{"resolved": None}, {"resolved": "http://h/a/b"}]


def test_a_column_of_other_rows_says_where_it_is():
    with pytest.raises(ValueError, match="the column host is in rows of components and offsets"):
        table(io.BytesIO(b""), emit="errors", columns=["host"])


def test_lines_without_the_key_are_no_records():
    events = b'{"event":"dns"}\n{"event":"http","url":"urn:a"}\n{"event":"dns"}\n'
    assert table(io.BytesIO(events), "jsonl", columns=["line", "path"]).to_pylist() == [{"line": 2, "path": "a"}]
    assert table(io.BytesIO(events), "jsonl", emit="errors").num_rows == 0
    with pytest.raises(OSError, match='no line has the key "target"'):
        table(io.BytesIO(events), "jsonl", key="target")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak memory is read from /proc")
def test_a_long_base_with_many_references_takes_bounded_memory():
    # The targets take 2.2 GB, more than the offsets of one batch could address.
    command = [sys.executable, "-c", LONG_BASE, "270000", str(150 << 20)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.stdout == "all rows are right\n", run.stderr


# Scans a tag with two million records, and prints the number of records and the growth of the peak memory.
LONG_TAG = """
import io, pathlib
import pyarrow as pa
import urivalidate as uv

def peak():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10

page = b"<a ping='" + b"a " * 2_000_000 + b"'>"
before = peak()
assert uv.stats(io.BytesIO(page), "html")["records"] == 2_000_000
rows = sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(uv.scan(io.BytesIO(page), "html", threads=2)))
print(rows, peak() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak memory is read from /proc")
def test_a_tag_with_many_records_takes_bounded_memory():
    run = subprocess.run([sys.executable, "-c", LONG_TAG], capture_output=True, text=True, timeout=300)
    rows, growth = map(int, run.stdout.split())
    assert rows == 2_000_000 and growth < 200 << 20, (rows, growth, run.stderr)


@pytest.mark.parametrize("consumer", ["for batch in scan: pass", "for batch in pa.RecordBatchReader.from_stream(scan): pass"])
def test_a_scan_can_be_interrupted(consumer):
    program = f"""
import time, pyarrow as pa, urivalidate as uv
class Slow:
    def read(self, size):
        time.sleep(0.01)
        return b"http://h/\\n"
scan = uv.scan(Slow(), format="lines")
print("ready", flush=True)
try:
    {consumer}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "interrupted\n"


FORKED = """
import io, os, signal, warnings
import pyarrow as pa
import urivalidate as uv
warnings.simplefilter("ignore")
data = b"http://h/\\n" * 1_000_000
scan = uv.scan(io.BytesIO(data), "lines")
reader = pa.RecordBatchReader.from_stream(uv.scan(io.BytesIO(data), "lines"))
for _ in range(4):
    # The scan's threads may do anything when the process forks.
    next(scan)
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
if child == 0:
    signal.alarm(30)
    for read in (lambda: next(scan), reader.read_next_batch):
        try:
            read()
        except (RuntimeError, OSError, pa.ArrowInvalid) as error:
            assert "a forked process cannot continue it" in str(error), error
        else:
            os._exit(3)
    scan.close()
    del scan, reader
    rows = sum(len(batch) for batch in uv.scan(io.BytesIO(data), "lines"))
    os._exit(0 if rows == 1_000_000 and uv.stats(io.BytesIO(data), "lines")["records"] == rows else 4)
# The parent goes on.
rows = sum(len(batch) for batch in scan)
print(0 < rows < 1_000_000 and reader.read_all().num_rows == 1_000_000)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes fork")
def test_a_scan_is_not_continued_in_a_forked_process():
    run = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=120)
    assert run.stdout == "0\n" * 4 + "True\n", run.stderr
