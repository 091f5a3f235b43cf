"""Compares parse_url and try_parse_url with Spark's own functions, for every part, with and without a key."""

import re

import pytest
from pyspark.sql import functions as F

import records
from urivalidate.spark import HAS_ARROW_UDFS, is_valid_uri, parse_url, register, try_parse_url

PARTS = ["PROTOCOL", "AUTHORITY", "USERINFO", "HOST", "PATH", "QUERY", "REF", "FILE"]
# Words and regular expressions: a class, alternatives, which bind weaker than the text that Spark adds around
# them, and a capturing group.
KEYS = ["a", "q", "[a-m]", "x|b", "(.).", "(?i)Q", r"\d+", "a.*", ""]
OWN_KEY = re.compile(rb"[?&]([A-Za-z0-9_-]+)=")

needs_real_records = pytest.mark.skipif(not records.have_real(), reason="there is no ../shared/data")


@pytest.fixture(autouse=True)
def ansi(spark):
    spark.conf.set("spark.sql.ansi.enabled", "true")
    yield
    spark.conf.unset("spark.sql.ansi.enabled")


def built_in(spark, url, part, key=None):
    """Spark's own try_parse_url. In Spark 3.5, this is parse_url without ANSI mode."""
    arguments = [url, F.lit(part), *([] if key is None else [key])]
    if hasattr(F, "try_parse_url"):
        return F.try_parse_url(*arguments)
    spark.conf.set("spark.sql.ansi.enabled", "false")
    return F.parse_url(*arguments)


def as_column(spark, found):
    """The records as strings, which may have any bytes."""
    rows = [(bytearray(record),) for record in found]
    return spark.createDataFrame(rows, "bytes binary").select(F.col("bytes").cast("string").alias("url")).cache()


def differences(spark, urls):
    """The number of cases, and the cases in which the answers differ."""
    cases = [(part, None) for part in PARTS] + [("QUERY", key) for key in KEYS] + [("HOST", "a"), ("host", None)]
    url = F.col("url")
    columns = []
    for part, key in cases:
        theirs = built_in(spark, url, part, None if key is None else F.lit(key))
        ours = try_parse_url(url, part, key)
        columns.append(F.struct(F.lit(part), F.lit(key), theirs.alias("theirs"), ours.alias("ours")))
    compared = urls.select(url, F.explode(F.array(*columns)).alias("case"))
    differing = compared.where(~F.col("case.theirs").eqNullSafe(F.col("case.ours")))
    return urls.count() * len(cases), differing.select("url", F.hex("url"), "case").limit(20).collect()


def test_generated(spark, generated):
    cases, differing = differences(spark, as_column(spark, generated))
    assert differing == []
    print(f"{cases} cases of {len(generated)} generated records, 0 differences")


@needs_real_records
def test_real(spark, count):
    found = sorted(set(records.real()))
    if count < 300_000:
        found = found[::10]
    cases, differing = differences(spark, as_column(spark, found))
    assert differing == []
    print(f"{cases} cases of {len(found)} real URLs, 0 differences")


def test_keys_of_their_own(spark, generated):
    """In SQL, the part and the key can be columns."""
    rows = []
    for number, record in enumerate(generated):
        if own := OWN_KEY.search(record):
            rows.append((bytearray(record), PARTS[number % len(PARTS)], own[1].decode()))
    assert len(rows) > 100
    frame = spark.createDataFrame(rows, "bytes binary, part string, key string").withColumn("url", F.col("bytes").cast("string"))
    theirs = [built_in(spark, F.col("url"), "QUERY", F.col("key")), built_in(spark, F.col("url"), F.col("part"))]
    theirs = frame.select(*theirs).collect()
    session = spark.newSession()
    register(session, replace_parse_url=True)
    frame = session.createDataFrame(rows, "bytes binary, part string, key string").withColumn("url", F.col("bytes").cast("string"))
    url = "url" if HAS_ARROW_UDFS else "CAST(url AS BINARY)"
    ours = frame.selectExpr(f"try_parse_url({url}, 'QUERY', key)", f"try_parse_url({url}, part)").collect()
    assert [tuple(row) for row in ours] == [tuple(row) for row in theirs]
    assert sum(row[0] is not None for row in ours) > 50


def test_what_is_an_error(spark, generated):
    """In ANSI mode, Spark's parse_url rejects the same URLs as this package's."""
    spark.conf.set("spark.sql.ansi.enabled", "true")
    urls = as_column(spark, [record.decode(errors="replace").encode() for record in generated])
    verdict = is_valid_uri("url", "java")
    valid = urls.where(verdict)
    # If one of these records were invalid, the query would fail.
    hosts = valid.select(F.parse_url("url", F.lit("HOST")).alias("host")).collect()
    assert hosts == valid.select(parse_url("url", "HOST").alias("host")).collect()
    assert len(hosts) > len(generated) / 10
    for invalid in urls.where(~verdict).limit(10).collect():
        one = spark.createDataFrame([invalid])
        for function in (F.parse_url("url", F.lit("HOST")), parse_url("url", "HOST")):
            with pytest.raises(Exception, match="(?i)invalid"):
                one.select(function).collect()


def test_nothing_but_the_url_counts(spark):
    """Spark first checks for a key with a part other than QUERY, then the URL, then the name of the part."""
    urls = spark.createDataFrame([("a b",)], "url string")
    assert urls.select(parse_url("url", "HOST", "key")).first()[0] is None
    with pytest.raises(Exception, match="(?i)invalid"):
        urls.select(parse_url("url", "NO SUCH PART")).collect()


def test_keys_that_only_java_understands(spark):
    urls = spark.createDataFrame([("http://h/?aa=1",)], "url string")
    for key in ("(?<=a)a", "[a&&[^b]]", "a++", "["):
        with pytest.raises(Exception, match="the key"):
            urls.select(try_parse_url("url", "QUERY", key)).collect()
