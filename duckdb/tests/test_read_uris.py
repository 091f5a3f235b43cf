"""Tests read_uris over files that are large, compressed, broken, or never end."""

import bz2
import gzip
import lzma
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import duckdb
import pytest
from conftest import connect


def write_list(path, lines):
    """Writes a list of URIs, each with the number of its line."""
    with open(path, "w", encoding="ascii") as file:
        for start in range(0, lines, 10000):
            file.writelines(f"http://example.com/{number}?q\n" for number in range(start, min(start + 10000, lines)))


def threads_of_scans():
    """The names of this process's threads that scan, from Linux."""
    names = []
    for task in pathlib.Path("/proc/self/task").iterdir():
        try:
            names.append((task / "comm").read_text().strip())
        except OSError:
            # The thread has just ended.
            continue
    return [name for name in names if name.startswith("urivalidate")]


def wait_until(is_true, seconds=30):
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.01)


def test_rows_are_in_order(con, tmp_path):
    write_list(tmp_path / "list.txt", 300_000)
    con.execute("SET threads = 4")
    con.execute(f"CREATE TABLE t AS FROM read_uris('{tmp_path}/list.txt')")
    assert con.execute("SELECT count(*), count(*) FILTER (line <> rowid + 1), count(*) FILTER (path <> '/' || rowid), bool_and(valid) FROM t").fetchone() == (300_000, 0, 0, True)


def test_lists_are_counted_as_python_counts_them(con, tmp_path):
    hosts = [None if n % 11 == 0 else f"host-{n % 50}.example" for n in range(50_000)]
    (tmp_path / "list.txt").write_text("".join("no uri\n" if host is None else f"http://{host}/\r\n" for host in hosts))
    found = con.execute(f"SELECT host FROM read_uris('{tmp_path}/list.txt')").fetchall()
    assert [host for (host,) in found] == hosts


def test_nulls_of_one_vector_are_none_of_the_next(con, tmp_path):
    (tmp_path / "list.txt").write_text("x y\n" * 10000 + "http://a-host-that-is-long/?q\n" * 10000 + "x y\n" * 5000 + "http://h/?q\n" * 5000)
    assert con.execute(f"SELECT count(host), count(error_kind), count(query), count(uri) FROM read_uris('{tmp_path}/list.txt')").fetchone() == (15000, 15000, 15000, 30000)


def test_arguments_from_elsewhere(con, tmp_path):
    file = str(tmp_path / "list.txt")
    (tmp_path / "list.txt").write_text("http://h/1\n")
    assert con.execute("SELECT path FROM read_uris(?, format => ?)", [file, "lines"]).fetchall() == [("/1",)]
    assert con.execute("SELECT path FROM read_uris(?, columns => ?)", [[file, file], ["path"]]).fetchall() == [("/1",), ("/1",)]
    con.execute("SET VARIABLE file = ?", [file])
    assert con.execute("SELECT path FROM read_uris(getvariable('file'))").fetchall() == [("/1",)]
    con.execute("PREPARE p AS SELECT path FROM read_uris(?)")
    assert con.execute(f"EXECUTE p('{file}')").fetchall() == [("/1",)]


def test_many_files(con, tmp_path):
    for number in range(300):
        (tmp_path / f"{number:03}.txt").write_text(f"http://h/{number}\n" * (number % 4))
    expected = [(f"{tmp_path}/{number:03}.txt", line + 1, f"/{number}") for number in range(300) for line in range(number % 4)]
    assert con.execute(f"SELECT file, line, path FROM read_uris('{tmp_path}/*.txt')").fetchall() == expected
    # If a file has a name with special characters, the name is no pattern.
    (tmp_path / "a[1].txt").write_text("http://h/special\n")
    assert con.execute(f"SELECT path FROM read_uris('{tmp_path}/a[1].txt')").fetchall() == [("/special",)]


def test_compressed_and_broken(con, tmp_path):
    data = b"".join(b"http://example.com/%d\n" % number for number in range(200_000))
    for name, compress in (("good.gz", gzip.compress), ("good.bz2", bz2.compress), ("good.xz", lzma.compress)):
        (tmp_path / name).write_bytes(compress(data))
        assert con.execute(f"SELECT count(*) FROM read_uris('{tmp_path}/{name}')").fetchone() == (200_000,)
    (tmp_path / "bad.gz").write_bytes(gzip.compress(data)[:-2000])
    with pytest.raises(duckdb.InvalidInputException, match="bad.gz: truncated gzip data"):
        con.execute(f"SELECT count(*) FROM read_uris('{tmp_path}/bad.gz')").fetchall()
    # The connection works for the next query.
    assert con.execute(f"SELECT count(*) FROM read_uris('{tmp_path}/good.gz')").fetchone() == (200_000,)


