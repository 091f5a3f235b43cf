"""A standalone Spark cluster: a master and two workers with one core each, which listen only on 127.0.0.1."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark

SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
PATIENCE = 60


def environment():
    """The environment without PYTHONPATH, so that workers can only import packages that Spark brings them."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SPARK_HOME")}
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1"}


@contextlib.contextmanager
def standalone(directory):
    """Starts the cluster and yields its URL. At the end, stops its processes, and the processes that they
    started, by their ids."""
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    processes = []

    def start(name, *arguments):
        with open(directory / f"{name}.log", "wb") as log:
            command = [SPARK_CLASS, *arguments]
            # In a new session, so that the session's id identifies all its processes.
            process = subprocess.Popen(
                command, cwd=directory, env=environment(), stdout=log, stderr=log, start_new_session=True
            )
        processes.append(process)

    try:
        start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        wait_for(lambda: "Starting Spark master" in log_of(directory, "master") and listens(port), "the master")
        for name in ("worker-1", "worker-2"):
            size = ["--cores", "1", "--memory", "1500m", "--webui-port", "0", "--work-dir", str(directory / name)]
            start(name, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", *size, url)
        for name in ("worker-1", "worker-2"):
            wait_for(lambda: "registered with master" in log_of(directory, name), name)
        yield url
    finally:
        for process in reversed(processes):
            stop(process)


@contextlib.contextmanager
def connect_server(directory, packages):
    """Starts a server of Spark Connect whose workers import packages from a directory, and yields its URL. Stops
    it at the end."""
    port = free_port()
    options = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": port,
        "spark.executorEnv.PYTHONPATH": packages,
        "spark.ui.enabled": "false",
    }
    conf = [word for name, value in options.items() for word in ("--conf", f"{name}={value}")]
    server = "org.apache.spark.sql.connect.service.SparkConnectServer"
    command = [SPARK_CLASS, "org.apache.spark.deploy.SparkSubmit", "--class", server, "--master", "local[2]", *conf, "spark-internal"]
    with open(directory / "server.log", "wb") as log:
        environ = {**environment(), "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(packages)}
        process = subprocess.Popen(command, cwd=directory, env=environ, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_for(lambda: listens(port), "the server of Spark Connect")
        yield f"sc://127.0.0.1:{port}"
    finally:
        stop(process)


def stop(process):
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        pass
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def log_of(directory, name):
    return (directory / f"{name}.log").read_text(errors="replace")


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} is not there after {PATIENCE} s")
        time.sleep(0.1)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
