"""Where things lie, and the two modules of the shared reference material that everything here builds on."""
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = REPOSITORY.parent / "shared"
REFERENCE = SHARED / "conformance"
WORK = REPOSITORY / "target" / "conformance"

sys.dont_write_bytecode = True
sys.path.insert(0, str(REFERENCE))

import gen  # noqa: E402
import oracle  # noqa: E402

__all__ = ["REFERENCE", "REPOSITORY", "SHARED", "WORK", "gen", "oracle"]
