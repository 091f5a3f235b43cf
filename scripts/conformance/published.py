"""Checks the published cases: inputs with verdicts and components from other projects."""
import json
import re

import grammars
import records
from command import Command
from places import CASES, WORK
from report import Mismatch, Report

_GRAMMARS = {
    "rfc3986:URI": grammars.URI,
    "rfc3986:URI-reference": grammars.URI_REFERENCE,
    "rfc3986:absolute-URI": grammars.ABSOLUTE_URI,
    "rfc3986:relative-ref": grammars.RELATIVE_REF,
    "rfc3986:host-ipv4": grammars.URI_REFERENCE,
    "rfc2396:URI-reference": grammars.RFC2396,
    "rfc3987:IRI": grammars.IRI,
    "rfc3987:IRI-reference": grammars.IRI_REFERENCE,
    "java:java.net.URI": grammars.JAVA,
}
# "?a[]=1" is published as valid, but no ABNF derives it.
_WRONG = {"ruby-uri-0104"}

_NAMES = {"ssp": "scheme_specific_part", "hostkind": "host_kind", "authkind": "authority_kind"}


def _unescaped(text):
    return re.sub(rb"\\x([0-9a-f]{2})", lambda escape: bytes([int(escape[1], 16)]), text.encode("ascii"))


def _rows():
    """The name, grammar, verdict, record and components of each case."""
    for file in sorted(CASES.glob("*.tsv")):
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line and not line.startswith("#"):
                name, _, case_grammar, verdict, record, components, _ = line.split("\t")
                components = None if components == "-" else json.loads(components)
                yield name, case_grammar, verdict, _unescaped(record), components


def _expected(name, value):
    """Converts a published component to the command's terms."""
    if name in ("hostkind", "authkind") and value == "-":
        return None
    if name == "port" and value == "-1":
        return None
    return value


def _disagreement(case_grammar, verdict, components, row):
    valid = row["valid"]
    if case_grammar == "rfc3986:host-ipv4":
        valid = row["host_kind"] == "ipv4"
    if valid != (verdict == "valid"):
        return verdict
    if not valid:
        return None
    wrong = {}
    for name, value in (components or {}).items():
        if row[_NAMES.get(name, name)] != _expected(name, value):
            wrong[name] = value
    return wrong or None


def check_published(options):
    """The cases in cases/*.tsv."""
    WORK.mkdir(parents=True, exist_ok=True)
    command, report = Command(options.binary), Report()
    cases = {}
    for name, case_grammar, verdict, record, components in _rows():
        if verdict not in ("valid", "invalid"):
            report.skipped["cases without a verdict"] += 1
        elif case_grammar not in _GRAMMARS:
            report.skipped[f"cases of {case_grammar}, which is no grammar of the command"] += 1
        elif b"\n" in record:
            report.skipped["cases with an LF, which no record can hold"] += 1
        elif name in _WRONG:
            report.skipped["cases known to be wrong"] += 1
        else:
            cases.setdefault(_GRAMMARS[case_grammar].label, []).append((case_grammar, verdict, record, components))
    for label, of_grammar in cases.items():
        file = WORK / "published.txt"
        file.write_bytes(records.join([record for _, _, record, _ in of_grammar]))
        rows = command.rows("components", grammars.BY_LABEL[label], file)
        assert len(rows) == len(of_grammar), f"{len(rows)} rows for {len(of_grammar)} records"
        for (case_grammar, verdict, record, components), row in zip(of_grammar, rows):
            report.compared[label] += 1
            if wrong := _disagreement(case_grammar, verdict, components, row):
                report.add(Mismatch(label, record, row, wrong))
        file.unlink()
    return report
