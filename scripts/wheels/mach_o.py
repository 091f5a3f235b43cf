"""What macOS asks of a program or a library (Mach-O) before it runs it."""

import hashlib
import struct

LIBRARY_COMMANDS = {0xC, 0x8000_0018}  # LC_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB
SIGNATURE_COMMAND = 0x1D  # LC_CODE_SIGNATURE
CODE_DIRECTORY = 0xFADE_0C02
SHA_256 = 2


def libraries(file):
    """The paths of the libraries that the file needs."""
    for command, at, size in _commands(file):
        if command in LIBRARY_COMMANDS:
            (offset,) = struct.unpack_from("<I", file, at + 8)
            yield file[at + offset : at + size].rstrip(b"\0").decode()


def is_signed(file):
    """Whether the file has a signature, and all its hashes are those of the pages. Apple's processors run no other file."""
    found = False
    for command, at, _ in _commands(file):
        if command == SIGNATURE_COMMAND:
            (start,) = struct.unpack_from("<I", file, at + 8)
            _, _, count = struct.unpack_from(">3I", file, start)
            for index in range(count):
                _, offset = struct.unpack_from(">2I", file, start + 12 + 8 * index)
                directory = file[start + offset :]
                if struct.unpack_from(">I", directory) == (CODE_DIRECTORY,):
                    found = True
                    if not _has_its_hashes(directory, file):
                        return False
    return found


def _commands(file):
    """The number of each load command, its place, and its size in bytes."""
    magic, _, _, _, count = struct.unpack_from("<5I", file)
    if magic != 0xFEED_FACF:
        raise ValueError("this is no Mach-O file of 64 bits")
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", file, at)
        yield command, at, size
        at += size


def _has_its_hashes(directory, file):
    hashes, _, _, pages, limit, size, kind, _, page_bits = struct.unpack_from(">5I4B", directory, 16)
    if kind != SHA_256:
        return False
    for page in range(pages):
        content = file[page << page_bits : min((page + 1) << page_bits, limit)]
        if hashlib.sha256(content).digest() != directory[hashes + page * size :][:size]:
            return False
    return pages > 0
