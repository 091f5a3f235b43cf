//! The measured queries.

pub struct Query {
    pub name: &'static str,
    pub sql: &'static str,
    pub engine: Engine,
}

/// The package whose functions a query calls.
pub enum Engine {
    Urivalidate,
    /// The functions of this package without the rewrite: queries get fields from whole structs.
    WithoutRewrite,
    DatafusionSpark,
}

pub const BYTES_COUNTED: &str = "bytes counted";
pub const VERDICTS: &str = "is_valid_uri";
pub const THREE_FIELDS: &str = "parse_uri, three fields";
pub const OF_WHOLE_STRUCTS: &str = "parse_uri, three fields of whole structs";
pub const THREE_PARTS: &str = "three try_parse_url";
pub const SPARKS: &str = "three try_parse_url of datafusion-spark";

const THREE_PARTS_SQL: &str = "SELECT sum(octet_length(try_parse_url(url, 'HOST'))), \
    sum(octet_length(try_parse_url(url, 'PATH'))), sum(octet_length(try_parse_url(url, 'QUERY'))) FROM urls";

const fn ours(name: &'static str, sql: &'static str) -> Query {
    Query { name, sql, engine: Engine::Urivalidate }
}

const THREE_FIELDS_SQL: &str = "SELECT sum(octet_length(c['host'])), sum(octet_length(c['path'])), sum(octet_length(c['query'])) \
    FROM (SELECT parse_uri(url, 'java') AS c FROM urls)";

pub const QUERIES: [Query; 7] = [
    ours(BYTES_COUNTED, "SELECT sum(octet_length(url)) FROM urls"),
    ours(VERDICTS, "SELECT count(*) FROM urls WHERE is_valid_uri(url)"),
    ours(THREE_FIELDS, THREE_FIELDS_SQL),
    Query { name: OF_WHOLE_STRUCTS, sql: THREE_FIELDS_SQL, engine: Engine::WithoutRewrite },
    ours(
        "three url_extract",
        "SELECT sum(octet_length(url_extract_host(url, 'java'))), sum(octet_length(url_extract_path(url, 'java'))), \
         sum(octet_length(url_extract_query(url, 'java'))) FROM urls",
    ),
    ours(THREE_PARTS, THREE_PARTS_SQL),
    Query { name: SPARKS, sql: THREE_PARTS_SQL, engine: Engine::DatafusionSpark },
];
