"""The Python package and the tools that people use today, on one thread: the table of the package's README.

Needs a Python with urivalidate (or PYTHONPATH), pyarrow, polars, duckdb, rfc3986 and ada-url. A chunked Arrow
array in memory has N URLs: those of URLS.txt, repeated, and made distinct by a suffix. Functions over arrays
get all URLs, and the figure is the best of the runs. Functions of one record get the first URLs, for half a
second. The script asks for the verdict, for the host, or for all components. urllib and regular expressions
validate nothing, and ada-url follows another standard (WHATWG), so their results differ. The script only
compares times.
"""

import importlib.metadata
import os
import platform
import time
import urllib.parse

os.environ["POLARS_MAX_THREADS"] = "1"

import ada_url
import duckdb
import polars as pl
import pyarrow as pa
import rfc3986.exceptions
import rfc3986.validators
import urivalidate as uv

from . import lists
from .tables import print_table

# The number of rows in a chunk, as in batches of Parquet files.
CHUNK = 65_536

# From RFC 3986, appendix B. It splits URIs into their components, and matches every text.
APPENDIX_B = r"^(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?"
HOST = r"^[a-zA-Z][a-zA-Z0-9+.-]*://(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^:/?#]*)"

RFC3986_VALIDATOR = rfc3986.validators.Validator().check_validity_of("scheme", "userinfo", "host", "port", "path", "query", "fragment")


def by_rfc3986(url):
    try:
        RFC3986_VALIDATOR.validate(rfc3986.uri_reference(url))
        return True
    except (rfc3986.exceptions.RFC3986Exception, ValueError):
        return False


def by_urlsplit(url):
    try:
        parts = urllib.parse.urlsplit(url)
        return parts.hostname, parts.port
    except ValueError:
        return None


def by_ada(url):
    try:
        return ada_url.parse_url(url)
    except ValueError:
        return None


def add_arguments(parser):
    parser.add_argument("urls", metavar="URLS.txt")
    parser.add_argument("--rows", type=int, default=2_000_000, metavar="N", help="(default 2,000,000)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="(default 5)")


def main(arguments):
    urls = [f"{url}-{number}" for number, url in enumerate(lists.repeated(arguments.urls, arguments.rows))]
    whole = pa.array(urls, pa.string())
    size = whole.buffers()[2].size
    array = pa.chunked_array([whole.slice(start, CHUNK) for start in range(0, len(whole), CHUNK)])
    series = pl.Series("url", array)
    sql = duckdb.connect()
    sql.execute("SET threads = 1")
    sql.register("urls", pa.table({"url": array}))

    def of_duckdb(expression):
        return lambda: sql.sql(f"SELECT {expression} FROM urls").to_arrow_table()

    over_arrays = {
        ("verdict", "`uv.is_valid_uri`"): lambda: uv.is_valid_uri(array),
        ("host", '`uv.parse_uri(fields=["host"], view=True)`'): lambda: uv.parse_uri(array, fields=["host"], view=True),
        ("host", '`uv.parse_uri(fields=["host"])`'): lambda: uv.parse_uri(array, fields=["host"]),
        ("host", '`uv.try_parse_url("HOST")`'): lambda: uv.try_parse_url(array, "HOST"),
        ("host", "polars, `str.extract`, not validated"): lambda: series.str.extract(HOST),
        ("host", "DuckDB, `regexp_extract`, not validated"): of_duckdb(f"regexp_extract(url, '{HOST}', 1)"),
        ("components", "`uv.parse_uri(view=True)`"): lambda: uv.parse_uri(array, view=True),
        ("components", "`uv.parse_uri`"): lambda: uv.parse_uri(array),
        ("components", "`uv.uri_spans`"): lambda: uv.uri_spans(array),
        ("components", "polars, `str.extract_groups`, not validated"): lambda: series.str.extract_groups(APPENDIX_B),
        ("components", "DuckDB, `regexp_extract`, not validated"): of_duckdb(
            f"regexp_extract(url, '{APPENDIX_B}', ['scheme', 'authority', 'path', 'query', 'fragment'])"
        ),
    }
    by_record = {
        ("verdict", "`uv.is_valid`, in a loop"): uv.is_valid,
        ("verdict", "`rfc3986`, in a loop"): by_rfc3986,
        ("verdict", "`ada_url.check_url`, in a loop"): ada_url.check_url,
        ("components", "`uv.parse`, in a loop"): uv.parse,
        ("components", "`urllib.parse.urlsplit`, in a loop, not validated"): by_urlsplit,
        ("components", "`ada_url.parse_url`, in a loop"): by_ada,
    }

    per_url = {}
    for key, function in over_arrays.items():
        times = []
        for _ in range(arguments.runs):
            start = time.perf_counter()
            function()
            times.append(time.perf_counter() - start)
        per_url[key] = min(times) / len(urls)
    for key, function in by_record.items():
        done, start = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - start) < 0.5 and done < len(urls):
            for url in urls[done : done + 1000]:
                try:
                    function(url)
                except ValueError:
                    pass
            done += 1000
        per_url[key] = elapsed / done

    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("polars", "duckdb", "rfc3986", "ada-url"))
    print(f"Python {platform.python_version()}, {versions}; {len(urls)} URLs, {size / len(urls):.0f} bytes each; one thread")
    print()
    table = []
    for question in ("verdict", "host", "components"):
        rows = sorted((time, what) for (asked, what), time in per_url.items() if asked == question)
        for number, (time_, what) in enumerate(rows):
            rate = size / len(urls) / time_ / 1e9
            table.append([question if number == 0 else "", what, f"{time_ * 1e9:,.0f}", f"{rate:.{2 if rate >= 1 else 3}f}"])
    print_table(["", "", "ns a URL", "GB/s"], table, texts=2)
