"""Runs the benches and prints their results. They run on one core and measure CPU time."""

import json
import os
import platform
import statistics
import subprocess
import sys
import time

from . import lists
from .commands import run
from .places import BENCHES, ROOT
from .tables import print_table

CRITERION = BENCHES / "target" / "criterion"
# The loop that a user would write. Ratios compare with this loop.
REFERENCE = "1-peers/fluent-uri"
FIRST_LIST = "eot2024_sitemap_sample.txt"
NAMES = {
    "0-lines/count": "counting newlines (memchr)",
    "0-lines/cut": "cutting lines (`memchr_iter`)",
    "1-peers/ada-url": "ada-url `can_parse`, lenient",
    "1-peers/oxiri": "oxiri (IRI)",
    "1-peers/url": "url, lenient",
    "2-urivalidate/is_valid": "**urivalidate** `is_valid`",
    "2-urivalidate/parse": "**urivalidate** `parse`",
    "2-lines/all-columns": "**urivalidate** `scan`, all columns",
    "2-lines/verdicts": "**urivalidate** `scan`, verdicts",
    "1-lines/verdicts": "the lines as records",
    "2-format/verdicts": "**urivalidate**, the format's field",
    "1-decoder/alone": "the decoder alone",
    "1-peers/parser": "the peer",
    "2-scan/verdicts": "**urivalidate**, verdicts",
    "1-scan/all-columns": "**urivalidate** `scan`, all columns",
    "2-batches/components": "**urivalidate** record batches, components",
    "2-batches/errors": "**urivalidate** record batches, errors",
    "2-batches/hosts": "**urivalidate** record batches, hosts",
    "2-batches/offsets": "**urivalidate** record batches, offsets",
    "2-urivalidate/normalize": "**urivalidate** `Normalizer::normalize`",
    "3-batch/normalize_batch": "**urivalidate** `scan` and `normalize_batch`",
    "3-batch/resolve_batch": "**urivalidate** `scan` and `resolve_batch`",
    "2-urivalidate/resolve": "**urivalidate** `Base::resolve`",
    "2-urivalidate/surt": "**urivalidate** `surt`",
    "2-urivalidate/Domains": "**urivalidate** `Domains`",
    "2-urivalidate/DomainFinder": "**urivalidate** `DomainFinder`",
    "2-counted/all": "all statistics",
    "2-counted/components": "columns, and components alone",
    "2-counted/host-kinds": "columns, and kinds of hosts alone",
    "2-counted/lengths": "columns, and lengths alone",
    "2-counted/suspicious": "columns, and suspicious records alone",
    "2-counted/schemes": "columns, and schemes alone",
    "1-scan/verdicts": "**urivalidate** `scan`, verdicts",
    "3-ranges/all-columns": "**urivalidate** `scan_ranges`, all columns",
    "3-ranges/verdicts": "**urivalidate** `scan_ranges`, verdicts",
}


def on_one_core():
    """Restricts the process to the last of its cores, because most interrupts use the first cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def run_benches(rounds, seconds):
    """Runs all benches in some rounds, `seconds` each. Returns {(group, case): {contender: (seconds, records,
    bytes)}}."""
    bench = ["cargo", "bench", "--manifest-path", str(BENCHES / "Cargo.toml")]
    run(bench + ["--no-run"])
    options = ["--noplot", "--sample-size", "10", "--warm-up-time", "0.1", "--measurement-time", str(seconds)]
    environment = os.environ | {"CRITERION_HOME": str(CRITERION)}
    found = {}
    for _ in range(rounds):
        start = time.time()
        run(bench + ["--"] + options, env=environment, preexec_fn=on_one_core)
        for path in CRITERION.glob("**/new/estimates.json"):
            if path.stat().st_mtime < start:
                continue  # left by another run
            median = json.loads(path.read_text())["median"]["point_estimate"] / 1e9
            bench_of = json.loads(path.with_name("benchmark.json").read_text())
            size = bench_of["throughput"]
            # Benches of hosts have a number of hosts instead of bytes.
            both = size.get("ElementsAndBytes") or {"elements": size["Elements"], "bytes": 0}
            key = (bench_of["full_id"], both["elements"], both["bytes"])
            found.setdefault(key, []).append(median)
    if not found:
        sys.exit("bench: the benches left no results")
    results = {}
    for (full_id, records, size), medians in found.items():
        group, case, contender = full_id.split("/", 2)
        results.setdefault((group, case), {})[contender] = (statistics.median(medians), records, size)
    return results


def rank(contender):
    """Sorts contenders: lines, the user's loop, other peers, backends. Among the same kind, the one with the
    least work comes first."""
    kind, _, what = contender.partition("/")
    work = ["verdicts", "records", "all-columns"]
    return kind, contender != REFERENCE, work.index(what) if what in work else 0, what


def name(contender, group):
    if contender == REFERENCE:
        return "fluent-uri" if group in ("record", "record-iri", "normal", "resolve") else "fluent-uri, the user's loop"
    if contender in NAMES:
        return NAMES[contender]
    kind, _, what = contender.partition("/")
    if kind == "1-peers":
        return what
    return f"**urivalidate** {kind.partition('-')[2]}, {what.replace('-', ' ')}"


def cell(case, contender, rates=True):
    """The text of a cell: ns per record, GB/s, and the ratio to the speed of the user's loop."""
    if contender not in case:
        return ""
    seconds, records, size = case[contender]
    parts = [f"{seconds / records * 1e9:.1f} ns"]
    if rates:
        parts.append(f"{size / seconds / 1e9:.2f} GB/s")
    if contender != REFERENCE and REFERENCE in case:
        parts.append(f"{case[REFERENCE][0] / seconds:.2f}×")
    return " · ".join(parts)


