//! Tests the columns of queries: `query_names`, `query.NAME`, `query_name`; `--plus-as-space`.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_ipc::reader::StreamReader;

use crate::run;

const LIST: &str =
    "http://h/?a=1&id=x%20y+z&b\nhttp://h/?id\nhttp://h/\nno\nhttp://h/?%69d=%0Aq%22%FF,&id=2&&=e\n";

#[test]
fn values_of_parameters_are_in_every_form() {
    let rows = |form: &str| {
        let columns = r#"query_names,query.id,"query.a,""b",query.a"#;
        run(&format!("--emit components --no-notes --columns {columns} --to {form}"), LIST)
    };
    let csv = "query_names,query.id,\"query.a,\"\"b\",query.a
a&id&b,x y+z,,1
id,\"\",,
,,,
,,,
%69d&id&,\"\nq\"\"%FF,\",,\n";
    rows("csv").expect(0, csv, "");
    let tsv = "query_names\tquery.id\tquery.a,\"b\tquery.a
a&id&b\tx y+z\t\\N\t1
id\t\t\\N\t\\N
\\N\t\\N\t\\N\t\\N
\\N\t\\N\t\\N\t\\N
%69d&id&\t\\nq\"%FF,\t\\N\t\\N\n";
    rows("tsv").expect(0, tsv, "");
    let jsonl = rows("jsonl").stdout;
    let jsonl: Vec<serde_json::Value> =
        str::from_utf8(&jsonl).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(jsonl[0]["query.id"], "x y+z");
    assert_eq!(
        jsonl[1],
        serde_json::json!({"query_names": "id", "query.id": "", "query.a,\"b": null, "query.a": null})
    );
    assert_eq!(jsonl[4]["query.id"], "\nq\"%FF,");
    let stream = rows("arrow").stdout;
    let batch = StreamReader::try_new(&stream[..], None).unwrap().next().unwrap().unwrap();
    let ids: Vec<_> = batch.column_by_name("query.id").unwrap().as_string::<i32>().iter().collect();
    assert_eq!(ids, [Some("x y+z"), Some(""), None, None, Some("\nq\"%FF,")]);
    assert_eq!(batch.column_by_name("query.a,\"b").unwrap().null_count(), 5);
}

#[test]
fn values_of_parameters_are_written_one_a_line() {
    // A line end in a value stays an escape.
    run("--emit query.id --no-notes", LIST).expect(0, "x y+z\n\n%0Aq\"%FF,\n", "");
    run("--emit query.id --no-notes --plus-as-space", LIST).expect(0, "x y z\n\n%0Aq\"%FF,\n", "");
    run("--emit query.id --no-notes -0", "http://h/?id=%0A%00\0").expect(0, "\n%00\0", "");
    run("--emit query.id", "http://h/?id=a%0D").expect(0, "a%0D\n", "");
    run("--emit query.", "http://h/?=v").expect(0, "v\n", "");
    run("--emit query.id", "http://h/?id=1\nhttp://h/\nno\n").expect(
        0,
        "1\n",
        "urivalidate: --emit query.id: 1 invalid record and 1 valid record without query.id are left out\n",
    );
}

#[test]
fn names_are_decoded_and_counted_once_a_record() {
    let counts = "2\tid\n1\t\n1\ta\n1\tb\n";
    run("--count query_name --no-notes", LIST.replace("&id=2", "&%69d=2")).expect(
        0,
        counts.replace('2', "3"),
        "",
    );
    run("--count query_name --plus-as-space --to csv", "http://h/?a+b=1&a%20b\nhttp://h/?a+b").expect(
        0,
        "count,query_name\n2,a b\n",
        "",
    );
    run("--count query.id --no-notes", "http://h/?id=%61\nhttp://h/?id=a\nhttp://h/?id=A").expect(
        0,
        "2\ta\n1\tA\n",
        "",
    );
    let stats = run("--distinct query_name --stats=json", LIST).stdout;
    let stats: serde_json::Value = serde_json::from_slice(&stats).unwrap();
    assert_eq!(stats["distinct"]["count"], 4);
}

#[test]
fn only_rows_of_components_have_them() {
    for emit in ["errors", "offsets"] {
        let error = "error: the column query.a needs --emit components\n";
        let run = run(&format!("--emit {emit} --columns query.a"), LIST);
        assert!(run.stderr.starts_with(error));
    }
    let error = run("--emit components --columns quer.a", LIST).stderr;
    assert!(error.contains("query_name"), "{error}");
    assert!(error.contains("query.NAME"), "{error}");
    let twice = run("--emit components --columns query.a,query.a", LIST).stderr;
    assert!(twice.starts_with("error: duplicate column \"query.a\"\n"), "{twice}");
    for names in ["\"query.a", "\"query.a\"b"] {
        let error = run(&format!("--emit components --columns {names}"), LIST).stderr;
        assert!(error.contains("quote"), "{error}");
    }
}

/// Tests that the values of a chunk equal those of single records.
#[test]
fn long_queries_take_linear_time_and_keep_their_order() {
    let query: String = (0..20_000).map(|at| format!("n{at}=v%3{}&", at % 10)).collect();
    let list = format!("http://h/?{query}last=%C3%A9\n");
    run("-g uri --emit query.last", &*list).expect(0, "\u{e9}\n", "");
    run("-g uri --emit query.n19999", &*list).expect(0, "v9\n", "");
    let counts = String::from_utf8(run("--count query_name", &*list).stdout).unwrap();
    assert_eq!(counts.lines().count(), 20_001);
}
