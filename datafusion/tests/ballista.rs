//! Tests the cluster of the example: a scheduler, two executors and clients, each in a separate process on
//! 127.0.0.1.

mod common;

use std::fs::File;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{RecordBatch, StringArray};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::properties::WriterProperties;
use datafusion::prelude::{ParquetReadOptions, SessionContext};

const PATIENCE: Duration = Duration::from_secs(120);
const ROWS: usize = 400_000;

const VERDICTS: &str = "SELECT is_valid_uri(url) AS valid, count(*) AS n FROM urls GROUP BY 1 ORDER BY 1";
const COMPONENTS: &str = "SELECT url_extract_host(url) AS host, count(*) AS n, sum(length(try_parse_url(url, 'PATH'))) AS paths, \
    count(parse_uri(url)['query']) AS queries FROM urls GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20";
const JOIN: &str = "SELECT a.host, count(*) AS n FROM (SELECT DISTINCT url_extract_host(url) AS host FROM urls) a \
    JOIN (SELECT try_parse_url(url, 'HOST') AS host, url FROM urls) b ON a.host = b.host \
    WHERE is_valid_uri(b.url, 'java') GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20";
const QUERIES: [&str; 3] = [VERDICTS, COMPONENTS, JOIN];

/// A process that is killed when its owner is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The binary of the example, which cargo builds beside the tests.
fn binary() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.parent().unwrap().parent().unwrap().join("examples").join("ballista")
}

fn start(arguments: &[&str], log: &Path) -> Process {
    let log = File::create(log).unwrap();
    let mut command = Command::new(binary());
    command.args(arguments).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
    Process(command.spawn().unwrap())
}

fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "{what}: not after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn wait_for_port(port: u16) {
    wait_until("a server listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
}

/// A running client.
struct Client(Process);

impl Client {
    fn start(scheduler: u16, file: &Path, queries: &[&str], log: &Path) -> Self {
        let (scheduler, file) = (scheduler.to_string(), file.to_str().unwrap());
        let mut command = Command::new(binary());
        command.args(["client", &scheduler, file]).args(queries).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(File::create(log).unwrap());
        Client(Process(command.spawn().unwrap()))
    }

    fn output(mut self) -> String {
        let mut stdout = self.0.0.stdout.take().unwrap();
        // The output is short, so the client does not wait for a reader.
        wait_until("a client ends", || self.0.0.try_wait().unwrap().is_some());
        let mut output = String::new();
        stdout.read_to_string(&mut output).unwrap();
        assert!(self.0.0.wait().unwrap().success(), "{output}");
        output
    }
}

/// Writes URLs to a Parquet file. One URL in fifty is invalid, and one in five has a query.
fn write_urls(file: &Path) {
    let urls = (0..ROWS).map(|row| {
        let site = row * 7919 % 1000;
        match row % 50 {
            0 => format!("http://site-{site}.example/a b/{row}"),
            n if n % 5 == 1 => format!("https://site-{site}.example:8080/path/{row}?id={row}"),
            _ => format!("http://site-{site}.example/a/somewhat/longer/path/{row}.html"),
        }
    });
    let urls = StringArray::from_iter_values(urls);
    let batch = RecordBatch::try_from_iter([("url", Arc::new(urls) as _)]).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(ROWS / 16)).build();
    let mut writer =
        ArrowWriter::try_new(File::create(file).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// The output of DataFusion in a single process.
async fn expected(file: &Path) -> String {
    let context: SessionContext = common::context();
    context.register_parquet("urls", file.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
    let mut output = String::new();
    for query in QUERIES {
        let batches = context.sql(query).await.unwrap().collect().await.unwrap();
        output += &format!("{}\n", pretty_format_batches(&batches).unwrap());
    }
    output
}

#[tokio::test]
async fn a_lost_executor_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let file = at("urls.parquet");
    write_urls(&file);
    let expected = expected(&file).await;

    let [scheduler, port_1, grpc_1, port_2, grpc_2] = free_ports();
    let _scheduler = start(&["scheduler", &scheduler.to_string()], &at("scheduler.log"));
    wait_for_port(scheduler);
    let executor = |name: &str, port: u16, grpc: u16| {
        std::fs::create_dir(at(name)).unwrap();
        let ports = [scheduler, port, grpc].map(|port| port.to_string());
        let process = start(
            &["executor", &ports[0], &ports[1], &ports[2], at(name).to_str().unwrap()],
            &at(&format!("{name}.log")),
        );
        wait_for_port(port);
        process
    };
    let mut first = executor("executor-1", port_1, grpc_1);
    let _second = executor("executor-2", port_2, grpc_2);

    let start = Instant::now();
    assert_eq!(Client::start(scheduler, &file, &QUERIES, &at("client-1.log")).output(), expected);
    println!("two executors: {:?}", start.elapsed());
    for name in ["executor-1", "executor-2"] {
        assert!(shuffled(&at(name)) > 0, "{name} did nothing");
    }

    // In a second run, the first executor is killed after it has written some of the results that the other
    // one needs.
    let before = shuffled(&at("executor-1"));
    let client = Client::start(scheduler, &file, &QUERIES, &at("client-2.log"));
    wait_until("the executor works", || shuffled(&at("executor-1")) > before);
    first.0.kill().unwrap();
    first.0.wait().unwrap();
    let start = Instant::now();
    assert_eq!(client.output(), expected);
    println!("one of two executors killed: {:?} from then on", start.elapsed());
}

/// The number of files below an executor's directory.
fn shuffled(directory: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
    let entries = entries.filter_map(Result::ok);
    entries.map(|entry| if entry.path().is_dir() { shuffled(&entry.path()) } else { 1 }).sum()
}
