"""The records, and a session in this process for all tests except those of clusters."""

import os
import signal
import sys

import pytest
from pyspark.sql import SparkSession

import records

# Spark starts its workers with this interpreter.
os.environ["PYSPARK_PYTHON"] = sys.executable


# If the tests are stopped, the processes that they started stop, too.
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
    # Many tests cause errors on purpose.
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def count():
    """The number of generated records on which the tests compare parse_url."""
    return int(os.environ.get("RECORDS", 30_000))


@pytest.fixture(scope="session")
def generated(count):
    return records.generated(count)
