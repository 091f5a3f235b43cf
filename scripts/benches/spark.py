"""The column functions for Spark and Spark's own functions, with Parquet and on all cores of this machine.

Needs a Python with urivalidate (or PYTHONPATH), pyspark 4 and pyarrow. The script writes FILE.parquet if it
does not exist: N URLs, those of URLS.txt, repeated, and made distinct by a suffix. Each run makes all queries
one after the other, so that other work of the machine affects all of them equally. The figures are medians.
The results of the queries are discarded.

"Made before" returns the fields of the first batch for every batch, and parses nothing. No function in Python
that returns these columns can take less time, because the remaining time is Spark's: Spark writes the columns
to a socket, and the JVM reads them.
"""

import os
import sys
import time

import pyarrow as pa
import pyarrow.parquet
from pyspark import cloudpickle
from pyspark.sql import functions as F

import urivalidate
from urivalidate.spark import is_valid_uri, parse_uri, with_components

from . import lists, spark_session
from .medians import medians

PARTS = ["HOST", "PATH", "QUERY"]
FIELDS = ["host", "path", "query"]


class MadeBefore:
    """Returns the fields of the longest array so far for all arrays."""

    def __init__(self):
        self.made = None

    def __call__(self, urls):
        if self.made is None or len(self.made) < len(urls):
            self.made = pa.array(urivalidate.parse_uri(urls, fields=FIELDS))
        return self.made.slice(0, len(urls))


def append_made_before(batches):
    made = MadeBefore()
    for batch in batches:
        yield pa.RecordBatch.from_arrays(batch.columns + made(batch.column(0)).flatten(), names=["url", *FIELDS])


made_in_worker = MadeBefore()


def struct_made_before(urls: pa.Array) -> pa.Array:
    return made_in_worker(urls)


def write(urls, file, rows):
    # Append the suffix to the path or the query, before the fragment.
    suffixed = (url.replace("#", f"-{n}#", 1) if "#" in url else f"{url}-{n}" for n, url in enumerate(lists.repeated(urls, rows)))
    table = pa.table({"url": pa.array(suffixed, pa.string())})
    pa.parquet.write_table(table, file, row_group_size=125_000)


def add_arguments(parser):
    parser.add_argument("urls", metavar="URLS.txt")
    parser.add_argument("file", metavar="FILE.parquet")
    parser.add_argument("--rows", type=int, default=2_000_000, metavar="N", help="(default 2,000,000)")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="(default 7)")


def main(arguments):
    if not os.path.exists(arguments.file):
        write(arguments.urls, arguments.file, arguments.rows)

    # Spark's workers cannot import this module, so they get its functions.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    spark = spark_session.local()
    urls = spark.read.parquet(arguments.file)
    strings = ", ".join(f"{field} string" for field in FIELDS)
    queries = {
        "scan": urls,
        "identity mapInArrow": urls.mapInArrow(lambda batches: batches, urls.schema),
        "is_valid_uri": urls.select(is_valid_uri("url")),
        "three columns, made before": urls.mapInArrow(append_made_before, f"url string, {strings}"),
        "a struct of them, made before": urls.select(F.arrow_udf(struct_made_before, f"struct<{strings}>")("url")),
        "parse_uri, three fields, java": urls.select(parse_uri("url", "java", fields=FIELDS)),
        "with_components, the verdict": with_components(urls, "url", fields=["valid"]),
        "with_components, three fields": with_components(urls, "url", fields=FIELDS),
        # With the grammar of Spark's own functions.
        "with_components, three fields, java": with_components(urls, "url", fields=FIELDS, grammar="java"),
        "built-in try_parse_url, one part": urls.select(F.try_parse_url("url", F.lit("HOST"))),
        "built-in try_parse_url, three parts": urls.select(*(F.try_parse_url("url", F.lit(part)) for part in PARTS)),
    }
    def seconds(query):
        start = time.perf_counter()
        query.write.format("noop").mode("overwrite").save()
        return time.perf_counter() - start

    times = medians(queries, seconds, arguments.runs, warm_up=2)
    identity, built_in = times["identity mapInArrow"], times["built-in try_parse_url, three parts"]
    print(f"Spark {spark.version}, {urls.count()} URLs, {os.cpu_count()} cores, {arguments.runs} runs")
    print(f"{'':36}  seconds  identity = 1  built-in three parts / it")
    for name, median in times.items():
        print(f"{name:36} {median:8.3f} {median / identity:13.2f} {built_in / median:10.2f}")
    spark.stop()
