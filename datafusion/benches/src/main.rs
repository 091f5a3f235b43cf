//! Times queries over a Parquet file of URLs, with the functions of this package and with those of
//! `datafusion-spark`.
//!
//! usage: `urivalidate-datafusion-benches write LIST.txt FILE.parquet` makes a file with a column `url` from
//! the lines of a list; `urivalidate-datafusion-benches run FILE.parquet RUNS` measures.
//!
//! Each run makes all queries one after the other, so that other work of the machine affects all of them
//! equally. The figures are medians. The queries use all cores.

mod queries;
mod write;

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::{ParquetReadOptions, SessionContext};

use queries::{
    BYTES_COUNTED, Engine, OF_WHOLE_STRUCTS, QUERIES, SPARKS, THREE_FIELDS, THREE_PARTS, VERDICTS,
};
use urivalidate_datafusion::FieldRewrite;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", list, file] => write::parquet(list, file),
        ["run", file, runs] => run(file, runs.parse().expect("a number of runs")).await,
        _ => panic!("usage: write LIST.txt FILE.parquet, or run FILE.parquet RUNS"),
    }
}

async fn run(file: &str, runs: usize) -> Result<()> {
    let mut ours = SessionContext::new();
    urivalidate_datafusion::register_all(&mut ours)?;
    ours.add_optimizer_rule(Arc::new(FieldRewrite));
    let without_rewrite = SessionContext::new();
    for function in urivalidate_datafusion::functions() {
        without_rewrite.register_udf(function.as_ref().clone());
    }
    let theirs = SessionContext::new();
    for function in datafusion_spark::function::url::functions() {
        theirs.register_udf(function.as_ref().clone());
    }
    for context in [&ours, &without_rewrite, &theirs] {
        context.register_parquet("urls", file, ParquetReadOptions::default()).await?;
    }

    let mut times = vec![Vec::new(); QUERIES.len()];
    // The first run is for warming up, and checks the results.
    for run in 0..=runs {
        for (query, times) in QUERIES.iter().zip(&mut times) {
            let context = match query.engine {
                Engine::Urivalidate => &ours,
                Engine::WithoutRewrite => &without_rewrite,
                Engine::DatafusionSpark => &theirs,
            };
            let start = Instant::now();
            let batches = context.sql(query.sql).await?.collect().await?;
            if run == 0 {
                println!("{}\n{}", query.name, pretty_format_batches(&batches)?);
            } else {
                times.push(start.elapsed());
            }
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    for (query, median) in QUERIES.iter().zip(&medians) {
        println!("{:44} {median:8.3} s", query.name);
    }
    let ratio = |of: &str, to: &str| time_of(of, &medians) / time_of(to, &medians);
    println!("datafusion-spark / three parts: {:.1}", ratio(SPARKS, THREE_PARTS));
    println!("three fields: of whole structs / alone: {:.1}", ratio(OF_WHOLE_STRUCTS, THREE_FIELDS));
    println!("verdicts / bytes counted: {:.2}", ratio(VERDICTS, BYTES_COUNTED));
    Ok(())
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

fn time_of(name: &str, medians: &[f64]) -> f64 {
    medians[QUERIES.iter().position(|query| query.name == name).expect("a query of this name")]
}
