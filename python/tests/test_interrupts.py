"""Tests Ctrl-C with every consumer of a scan, and other problems that threads could cause."""

import signal

import pytest
from programs import run

PYARROW = "import pyarrow as pa\nread = pa.table"
POLARS = "import polars as pl\nread = pl.DataFrame"
DUCKDB = """
import duckdb
def read(scan):
    return duckdb.sql("SELECT count(*) FROM scan").fetchall()
"""
DUCKDB_ONE_THREAD = """
import duckdb
def read(scan):
    return duckdb.connect(config={"threads": 1}).sql("SELECT count(*) FROM scan").fetchall()
"""
CONSUMERS = {"pyarrow": PYARROW, "polars": POLARS, "duckdb": DUCKDB, "duckdb, one thread": DUCKDB_ONE_THREAD}
# pa.table imports pandas when it is first called, which takes half a second, and loses an interrupt then.
FIRST_READ = 'read(uv.scan(Slow(0), format="lines", columns=["line"]))'


# DuckDB also checks for signals. If it finds one before urivalidate does, it raises its own error, as for any
# query, whose cause is the interrupt or None. Before that, it waits for the end of the stream, so these files
# must end.
FILES = ["Slow(5)", "Fast(5)"]
IS_OF_DUCKDB = """
def is_of_duckdb(error):
    return isinstance(error.__cause__, KeyboardInterrupt) or isinstance(error, RuntimeError) and str(error) == "Query interrupted"
"""


def assert_interrupted(result):
    """Asserts that a program ended as Python ends after a KeyboardInterrupt that nobody catches."""
    out, errors, status = result
    assert out == "" and errors.rstrip().endswith("KeyboardInterrupt"), (out, errors)
    assert status == -signal.SIGINT, (status, errors)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("consumer", CONSUMERS)
def test_no_handler_of_errors_keeps_an_interrupt(consumer, file):
    """A consumer in C turns the interrupt into an error. Code that handles this error is interrupted."""
    program = f"""
{CONSUMERS[consumer]}
{IS_OF_DUCKDB}
def rows():
    try:
        return read(uv.scan({file}, format="lines", columns=["line"]))
    except Exception as error:
        if is_of_duckdb(error):
            raise KeyboardInterrupt
        if "KeyboardInterrupt" not in str(error):
            print(error)
{FIRST_READ}
ready()
while True:
    rows()
"""
    assert_interrupted(run(program, interrupt_after=0.5))


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_an_interrupt_ends_a_program(consumer):
    program = f"""
{CONSUMERS[consumer]}
{IS_OF_DUCKDB}
{FIRST_READ}
scan = uv.scan(Slow(5), format="lines", columns=["line"])
ready()
try:
    read(scan)
except RuntimeError as error:
    if is_of_duckdb(error):
        raise KeyboardInterrupt
    raise
time.sleep(60)
"""
    out, errors, status = run(program, interrupt_after=0.5)
    assert out == "" and "KeyboardInterrupt" in errors and "<exception str() failed>" not in errors
    assert status in (1, -signal.SIGINT)


@pytest.mark.parametrize(
    "consumer",
    ["for batch in uv.scan(FILE): pass", "uv.stats(FILE)", "for batch in pa.RecordBatchReader.from_stream(uv.scan(FILE)): pass"],
)
@pytest.mark.parametrize("file", ["Slow()", "Fast()", "sys.stdin.buffer"])
def test_a_loop_is_interrupted(consumer, file):
    program = f"""
import pyarrow as pa
ready()
{consumer.replace("FILE", file + ", format='lines'")}
"""
    assert_interrupted(run(program, interrupt_after=0.5))


@pytest.mark.parametrize("consumer", ["next(uv.scan(FILE))", "uv.stats(FILE)", "pa.table(uv.scan(FILE))"])
def test_an_exit_in_a_read_is_no_error_of_the_file(consumer):
    """SystemExit is not an Exception, so handlers of Exception do not catch it."""
    program = f"""
import pyarrow as pa
class Exits:
    def read(self, size):
        sys.exit(7)
ready()
for _ in range(2):
    try:
        {consumer.replace("FILE", "Exits()")}
    except Exception as error:
        assert "SystemExit: 7" in str(error)
"""
    assert run(program) == ("", "", 7)


def test_a_file_is_read_in_the_thread_that_asks():
    program = """
threads = set()
class File(Slow):
    def read(self, size):
        threads.add(threading.get_ident())
        return super().read(size)
next(uv.scan(File(), format="lines"))
assert threads == {threading.get_ident()}
ready()
"""
    assert run(program) == ("", "", 0)


# The producer's threads need the interpreter to read a BytesIO.
CSV = """
import io
import pyarrow as pa
import pyarrow.csv
options = pyarrow.csv.ReadOptions(block_size=16 << 10)
lines = "".join(f"http://example.com/{i}\\n" for i in range(200_000))
def stream():
    return pyarrow.csv.open_csv(io.BytesIO(b"url\\n" + lines.encode()), read_options=options)
"""


def test_a_producer_may_need_the_interpreter():
    program = f"{CSV}ready()\nfor _ in range(3):\n    print(len(uv.is_valid_uri(stream())))"
    assert run(program, limit=60) == ("200000\n" * 3, "", 0)


def test_a_producer_that_waits_for_the_interpreter_is_interrupted():
    # A thread of pyarrow that needs the interpreter while this one ends aborts the process, also without
    # urivalidate. So the program skips the interpreter's end.
    program = f"""{CSV}ready()
try:
    while True:
        uv.is_valid_uri(stream())
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(7)
"""
    assert run(program, interrupt_after=1) == ("interrupted\n", "", 7)


def test_a_slow_producer_is_interrupted():
    program = """
import pyarrow as pa
def batches():
    while True:
        time.sleep(0.01)
        yield pa.record_batch({"url": ["http://h/"]})
ready()
uv.is_valid_uri(pa.RecordBatchReader.from_batches(pa.schema({"url": pa.string()}), batches()))
"""
    out, errors, status = run(program, interrupt_after=0.5)
    assert out == "" and "KeyboardInterrupt" in errors and status != 0


def test_chunks_are_joined_while_other_threads_run():
    program = """
import pyarrow as pa
chunk = pa.array([f"http://example.com/{i}/a/path/of/some/length?and=a&query" for i in range(100_000)])
column = uv.parse_uri(pa.chunked_array([chunk] * 40))
longest, stop = 0, False
def watch():
    global longest
    last = time.monotonic()
    while not stop:
        time.sleep(0.001)
        now = time.monotonic()
        longest, last = max(longest, now - last), now
watcher = threading.Thread(target=watch)
watcher.start()
start = time.monotonic()
capsules = column.__arrow_c_array__()
took = time.monotonic() - start
stop = True
watcher.join()
ready()
print(longest < took / 2, longest, took)
"""
    out, errors, status = run(program, limit=120)
    assert status == 0 and out.startswith("True"), (out, errors)
