"""The functions for DataFusion, those of datafusion-spark, and Spark's own functions, with the same Parquet
file.

Spark is timed if this python has pyspark 4. The URLs are those of scripts/gen-corpus. All engines use all
cores, and add up the lengths of the same three parts. The figures are medians. The build takes long, because
it optimises DataFusion.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

from . import lists
from .medians import medians
from .places import CACHE, ROOT

THREE_PARTS = (
    "SELECT " + ", ".join(f"sum(octet_length(try_parse_url(url, '{part}')))" for part in ("HOST", "PATH", "QUERY")) + " FROM urls"
)


def spark_seconds(file, runs):
    """The median time for three parts in Spark, after warming up."""
    from . import spark_session

    spark = spark_session.local()
    spark.read.parquet(str(file)).createOrReplaceTempView("urls")
    print(f"Spark {spark.version}, three try_parse_url: {list(spark.sql(THREE_PARTS).first())}")

    def seconds(query):
        start = time.perf_counter()
        spark.sql(query).collect()
        return time.perf_counter() - start

    median = medians({"three parts": THREE_PARTS}, seconds, runs, warm_up=3)["three parts"]
    spark.stop()
    return median


def add_arguments(parser):
    parser.add_argument("--rows", type=int, default=2_000_000, metavar="N", help="(default 2,000,000)")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="(default 7)")


def main(arguments):
    os.environ["CARGO_TARGET_DIR"] = str(CACHE / "datafusion")
    package = ["--manifest-path", ROOT / "datafusion/Cargo.toml", "-p", "urivalidate-datafusion-benches"]
    subprocess.run(["cargo", "build", "--release", *package], check=True)
    benches = CACHE / "datafusion/release/urivalidate-datafusion-benches"
    with tempfile.TemporaryDirectory() as directory:
        urls, file = Path(directory, "urls.txt"), Path(directory, "urls.parquet")
        with open(urls, "wb") as out:
            lists.write_generated(out, "--lines", str(arguments.rows))
        subprocess.run([benches, "write", urls, file], check=True)
        subprocess.run([benches, "run", file, str(arguments.runs)], check=True)
        try:
            seconds = spark_seconds(file, arguments.runs)
        except ModuleNotFoundError:
            print("Spark is not timed: this python has no pyspark")
        else:
            print(f"{'three try_parse_url of Spark':44} {seconds:8.3f} s")
