"""Tests the column functions, from Python and from SQL."""

import doctest

import pyarrow as pa
import pytest
from pyspark.errors import AnalysisException, PythonException
from pyspark.sql import functions as F

import urivalidate as uv
import urivalidate.spark
from urivalidate.spark import (
    HAS_ARROW_UDFS,
    is_valid_uri,
    normalize_uri,
    parse_uri,
    parse_url,
    register,
    relativize_uri,
    resolve_uri,
    try_parse_url,
    uri_domain,
    uri_error,
    uri_report,
    uri_spans,
    uri_suffix,
    uri_surt,
    url_extract_host,
    url_extract_parameter,
    url_extract_port,
    with_components,
)

URLS = ["http://u@h.example:80/a?b#c", "//[::1]/", "http://exa mple.com/", "", None, "mailto:a@b.example", "http://h/é"]


@pytest.fixture(autouse=True)
def settings(spark):
    yield
    spark.conf.unset("spark.sql.ansi.enabled")
    spark.conf.unset("spark.sql.caseSensitive")


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


def derived():
    """Functions that make text from records: the column function, the function in SQL, and the function over
    arrays."""
    return [
        (normalize_uri("url"), "normalize_uri(url)", lambda urls: uv.normalize_uri(urls)),
        (
            normalize_uri("url", "scheme", "uri-reference"),
            "normalize_uri(url, 'scheme', 'uri-reference')",
            lambda urls: uv.normalize_uri(urls, "scheme", "uri-reference"),
        ),
        (resolve_uri("http://a/b/c", "url"), "resolve_uri('http://a/b/c', url)", lambda urls: uv.resolve_uri("http://a/b/c", urls)),
        (resolve_uri(F.col("url"), F.lit("?x")), "resolve_uri(url, '?x')", lambda urls: uv.resolve_uri(urls, pa.array(["?x"] * len(urls)))),
        (
            resolve_uri("http://a/b/c", "url", "iri-reference"),
            "resolve_uri('http://a/b/c', url, 'iri-reference')",
            lambda urls: uv.resolve_uri("http://a/b/c", urls, "iri-reference"),
        ),
        (
            relativize_uri(F.col("url"), F.lit("http://h.example/")),
            "relativize_uri(url, 'http://h.example/')",
            lambda urls: uv.relativize_uri(urls, pa.array(["http://h.example/"] * len(urls))),
        ),
        (uri_surt("url"), "uri_surt(url)", lambda urls: uv.uri_surt(urls)),
        (uri_suffix("url"), "uri_suffix(url)", lambda urls: uv.uri_suffix(urls)),
        (uri_domain("url", private=True), "uri_domain(url, true)", lambda urls: uv.uri_domain(urls, True)),
        (uri_domain("url", grammar="iri"), "uri_domain(url, false, 'iri')", lambda urls: uv.uri_domain(urls, grammar="iri")),
        (url_extract_host("url", "java"), "url_extract_host(url, 'java')", lambda urls: uv.url_extract_host(urls, "java")),
        (url_extract_port("url"), "url_extract_port(url)", lambda urls: uv.url_extract_port(urls)),
    ]


def test_text_made_of_records(spark, urls):
    register(spark)
    urls.createOrReplaceTempView("urls")
    for function, sql, of_array in derived():
        expected = of_array(pa.array(URLS)).to_pylist()
        assert any(expected) and None in expected, sql
        assert column(urls, function) == expected, sql
        assert [row[0] for row in spark.sql(f"SELECT {sql} FROM urls ORDER BY number").collect()] == expected, sql
    with pytest.raises(Exception, match="expected one form"):
        spark.sql("SELECT normalize_uri(url, if(number = 1, 'syntax', 'scheme')) FROM urls").collect()
    with pytest.raises(Exception, match="expected at most 1 arguments, got 2"):
        spark.sql("SELECT uri_surt(url, 'uri') FROM urls").collect()


