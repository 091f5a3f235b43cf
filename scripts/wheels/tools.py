"""The tools that build and check the wheels: from the Python index in a virtual environment, and from Debian."""

import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("URIVALIDATE_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "urivalidate")
FROM_INDEX = ("abi3audit", "auditwheel", "maturin", "twine", "ziglang")
FROM_DEBIAN = ("gcc-mingw-w64-x86-64", "libc6-arm64-cross", "musl", "musl:arm64", "qemu-user-static", "rust-web-src", "rustc-web", "wine64")
# Debian's compiler, and cargo's flags for a standard library from sources.
SOURCE_BUILD = ("/usr/bin/rustc", ("-Z", "build-std=std,panic_abort"))


class Tools:
    """The environment of the tools, and a temporary directory, `work`."""

    def __enter__(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.work = Path(self._temporary.name)
        environment = CACHE / "python-wheels"
        self.programs = environment / "bin"
        if not all((self.programs / name).exists() for name in FROM_INDEX if name != "ziglang"):
            self.run(sys.executable, "-m", "venv", "--clear", environment)
            self.run(self.programs / "pip", "install", "--quiet", *FROM_INDEX)
        self.run(ROOT / ".ci" / "install-packages", *FROM_DEBIAN)
        return self

    def __exit__(self, *_):
        self._temporary.cleanup()

    def run(self, program, *arguments, **variables):
        """Runs a program at the top of the checkout. Fails if it fails."""
        subprocess.run([program, *arguments], cwd=ROOT, env=self._environment(variables), check=True)

    def output(self, program, *arguments, stdin="", **variables):
        """Returns what a program prints. Fails if it fails."""
        command = [program, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=self._environment(variables), input=stdin, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    def _environment(self, variables):
        # maturin searches for zig in the environment in which maturin runs. rustc strips files for macOS with
        # rust-objcopy, which Debian's compiler lacks.
        path = f"{self.programs}:{os.environ['PATH']}:{self._rust_programs}"
        return os.environ | {"PATH": path, "CARGO_TARGET_DIR": str(CACHE / "python-build")} | variables

    @functools.cached_property
    def _rust_programs(self):
        """Returns the directory of the programs that come with Rust's toolchain."""
        libraries = subprocess.run([os.environ.get("RUSTC", "rustc"), "--print", "target-libdir"], stdout=subprocess.PIPE, text=True, check=True)
        return Path(libraries.stdout.strip()).with_name("bin")

    def directory(self, name):
        """Returns a new directory."""
        path = self.work / name
        path.mkdir()
        return path

    def has_standard_library(self, target):
        """Returns true if Rust's toolchain has the standard library of the target."""
        root = self.output(os.environ.get("RUSTC", "rustc"), "--print", "sysroot").strip()
        return (Path(root) / "lib" / "rustlib" / target / "lib").is_dir()
