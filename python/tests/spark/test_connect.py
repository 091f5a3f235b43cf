"""Runs the functions with Spark Connect, whose client has no Java. The server's workers import the package
themselves."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cluster

pytest.importorskip("grpc", reason="Spark Connect needs more packages, which the lane installs for the newest Spark")

README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with cluster.connect_server(tmp_path_factory.mktemp("connect"), os.environ["PACKAGES"]) as url:
        yield url


def run(code):
    """The output of a client. Each is a process of its own, because a process has one kind of Spark."""
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_HOME"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout


def test_the_recipe_of_the_readme(server):
    (recipe,) = [block for block in re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S) if ".remote(" in block]
    assert '"sc://localhost"' in recipe
    assert " true|" in run(recipe.replace("sc://localhost", server))


def test_functions(server):
    code = f"""
from pyspark.sql import SparkSession, functions as F
import urivalidate as uv
from urivalidate.spark import *

spark = SparkSession.builder.remote({server!r}).getOrCreate()
assert "connect" in type(spark).__module__
records = ["http://u@www.bbc.co.uk:80/a?q=1", "a b", None, "", "//h"] * 1000
urls = spark.createDataFrame(list(enumerate(records)), "number int, url string")
found = [row[0] for row in urls.orderBy("number").select(is_valid_uri("url", "uri-reference")).collect()]
assert found == uv.is_valid_uri(records, "uri-reference").to_pylist()
found = [row[0] for row in urls.orderBy("number").select(uri_domain("url")).collect()]
assert found == uv.uri_domain(records).to_pylist()
found = [row[0] for row in urls.orderBy("number").select(resolve_uri("http://b/", F.col("url"))).collect()]
assert found == uv.resolve_uri("http://b/", records).to_pylist()
found = [row.url_host for row in with_components(urls, "url", fields=["host"]).orderBy("number").collect()]
assert found == uv.url_extract_host(records).to_pylist()
(report,) = urls.select(uri_report("url")).first()
report = report.asDict()
report["errors"] = dict(report["errors"])
assert report == uv.uri_report(records)
register(spark)
urls.createOrReplaceTempView("urls")
assert spark.sql("SELECT count_if(is_valid_uri(url)) FROM urls").first()[0] == 1000
assert spark.sql("SELECT parse_uri('http://h/a', 'java').host, uri_suffix_list_date()").first()[1] == uv.PUBLIC_SUFFIX_LIST_DATE
print("done")
"""
    assert run(code).splitlines()[-1] == "done"