def test_the_name_of_a_parameter_may_be_a_column(spark):
    register(spark)
    rows = [("http://h/?a=1&b=x%26y", "a"), ("http://h/?a=1&b=x%26y", "b"), ("/?a=2", "a"), (None, "a"), ("http://h/?a=1", None)]
    frame = spark.createDataFrame(rows, "url string, name string")
    frame.createOrReplaceTempView("named")
    by_column = frame.select(
        url_extract_parameter("url", "a"), url_extract_parameter("url", F.col("name")), url_extract_parameter("url", F.col("name"), "java")
    )
    expected = [("1", "1", "1"), ("1", "x&y", "x&y"), (None, None, "2"), (None, None, None), ("1", None, None)]
    assert [tuple(row) for row in by_column.collect()] == expected
    calls = ["url_extract_parameter(url, 'a')", "url_extract_parameter(url, name)", "url_extract_parameter(url, name, 'java')"]
    assert [tuple(row) for row in spark.sql(f"SELECT {', '.join(calls)} FROM named").collect()] == expected


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
    assert sql("parse_uri(url).host") == [row and row.host for row in column(urls, parse_uri("url"))]
    assert sql("uri_spans(url)") == column(urls, uri_spans("url"))
    assert sql("uri_error(url).message") == [row and row.message for row in column(urls, uri_error("url"))]
    assert spark.sql("SELECT count(*) FROM urls WHERE NOT is_valid_uri(url)").first()[0] == 4
    with pytest.raises(Exception, match="no such grammar"):
        sql("is_valid_uri(url, 'no such grammar')")
    with pytest.raises(Exception, match="expected one grammar"):
        sql("is_valid_uri(url, if(number = 1, 'uri', 'java'))")


def test_one_type_of_parse_uri_in_sql(spark, urls):
    """In SQL the type is the same for every grammar. The column function returns the fields of its grammar."""
    register(spark)
    urls.createOrReplaceTempView("urls")
    java = parse_uri("url", "java")
    for grammar in ("uri", "java", "rfc2396", "iri"):
        frame = spark.sql(f"SELECT parse_uri(url, '{grammar}') AS it FROM urls ORDER BY number")
        assert frame.schema["it"].dataType == urls.select(java.alias("it")).schema["it"].dataType
        for found, expected in zip(frame.collect(), column(urls, parse_uri("url", grammar)), strict=True):
            if expected is None:
                assert found.it is None
            else:
                more = dict.fromkeys(["scheme_specific_part", "opaque", "authority_kind"])
                assert found.it.asDict() == {**more, **expected.asDict()}
    assert spark.sql("SELECT parse_uri('mailto:a@b', 'java').scheme_specific_part").first()[0] == "a@b"
    both = "SELECT parse_uri(url) FROM urls UNION ALL SELECT parse_uri(url, 'java') FROM urls"
    assert spark.sql(both).count() == 2 * len(URLS)


def test_reports(spark, urls):
    """A report has the numbers that Python has for the same records, of a table and of its groups."""

    def counts(row):
        return {name: dict(value) if name == "errors" else value for name, value in row.asDict().items()}

    records = [row.url for row in urls.orderBy("number").collect()]
    for grammar in ("uri", "java", "iri-reference"):
        found = urls.select(uri_report("url", grammar)).first()
        assert found.asDict().keys() == {"uri_report(url)"}
        assert counts(found[0]) == uv.uri_report(records, grammar)
    groups = urls.groupBy((F.col("number") % 2).alias("odd")).agg(uri_report(F.col("url")).alias("report"))
    assert groups.count() == 2
    for odd, report in groups.collect():
        assert counts(report) == uv.uri_report(records[odd::2])
    none = urls.where("false").select(uri_report("url")).first()[0]
    assert counts(none) == uv.uri_report([])
    binary = spark.createDataFrame([(b"http://h/\xff",), (b"",), (b"a:b",)], "uri binary")
    assert counts(binary.select(uri_report("uri")).first()[0]) == uv.uri_report([b"http://h/\xff", b"", b"a:b"])
    register(spark)
    assert spark.sql("SELECT uri_suffix_list_date()").first()[0] == uv.PUBLIC_SUFFIX_LIST_DATE


