"""Checks wheels, and tries what can run here. Each trial returns where it ran."""

import os
import platform
import re
import sys
import zipfile

from wheels import mach_o
from wheels.packages import TRY_LIBRARY
from wheels.tools import CACHE, ROOT

# Loads a module for Python, with objects in place of Python's own, and finds its first function.
LOADER = """
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments) {
    void *module = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL) : 0;
    if (!module || !dlsym(module, "PyInit__urivalidate")) {
        fprintf(stderr, "%s\\n", dlerror());
        return 1;
    }
    puts("loaded");
}
"""
COMMAND_FILE = r"\.data/scripts/urivalidate(\.exe)?$"
MODULE_FILE = r"/_urivalidate.*\.(so|pyd)$"
# The libraries of Windows, and Python's.
WINDOWS_LIBRARY = re.compile(r"(python3|kernel32|kernelbase|ntdll|advapi32|userenv|ws2_32|bcrypt|bcryptprimitives|ole32|shell32|msvcrt)\.dll|api-ms-win-[a-z0-9-]+\.dll")


def audit(tools, package, target, wheel):
    """Fails if the wheel has another target's name, or does not run where its name says."""
    if target.platform not in wheel.name:
        sys.exit(f"{wheel.name} is not for {target.platform}")
    if target.name.endswith("-linux-gnu"):
        report = tools.output("auditwheel", "show", wheel)
        # auditwheel has the newer names.
        wanted = target.platform.replace("manylinux2014", "manylinux_2_17") + f"_{target.processor}"
        if not re.search(rf'following\splatform\stag:\s+"{wanted}"', report):
            sys.exit(f"auditwheel: {wheel.name} is not for {wanted}\n{report}")
    elif target.name.endswith("-linux-musl"):
        report = tools.output("auditwheel", "show", "--ldpaths", f"/lib/{target.processor}-linux-musl", wheel)
        # auditwheel wants Alpine's name for it, libc.musl-x86_64.so.1. The loader of musl takes itself for both.
        libraries = set(re.findall(r'"([^"]+)": "', report))
        if not libraries <= {"libc.so"}:
            sys.exit(f"auditwheel: {wheel.name} needs {libraries}\n{report}")
    if not package.is_command:
        tools.run("abi3audit", "--strict", "--summary", wheel)


def try_wheel(tools, package, target, wheel):
    native = target.processor == platform.machine()
    if target.name.endswith("-darwin"):
        return _check_macos(target, _extract(tools, wheel, COMMAND_FILE if package.is_command else MODULE_FILE))
    if native and target.name.endswith("-linux-gnu"):
        return _install(tools, package, target.name, "--no-index", wheel)
    if package.is_command:
        return _try_command(tools, target, _extract(tools, wheel, COMMAND_FILE), native)
    module = _extract(tools, wheel, MODULE_FILE)
    if target.name.endswith("-windows-gnu"):
        return _check_imports(tools, module)
    return _load(tools, target, module, native)


def try_sources(tools, package, sources):
    return _install(tools, package, "sources", sources)


def _install(tools, package, name, *arguments):
    environment = tools.work / f"{package.directory}-{name}-environment"
    tools.run(sys.executable, "-m", "venv", environment)
    tools.run(environment / "bin" / "pip", "install", "--quiet", *arguments)
    if package.is_command:
        _check_command(tools, environment / "bin" / "urivalidate")
    else:
        # Not from the checkout, where Python would find the sources of the package.
        tools.run("env", "--chdir", tools.work, environment / "bin" / "python", "-c", TRY_LIBRARY)
    return "installed by pip, ran"


def _check_command(tools, *command, **variables):
    tools.run(*command, "--version", **variables)
    hosts = tools.output(*command, "--emit", "host", stdin="http://h/\nno uri\n", **variables)
    if hosts.split() != ["h"]:
        sys.exit(f"{command}: the hosts are {hosts!r}")
    parquet = tools.work / "components.parquet"
    tools.output(*command, "--emit", "components", "--to", "parquet", "--output", parquet, stdin="http://h/\n", **variables)
    if parquet.read_bytes()[:4] != b"PAR1":
        sys.exit(f"{command}: {parquet} is no Parquet")
    parquet.unlink()


def _try_command(tools, target, command, native):
    if target.name.endswith("-windows-gnu"):
        libraries = tools.directory("wine")
        tools.run(ROOT / ".ci" / "wine-library", libraries)
        _check_command(tools, ROOT / ".ci" / "wine", command, WINEPREFIX=str(CACHE / "wine"), WINEDEBUG="-all", WINEPATH=str(libraries))
        return "ran under Wine"
    if native:
        _check_command(tools, command)
        return "ran"
    if target.name.endswith("-gnu"):
        # The emulator hangs when a command that is not static starts a thread.
        tools.run(*_emulator(target), command, "--version")
        return "printed its version in an emulator"
    _check_command(tools, *_emulator(target), command)
    return "ran in an emulator"


def _emulator(target):
    libraries = ("-L", f"/usr/{target.processor}-linux-gnu") if target.name.endswith("-gnu") else ()
    return f"qemu-{target.processor}-static", *libraries


def _check_imports(tools, module):
    headers = tools.output("x86_64-w64-mingw32-objdump", "--private-headers", module)
    libraries = re.findall(r"DLL Name: (.*)", headers)
    others = [name for name in libraries if not WINDOWS_LIBRARY.fullmatch(name.lower())]
    if others or "python3.dll" not in libraries:
        sys.exit(f"{module.name} needs {', '.join(libraries)}")
    return "needs Windows and Python alone, did not run"


def _check_macos(target, path):
    file = path.read_bytes()
    others = [library for library in mach_o.libraries(file) if not library.startswith(("/usr/lib/", "/System/Library/"))]
    if others:
        sys.exit(f"{path.name} needs {', '.join(others)}")
    if target.processor == "aarch64" and not mach_o.is_signed(file):
        sys.exit(f"{path.name} has no valid signature")
    return "needs macOS alone, did not run"


def _load(tools, target, module, native):
    system = target.name.split("-")[-1]
    symbols = tools.output("nm", "--dynamic", "--undefined-only", module)
    objects = [f"char {name}[64];" for name in re.findall(r" U (_?Py\w+)$", symbols, re.MULTILINE)]
    directory = tools.directory(f"loader-{target.name}")
    source, loader = directory / "loader.c", directory / "loader"
    source.write_text("\n".join([*objects, LOADER]))
    tools.run("python", "-m", "ziglang", "cc", "-target", f"{target.processor}-linux-{system}", "-O1", "-fno-sanitize=all", "-dynamic", "-rdynamic", "-o", loader, source)
    command = (loader, module) if native else (*_emulator(target), loader, module)
    if tools.output(*command) != "loaded\n":
        sys.exit(f"{module.name} cannot be loaded")
    return f"loaded by a program for {system}" + ("" if native else ", in an emulator")


def _extract(tools, wheel, pattern):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if re.search(pattern, name))
        path = archive.extract(name, tools.work / wheel.stem)
    os.chmod(path, 0o755)
    return tools.work / wheel.stem / name
