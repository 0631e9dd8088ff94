"""Named tensors of floats in the safetensors format.

A file has the length of its header (8 bytes), the header (JSON: the type, shape and place of each
tensor), and the numbers. Tensors are stored as 32-bit or 16-bit floats and always read as 32-bit
floats. Reading never runs code from the file.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from crossbranch import _core
from crossbranch.errors import DamageError, UsageError

_LENGTH = struct.Struct("<Q")
_ALIGNMENT = 8
_METADATA = "__metadata__"
_SIZES = {"F32": 4, "F16": 2}


class Tensor(NamedTuple):
    """A tensor of 32-bit floats. `_core.Tensors` takes these."""

    shape: tuple[int, ...]
    data: bytes
    """The numbers, in little-endian order; the last dimension is the innermost one."""

    @classmethod
    def of(cls, shape: Sequence[int], numbers: Sequence[float]) -> Tensor:
        """Make a tensor of numbers in a flat list."""
        if math.prod(shape) != len(numbers):
            raise UsageError(f"{len(numbers)} numbers do not have the shape {list(shape)}")
        return cls(tuple(shape), struct.pack(f"<{len(numbers)}f", *numbers))

    def numbers(self) -> tuple[float, ...]:
        """Return the numbers as a flat tuple."""
        return struct.unpack(f"<{len(self.data) // 4}f", self.data)


class _Entry(msgspec.Struct, frozen=True):
    """The entry of a tensor in the header."""

    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def write_tensors(
    tensors: Mapping[str, Tensor], *, half: bool = False, metadata: Mapping[str, str] | None = None
) -> bytes:
    """Return the content of a file with these tensors.

    Args:
        tensors: The tensors by name.
        half: Store 16-bit floats, which take half of the space and have three correct digits.
        metadata: Texts to store with the tensors.

    Raises:
        UsageError: A number is too large for 16-bit floats, or a tensor does not fit its shape.
    """
    header: dict[str, object] = {_METADATA: dict(metadata)} if metadata else {}
    parts: list[bytes] = []
    end = 0
    for name, tensor in tensors.items():
        if name == _METADATA:
            raise UsageError(f"a tensor cannot be called {name}")
        if len(tensor.data) != 4 * math.prod(tensor.shape):
            raise UsageError(
                f"the tensor {name} has {len(tensor.data)} bytes, "
                f"expected {4 * math.prod(tensor.shape)} for the shape {list(tensor.shape)}"
            )
        data = _to_half(name, tensor) if half else tensor.data
        start, end = end, end + len(data)
        dtype = "F16" if half else "F32"
        header[name] = _Entry(dtype, tensor.shape, (start, end))
        parts.append(data)
    encoded = msgspec.json.encode(header)
    encoded += b" " * (-len(encoded) % _ALIGNMENT)
    return b"".join([_LENGTH.pack(len(encoded)), encoded, *parts])


def read_tensors(content: bytes, *, path: str) -> dict[str, Tensor]:
    """Return the tensors of a file by name. Messages name the file `path`.

    Raises:
        DamageError: The file is damaged, or has other numbers than 16-bit and 32-bit floats.
    """
    entries, start = _read_header(content, path)
    data = memoryview(content)[start:]
    tensors = {}
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1].data_offsets):
        _check(name, entry, end, path)
        begin, end = entry.data_offsets
        if end > len(data):
            raise DamageError(
                f"{len(data)} bytes of numbers", f"{end} for the tensor {name}", path=path
            )
        part = bytes(data[begin:end])
        tensors[name] = Tensor(
            entry.shape, _core.floats_from_halves(part) if entry.dtype == "F16" else part
        )
    if end != len(data):
        raise DamageError(f"{len(data)} bytes of numbers", str(end), path=path)
    return {name: tensors[name] for name in entries}


def _read_header(content: bytes, path: str) -> tuple[dict[str, _Entry], int]:
    """Return the entries of the header, and where it ends."""
    if len(content) < _LENGTH.size:
        raise DamageError(
            f"a file of {len(content)} bytes", "tensors in the safetensors format", path=path
        )
    (length,) = _LENGTH.unpack_from(content)
    end = _LENGTH.size + length
    if end > len(content):
        raise DamageError(
            f"a file of {len(content)} bytes", f"a header of {length} bytes", path=path
        )
    try:
        fields = msgspec.json.decode(content[_LENGTH.size : end], type=dict[str, msgspec.Raw])
        fields.pop(_METADATA, None)
        return {name: msgspec.json.decode(raw, type=_Entry) for name, raw in fields.items()}, end
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DamageError(str(error), "the header of a safetensors file", path=path) from None


def _check(name: str, entry: _Entry, begin: int, path: str) -> None:
    """Raise an error if an entry is impossible. The tensor before it ends at `begin`."""
    if entry.dtype not in _SIZES:
        raise DamageError(
            f"the type {entry.dtype} of the tensor {name}", " or ".join(_SIZES), path=path
        )
    if any(size < 0 for size in entry.shape):
        raise DamageError(
            f"the shape {list(entry.shape)} of the tensor {name}", "no size below 0", path=path
        )
    expected = begin + _SIZES[entry.dtype] * math.prod(entry.shape)
    if entry.data_offsets != (begin, expected):
        raise DamageError(
            f"the tensor {name} at bytes {entry.data_offsets[0]} to {entry.data_offsets[1]}",
            f"bytes {begin} to {expected}, because its shape is {list(entry.shape)}",
            path=path,
        )


def _to_half(name: str, tensor: Tensor) -> bytes:
    try:
        return _core.halves_from_floats(tensor.data)
    except ValueError as error:
        raise UsageError(f"the tensor {name} cannot be stored: {error}") from None
