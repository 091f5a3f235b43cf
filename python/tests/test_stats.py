"""Tests the statistics of files."""

import gzip
import io
import signal
import subprocess
import sys
import time

import pytest
import urivalidate as uv

LIST = b"http://example.com/a?b\r\nno uri\n\nhttp://h/\xff\nmailto:a@b"


def test_counts():
    counts = uv.stats(io.BytesIO(LIST))
    assert counts["version"] == 2
    expected = {"bytes": len(LIST), "lines": 5, "records": 5, "valid": 2, "invalid": 3, "empty": 1}
    assert {key: counts[key] for key in expected} == expected
    assert (counts["grammar"], counts["format"]) == ("uri", "lines")
    assert counts["errors"] == {"empty": 1, "missing-scheme": 1, "non-ascii": 1}
    assert counts["schemes"] == {"http": 1, "mailto": 1}
    assert list(counts["length"]) == ["min", "max", "mean", "p50", "p90", "p99"]
    sample = counts["samples"]["non-ascii"][0]
    assert (sample["file"], sample["line"], sample["offset"], sample["text"]) == ("-", 4, 9, b"http://h/\xff")
    assert "top_hosts" not in counts and "files" not in counts


def test_nothing():
    counts = uv.stats(io.BytesIO(b""))
    assert counts["records"] == 0 and counts["length"]["mean"] is None


def test_several_files(tmp_path):
    plain, packed, empty = tmp_path / "a.txt", tmp_path / "b.log.gz", tmp_path / "c"
    lines = b"".join(b"http://h%d.example/%d?q\n" % (i % 7, i) for i in range(300_000))
    plain.write_bytes(lines)
    log = b'192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a?b HTTP/1.1" 200 0\n'
    packed.write_bytes(gzip.compress(log * 1000))
    empty.write_bytes(b"")
    found = []
    for threads in (1, 2):
        counts = uv.stats([plain, str(packed), empty], threads=threads, top_hosts=2)
        assert counts["threads"] == threads
        assert (counts["records"], counts["valid"]) == (301_000, 301_000)
        assert (counts["grammar"], counts["format"]) == ("several", "several")
        assert [file["file"] for file in counts["files"]] == [str(plain), str(packed), str(empty)]
        assert [file["records"] for file in counts["files"]] == [300_000, 1000, 0]
        assert [file["grammar"] for file in counts["files"]] == ["uri", "request-target", "uri"]
        hosts = counts["top_hosts"]["records"]["hosts"]
        assert hosts == [{"host": f"h{i}.example", "count": 42858 - i, "missed": 0} for i in range(2)]
        for each in (counts, *counts["files"]):
            del each["threads"], each["elapsed_seconds"], each["bytes_per_second"]
        found.append(counts)
    assert found[0] == found[1]


def test_failures(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.txt"):
        uv.stats([io.BytesIO(LIST), tmp_path / "none.txt"])
    with pytest.raises(TypeError, match="mode 'rb'"):
        uv.stats(io.StringIO("a:b"))
    with pytest.raises(ValueError, match="expected one of auto"):
        uv.stats(io.BytesIO(b""), format="no such format")


def test_it_can_be_interrupted():
    program = """
import time, urivalidate as uv
class Endless:
    def read(self, size):
        return (b"http://h/\\n" * (size // 10 + 1))[:size]
print("ready", flush=True)
try:
    uv.stats(Endless(), format="lines")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "interrupted\n"
