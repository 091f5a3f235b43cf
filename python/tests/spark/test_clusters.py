"""Runs jobs on clusters whose workers get the package only from an archive, and compares the results with the
command's output."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

import cluster

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
COLUMNS = "uri,valid,scheme,userinfo,host,host_kind,port,path,query,fragment"
RECORDS = 40_000
FILES = 12


@pytest.fixture(scope="module")
def packages():
    """The unpacked wheel, and an archive of it for the workers."""
    directory = Path(os.environ["PACKAGES"])
    archive = shutil.make_archive(str(directory), "zip", directory)
    return directory, archive


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """The same URLs in Parquet and in CDXJ."""
    directory = tmp_path_factory.mktemp("inputs")
    made = subprocess.run([sys.executable, ROOT / "scripts" / "gen-corpus", "--lines", str(RECORDS)], capture_output=True, check=True)
    urls = [line.decode() for line in made.stdout.split(b"\n") if is_text(line)]
    assert len(urls) > RECORDS * 0.9
    (directory / "urls.txt").write_text("".join(f"{url}\n" for url in urls), encoding="utf-8")
    pa.parquet.write_table(pa.table({"url": urls}), directory / "urls.parquet", row_group_size=len(urls) // FILES)
    for number in range(FILES):
        with gzip.open(directory / f"part-{number}.cdxj.gz", "wt", encoding="utf-8", compresslevel=1) as part:
            for url in urls[number::FILES]:
                part.write(f"org,example)/ 20260101000000 {json.dumps({'url': url, 'status': '200'})}\n")
    return directory


@pytest.fixture(scope="module")
def expected(inputs):
    """The rows that the command prints for both inputs, sorted."""
    of_parquet = command("--from", "lines", str(inputs / "urls.txt"))
    of_cdxj = command("--from", "cdxj", *sorted(map(str, inputs.glob("*.cdxj.gz"))))
    assert len(of_parquet) == len(of_cdxj) > RECORDS * 0.9
    return {"parquet": of_parquet, "cdxj": of_cdxj}


def command(*arguments):
    options = ["--emit", "components", "--to", "jsonl", "--columns", COLUMNS]
    done = subprocess.run([os.environ["URIVALIDATE"], *options, *arguments], stdout=subprocess.PIPE, check=False)
    # The status is 1 if some records are invalid.
    assert done.returncode in (0, 1)
    return sorted((list(json.loads(line).values()) for line in done.stdout.splitlines()), key=str)


def is_text(line):
    """Whether a line is not empty, is UTF-8, which JSON requires, and has no line end inside, which would end
    the record."""
    try:
        return bool(line.decode()) and b"\r" not in line
    except UnicodeDecodeError:
        return False


def run(master, packages, inputs, out, *mode):
    directory, archive = packages
    parquet, cdxj = inputs / "urls.parquet", f"{inputs}/*.cdxj.gz"
    return subprocess.run(
        [sys.executable, HERE / "job.py", master, directory, archive, parquet, cdxj, out, *mode],
        env={**cluster.environment(), "PYSPARK_PYTHON": sys.executable},
        cwd=out,
        capture_output=True,
        text=True,
        timeout=400,
    )


def check(master, packages, inputs, out, expected, *mode):
    done = run(master, packages, inputs, out, *mode)
    assert done.returncode == 0, done.stderr[-5000:]
    print(done.stdout)
    for name, rows in expected.items():
        with open(out / f"{name}.jsonl", encoding="utf-8") as file:
            assert sorted((json.loads(line) for line in file), key=str) == rows, name


def test_local_cluster(packages, inputs, expected, tmp_path):
    check("local-cluster[2,1,1024]", packages, inputs, tmp_path, expected)


def test_local_cluster_without_the_archive(packages, inputs, tmp_path):
    """Tests an assumption of the other tests: without the archive, the workers do not have the package."""
    done = run("local-cluster[2,1,1024]", packages, inputs, tmp_path, "without-archive")
    assert done.returncode != 0
    assert "No module named 'urivalidate'" in done.stderr


def test_standalone_cluster(packages, inputs, expected, tmp_path):
    """One executor is killed in the middle of each job, and the other one ends it."""
    with cluster.standalone(tmp_path) as master:
        check(master, packages, inputs, tmp_path, expected, "kill")
