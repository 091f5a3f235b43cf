"""The Python packages, and how to try an installed one."""

from dataclasses import dataclass

# Runs in a Python that has the package.
TRY_LIBRARY = """
import io
import urivalidate as uv

assert uv.parse("http://example.com/a?b").host == "example.com"
assert uv.stats(io.BytesIO(b"http://h/\\nno uri\\n"))["valid"] == 1
print("installed from", uv.__file__)
"""


@dataclass(frozen=True)
class Package:
    """A package."""

    # Its directory.
    directory: str
    # The beginning of the names of its files.
    files: str
    # The profile of cargo.
    profile: str
    is_command: bool


PACKAGES = {
    "python": Package("python", "urivalidate", "release", is_command=False),
    "cli": Package("cli", "urivalidate_cli", "dist", is_command=True),
}
