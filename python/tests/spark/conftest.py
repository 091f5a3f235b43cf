"""A session in this process for all tests but the clusters', and the records."""

import os
import signal
import sys

import pytest
from pyspark.sql import SparkSession

import records

# Spark starts its workers by it.
os.environ["PYSPARK_PYTHON"] = sys.executable


# When the tests are stopped, their processes stop, too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))


@pytest.fixture(scope="session")
def spark():
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "2g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    # Many tests are of errors.
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def count():
    """How many generated records parse_url is compared on."""
    return int(os.environ.get("RECORDS", 30_000))


@pytest.fixture(scope="session")
def generated(count):
    return records.generated(count)