def test_limit_ends_the_scan(con, tmp_path):
    write_list(tmp_path / "list.txt", 2_000_000)
    for _ in range(20):
        assert con.execute(f"SELECT path FROM read_uris('{tmp_path}/list.txt') LIMIT 1").fetchall() == [("/0",)]
    wait_until(lambda: not threads_of_scans())


def test_interrupt(con, tmp_path):
    write_list(tmp_path / "list.txt", 500_000)
    query = f"SELECT count(*) FROM read_uris({[str(tmp_path / 'list.txt')] * 200})"
    outcome = []

    def work():
        try:
            outcome.append(con.execute(query).fetchall())
        except duckdb.Error as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(threads_of_scans)
    time.sleep(0.2)
    con.interrupt()
    thread.join(20)
    assert not thread.is_alive() and isinstance(outcome[0], duckdb.InterruptException)
    wait_until(lambda: not threads_of_scans())
    assert con.execute("SELECT is_valid_uri('a:')").fetchone() == (True,)


def test_a_pipe_is_read_to_its_end(con, tmp_path):
    os.mkfifo(tmp_path / "pipe")

    def write():
        with open(tmp_path / "pipe", "wb") as pipe:
            pipe.write(b"http://h/1\nhttp://h/2\n")

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    rows = con.execute(f"SELECT path FROM read_uris('{tmp_path}/pipe', format => 'lines')").fetchall()
    assert rows == [("/1",), ("/2",)]


def test_prepared_statements_scan_anew(con, tmp_path):
    (tmp_path / "list.txt").write_text("http://h/1\n")
    con.execute(f"PREPARE p AS SELECT count(*) FROM read_uris('{tmp_path}/list.txt')")
    assert con.execute("EXECUTE p").fetchone() == (1,)
    (tmp_path / "list.txt").write_text("http://h/1\nhttp://h/2\n")
    assert con.execute("EXECUTE p").fetchone() == (2,)
    con.execute(f"CREATE VIEW v AS FROM read_uris('{tmp_path}/list.txt')")
    assert con.execute("SELECT count(*) FROM v a JOIN v b USING (line)").fetchone() == (2,)


def estimate(con, arguments):
    """The number of rows that DuckDB expects."""
    ((_, plan),) = con.execute(f"EXPLAIN SELECT * FROM read_uris({arguments})").fetchall()
    return int(re.search(r"~([\d,]+) row", plan)[1].replace(",", ""))


def test_duckdb_knows_how_many_rows_to_expect(con, tmp_path):
    write_list(tmp_path / "list.txt", 300_000)
    text = (tmp_path / "list.txt").read_bytes()
    (tmp_path / "list.txt.gz").write_bytes(gzip.compress(text))
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "bad.gz").write_bytes(gzip.compress(text)[:30])
    os.mkfifo(tmp_path / "pipe")
    assert 270_000 < estimate(con, f"'{tmp_path}/list.txt'") < 330_000
    assert 540_000 < estimate(con, f"['{tmp_path}/empty.txt', '{tmp_path}/list.txt', '{tmp_path}/list.txt']") < 660_000
    assert 100_000 < estimate(con, f"'{tmp_path}/list.txt.gz'") < 1_000_000
    assert 1000 < estimate(con, f"'{tmp_path}/list.txt', emit => 'errors'") < 300_000
    # The pipe is not opened: it can be read only once.
    assert estimate(con, f"'{tmp_path}/pipe'") == 1_000_000
    for name in ("empty.txt", "bad.gz"):
        assert estimate(con, f"'{tmp_path}/{name}'") <= 1


JOIN = """
import resource, sys
from conftest import connect
with connect() as con:
    con.execute("CREATE TABLE small AS SELECT 'http://example.com/' || i || '?q' AS uri FROM range(0, 1000, 100) AS t(i)")
    con.execute("SET threads = 2")
    print(*con.execute(sys.argv[1]).fetchone())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM read_uris({}) JOIN small USING (uri)",
        "SELECT count(*) FROM small JOIN read_uris({}) USING (uri)",
        "SELECT count(*) FROM read_uris({}) WHERE uri IN (SELECT uri FROM small)",
    ],
)
def test_a_join_keeps_the_small_side(tmp_path, query):
    def peak(lines):
        """The peak memory in KiB of a process that joins a list of this many lines."""
        write_list(tmp_path / "list.txt", lines)
        command = [sys.executable, "-c", JOIN, query.format(f"'{tmp_path}/list.txt'")]
        output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=pathlib.Path(__file__).parent).stdout
        count, peak = output.splitlines()[-2:]
        assert count == "10"
        return int(peak)

    # A table of the larger list's records alone would take 100 MB more.
    assert peak(2_000_000) < peak(200_000) + 60_000


def test_a_pattern_with_two_stars_at_its_end(con, tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name in ("a.txt", "deep/b.txt"):
        (tmp_path / "in" / name).write_text(f"http://h/{name}\n")
    for pattern in ("in/**", "in/**/*", "**"):
        assert con.execute(f"SELECT path FROM read_uris('{tmp_path}/{pattern}') ORDER BY 1").fetchall() == [("/a.txt",), ("/deep/b.txt",)]


PEAK = """
import resource, sys
from conftest import connect
with connect() as con:
    con.execute(f"SELECT count(DISTINCT host), max(strlen(uri)), count(surt) FROM read_uris({sys.argv[1:]!r}, columns => ['uri', 'host', 'surt'])").fetchall()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_is_bounded(tmp_path):
    write_list(tmp_path / "list.txt", 500_000)

    def peak(times):
        """The peak memory in KiB of a process that scans the list this number of times."""
        command = [sys.executable, "-c", PEAK, *[str(tmp_path / "list.txt")] * times]
        output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=pathlib.Path(__file__).parent).stdout
        # DuckDB may print the progress of the query first.
        return int(output.splitlines()[-1])

    assert peak(8) < peak(2) + 100_000


