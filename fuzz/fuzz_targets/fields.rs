//! The fields of lines beside their records, the numbers of rows, and the parameters of queries: with any
//! chunks, the rows are the same, and each is a JSON object with all columns.

#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};
use urivalidate_cli::fuzzing::Rows;
use urivalidate_fuzz::knobs::Knobs;

/// Formats, and fields that all their lines may have.
const FORMATS: [(&str, &str); 9] = [
    ("combined", "site,client,ident,user,time,request,status,bytes,referer,agent,rest"),
    ("heritrix", "time,status,size,uri,path,via,type,annotations,extra"),
    ("envoy", "time,request,status,duration,forwarded_for,upstream_host,rest"),
    ("elb", "type,time,elb,client:port,received_bytes,request,user_agent"),
    ("s3", "owner,bucket,time,client,key,request,status,referer,agent,host"),
    ("haproxy", "prefix,client,time,frontend,backend,timers,headers,request,rest"),
    ("squid", "time,duration,client,result,size,method,uri,user,peer,type,rest"),
    ("cdxj", "url,status,mime,digest,a"),
    ("jsonl", "url,a,b,status"),
];
const OTHERS: &str = "line,row,valid,query_names,query.a,query.b";

thread_local! {
    /// The writers by format and size of chunks. Parsing arguments takes longer than everything else.
    static ROWS: RefCell<HashMap<(usize, usize), Rows>> = RefCell::default();
}

/// The rows, or the error of an input in which no line has the key.
fn rows(format: usize, chunk_size: usize, text: &[u8]) -> Result<Vec<u8>, String> {
    let new = || {
        let (name, fields) = FORMATS[format];
        let columns: Vec<_> = fields.split(',').map(|field| format!("log.{field}")).collect();
        let columns = format!("{OTHERS},{}", columns.join(","));
        let arguments = ["--from", name, "-j1", "--emit", "components", "--to", "jsonl", "--output", "rows"];
        Rows::new(&[&arguments[..], &["--columns", &columns]].concat(), chunk_size)
    };
    let rows = ROWS.with_borrow_mut(|known| known.entry((format, chunk_size)).or_insert_with(new).of(text));
    rows.map_err(|error| error.to_string())
}

fuzz_target!(|input: &[u8]| {
    let (knobs, text) = Knobs::split(input);
    let format = usize::from(knobs.choice) % FORMATS.len();
    let found = rows(format, knobs.chunk_size, text);
    assert_eq!(found, rows(format, 1 << 20, text));
    let Ok(found) = found else { return };
    let columns = OTHERS.split(',').count() + FORMATS[format].1.split(',').count();
    for row in found.split_inclusive(|&byte| byte == b'\n') {
        let row: Map<String, Value> = serde_json::from_slice(row).expect("an object");
        assert_eq!(row.len(), columns);
        // A query without names has no value of a parameter, and a row of a record has its number.
        if row["query_names"].is_null() {
            assert!(row["query.a"].is_null() && row["query.b"].is_null());
        }
        assert!(row["line"].is_u64());
    }
});
