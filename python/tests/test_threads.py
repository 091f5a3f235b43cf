"""Tests calls from many threads at once, as a free-threaded Python runs them, and subinterpreters."""

import io
import subprocess
import sys
import threading

import pyarrow as pa
import urivalidate as uv

RECORDS = [f"http://user@host-{i % 97}.example:80{i % 10}/a/{i}?k={i}#f" if i % 7 else f"no uri {i}" for i in range(20_000)]
LINES = "".join(f"{record}\n" for record in RECORDS).encode()
THREADS = 8


def in_threads(action):
    """Returns the results of `action(number)` in several threads that start at the same time."""
    start = threading.Barrier(THREADS)
    results = [None] * THREADS

    def run(number):
        start.wait()
        try:
            results[number] = action(number)
        except BaseException as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


IMPORTS = """
import sys
is_locked = getattr(sys, "_is_gil_enabled", bool)
before = is_locked()
import urivalidate
print(is_locked() == before)
"""


def test_the_import_does_not_switch_the_lock_on():
    """The import of a module that needs the interpreter's lock would switch it on in a free-threaded Python."""
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True)
    assert done.stdout == "True\n", done


def test_functions_of_arrays():
    array = pa.chunked_array([RECORDS[:3], RECORDS[3:]])
    functions = [
        uv.is_valid_uri,
        uv.parse_uri,
        uv.uri_error,
        uv.uri_spans,
        uv.uri_domain,
        uv.uri_surt,
        uv.normalize_uri,
        lambda urls: uv.host_in(urls, ["example", "host-3.example"] * 1000),
    ]
    expected = [function(array).to_pylist() for function in functions]

    def action(number):
        order = functions[number:] + functions[:number]
        results = [function(array).to_pylist() for function in order]
        return results[len(functions) - number :] + results[: len(functions) - number]

    assert in_threads(action) == [expected] * THREADS


def test_records():
    expected = [uv.is_valid(record) for record in RECORDS[:2000]]
    shared = uv.parse("http://h:80/a?b#c")

    def action(_):
        found = []
        for record in RECORDS[:2000]:
            assert shared.host == "h" and shared.spans["port"] == (9, 11)
            found.append(uv.is_valid(record))
            if found[-1]:
                assert uv.parse(record).userinfo == "user"
        return found

    assert in_threads(action) == [expected] * THREADS


def test_a_column_that_threads_share():
    column = uv.parse_uri(pa.array(RECORDS))
    expected = column["host"].to_pylist()
    assert in_threads(lambda _: column["host"].to_pylist()) == [expected] * THREADS
    assert in_threads(lambda _: pa.array(column).field("host").to_pylist()) == [expected] * THREADS


def test_a_scan_that_threads_share():
    """Each batch goes to one of the threads."""
    for _ in range(5):
        scan = uv.scan(io.BytesIO(LINES * 20), "lines", columns=["line"])
        numbers = [line for lines in in_threads(lambda _: [line for batch in scan for line in batch.to_pylist()]) for line in lines]
        assert sorted(row["line"] for row in numbers) == list(range(1, 20 * len(RECORDS) + 1))


def test_a_scan_is_closed_while_threads_read_it():
    for _ in range(20):
        scan = uv.scan(io.BytesIO(LINES * 5), "lines")

        def action(number):
            if number == 0:
                scan.close()
                return 0
            try:
                return sum(len(batch) for batch in scan)
            except ValueError as error:
                assert "closed" in str(error)
                return 0

        results = in_threads(action)
        assert all(isinstance(result, int) for result in results), results
        assert sum(results) <= 5 * len(RECORDS)


def test_scans_and_statistics_in_threads():
    def counts():
        stats = uv.stats(io.BytesIO(LINES), "lines")
        return {name: stats[name] for name in ("records", "valid", "errors", "components", "schemes")}

    def action(_):
        return counts(), sum(len(batch) for batch in uv.scan(io.BytesIO(LINES), "lines"))

    assert in_threads(action) == [(counts(), len(RECORDS))] * THREADS


SUBINTERPRETER = """
import sys
import urivalidate as uv
if sys.version_info >= (3, 14):
    from concurrent import interpreters
    run = interpreters.create().exec
elif sys.version_info >= (3, 13):
    import _interpreters as interpreters
    def run(program):
        failure = interpreters.exec(interpreters.create(), program)
        if failure:
            raise RuntimeError(failure.formatted)
else:
    import _xxsubinterpreters as interpreters
    run = lambda program: interpreters.run_string(interpreters.create(), program)
try:
    run("import urivalidate as uv; assert uv.is_valid('http://h/') and not uv.is_valid('no uri')")
    print("works")
except Exception as error:
    print("refused" if "ImportError" in str(error) and "subinterpreters" in str(error) else error)
print(uv.is_valid("http://h/"))
"""


def test_a_subinterpreter_refuses_the_module_or_can_use_it():
    done = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, timeout=60)
    # Before Python 3.12, a subinterpreter copies the module instead of initialising it.
    assert done.stdout == ("refused" if sys.version_info >= (3, 12) else "works") + "\nTrue\n", done
