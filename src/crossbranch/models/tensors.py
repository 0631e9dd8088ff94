"""Named tensors of floats in the safetensors format.

A file has the length of its header (8 bytes), the header (JSON: the type, shape and place of each
tensor), and the numbers. Tensors are always read as 32-bit floats. They are stored as 32-bit or
16-bit floats, or as 8-bit integers: each row of such a tensor is multiplied by a number of another
tensor, which has the same name and `.factors` behind it. Reading never runs code from the file.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from crossbranch import _core
from crossbranch.errors import DamageError, UsageError

_LENGTH = struct.Struct("<Q")
_ALIGNMENT = 8
_METADATA = "__metadata__"
_SIZES = {"F32": 4, "F16": 2, "I8": 1}
_FACTORS = ".factors"

Storage = Literal["float32", "float16", "int8"]
"""The numbers of a file: 4, 2 or 1 bytes each."""


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
    tensors: Mapping[str, Tensor],
    *,
    storage: Storage = "float32",
    metadata: Mapping[str, str] | None = None,
) -> bytes:
    """Return the content of a file with these tensors.

    Args:
        tensors: The tensors by name.
        storage: The numbers of the file. float16: they take half of the space and have three
            correct digits. int8: a quarter of the space, for tensors with rows; they have two
            correct digits, counted from the largest number of a row.
        metadata: Texts to store with the tensors.

    Raises:
        UsageError: A number is too large or not finite, or a tensor does not fit its shape.
    """
    header: dict[str, object] = {_METADATA: dict(metadata)} if metadata else {}
    parts: list[bytes] = []
    end = 0
    for name, dtype, shape, data in _stored(tensors, storage):
        if name in header or name == _METADATA:
            raise UsageError(f"a tensor cannot be called {name}")
        start, end = end, end + len(data)
        header[name] = _Entry(dtype, shape, (start, end))
        parts.append(data)
    encoded = msgspec.json.encode(header)
    encoded += b" " * (-len(encoded) % _ALIGNMENT)
    return b"".join([_LENGTH.pack(len(encoded)), encoded, *parts])


def _stored(
    tensors: Mapping[str, Tensor], storage: Storage
) -> Iterator[tuple[str, str, tuple[int, ...], bytes]]:
    """Yield the name, type, shape and numbers of everything that a file holds."""
    for name, tensor in tensors.items():
        if len(tensor.data) != 4 * math.prod(tensor.shape):
            raise UsageError(
                f"the tensor {name} has {len(tensor.data)} bytes, "
                f"expected {4 * math.prod(tensor.shape)} for the shape {list(tensor.shape)}"
            )
        has_rows = len(tensor.shape) > 1 and bool(tensor.data)
        try:
            if storage == "int8" and has_rows:
                rows = tensor.shape[0]
                integers, factors = _core.integers_from_floats(tensor.data, rows)
                yield name, "I8", tensor.shape, integers
                yield name + _FACTORS, "F32", (rows,), factors
            elif storage == "float16":
                yield name, "F16", tensor.shape, _core.halves_from_floats(tensor.data)
            else:
                yield name, "F32", tensor.shape, tensor.data
        except ValueError as error:
            raise UsageError(f"the tensor {name} cannot be stored: {error}") from None


def read_tensors(content: bytes, *, path: str) -> dict[str, Tensor]:
    """Return the tensors of a file by name. Messages name the file `path`.

    Raises:
        DamageError: The file is damaged, or has numbers of another type.
    """
    entries, start = _read_header(content, path)
    data = memoryview(content)[start:]
    found: dict[str, bytes] = {}
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1].data_offsets):
        _check(name, entry, end, path)
        begin, end = entry.data_offsets
        if end > len(data):
            raise DamageError(
                f"{len(data)} bytes of numbers", f"{end} for the tensor {name}", path=path
            )
        found[name] = bytes(data[begin:end])
    if end != len(data):
        raise DamageError(f"{len(data)} bytes of numbers", str(end), path=path)
    factors = {name + _FACTORS for name, entry in entries.items() if entry.dtype == "I8"}
    return {
        name: Tensor(entry.shape, _floats(name, entries, found, path))
        for name, entry in entries.items()
        if name not in factors
    }


def _floats(
    name: str, entries: Mapping[str, _Entry], found: Mapping[str, bytes], path: str
) -> bytes:
    """Return the numbers of a tensor as 32-bit floats."""
    entry = entries[name]
    if entry.dtype == "F16":
        return _core.floats_from_halves(found[name])
    if entry.dtype == "F32":
        return found[name]
    factors = entries.get(name + _FACTORS)
    if factors is None or factors.dtype != "F32" or factors.shape != entry.shape[:1]:
        expected = f"32-bit floats for its rows in {name}{_FACTORS}"
        raise DamageError(f"8-bit integers in the tensor {name}", expected, path=path)
    if not found[name]:
        return b""
    return _core.floats_from_integers(found[name], found[name + _FACTORS])


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