def test_null_without_a_type(spark):
    session = spark.newSession()
    register(session, replace_parse_url=True)
    untyped = session.sql("SELECT * FROM VALUES (NULL), (NULL) AS t(url)")
    assert untyped.schema["url"].dataType.simpleString() == "void"
    untyped.createOrReplaceTempView("untyped")
    calls = [f"{name}(url)" for name in ("is_valid_uri", "parse_uri", "uri_spans", "uri_error")]
    calls += [call.replace(")", ", 'java')") for call in calls]
    calls += [f"{name}(url)" for name in ("normalize_uri", "uri_surt", "uri_suffix", "uri_domain")]
    calls += ["resolve_uri(url, 'a')", "relativize_uri(url, 'a:b')"]
    calls += [f"{name}(url, {rest})" for name in ("parse_url", "try_parse_url") for rest in ("'HOST'", "'QUERY', 'a'", "NULL")]
    for call in calls:
        assert session.sql(f"SELECT {call} FROM untyped").collect() == [(None,), (None,)], call
        assert session.sql(f"SELECT {call.replace('(url', '(NULL')}").collect() == [(None,)], call
    functions = [is_valid_uri, parse_uri, uri_spans, uri_error, lambda url: parse_url(url, "HOST"), lambda url: try_parse_url(url, "QUERY", "a")]
    for function in functions:
        assert untyped.select(function("url")).collect() == [(None,), (None,)]
        assert spark.range(1).select(function(F.lit(None))).collect() == [(None,)]
    assert with_components(untyped, "url", fields=["valid", "host"]).collect() == [(None, None, None)] * 2


def test_parse_url_in_place_of_sparks(spark):
    session = spark.newSession()
    register(session, replace_parse_url=True)
    assert session.sql("SELECT parse_url('http://h/?a=1', 'QUERY', 'a')").first()[0] == "1"
    invalid = "SELECT parse_url(url, 'HOST') FROM (SELECT explode(array('a b', 'c d')) AS url)"
    with pytest.raises(Exception, match="the URL is invalid"):
        session.sql(invalid).collect()
    assert session.sql(invalid.replace("parse_url", "try_parse_url")).collect() == [(None,), (None,)]
    # Other sessions still have Spark's own function.
    with pytest.raises(Exception, match="INVALID_URL|URISyntaxException"):
        spark.conf.set("spark.sql.ansi.enabled", "true")
        spark.sql(invalid).collect()


def test_parts_as_columns(spark):
    """Spark's own form: the part and the key are columns."""
    rows = [("http://h/?a=1&b=2", "HOST", "a"), ("http://h/?a=1&b=2", "QUERY", "b"), ("a b", "PATH", "a"), (None, "PATH", "a"), ("http://h/", "host", None)]
    frame = spark.createDataFrame(rows, "url string, part string, key string")
    found = frame.select(
        try_parse_url("url", F.lit("HOST")), try_parse_url("url", F.col("part")), try_parse_url("url", "QUERY", F.col("key")), try_parse_url("url", F.lit("QUERY"), "b")
    ).collect()
    assert [tuple(row) for row in found] == [
        ("h", "h", "1", "2"),
        ("h", "a=1&b=2", "2", "2"),
        (None, None, None, None),
        (None, None, None, None),
        ("h", None, None, None),
    ]
    assert frame.limit(1).select(parse_url("url", F.lit("HOST"))).first()[0] == "h"
    # As in Spark, a part that does not exist is NULL.
    assert frame.limit(1).select(try_parse_url("url", "host")).first()[0] is None


def test_binary_columns(spark, urls):
    binary = urls.select("number", F.col("url").cast("binary").alias("url"))
    assert column(binary, is_valid_uri("url")) == column(urls, is_valid_uri("url"))
    assert column(binary, try_parse_url("url", "HOST")) == column(urls, try_parse_url("url", "HOST"))
    assert column(binary, parse_uri("url", "iri")) == column(urls, parse_uri("url", "iri"))


def test_strings_that_are_not_utf8(spark):
    """Spark's strings can have any bytes."""
    broken = spark.range(1).select(F.unhex(F.lit("687474703A2F2F682FFF")).cast("string").alias("url"))
    row = broken.select(is_valid_uri("url"), is_valid_uri("url", "iri"), uri_error("url").kind, parse_uri("url", "java").host).first()
    assert tuple(row) == (False, False, "non-ascii", None)


def test_empty_and_many_partitions(spark):
    none = spark.createDataFrame([], "url string")
    assert none.select(parse_uri("url")).collect() == [] == with_components(none, "url").collect()
    many = spark.range(10_000).repartition(7).select(F.concat(F.lit("http://h/"), "id").alias("url"), "id")
    found = with_components(many, "url", fields=["path"])
    assert found.where(F.concat(F.lit("/"), "id") == F.col("url_path")).count() == 10_000


