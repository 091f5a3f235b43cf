"""The names of all grammars of the command, as the references in conformance/ know them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "conformance"))
import grammars  # noqa: E402

GRAMMARS = [grammar.label for grammar in (*grammars.OF_ORACLE, grammars.REQUEST_TARGET)]
