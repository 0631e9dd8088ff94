"""Arrays on disk, as numpy would write them."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from crossbranch.errors import InputError
from crossbranch.parsers.arrays import npy_bytes, npy_header, open_array


@pytest.mark.parametrize(("kind", "code"), [("u4", "I"), ("u2", "H")])
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_numbers_survive(tmp_path: Path, kind: str, code: str, count: int) -> None:
    numbers = array(code, range(count))
    path = tmp_path / "x.npy"
    path.write_bytes(npy_bytes(kind, numbers.tobytes()))
    assert open_array(path, kind).tolist() == list(range(count))


def test_the_header_is_the_documented_one() -> None:
    header = npy_header("u4", 1234567)
    assert len(header) % 64 == 0
    assert header.startswith(b"\x93NUMPY\x01\x00")
    assert b"{'descr': '<u4', 'fortran_order': False, 'shape': (1234567,), }" in header
    assert header.endswith(b" \n")


def test_numpy_reads_it(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    path = tmp_path / "x.npy"
    path.write_bytes(npy_bytes("u2", array("H", [1, 2, 65535]).tobytes()))
    assert numpy.load(path).tolist() == [1, 2, 65535]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUM",
        b"nonsense " * 20,
        npy_bytes("u2", b"1234"),
        npy_bytes("u4", b"1234") + b"x",
        npy_bytes("u4", b"12345678")[:-4],
        npy_bytes("u4", b"1234").replace(b"False", b"__import__('os')"),
    ],
)
def test_what_is_no_such_array_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"x\.npy: found .*, expected"):
        open_array(path, "u4")
