"""Adds the extension to the wheel, and the extension's platform to the wheel's name."""

import pathlib
import subprocess
import sys
import sysconfig
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ExtensionHook(BuildHookInterface):
    def initialize(self, version, build_data):
        scripts = pathlib.Path(self.root).parent.parent / "scripts"
        self.built = tempfile.TemporaryDirectory()
        subprocess.run([sys.executable, scripts / "build-duckdb", "--out", self.built.name], check=True)
        name = "urivalidate.duckdb_extension"
        build_data["force_include"][f"{self.built.name}/{name}"] = f"urivalidate_duckdb/{name}"
        # The extension does not depend on the version of Python.
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False

    def finalize(self, version, build_data, artifact_path):
        self.built.cleanup()