def print_group(results, group, title, corner, contenders_are_rows=True, rates=True):
    """Prints a table of one group of benches, with a row for each contender and a column for each case, or
    the reverse."""
    cases = {case: found for (of, case), found in results.items() if of == group}
    contenders = sorted(set().union(*cases.values()), key=rank)
    order = sorted(cases)
    if contenders_are_rows:
        rows = [[name(c, group)] + [cell(cases[case], c, rates) for case in order] for c in contenders]
        columns = [heading(group, case, cases[case]) for case in order]
    else:
        rows = [[case] + [cell(cases[case], c, rates) for c in contenders] for case in order]
        columns = [name(c, group) for c in contenders]
    print_table([corner, *columns], rows, title)


def heading(group, case, contenders):
    if group in ("record", "record-iri"):
        return f"{int(case)} bytes"
    _, records, size = next(iter(contenders.values()))
    return f"{case}, {records:,} records of {size / records:.0f} bytes" if size else f"{case}, {records:,} hosts"


def print_benches(results):
    print_group(results, "bulk", "Whole lists, grammar uri, one thread", "ns a record · GB/s · × the user's loop")
    print_group(results, "dirty", "Dirty lists", "list", contenders_are_rows=False)
    print_group(results, "grammars", "Every grammar", "grammar", contenders_are_rows=False)
    print_group(results, "ranges", "Records without separators", "ns a record · GB/s · × the user's loop")
    print_group(results, "formats", "Logs, one thread", "format", contenders_are_rows=False)
    print_group(results, "tables", "Tables and JSON lines, one thread", "input", contenders_are_rows=False)
    print_group(results, "pages", "Pages, texts and metadata, one thread", "input", contenders_are_rows=False)
    print_group(results, "compressed", "Compressed lists, one thread", "file", contenders_are_rows=False)
    print_group(results, "batches", "Arrow record batches, one thread", "ns a record · GB/s")
    print_group(results, "normal", "Normal forms, one thread", "ns a record · GB/s · × fluent-uri's parse and normalize")
    print_group(results, "resolve", "References against bases", "ns a reference · × fluent-uri", rates=False)
    print_group(results, "keys", "SURT keys, one thread", "ns a record · GB/s")
    print_group(results, "domains", "Domains of hosts", "ns a host", rates=False)
    print_group(results, "statistics", "Statistics by counter, one thread", "ns a record · GB/s")
    print_group(results, "record", "One record at a time, grammar uri", "ns a record · × fluent-uri", rates=False)
    print_group(results, "record-iri", "One record at a time, grammar iri", "ns a record · × fluent-uri", rates=False)


def print_instructions():
    """Prints the instructions per byte of each backend, if they can be counted on this machine."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return
    places = (BENCHES / "data" / FIRST_LIST, ROOT / "../shared/data" / FIRST_LIST)
    path = next((place for place in places if place.exists()), None) or lists.kept("10M")
    program = ["cargo", "run", "--release", "--manifest-path", str(BENCHES / "instructions" / "Cargo.toml")]
    print("+", *program, "--", path, file=sys.stderr)
    counted = subprocess.run([*program, "--", path], stdout=subprocess.PIPE, text=True)
    if counted.returncode != 0:
        sys.exit("bench: instructions failed")
    print(f"\n### Instructions a byte, {path.stem}\n\n{counted.stdout}", end="")
