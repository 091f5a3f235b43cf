"""A job for a cluster. It writes the URLs of Parquet files and of gzip CDXJ files with their components, as
JSON Lines.

usage: job.py MASTER PACKAGES PACKAGES.zip PARQUET CDXJ_GLOB OUT [kill | without-archive]

The driver imports this package from PACKAGES; the workers get it only from the archive. With `kill`, the
program kills one executor in the middle of each job.
"""

import json
import os
import signal
import sys
import threading
import time

COLUMNS = ["url", "valid", "scheme", "userinfo", "host", "host_kind", "port", "path", "query", "fragment"]


def main():
    master, packages, archive, parquet, cdxj, out, *mode = sys.argv[1:]
    sys.path.insert(0, packages)
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    from urivalidate.spark import with_components

    builder = (
        SparkSession.builder.master(master)
        .appName("urivalidate")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        # The killer must see the current state, not an older one.
        .config("spark.ui.liveUpdate.period", "0")
        .config("spark.executor.memory", "1g")
        .config("spark.files.maxPartitionBytes", "200k")
        .config("spark.sql.files.maxPartitionBytes", "200k")
        # Start the first task only after both executors exist.
        .config("spark.cores.max", "2")
        .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
        .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
    )
    if "without-archive" in mode:
        builder = builder.config("spark.task.maxFailures", "1")
    else:
        builder = builder.config("spark.archives", f"{archive}#packages").config("spark.executorEnv.PYTHONPATH", "./packages")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")

    record = F.expr("substring(value, instr(value, '{'))")
    jobs = {
        "parquet": spark.read.parquet(parquet).select("url"),
        "cdxj": spark.read.text(cdxj).select(F.get_json_object(record, "$.url").alias("url")),
    }
    for name, urls in jobs.items():
        rows = with_components(urls, "url", prefix="").select(*COLUMNS)
        if "kill" in mode:
            with Killer(spark.sparkContext) as killer:
                found = rows.collect()
            print(f"{name}: {killer.done}")
            assert killer.done and killer.executor not in executors(spark.sparkContext), killer.done
        else:
            found = rows.collect()
        with open(os.path.join(out, f"{name}.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(list(row)) + "\n" for row in found)
        print(f"{name}: {len(found)} rows, {len(executors(spark.sparkContext))} executors")
    spark.stop()


def executors(context):
    """The process ids of the executors. An executor starts Spark's daemon, which forks the processes that run
    tasks."""

    def executor(_):
        with open(f"/proc/{os.getppid()}/stat") as stat:
            return int(stat.read().rsplit(")", 1)[1].split()[1])

    end = time.monotonic() + 60
    while True:
        found = set(context.parallelize(range(16), 16).map(executor).collect())
        if len(found) == 2 or time.monotonic() > end:
            return found


class Killer:
    """Kills an executor in the middle of the job in the `with` block: some tasks have ended, some run, and
    some have not started."""

    def __init__(self, context):
        self.context = context
        self.executor = min(executors(context))
        self.done = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def watch(self):
        with open(f"/proc/{self.executor}/cmdline") as command:
            assert "CoarseGrainedExecutorBackend" in command.read()
        tracker = self.context.statusTracker()
        while not self.over.wait(0.005):
            for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()):
                if stage and 2 <= stage.numCompletedTasks < stage.numTasks - 2 and stage.numActiveTasks:
                    os.kill(self.executor, signal.SIGKILL)
                    self.done = f"executor {self.executor} killed, {stage.numCompletedTasks} of {stage.numTasks} tasks were done"
                    return


main()
