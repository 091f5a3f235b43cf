"""Runs the scripts in the folder `sql`, and the examples in the README."""

import pathlib
import re

import pytest
import slt
from conftest import HAS_REPORTS

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = sorted((HERE / "sql").glob("*.test"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script(con, root, script, monkeypatch):
    monkeypatch.chdir(root)
    assert slt.run(con, script.read_text(encoding="utf-8")) >= 5


def test_readme(con, root, monkeypatch):
    monkeypatch.chdir(root)
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sql\n(.*?)```", readme, re.S)
    blocks = [block for block in blocks if HAS_REPORTS or "uri_report(" not in block]
    assert sum(slt.run(con, block) for block in blocks) >= 8


def test_a_script_that_is_wrong_fails(con):
    for script in [
        "query I\nSELECT 1\n----\n2",
        "query T\nSELECT 1\n----\n1",
        "query II\nSELECT 1\n----\n1",
        "statement error\nSELECT 1\n----\nno",
        "statement error\nSELECT parse_url('a b', 'HOST')\n----\nanother message",
        "statement ok\nSELECT parse_url('a b', 'HOST')",
        "nonsense",
    ]:
        with pytest.raises(AssertionError, match="^line 1"):
            slt.run(con, script)
