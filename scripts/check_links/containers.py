"""URIs in every kind of container.

These are texts, pages, Markdown, XML, JSON, tables, logs, mail, N-Triples, AsciiDoc and RST. The suite plants
URLs of lists, whole and broken ones, escaped as each container requires. Readers that are not ours find them
again: cmarkgfm, html5lib, lxml (libxml2), rdflib, docutils, and Python's json, csv and email. The verdicts
come from scripts/conformance/reference, not from the command. The command must report each URI byte for byte,
with its verdict, at its place. It reads each document a second time without `--from`, and must detect the
format: by the content, or by the file's name.

Needs the packages cmarkgfm, docutils, html5lib, lxml, rdflib and tinycss2.
"""

import importlib
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

from check_links.suite import urls as sources
from check_links.suite.cases import Case, Row
from tested_command import text_bytes

MODULES = ["texts", "markup", "pages", "markdown", "dialects", "documents", "data", "logs", "triples", "mails"]
# Of more wrong cases than this, none is tried alone.
MOST_ALONE = 50
# In fewer cases, a format need not be detected.
FEWEST_DETECTED = 20
COLUMNS = "line,column,uri,valid,malformed"


def containers():
    """All containers, in the order of the table."""
    modules = (importlib.import_module(f"check_links.suite.{name}") for name in MODULES)
    return [container for module in modules for container in module.CONTAINERS]


def run(arguments, document, suffix):
    """Runs a command on a document: from a pipe, or from a file if its name has a suffix."""
    if not suffix:
        return subprocess.run([*arguments, "-"], input=document, capture_output=True, timeout=600)
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        file.write(document)
        file.flush()
        return subprocess.run([*arguments, file.name], capture_output=True, timeout=600)


def rows_of(command, container, document, is_detected=False):
    """The rows that the command writes for a document, or the message of its failure."""
    options = list(container.options)
    if is_detected and "--from" in options:
        place = options.index("--from")
        del options[place : place + 2]
    arguments = [command, *options, "--emit", "components", "--columns", COLUMNS, "--to", "jsonl"]
    ended = run(arguments, container.packed(document), container.suffix)
    if ended.returncode not in (0, 1):
        return ended.stderr.decode(errors="replace").strip()
    rows = []
    for line in ended.stdout.splitlines():
        row = json.loads(line)
        place = (row["line"], row["column"]) if container.has_places or row["malformed"] else (0, 0)
        rows.append(Row(*place, text_bytes(row["uri"]), row["valid"], row["malformed"]))
    return rows


def agree(found, expected):
    """Whether the rows of a case are the expected ones."""
    if found and found[0].line == 0:
        found = sorted(found, key=lambda row: row.uri or b"")
    if len(found) != len(expected):
        return False
    return all(want.is_said_by(row) for row, want in zip(found, expected, strict=True))


def document_of(container, cases):
    """The document of some cases, with the first line of each."""
    text, lines, line = container.head, [], 1 + container.head.count("\n")
    for case in cases:
        lines.append(line)
        line += case.text.count("\n")
        text += case.text
    if container.may_end_open:
        text = text.rstrip("\r\n")
    return (text + container.tail).encode(), lines


def wrong_in(command, container, cases):
    """The cases of a document whose rows differ, each with its rows and the expected ones."""
    document, lines = document_of(container, cases)
    rows = rows_of(command, container, document)
    if isinstance(rows, str):
        return [(case, rows, []) for case in cases]
    wrong = []
    by_place = sorted(rows, key=lambda row: (row.line, row.column))
    for number, (case, first) in enumerate(zip(cases, lines, strict=True)):
        # What the command finds before the first case and after the last one is wrong, too.
        start = first if number else 0
        end = lines[number + 1] if number + 1 < len(lines) else sys.maxsize
        found = [row for row in by_place if start <= row.line < end]
        expected = list(container.rows(case, first))
        if not agree(found, expected):
            wrong.append((case, found, expected))
    return wrong


