"""The crates in each package that has compiled code, as cargo resolves them."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# For each package, its manifest and the features that users install.
PACKAGES = {
    "cli": ("cli/Cargo.toml", "parquet"),
    "python": ("python/Cargo.toml", "pyo3/extension-module"),
    "datafusion/python": ("datafusion/python/Cargo.toml", "pyo3/extension-module"),
    "duckdb/python": ("duckdb/Cargo.toml", ""),
    "capi": ("capi/Cargo.toml", ""),
}
# The first is that of the bills of materials. Packages for musl have the crates of those for glibc.
TARGETS = [
    "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu", "aarch64-apple-darwin", "x86_64-apple-darwin",
]


def output(*command):
    """The standard output of a command. If the command fails, the script ends."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}")
    return done.stdout


def built_from(manifest, features, targets=TARGETS, edges="normal"):
    """The names and versions of the crates that a package is built from, without its own: those whose code is in
    the package, and those that make code."""
    found = set()
    for target in targets:
        lines = output(
            "cargo", "tree", "--locked", "--manifest-path", manifest, "--features", features, "--target", target,
            "--edges", edges, "--prefix", "none", "--format", "{p}",
        ).splitlines()
        names = (line.removesuffix(" (*)").removesuffix(" (proc-macro)") for line in lines)
        # Lines of our own crates end with a path.
        found |= {tuple(name.split(" v")) for name in names if not name.endswith(")")}
    return found


def linked(manifest, features):
    """The names and versions of the crates whose code is in a package, without its own."""
    return built_from(manifest, features, edges="normal,no-proc-macro")