def test_error_of_parse_url(spark):
    """The error names no row: Python only knows the row in a batch, which users cannot find in the table."""
    urls = spark.range(30_000, numPartitions=1).select(F.concat(F.lit("http://h/"), F.expr("if(id = 25000, 'é b', string(id))")).alias("url"))
    for frame in (urls, urls.select(F.col("url").cast("binary"))):
        with pytest.raises(Exception) as raised:
            frame.select(parse_url("url", "HOST")).collect()
        message = str(raised.value)
        assert 'the URL is invalid, a space must be written %20 (at byte 11): "http://h/é b"' in message
        assert "in row" not in message


def test_names_of_columns(spark, urls, tmp_path):
    url = F.col("url")
    names = {
        "is_valid_uri(url)": is_valid_uri("url"),
        "is_valid_uri(url, java)": is_valid_uri(url, "java"),
        "is_valid_uri(url, zone_ids)": is_valid_uri(url, zone_ids=True),
        "is_valid_uri(lower(url))": is_valid_uri(F.lower(url)),
        "try_parse_url(url, HOST)": try_parse_url("url", "HOST"),
        "try_parse_url(url, QUERY, a)": try_parse_url("url", "QUERY", "a"),
        "try_parse_url(url, QUERY, )": try_parse_url("url", "QUERY", ""),
        "parse_url(url, HOST)": parse_url("url", "HOST"),
        "normalize_uri(url)": normalize_uri("url"),
        "normalize_uri(url, scheme)": normalize_uri("url", "scheme"),
        "resolve_uri(url, http://h/)": resolve_uri("http://h/", "url"),
        "resolve_uri(url, url)": resolve_uri(url, url),
        "uri_domain(url, private)": uri_domain("url", private=True),
        "upper(try_parse_url(url, HOST))": F.upper(try_parse_url("url", "HOST")),
    }
    structs = {
        "parse_uri(url)": parse_uri("url"),
        "parse_uri(url, java, path, host)": parse_uri("url", "java", fields=["path", "host"]),
        "uri_spans(url, zone_ids)": uri_spans("url", zone_ids=True),
    }
    # pandas has no NULL structs.
    checked = "{}" if HAS_ARROW_UDFS else "CASE WHEN (url IS NOT NULL) THEN {} END"
    names.update({checked.format(name): function for name, function in structs.items()})
    names[checked.format("parse_uri(url)") + ".host"] = parse_uri("url").host
    error = "uri_error(url)" if HAS_ARROW_UDFS else "CASE WHEN (uri_error(url).kind IS NOT NULL) THEN uri_error(url) END"
    names[error] = uri_error("url")
    assert urls.select(*names.values()).columns == list(names)

    parts = ["HOST", "PATH", "QUERY"]
    frame = urls.select("number", *(try_parse_url("url", part) for part in parts), try_parse_url("url", "QUERY", "b"))
    frame.write.parquet(str(tmp_path / "parts"))
    read = spark.read.parquet(str(tmp_path / "parts"))
    assert read.columns == frame.columns
    assert read.orderBy("number").first()[1:] == ("h.example", "/a", "b", None)


def test_with_components_of_a_nested_column(spark):
    pages = spark.sql("SELECT named_struct('url', 'http://h/p', 'n', 1) AS page, 'kept' AS url, map('k', 'http://m/') AS links")
    frame = with_components(pages, "page.url", prefix="page_", fields=["host", "path"])
    assert frame.columns == ["page", "url", "links", "page_host", "page_path"]
    assert frame.first() == (("http://h/p", 1), "kept", {"k": "http://m/"}, "h", "/p")
    assert with_components(pages, "page.url", fields=["host"]).columns[-1] == "url_host"
    assert with_components(pages, "links.k", prefix="k_", fields=["host"]).first().k_host == "m"
    for column in ("page.nothing", "page.*", "*"):
        with pytest.raises(ValueError, match="column"):
            with_components(pages, column)


def test_with_components_of_columns_of_one_name(spark):
    frame = spark.sql("SELECT 1 AS n, 'http://h/p' AS url, 'x' AS n, 2.0D AS `a.b`, 3 AS N")
    found = with_components(frame, "url", fields=["path", "host"])
    assert found.columns == ["n", "url", "n", "a.b", "N", "url_path", "url_host"]
    assert found.first() == (1, "http://h/p", "x", 2.0, 3, "/p", "h")
    dotted = with_components(spark.sql("SELECT 'http://h/p' AS `a.b`"), "a.b", prefix="", fields=["host"])
    assert dotted.columns == ["a.b", "host"] and dotted.first().host == "h"
    prefixed = with_components(spark.sql("SELECT 'http://h/p' AS `a.b`"), "a.b", fields=["host"])
    assert prefixed.columns == ["a.b", "a.b_host"] and prefixed.first() == ("http://h/p", "h")
    with pytest.raises(ValueError, match="2 columns have the name 'url'"):
        with_components(spark.sql("SELECT 'a:' AS url, 'b:' AS URL"), "url")


