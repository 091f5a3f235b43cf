//! A Ballista cluster with the functions of this package. One binary has the scheduler, the executor and the
//! client.
//!
//! ```console
//! $ ballista scheduler 50050
//! $ ballista executor 50050 50051 50052 /tmp/executor-1
//! $ ballista client 50050 urls.parquet "SELECT count(*) FROM urls WHERE NOT is_valid_uri(url)"
//! ```
//!
//! Ballista sends plans and no code: each process finds functions by their names. All processes listen only
//! on 127.0.0.1.

use std::net::SocketAddr;
use std::sync::Arc;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

const HOST: &str = "127.0.0.1";
const USAGE: &str = "usage: ballista scheduler PORT
       ballista executor SCHEDULER_PORT PORT GRPC_PORT WORK_DIRECTORY
       ballista client SCHEDULER_PORT urls.parquet SQL...";

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["scheduler", at] => scheduler(port(at)?).await,
        ["executor", scheduler, at, grpc, work] => {
            executor(port(scheduler)?, port(at)?, port(grpc)?, work).await
        }
        ["client", scheduler, file, ref queries @ ..] => client(port(scheduler)?, file, queries).await,
        _ => Err(DataFusionError::Configuration(USAGE.to_owned())),
    }
}

fn port(text: &str) -> Result<u16> {
    text.parse().map_err(|_| DataFusionError::Configuration(format!("{text} is no port\n{USAGE}")))
}

async fn scheduler(port: u16) -> Result<()> {
    let config = SchedulerConfig {
        bind_host: HOST.to_owned(),
        external_host: HOST.to_owned(),
        bind_port: port,
        // The scheduler notices a lost executor within seconds.
        executor_timeout_seconds: 6,
        expire_dead_executor_interval_seconds: 1,
        override_session_builder: Some(Arc::new(session)),
        ..Default::default()
    };
    let address = SocketAddr::new(HOST.parse().expect("an IP address"), port);
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(external)?;
    start_server(cluster, address, Arc::new(config)).await.map_err(external)
}

/// The state that the scheduler builds from a client's session.
fn session(config: SessionConfig) -> Result<SessionState> {
    let mut state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    urivalidate_datafusion::register_all(&mut state)?;
    Ok(state)
}

async fn executor(scheduler: u16, port: u16, grpc_port: u16, work: &str) -> Result<()> {
    let mut registry = BallistaFunctionRegistry::default();
    for function in urivalidate_datafusion::functions() {
        registry.scalar_functions.insert(function.name().to_owned(), function);
    }
    let config = ExecutorProcessConfig {
        bind_host: HOST.to_owned(),
        external_host: Some(HOST.to_owned()),
        port,
        grpc_port,
        scheduler_host: HOST.to_owned(),
        scheduler_port: scheduler,
        scheduler_connect_timeout_seconds: 30,
        executor_heartbeat_interval_seconds: 1,
        #[cfg(not(feature = "datafusion-54"))]
        vcores: 1,
        #[cfg(feature = "datafusion-54")]
        concurrent_tasks: 1,
        work_dir: Some(work.to_owned()),
        override_function_registry: Some(Arc::new(registry)),
        ..Default::default()
    };
    start_executor_process(Arc::new(config)).await.map_err(external)
}

/// Runs queries over the file, as the table `urls`, and prints their results.
async fn client(scheduler: u16, file: &str, queries: &[&str]) -> Result<()> {
    let config = SessionConfig::new_with_ballista().with_target_partitions(16);
    let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    let mut context = SessionContext::remote_with_state(&format!("df://{HOST}:{scheduler}"), state).await?;
    // Register the functions after the line above, which removes earlier functions.
    urivalidate_datafusion::register_all(&mut context)?;
    context.add_optimizer_rule(Arc::new(urivalidate_datafusion::FieldRewrite));
    context.register_parquet("urls", file, ParquetReadOptions::default()).await?;
    for query in queries {
        let batches = context.sql(query).await?.collect().await?;
        println!("{}", pretty_format_batches(&batches)?);
    }
    Ok(())
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
