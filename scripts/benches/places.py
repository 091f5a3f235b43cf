"""The folders that the measurements use."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BENCHES = ROOT / "benches"
# For builds that take long.
CACHE = Path(os.environ.get("URIVALIDATE_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "urivalidate")