def check(command, number, urls, seed):
    """The cases of a container that differ, and the counts of valid and broken URIs."""
    container = containers()[number]
    try:
        cases = list(container.cases(urls, seed))
    except AssertionError as fault:
        return {True: 0, False: 0}, [(Case("", "", []), f"a fault of the suite: {fault}", [])]
    counts = {True: 0, False: 0}
    for case in cases:
        for row in container.rows(case, 1):
            counts[row.is_valid] += 1
    wrong = []
    if container.is_detected and len(cases) >= FEWEST_DETECTED:
        document, _ = document_of(container, cases[: container.batch])
        detected = rows_of(command, container, document, is_detected=True)
        if detected != rows_of(command, container, document):
            said = detected if isinstance(detected, str) else "the command reads it in another format"
            wrong.append((Case("", "", []), f"without --from: {said}", []))
    for start in range(0, len(cases), container.batch):
        batch = cases[start : start + container.batch]
        differing = wrong_in(command, container, batch)
        if 0 < len(differing) <= MOST_ALONE and len(batch) > 1:
            # One case may hide the others: each of these is tried alone, and the others without them.
            alone = [found for case, *_ in differing for found in wrong_in(command, container, [case])]
            broken = {id(case) for case, *_ in alone}
            rest = [case for case in batch if id(case) not in broken]
            differing = alone + (wrong_in(command, container, rest) if rest else [])
        wrong += differing
    return counts, wrong


def words(row):
    """A row in words."""
    verdict = "malformed" if row.is_malformed else "valid" if row.is_valid else "invalid"
    return f"{row.line}:{row.column} {row.uri!r} {verdict}"


def show(wrong, count):
    """Prints the shortest wrong cases, one of each kind."""
    seen = set()
    for case, found, expected in sorted(wrong, key=lambda case: len(case[0].text)):
        if isinstance(found, str):
            print(f"    {found}")
            return
        kind = len(found), tuple(row.is_valid for row in expected), case.text[:12]
        if kind not in seen and len(seen) < count:
            seen.add(kind)
            print(f"    {case.text!r}")
            print("        found   ", *map(words, found))
            print("        expected", *map(words, expected))


def add_arguments(parser):
    def add(name, kind, default, text, metavar="N"):
        parser.add_argument(
            name, type=kind, default=default, metavar=metavar, help=f"{text} (default: {default})"
        )

    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("lists", nargs="*", metavar="LIST", help="more URLs than those of corpora/sample.txt")
    add("--urls", int, 500, "about this many URLs for each container")
    add("--seed", int, 1, "other URLs and neighbours for each number")
    add("--only", str, "", "the containers whose names have this text", "TEXT")
    add("--show", int, 3, "print this many wrong cases of a container")
    add("--jobs", int, None, "processes")


def main(arguments):
    planted = sources.planted([sources.SAMPLE, *arguments.lists], arguments.urls, arguments.seed)
    texts = [url for url in planted if sources.is_text(url)]
    planted += sources.references(planted[::3])
    total, failed = [0, 0, 0], False
    with ProcessPoolExecutor(arguments.jobs) as pool:
        jobs = []
        for number, container in enumerate(containers()):
            if arguments.only in container.name:
                urls = planted if container.has_references else texts
                jobs.append((container, pool.submit(check, arguments.command, number, urls, arguments.seed)))
        print(f"{'container':36} {'reader':10} {'valid':>7} {'broken':>7} {'wrong':>6}")
        for container, job in jobs:
            counts, wrong = job.result()
            figures = counts[True], counts[False], len(wrong)
            print("{:36} {:10} {:7} {:7} {:6}".format(container.name, container.reader, *figures), flush=True)
            show(wrong, arguments.show)
            total = [sum(pair) for pair in zip(total, figures, strict=True)]
            failed |= bool(wrong) or not counts[False]
    print("{:36} {:10} {:7} {:7} {:6}".format(f"all {len(jobs)} containers", "", *total))
    return failed
