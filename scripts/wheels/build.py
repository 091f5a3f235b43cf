"""Builds wheels for other machines, and archives of the sources."""

from dataclasses import dataclass, field

from wheels.tools import CACHE, ROOT, SOURCE_BUILD

# The crate iana-time-zone calls these functions.
CORE_FOUNDATION = """--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: /System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _CFRelease, _CFStringGetBytes, _CFStringGetCStringPtr, _CFStringGetLength, _CFTimeZoneCopySystem, _CFTimeZoneGetName ]
...
"""


@dataclass(frozen=True)
class Target:
    """A target, by its name in Rust."""

    name: str
    # The part of a wheel's name that pip compares with the machine.
    platform: str
    # The options of maturin.
    options: tuple = ("--zig",)
    variables: dict = field(default_factory=dict)

    @property
    def processor(self):
        return self.name.split("-")[0]


def linux(name, compatibility):
    return Target(name, compatibility, ("--zig", "--compatibility", compatibility))


def macos(name, platform):
    # The oldest version that runs on Apple's own processors.
    return Target(name, platform, variables={"MACOSX_DEPLOYMENT_TARGET": "11.0"})


TARGETS = {
    target.name: target
    for target in (
        linux("x86_64-unknown-linux-gnu", "manylinux2014"),
        linux("aarch64-unknown-linux-gnu", "manylinux2014"),
        linux("x86_64-unknown-linux-musl", "musllinux_1_2"),
        linux("aarch64-unknown-linux-musl", "musllinux_1_2"),
        Target("x86_64-pc-windows-gnu", "win_amd64", (), {"CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER": "x86_64-w64-mingw32-gcc"}),
        macos("aarch64-apple-darwin", "macosx_11_0_arm64"),
        macos("x86_64-apple-darwin", "macosx_11_0_x86_64"),
    )
}


def build_wheel(tools, package, target, out):
    """Returns the path of the wheel."""
    options, variables = list(target.options), dict(target.variables)
    flags = []
    if target.name.endswith("-musl"):
        # Python's process has its libc already, and a static command would take files of Rust's toolchain.
        flags += ["-C", "target-feature=-crt-static"]
    if target.name.endswith("-darwin"):
        # The path is a flag, and with other flags all crates would be built again.
        frameworks = CACHE / "frameworks"
        stub = frameworks / "CoreFoundation.framework" / "CoreFoundation.tbd"
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text(CORE_FOUNDATION)
        flags += ["-C", f"link-arg=-F{frameworks}"]
    if flags:
        variables["RUSTFLAGS"] = " ".join(flags)
    if not tools.has_standard_library(target.name):
        compiler, arguments = SOURCE_BUILD
        variables |= {"RUSTC": compiler, "RUSTC_BOOTSTRAP": "1"}
        options += arguments
    new = tools.work / f"{package.directory}-{target.name}"
    tools.run(
        "maturin", "build", "--quiet", "--locked", "--profile", package.profile, "--compression-level", "9", "--target", target.name,
        "--manifest-path", ROOT / package.directory / "Cargo.toml", "--out", new, *options, **variables,
    )  # fmt: skip
    return _moved(new, out)


def build_sources(tools, package, out):
    """Returns the path of the archive."""
    new = tools.work / f"{package.directory}-sources"
    tools.run("maturin", "sdist", "--manifest-path", ROOT / package.directory / "Cargo.toml", "--out", new)
    return _moved(new, out)


def _moved(directory, out):
    """Moves the only file of a directory to `out`."""
    (path,) = directory.iterdir()
    return path.replace(out / path.name)
