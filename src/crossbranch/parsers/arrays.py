"""Arrays of numbers as `.npy` files, which every language with an array library reads.

Arrays are mapped into memory when they are opened, so that nothing is read twice: the core takes
them over in one go, into pages that suit it.
"""

from __future__ import annotations

import mmap
import re
import struct
import sys
from pathlib import Path
from typing import Literal

from crossbranch.errors import InputError

_MAGIC = b"\x93NUMPY\x01\x00"
_ALIGNMENT = 64
_HEADER = re.compile(rb"\{'descr': '<(u[24])', 'fortran_order': False, 'shape': \((\d+),\), \} *\n")
_CODES: dict[str, Literal["H", "I"]] = {"u2": "H", "u4": "I"}
"""What the kinds of numbers are called in memory."""


def npy_header(kind: str, count: int) -> bytes:
    """Return what stands before `count` numbers of a kind such as `u4`."""
    description = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({count},), }}".encode()
    start = len(_MAGIC) + 2
    padding = -(start + len(description) + 1) % _ALIGNMENT
    body = description + b" " * padding + b"\n"
    return _MAGIC + struct.pack("<H", len(body)) + body


def numbers(kind: str, data: bytes) -> memoryview[int]:
    """Return bytes as the numbers that they are."""
    return memoryview(data).cast(_CODES[kind])


def npy_bytes(kind: str, data: bytes) -> bytes:
    """Return numbers, given as their bytes, as the content of a file."""
    return npy_header(kind, len(data) // struct.calcsize(_CODES[kind])) + data


def open_array(path: Path, kind: str) -> memoryview[int]:
    """Map the numbers of a file, which must be of this kind, into memory."""
    if sys.byteorder != "little":  # the mapped bytes are the numbers
        raise InputError("a machine that is not little-endian", "a little-endian one")
    with path.open("rb") as file:
        head = file.read(len(_MAGIC) + 2)
        if len(head) < len(_MAGIC) + 2 or not head.startswith(_MAGIC):
            raise InputError("no array", f"an array of {kind}", path=str(path))
        (size,) = struct.unpack("<H", head[-2:])
        match = _HEADER.fullmatch(file.read(size))
        if match is None or match[1].decode() != kind:
            raise InputError("another array", f"an array of {kind}", path=str(path))
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    data = mapped[len(head) + size :]
    expected = int(match[2]) * struct.calcsize(_CODES[kind])
    if len(data) != expected:
        raise InputError(f"{len(data):,} bytes", f"{expected:,}", path=str(path))
    return data.cast(_CODES[kind])
