"""Compares public suffixes of the command with those of PyPI's `publicsuffixlist`, for the hosts of real
lists.

Both have lists of different dates. The check omits hosts under rules that only one of the lists has.
"""
import re
from functools import cache

from command import Command
from places import LISTS, WORK
from report import Mismatch, Report

_HOST = re.compile(r"//([A-Za-z0-9.-]+)")
_COLUMNS = ("suffix", "domain", "private_suffix", "private_domain")
# The known suffixes below which the two lists differ. With newer lists, these suffixes may change.
_YOUNGER = ("helsinki", "pagelemon.dev")
_MADE = (
    "com", "co.uk", "a.co.uk", "a.b.co.uk", "ck", "www.ck", "a.www.ck", "a.b.ck", "city.kawasaki.jp", "a.city.kawasaki.jp", "b.c.kawasaki.jp", "github.io",
    "a.b.github.io", "x.s3.amazonaws.com", "a.b.compute.amazonaws.com", "xn--55qx5d.cn", "a.xn--55qx5d.cn", "a.xn--p1ai", "EXAMPLE.Co.UK", "a.example.com.",
    "localhost", "a.localdomain",
)


@cache
def _lists():
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=True), PublicSuffixList()


def _expected(host):
    name = host.lower().rstrip(".")
    row = {}
    for prefix, suffixes in zip(("", "private_"), _lists()):
        row[f"{prefix}suffix"] = suffixes.publicsuffix(name)
        row[f"{prefix}domain"] = suffixes.privatesuffix(name)
    return row


def _is_name(host):
    labels = host.removesuffix(".").split(".")
    return all(labels) and not labels[-1].isdigit()


def check_domains(options):
    """Public suffixes."""
    hosts = set(_MADE)
    for file in sorted(LISTS.glob("*.txt")) if LISTS.is_dir() else ():
        hosts.update(_HOST.findall(file.read_text("utf-8", "replace")))
    report = Report()
    names = sorted(host for host in hosts if _is_name(host) and not host.lower().endswith(_YOUNGER))
    report.skipped["hosts that are no names"] = len(hosts) - len(names)
    WORK.mkdir(parents=True, exist_ok=True)
    file = WORK / "hosts.txt"
    file.write_text("".join(f"http://{host}/\n" for host in names))
    arguments = ("--from", "lines", "--emit", "components", "--to", "tsv", "--columns", ",".join(_COLUMNS), file)
    rows = Command(options.binary).run(*arguments).decode().splitlines()[1:]
    for host, row in zip(names, rows, strict=True):
        found = {name: None if cell == "\\N" else cell for name, cell in zip(_COLUMNS, row.split("\t"), strict=True)}
        report.compared["hosts"] += 1
        if found != _expected(host):
            report.add(Mismatch("hosts", host.encode(), found, _expected(host)))
    return report
