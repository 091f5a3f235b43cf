"""Compares the command with the references for generated records: verdict, every range, kinds of host and
authority, and errors.

Every backend must have the same results, and statistics that agree with its results.
"""
from multiprocessing import Pool

import counts
import generators
import grammars
import records
from command import Command, parsed
from report import Mismatch, Report
from rows import ErrorSample, compare_offsets
from places import WORK

ERRORS_PER_KIND_AND_FILE = 150


def _work(task):
    """Checks a file with several grammars."""
    binary, batch, labels, errors_per_kind, backends = task
    command, report = Command(binary), Report()
    data = batch.data()
    file = WORK / batch.name
    file.write_bytes(data)
    expected = records.split(data)
    for grammar in map(grammars.BY_LABEL.get, labels):
        output = command.json_lines("offsets", grammar, file)
        rows = parsed(output)
        sample = ErrorSample(errors_per_kind)
        compare_offsets(grammar, expected, rows, file, records.first_column(data), sample, report)
        for backend in backends:
            label = f"{grammar.label}, files by {backend}"
            report.compared[label] += 1
            if command.json_lines("offsets", grammar, file, "--backend", backend) != output:
                report.add(Mismatch(label, batch.name.encode(), "other rows", "as by the default backend"))
            stats = command.stats(*grammar.arguments, "--backend", backend, file)
            if found := counts.differences(stats, data, expected, rows):
                report.add(Mismatch(label, batch.name.encode(), found, "(statistics, counted from the rows)"))
    file.unlink()
    return report


def _check(batches, of_batches, options):
    """Checks every batch with each of these grammars."""
    WORK.mkdir(parents=True, exist_ok=True)
    errors_per_kind = ERRORS_PER_KIND_AND_FILE // (10 if options.quick else 1)
    # Labels, because a grammar holds functions, which cannot be sent to other processes.
    labels = [grammar.label for grammar in of_batches]
    backends = Command(options.binary).backends()
    tasks = [(options.binary, batch, labels, errors_per_kind, backends) for batch in batches]
    report = Report()
    with Pool(options.jobs) as pool:
        for part in pool.imap_unordered(_work, tasks):
            report.merge(part)
    return report


def check_oracle(options):
    """RFC 3986, 2396, 3987 and the model of java.net.URI."""
    return _check(generators.for_the_oracle(options.quick, options.seed), grammars.OF_ORACLE, options)


def check_request_targets(options):
    """RFC 9112."""
    return _check(generators.for_request_targets(options.quick, options.seed), (grammars.REQUEST_TARGET,), options)


def check_zone_identifiers(options):
    """RFC 6874."""
    return _check(generators.for_zone_identifiers(options.quick, options.seed), grammars.ZONED, options)
