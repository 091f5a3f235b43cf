"""The paths of files, and the two modules of the reference that all checks use."""
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
REFERENCE = Path(__file__).resolve().parent / "reference"
# Published cases and real lists. Their licences do not allow them in this repository, so they may be absent.
CASES = REPOSITORY.parent / "shared" / "conformance" / "cases"
LISTS = REPOSITORY.parent / "shared" / "data"
WORK = REPOSITORY / "target" / "conformance"

sys.dont_write_bytecode = True
sys.path.insert(0, str(REFERENCE))

import gen  # noqa: E402
import oracle  # noqa: E402

__all__ = ["CASES", "LISTS", "REFERENCE", "REPOSITORY", "WORK", "gen", "oracle"]
