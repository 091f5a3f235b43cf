"""The functions of the DuckDB extension and DuckDB's own functions, on one thread: the table of the
extension's README.

Needs a python with duckdb. EXTENSION is the file that scripts/build-duckdb makes. A table in memory has N
URLs: those of URLS.txt, repeated, or those of scripts/gen-corpus. The queries run in turns. The figures are
medians of the CPU time of a query's thread, so that other work of the machine has little effect. The regular
expressions, from RFC 3986, appendix B, extract the same parts and validate nothing.
"""

import tempfile
import time

import duckdb

from . import lists
from .medians import medians
from .tables import print_table

EXPRESSIONS = [r"^[^:/?#]+://([^/?#]*)", r"^(?:[^:/?#]+:)?(?://[^/?#]*)?([^?#]*)", r"^[^?#]*\?([^#]*)"]


def sums(parts):
    """A query that reads all bytes of these texts."""
    return "SELECT " + ", ".join(f"sum(strlen({part}))" for part in parts) + " FROM urls"


QUERIES = {
    "`strlen`: bytes": "SELECT sum(strlen(u)) FROM urls",
    "`length`: characters": "SELECT sum(length(u)) FROM urls",
    "`is_valid_uri`": "SELECT count(*) FILTER (is_valid_uri(u)) FROM urls",
    "`is_valid_uri(u, 'java')`": "SELECT count(*) FILTER (is_valid_uri(u, 'java')) FROM urls",
    "`url_extract_host`": sums(["url_extract_host(u)"]),
    "`url_extract_host`, `_path`, `_query`": sums(f"url_extract_{part}(u)" for part in ("host", "path", "query")),
    "`parse_uri(u).host`, `.path`, `.query`": sums(f"parse_uri(u).{part}" for part in ("host", "path", "query")),
    "`try_parse_url` of `HOST`, `PATH`, `QUERY`": sums(f"try_parse_url(u, '{part}')" for part in ("HOST", "PATH", "QUERY")),
    "`regexp_extract` of the host": sums([f"regexp_extract(u, '{EXPRESSIONS[0]}', 1)"]),
    "`regexp_extract` of all three": sums(f"regexp_extract(u, '{expression}', 1)" for expression in EXPRESSIONS),
    "`normalize_uri`": sums(["normalize_uri(u)"]),
    "`uri_surt`": sums(["uri_surt(u)"]),
}


def table(connection, urls, rows):
    """Makes the table of URLs."""
    count = connection.execute(f"SELECT count(*) FROM read_uris('{urls}', format => 'lines')").fetchone()[0]
    connection.execute(
        f"CREATE TABLE urls AS SELECT uri AS u FROM read_uris('{urls}', format => 'lines'), range({-(-rows // count)}) WHERE uri IS NOT NULL LIMIT {rows}"
    )


def add_arguments(parser):
    parser.add_argument("extension", metavar="EXTENSION")
    parser.add_argument("urls", nargs="?", metavar="URLS.txt")
    parser.add_argument("--rows", type=int, default=2_000_000, metavar="N", help="(default 2,000,000)")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="(default 7)")


def main(arguments):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
    connection.execute(f"LOAD '{arguments.extension}'")
    if arguments.urls:
        table(connection, arguments.urls, arguments.rows)
    else:
        with tempfile.NamedTemporaryFile() as urls:
            lists.write_generated(urls, "--lines", str(arguments.rows))
            table(connection, urls.name, arguments.rows)
    rows, size, wide = connection.execute("SELECT count(*), avg(strlen(u)), count(*) FILTER (strlen(u) <> length(u)) FROM urls").fetchone()
    print(f"DuckDB {duckdb.__version__}, {rows} URLs of {size:.0f} bytes, {wide} of them not ASCII alone, one thread\n")

    def seconds(query):
        start = time.thread_time()
        connection.execute(query).fetchall()
        return time.thread_time() - start

    times = medians(QUERIES, seconds, arguments.runs, warm_up=1)
    print_table(["query", "ns a URL"], [[name, f"{time / rows * 1e9:.0f}"] for name, time in times.items()])
    verdict, length = times["`is_valid_uri`"], times["`length`: characters"]
    parts, expressions = times["`url_extract_host`, `_path`, `_query`"], times["`regexp_extract` of all three"]
    print(f"\nverdicts take {verdict / length:.2f} times as long as length; three regexp_extract take {expressions / parts:.1f} times as long as three url_extract")
