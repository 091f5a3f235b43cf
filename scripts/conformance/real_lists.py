"""Checks real lists of URLs: compares the statistics with known ones, and the rows of the default grammar
with the oracle."""
from multiprocessing import Pool

import grammars
import records
from command import Command
from report import Mismatch, Report
from rows import ErrorSample, compare_offsets
from places import LISTS

# For each file, the number of records, and the number of records that are valid as `uri`.
_KNOWN = {
    "eot2024_sitemap_sample.txt": (250_000, 248_133),
    "ada_kasztp.txt": (48_010, 47_669),
}
_RECORDS_PER_TASK = 10_000
_ERRORS_PER_KIND = 500


def _work(task):
    """Checks a range of a file's rows. Numbers the lines from the start of the range."""
    expected, rows, file, first_column = task
    report = Report()
    first = rows[0]["line"] - 1
    rows = [row | {"line": row["line"] - first} for row in rows]
    compare_offsets(grammars.URI, expected, rows, file, first_column, ErrorSample(_ERRORS_PER_KIND), report)
    return report


def _tasks(command, names):
    for name in names:
        file = LISTS / name
        data = file.read_bytes()
        expected, rows = records.split(data), command.rows("offsets", grammars.URI, file)
        if len(rows) != len(expected):
            raise RuntimeError(f"{name}: {len(rows)} rows for {len(expected)} records")
        if [row["line"] for row in rows] != list(range(1, len(rows) + 1)):
            raise RuntimeError(f"{name}: the lines are not numbered from 1 in order")
        for start in range(0, len(rows), _RECORDS_PER_TASK):
            end = start + _RECORDS_PER_TASK
            yield expected[start:end], rows[start:end], file, records.first_column(data) if start == 0 else 1


def check_real_lists(options):
    """Real lists."""
    command, report = Command(options.binary), Report()
    for name, known in _KNOWN.items():
        stats = command.stats(LISTS / name)
        report.compared["statistics"] += 1
        if (stats["records"], stats["valid"]) != known or stats["records"] - stats["valid"] != stats["invalid"]:
            report.add(Mismatch("statistics", name.encode(), stats, known))
    names = list(_KNOWN)[-1:] if options.quick else _KNOWN
    with Pool(options.jobs) as pool:
        for part in pool.imap_unordered(_work, _tasks(command, names)):
            report.merge(part)
    return report
