"""Validators of the formats uri, uri-reference, iri and iri-reference of JSON Schema: the table of docs/schemas.md.

Needs a Python with urivalidate (or PYTHONPATH) and with fastjsonschema, jsonschema, jsonschema-rs, pydantic,
rfc3986-validator, rfc3987 and rfc3987-syntax. SUITE is the folder `json/tests` of the source package of
jsonschema. For each format, the script counts the strings of the suite on which a validator is right, and
those among generated strings, which the reference of scripts/conformance judges. It times one string of the
suite: the median of some rounds over all strings, in which the validators take turns. Those of jsonschema are
called as jsonschema calls them.
"""

import importlib.metadata
import io
import json
import platform
import sys
import time
from pathlib import Path

import fastjsonschema
import jsonschema_rs
import pydantic
import rfc3986_validator
import rfc3987
import rfc3987_syntax
import urivalidate
from urivalidate.jsonschema import FORMATS

from .medians import medians
from .places import ROOT
from .tables import print_table

sys.path.insert(0, str(ROOT / "scripts/conformance/reference"))

import gen
import oracle

# The generated strings, as the reference numbers them, and their longest. Longer ones say little, and take some
# validators minutes.
SEED, GENERATED, LONGEST = 1, 1000, 200
# The reference's names of the grammars.
GRAMMARS = {
    "uri": "rfc3986:URI",
    "uri-reference": "rfc3986:URI-reference",
    "iri": "rfc3987:IRI",
    "iri-reference": "rfc3987:IRI-reference",
}


def raises_nothing(check, errors):
    def is_valid(value):
        try:
            check(value)
            return True
        except errors:
            return False

    return is_valid


def by_rfc3987(rule):
    return raises_nothing(lambda value: rfc3987.parse(value, rule=rule), ValueError)


def by_fastjsonschema(name):
    return raises_nothing(fastjsonschema.compile({"format": name}), fastjsonschema.JsonSchemaValueException)


# The package of a validator, and its function for each format that it has.
VALIDATORS = {
    "urivalidate": FORMATS,
    "jsonschema-rs": {name: jsonschema_rs.validator_for({"format": name}, validate_formats=True).is_valid for name in FORMATS},
    "rfc3987": {name: by_rfc3987(name.replace("uri", "URI").replace("iri", "IRI").replace("-", "_")) for name in FORMATS},
    "rfc3987-syntax": {
        "iri": lambda value: rfc3987_syntax.is_valid_syntax("iri", value),
        "iri-reference": lambda value: rfc3987_syntax.is_valid_syntax("iri_reference", value),
    },
    "rfc3986-validator": {
        "uri": lambda value: bool(rfc3986_validator.validate_rfc3986(value, rule="URI")),
        "uri-reference": lambda value: bool(rfc3986_validator.validate_rfc3986(value, rule="URI_reference")),
    },
    "fastjsonschema": {"uri": by_fastjsonschema("uri")},
    "pydantic": {"uri": raises_nothing(pydantic.TypeAdapter(pydantic.AnyUrl).validate_python, pydantic.ValidationError)},
}


def strings(suite):
    """The strings of the suite for each format, each with its verdict."""
    found = {name: {} for name in FORMATS}
    for file in sorted(Path(suite).glob("*/optional/format/*.json")):
        for group in json.loads(file.read_text(encoding="utf-8")) if file.stem in FORMATS else []:
            for test in group["tests"]:
                if isinstance(test["data"], str):
                    found[file.stem][test["data"]] = test["valid"]
    return found


def generated():
    """Generated strings for each format, each with the verdict of the reference."""
    out = io.BytesIO()
    gen.write(out, gen.Gen(SEED), GENERATED)
    lines = {line for line in out.getvalue().split(b"\n") if line and len(line) <= LONGEST}
    texts = {}
    for line in sorted(lines):
        try:
            texts[line] = line.decode()
        except UnicodeDecodeError:
            pass
    return {name: {text: oracle.parse(rule, line) is not None for line, text in texts.items()} for name, rule in GRAMMARS.items()}


def right(function, cases):
    """The number of strings on which a validator is right. An error of another kind is no answer."""

    def answer(value):
        try:
            return function(value)
        except Exception:
            return None

    return f"{sum(answer(value) == expected for value, expected in cases.items())} of {len(cases)}"


def seconds_of(function, values):
    """The seconds for one string. A round takes at least some milliseconds."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            for value in values:
                function(value)
        seconds = time.perf_counter() - start
        if seconds > 0.005:
            return seconds / count / len(values)
        count *= 4


def figure(seconds):
    return f"{seconds * 1e6:,.2f} µs" if seconds < 1e-4 else f"{seconds * 1e6:,.0f} µs"


def add_arguments(parser):
    parser.add_argument("suite", metavar="SUITE")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="rounds (default 7)")


def main(arguments):
    suite, others = strings(arguments.suite), generated()
    versions = {package: importlib.metadata.version(package) for package in VALIDATORS if package != "urivalidate"}
    rows = {package: [f"{package} {versions.get(package, urivalidate.__version__)}"] for package in VALIDATORS}
    for name, cases in suite.items():
        having = {package: functions[name] for package, functions in VALIDATORS.items() if name in functions}
        times = medians(having, lambda function: seconds_of(function, list(cases)), arguments.runs)
        for package, row in rows.items():
            if package not in having:
                row.append("")
                continue
            figures = [right(having[package], cases), right(having[package], others[name]), figure(times[package])]
            row.append(" · ".join(figures))
    print_table(["right in the suite · among generated strings · time of a string", *suite], list(rows.values()))
    print(f"\nPython {platform.python_version()}, {len({value for cases in suite.values() for value in cases})} different strings")