@pytest.mark.parametrize("format", ["auto", "lines", "csv"])
def test_resolved_needs_a_base(con, tmp_path, format):
    (tmp_path / "list.csv").write_text("a,b\nc,d\n")
    with pytest.raises(duckdb.Error, match="the column resolved needs a base, and the input names none; resolve_uri takes one"):
        con.execute(f"FROM read_uris('{tmp_path}/list.csv', format => '{format}', columns => ['resolved'])").fetchall()


def test_lines_without_the_key_are_no_records(con, tmp_path):
    (tmp_path / "events.jsonl").write_text('{"event":"dns"}\n{"event":"http","url":"urn:a"}\n')
    assert con.execute(f"SELECT line, uri FROM read_uris('{tmp_path}/events.jsonl')").fetchall() == [(2, "urn:a")]
    assert con.execute(f"FROM read_uris('{tmp_path}/events.jsonl', emit => 'errors')").fetchall() == []
    with pytest.raises(duckdb.Error, match='no line has the key "target"'):
        con.execute(f"FROM read_uris('{tmp_path}/events.jsonl', format => 'jsonl', key => 'target')").fetchall()


@pytest.mark.parametrize("first", [True, False])
def test_a_file_without_the_key_is_no_failure_if_another_has_it(con, tmp_path, first):
    quiet, other = tmp_path / f"{'ac'[first]}.jsonl", tmp_path / "b.jsonl"
    quiet.write_text('{"event":"dns"}\n')
    other.write_text('{"event":"http","url":"urn:a"}\n')
    read = f"SELECT uri FROM read_uris('{tmp_path}/*.jsonl', format => 'jsonl', key => '%s')"
    assert con.execute(read % "url").fetchall() == [("urn:a",)]
    with pytest.raises(duckdb.Error, match='[ab].jsonl: no line has the key "target"'):
        con.execute(read % "target").fetchall()
    # Lines of a list have no key.
    other.write_text("urn:a\n")
    with pytest.raises(duckdb.Error, match='no line has the key "url"'):
        con.execute(f"SELECT uri FROM read_uris(['{quiet}', '{other}'])").fetchall()


# Reads a page with the longest base and many short references, and prints how much the peak memory has grown,
# then each record with its line, and whether its target is right.
LONG_BASE = """
import pathlib, sys
from conftest import connect

def peak():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10

with connect() as con:
    con.execute("SET threads = 2")
    peak_before = peak()
    rows = con.execute(
        "WITH base AS (SELECT 'http://hh.example/' || repeat('a/', 4087) AS base)"
        "SELECT line, uri[:20], valid, CASE WHEN NOT valid OR uri = base THEN resolved IS NULL"
        " WHEN uri[:3] = '../' THEN resolved = base[:-3] || uri[4:] ELSE resolved = base || uri END"
        " FROM read_uris(?, format => 'html', columns => ['line', 'uri', 'valid', 'resolved']), base", [sys.argv[1]]).fetchall()
    print(peak() - peak_before)
    for row in rows:
        print(*row)
"""


def test_a_long_base_with_many_references_takes_bounded_memory(tmp_path):
    # The targets take 2.2 GB, more than the offsets of one batch could address. The base applies only to the
    # references after it.
    links = [f"x y{i}" if i % 70 == 3 else f"../{i}" if i % 70 == 6 else str(i) for i in range(270_000)]
    base = "http://hh.example/" + "a/" * 4_087
    (tmp_path / "page.html").write_text(f"<base href='{base}'>" + "".join(f"\n<a href='{link}'>" for link in links))
    command = [sys.executable, "-c", LONG_BASE, str(tmp_path / "page.html")]
    output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, cwd=pathlib.Path(__file__).parent).stdout
    # DuckDB may print the progress of the query first.
    growth, *rows = output.splitlines()[-len(links) - 2 :]
    assert rows == [f"1 {base[:20]} True True", *(f"{line} {link} {' ' not in link} True" for line, link in enumerate(links, 2))]
    assert int(growth) < 300 << 20
