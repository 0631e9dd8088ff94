"""Tensors in the safetensors format: written and read again, by us and by others; damaged files."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbranch import _core
from crossbranch.errors import DamageError, UsageError
from crossbranch.models.tensors import Storage, Tensor, read_tensors, write_tensors

FLOATS = st.floats(width=32, allow_nan=False)
TENSORS = st.dictionaries(
    st.text(min_size=1).filter("__metadata__".__ne__),
    st.lists(st.integers(0, 4), max_size=3).flatmap(
        lambda shape: st.builds(
            Tensor.of,
            st.just(shape),
            st.lists(FLOATS, min_size=math.prod(shape), max_size=math.prod(shape)),
        )
    ),
    max_size=4,
)
EXAMPLE = {
    "weight": Tensor.of((2, 3), [0, 1.5, -2, 0.25, 1e-3, 6]),
    "bias": Tensor.of((2,), [3.5, -1]),
    "number": Tensor.of((), [7]),
}


@given(TENSORS)
@settings(max_examples=50)
def test_what_is_written_is_read_again(tensors: dict[str, Tensor]) -> None:
    assert read_tensors(write_tensors(tensors), path="x") == tensors


def test_halves_have_three_correct_digits_and_half_of_the_size() -> None:
    tensors = {"weight": Tensor.of((1000,), [math.sin(i) for i in range(1000)])}
    content = write_tensors(tensors, storage="float16", metadata={"language": "nl"})
    assert len(content) < 2 * 1000 + 200
    (read,) = read_tensors(content, path="x").values()
    assert read.shape == (1000,)
    assert read.numbers() == pytest.approx(tensors["weight"].numbers(), rel=1e-3)


def test_halves_are_those_of_python() -> None:
    halves = b"".join(struct.pack("<H", bits) for bits in range(0x10000) if bits & 0x7C00 != 0x7C00)
    count = len(halves) // 2
    floats = struct.pack(f"<{count}f", *struct.unpack(f"<{count}e", halves))
    assert _core.floats_from_halves(halves) == floats
    assert _core.halves_from_floats(floats) == halves
    between = [
        1.0009765625 * x * s for x in (1, 1e-7, 3e-8, 2.9e-8, 65519 / 1.001) for s in (1, -1)
    ]
    between += [2049, 2051, 2050.999, 6.0e-5, 6.1035e-5]
    floats = struct.pack(f"<{len(between)}f", *between)
    rounded = struct.unpack(f"<{len(between)}f", floats)
    assert _core.halves_from_floats(floats) == struct.pack(f"<{len(between)}e", *rounded)


@given(TENSORS)
@settings(max_examples=50)
def test_integers_are_near_and_stay_the_same_when_they_are_stored_again(
    tensors: dict[str, Tensor],
) -> None:
    tensors = {f"{number} {name}": one for number, (name, one) in enumerate(tensors.items())}
    if not all(math.isfinite(number) for one in tensors.values() for number in one.numbers()):
        with pytest.raises(UsageError, match="a number is not finite"):
            write_tensors({"x": Tensor.of((1, 1), [math.inf])}, storage="int8")
        return
    content = write_tensors(tensors, storage="int8")
    read = read_tensors(content, path="x")
    assert list(read) == list(tensors)
    for name, one in tensors.items():
        assert read[name].shape == one.shape
        rows = one.shape[0] if len(one.shape) > 1 and one.data else len(one.data) // 4
        size = len(one.data) // 4 // rows if rows else 0
        for row in range(rows):
            before, after = (t.numbers()[row * size : (row + 1) * size] for t in (one, read[name]))
            largest = max(map(abs, before))
            assert after == pytest.approx(before, abs=largest / 253 + 1e-44)
    again = read_tensors(write_tensors(read, storage="int8"), path="x")
    for name, one in read.items():
        assert again[name].numbers() == pytest.approx(one.numbers(), rel=1e-6, abs=1e-43)


def test_integers_take_a_quarter_of_the_space() -> None:
    tensors = {"weight": Tensor.of((10, 100), [math.sin(i) for i in range(1000)])}
    content = write_tensors(tensors, storage="int8")
    assert len(content) < 1000 + 10 * 4 + 250
    with pytest.raises(UsageError, match=r"cannot be called weight\.factors"):
        write_tensors({**tensors, "weight.factors": Tensor.of((1,), [1])}, storage="int8")


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.pop("weight.factors"),
        lambda header: header["weight.factors"].update(shape=[1, 2]),
        lambda header: header["weight.factors"].update(shape=[4], dtype="F16"),
    ],
)
def test_integers_need_their_factors(change: Callable[[dict[str, Any]], object]) -> None:
    content = write_tensors({"weight": EXAMPLE["weight"]}, storage="int8")
    (length,) = struct.unpack_from("<Q", content)
    header = msgspec.json.decode(content[8 : 8 + length])
    change(header)
    encoded = msgspec.json.encode(header)
    data = content[8 + length :][: max(one["data_offsets"][1] for one in header.values())]
    with pytest.raises(DamageError, match="8-bit integers in the tensor weight"):
        read_tensors(struct.pack("<Q", len(encoded)) + encoded + data, path="x")


@pytest.mark.parametrize("number", [65520, -1e9, math.inf, math.nan])
def test_numbers_that_are_too_large_for_halves_are_refused(number: float) -> None:
    with pytest.raises(UsageError, match="the tensor bias cannot be stored"):
        write_tensors({"bias": Tensor.of((1,), [number])}, storage="float16")


def test_tensors_that_do_not_fit_their_shape_are_refused() -> None:
    with pytest.raises(UsageError, match=r"do not have the shape \[2, 2\]"):
        Tensor.of((2, 2), [1, 2, 3])
    with pytest.raises(UsageError, match="the tensor x has 4 bytes, expected 8"):
        write_tensors({"x": Tensor((2,), b"1234")})
    with pytest.raises(UsageError, match="cannot be called __metadata__"):
        write_tensors({"__metadata__": Tensor.of((), [1])})


def with_header(change: Callable[[dict[str, dict[str, object]]], object]) -> bytes:
    """The example with a changed header."""
    content = write_tensors(EXAMPLE)
    (length,) = struct.unpack_from("<Q", content)
    header = msgspec.json.decode(content[8 : 8 + length])
    change(header)
    encoded = msgspec.json.encode(header)
    return struct.pack("<Q", len(encoded)) + encoded + content[8 + length :]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a file of 0 bytes"),
        (b"1234567", "a file of 7 bytes"),
        (struct.pack("<Q", 100) + b"{}", "a header of 100 bytes"),
        (struct.pack("<Q", 2**63) + b"{}", "a header of"),
        (struct.pack("<Q", 2) + b"[]", "the header of a safetensors file"),
        (struct.pack("<Q", 2) + b"\xff{", "the header of a safetensors file"),
        (struct.pack("<Q", 10) + b'{"a": {}} ', "the header of a safetensors file"),
        (write_tensors(EXAMPLE)[:-1], "35 bytes of numbers"),
        (write_tensors(EXAMPLE) + b"x", "37 bytes of numbers"),
        (with_header(lambda h: h["bias"].update(dtype="I64")), "the type I64 of the tensor bias"),
        (with_header(lambda h: h["bias"].update(shape=[3])), "the tensor bias at bytes 24 to 32"),
        (with_header(lambda h: h["bias"].update(shape=[-2])), "no size below 0"),
        (with_header(lambda h: h["bias"].update(data_offsets=[20, 28])), "at bytes 20 to 28"),
        (with_header(lambda h: h["bias"].update(data_offsets=[24, 2**70])), "at bytes 24 to"),
        (with_header(lambda h: h["bias"].update(data_offsets=[-8, 0])), "at bytes -8 to 0"),
        (with_header(lambda h: h.pop("bias")), "the tensor number at bytes 32 to 36"),
        (with_header(lambda h: h.pop("number")), "36 bytes of numbers"),
    ],
)
def test_damaged_files_are_errors_with_their_name(content: bytes, message: str) -> None:
    with pytest.raises(DamageError, match=message) as error:
        read_tensors(content, path="model/weights.safetensors")
    assert str(error.value).startswith("model/weights.safetensors: found")


def test_the_package_safetensors_reads_and_writes_the_same_files() -> None:
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    safetensors = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    load, save = safetensors.load, safetensors.save
    storages: tuple[Storage, ...] = ("float32", "float16")
    for storage in storages:
        loaded = load(write_tensors(EXAMPLE, storage=storage, metadata={"a": "b"}))
        for name, tensor in EXAMPLE.items():
            assert loaded[name].shape == tensor.shape
            assert loaded[name].flatten().tolist() == pytest.approx(tensor.numbers(), rel=1e-3)
    arrays = {
        "whole": numpy.arange(6, dtype="float32").reshape(2, 3),
        "halves": numpy.arange(4, dtype="float16"),
    }
    read = read_tensors(save(arrays, metadata={"format": "pt"}), path="x")
    assert {name: (t.shape, list(t.numbers())) for name, t in read.items()} == {
        "whole": ((2, 3), [0, 1, 2, 3, 4, 5]),
        "halves": ((4,), [0, 1, 2, 3]),
    }