def test_with_components_ignores_the_case_of_names_as_spark_does(spark):
    upper = spark.sql("SELECT 'http://h/p' AS URL, 'taken' AS URL_Host")
    for fields in (None, ["path", "host"]):
        with pytest.raises(ValueError, match="a column 'url_host' already"):
            with_components(upper, "url", fields=fields)
    frame = with_components(upper, "url", fields=["path"])
    assert frame.columns == ["URL", "URL_Host", "url_path"] and frame.first().url_path == "/p"
    spark.conf.set("spark.sql.caseSensitive", "true")
    assert with_components(upper, "URL", prefix="url_", fields=["host"]).first() == ("http://h/p", "taken", "h")
    with pytest.raises(ValueError, match='unknown column "url"'):
        with_components(upper, "url")


def test_with_components_names_the_column_that_python_cannot_have(spark):
    for other in ("named_struct('a', 1, 'a', 2)", "array(named_struct('a', 1, 'a', 2))", "INTERVAL 1 MONTH"):
        frame = spark.sql(f"SELECT 'http://h/' AS url, 1 AS n, {other} AS other")
        with pytest.raises(ValueError, match="column 'other'"):
            with_components(frame, "url")


def test_bad_arguments(urls):
    """Bad arguments raise at the call, before a job starts."""
    with pytest.raises(ValueError, match="no such grammar"):
        is_valid_uri("url", "no such grammar")
    with pytest.raises(ValueError, match="no such form"):
        normalize_uri("url", "no such form")
    with pytest.raises(ValueError, match='the base "www.example.com/" is invalid'):
        resolve_uri("www.example.com/", "url")
    with pytest.raises(ValueError, match="no_such_field"):
        parse_uri("url", fields=["no_such_field"])
    with pytest.raises(ValueError, match="no_such_field"):
        with_components(urls, "url", fields=["no_such_field"])
    with pytest.raises(ValueError, match="no_such_column"):
        with_components(urls, "no_such_column")
    with pytest.raises(ValueError, match="already"):
        with_components(urls.withColumnRenamed("number", "url_host"), "url")


@pytest.mark.parametrize("number", ["1", "1L", "true"])
def test_other_types_are_errors(spark, number):
    """Spark 3.5 casts integers to binary, so a column of numbers could pass for text."""
    frame = spark.sql(f"SELECT {number} AS n, 'http://h/' AS url")
    register(spark)
    functions = [
        is_valid_uri("n"),
        is_valid_uri(frame.n),
        is_valid_uri(F.col("n"), grammar="java"),
        parse_uri("n"),
        uri_error("n"),
        normalize_uri("n"),
        resolve_uri("http://h/", "n"),
        resolve_uri(F.col("n"), "url"),
        uri_surt("n"),
        uri_domain("n"),
        try_parse_url("n", "HOST"),
        try_parse_url("n", F.lit("HOST")),
        *map(F.expr, ["is_valid_uri(n)", "parse_uri(n)", "resolve_uri(n, url)", "uri_surt(n)"]),
    ]
    for function in functions:
        with pytest.raises((AnalysisException, PythonException)):
            print(frame.select(function).collect())
    with pytest.raises((AnalysisException, PythonException)):
        print(with_components(frame, "n").collect())


def test_text_of_any_bytes_has_a_verdict(spark):
    """Strings that are not UTF-8, binary values and untyped NULL pass, and columns keep their names."""
    frame = spark.sql("SELECT CAST(X'687474703A2F2F682FFF' AS STRING) AS text, X'687474703A2F2F682F' AS bytes, NULL AS nothing")
    found = frame.select(is_valid_uri("text"), is_valid_uri("bytes"), is_valid_uri("nothing"), is_valid_uri(F.concat("bytes", "bytes")))
    assert found.columns == [f"is_valid_uri({name})" for name in ("text", "bytes", "nothing", "concat(bytes, bytes)")]
    assert found.first()[:3] == (False, True, None)
