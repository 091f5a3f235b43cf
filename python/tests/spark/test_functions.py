"""The column functions, from Python and from SQL."""

import doctest

import pytest
from pyspark.sql import functions as F

import urivalidate as uv
import urivalidate.spark
from urivalidate.spark import is_valid_uri, parse_uri, register, try_parse_url, uri_error, uri_spans, with_components

URLS = ["http://u@h.example:80/a?b#c", "//[::1]/", "http://exa mple.com/", "", None, "mailto:a@b.example", "http://h/é"]


@pytest.fixture(autouse=True)
def ansi(spark):
    yield
    spark.conf.unset("spark.sql.ansi.enabled")


@pytest.fixture
def urls(spark):
    return spark.createDataFrame([(number, url) for number, url in enumerate(URLS)], "number int, url string").cache()


def column(frame, function):
    return [row[0] for row in frame.orderBy("number").select(function.alias("it")).collect()]


def test_documentation(spark):
    failed, tried = doctest.testmod(urivalidate.spark, extraglobs={"spark": spark})
    assert failed == 0 and tried >= 5


@pytest.mark.parametrize("grammar", ["uri", "uri-reference", "rfc2396", "java", "iri"])
def test_as_for_one_record(urls, grammar):
    def parsed(url):
        try:
            return url if url is None else uv.parse(url, grammar=grammar)
        except uv.InvalidURI as error:
            return error

    expected = [parsed(url) for url in URLS]
    valid = [None if one is None else not isinstance(one, uv.InvalidURI) for one in expected]
    assert column(urls, is_valid_uri("url", grammar)) == valid
    parts = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
    for row, one, is_valid in zip(column(urls, parse_uri(F.col("url"), grammar)), expected, valid):
        if one is None:
            assert row is None
        else:
            assert row.valid == is_valid
            assert [row[part] for part in parts] == [getattr(one, part) if is_valid else None for part in parts]
    for row, url, is_valid in zip(column(urls, uri_spans("url", grammar)), URLS, valid):
        assert (row is None) == (url is None)
        if is_valid:
            text = url.encode()[row.path_start : row.path_end].decode() if row.path_start is not None else None
            assert text == uv.parse(url, grammar=grammar).path
    for row, one, is_valid in zip(column(urls, uri_error("url", grammar)), expected, valid):
        assert (row is None) == (is_valid is not False)
        if row is not None:
            assert (row.kind, row.component, row.offset) == (one.kind, one.component, one.offset)


def test_with_components(urls):
    frame = with_components(urls, "url", grammar="java")
    whole = column(urls, parse_uri("url", "java"))
    for row, parts in zip(frame.orderBy("number").collect(), whole):
        assert row.asDict().items() >= {"number": row.number, "url": URLS[row.number]}.items()
        values = tuple(row)[2:]
        assert values == (tuple(parts) if parts is not None else (None,) * len(values))
    picked = with_components(urls, "url", prefix="", fields=["path", "host"])
    assert picked.columns == ["number", "url", "path", "host"]
    assert picked.orderBy("number").first()[2:] == ("/a", "h.example")


def test_sql(spark, urls):
    register(spark)
    urls.createOrReplaceTempView("urls")

    def sql(expression):
        return [row[0] for row in spark.sql(f"SELECT {expression} FROM urls ORDER BY number").collect()]

    assert sql("is_valid_uri(url)") == column(urls, is_valid_uri("url"))
    assert sql("is_valid_uri(url, 'uri-reference')") == column(urls, is_valid_uri("url", "uri-reference"))
    assert sql("parse_uri(url)") == column(urls, parse_uri("url"))
    assert sql("parse_uri(url).host") == [row and row.host for row in column(urls, parse_uri("url"))]
    assert sql("uri_spans(url)") == column(urls, uri_spans("url"))
    assert sql("uri_error(url).message") == [row and row.message for row in column(urls, uri_error("url"))]
    assert spark.sql("SELECT count(*) FROM urls WHERE NOT is_valid_uri(url)").first()[0] == 4
    with pytest.raises(Exception, match="no such grammar"):
        sql("is_valid_uri(url, 'no such grammar')")
    with pytest.raises(Exception, match="expected one grammar"):
        sql("is_valid_uri(url, if(number = 1, 'uri', 'java'))")


def test_parse_url_in_place_of_sparks(spark):
    session = spark.newSession()
    register(session, replace_parse_url=True)
    assert session.sql("SELECT parse_url('http://h/?a=1', 'QUERY', 'a')").first()[0] == "1"
    invalid = "SELECT parse_url(url, 'HOST') FROM (SELECT explode(array('a b', 'c d')) AS url)"
    with pytest.raises(Exception, match="(?i)the URL in row 0 is invalid"):
        session.sql(invalid).collect()
    assert session.sql(invalid.replace("parse_url", "try_parse_url")).collect() == [(None,), (None,)]
    # Other sessions have Spark's own.
    with pytest.raises(Exception, match="INVALID_URL|URISyntaxException"):
        spark.conf.set("spark.sql.ansi.enabled", "true")
        spark.sql(invalid).collect()


def test_binary_columns(spark, urls):
    binary = urls.select("number", F.col("url").cast("binary").alias("url"))
    assert column(binary, is_valid_uri("url")) == column(urls, is_valid_uri("url"))
    assert column(binary, try_parse_url("url", "HOST")) == column(urls, try_parse_url("url", "HOST"))
    assert column(binary, parse_uri("url", "iri")) == column(urls, parse_uri("url", "iri"))


def test_strings_that_are_not_utf8(spark):
    """Spark's strings can be of any bytes."""
    broken = spark.range(1).select(F.unhex(F.lit("687474703A2F2F682FFF")).cast("string").alias("url"))
    row = broken.select(is_valid_uri("url"), is_valid_uri("url", "iri"), uri_error("url").kind, parse_uri("url", "java").host).first()
    assert tuple(row) == (False, False, "non-ascii", None)


def test_empty_and_many_partitions(spark):
    none = spark.createDataFrame([], "url string")
    assert none.select(parse_uri("url")).collect() == [] == with_components(none, "url").collect()
    many = spark.range(10_000).repartition(7).select(F.concat(F.lit("http://h/"), "id").alias("url"), "id")
    found = with_components(many, "url", fields=["path"])
    assert found.where(F.concat(F.lit("/"), "id") == F.col("url_path")).count() == 10_000


def test_columns_are_called_by_the_functions(urls):
    assert urls.select(is_valid_uri("url"), try_parse_url(F.col("url"), "HOST")).columns[0].startswith("is_valid_uri(")


def test_bad_arguments(urls):
    """They are refused where they are given, before a job starts."""
    with pytest.raises(ValueError, match="no such grammar"):
        is_valid_uri("url", "no such grammar")
    with pytest.raises(ValueError, match="no_such_field"):
        parse_uri("url", fields=["no_such_field"])
    with pytest.raises(ValueError, match="no_such_field"):
        with_components(urls, "url", fields=["no_such_field"])
    with pytest.raises(ValueError, match="no_such_column"):
        with_components(urls, "no_such_column")
    with pytest.raises(ValueError, match="already"):
        with_components(urls.withColumnRenamed("number", "url_host"), "url")
