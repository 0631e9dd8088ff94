"""Damaged files of every format: nothing but InputError comes out, and reading goes on.

The mutations are the same on every run. CROSSBRANCH_FUZZ_ROUNDS=5000 makes many more of them.
"""

from __future__ import annotations

import gzip
import os
import random
from itertools import islice
from pathlib import Path

import pytest
from fuzz.mutate import cut_end, cut_middle, flip, flip_a_bit, mutated, repeat
from fuzz.seeds import own_file, to_bytes
from fuzz.targets import treebank

from crossbranch.treebank import FORMATS, read

ROUNDS = int(os.environ.get("CROSSBRANCH_FUZZ_ROUNDS", "40"))
SHARED = Path(__file__).parents[3] / "shared" / "treebanks"
ORIGINALS = {
    "tigerxml": ["tiger-squoia-lai.xml"],
    "alpino": ["alpino-single-file.xml", "alpino-cdb/10.xml", "alpino-cdb/5.xml"],
    "bracket": ["craft-15018652.mrg", "wsj-sample.mrg"],
    "psd": ["icepahc-sample.psd"],
}
PIECE = 12_000  # bytes of a file that are enough to break it in many ways


def real_files(name: str) -> list[bytes]:
    """Beginnings of real files; those that no one publishes are converted from export."""
    if not SHARED.is_dir():
        return []
    if name in ORIGINALS:
        paths = [SHARED / "originals" / path for path in ORIGINALS[name]]
        return [path.read_bytes()[:PIECE] for path in paths]
    found = []
    for folder in ("alpino/with-functions", "squoia/with-functions", "icepahc"):
        trees = list(islice(read(SHARED / folder / "dev.export.xz"), 12))
        found.append(to_bytes(trees, name)[:PIECE])
    return found


def mutations(name: str, files: list[bytes]) -> list[bytes]:
    draw = random.Random(name)
    found = []
    for _ in range(ROUNDS if files else 0):
        found.append(mutated(draw.choice(files), draw))
    return found


def files_of(name: str) -> list[bytes]:
    return [own_file(name), *real_files(name)]


@pytest.mark.parametrize("name", FORMATS)
def test_only_input_errors_come_out(name: str) -> None:
    for data in mutations(name, files_of(name)):
        treebank(data, name)


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_when_the_format_has_to_be_guessed(name: str) -> None:
    for data in mutations(f"guess {name}", files_of(name))[: ROUNDS // 4]:
        treebank(data, None)


@pytest.mark.parametrize("name", FORMATS)
def test_files_of_one_format_read_as_another(name: str) -> None:
    for other in FORMATS:
        for data in files_of(name)[:2]:
            treebank(data[:4000], other)


def test_damaged_compressed_files() -> None:
    draw = random.Random(5)
    whole = gzip.compress(own_file("export") * 20, mtime=0)
    for _ in range(ROUNDS):
        data = bytearray(whole)
        draw.choice([flip, flip_a_bit, cut_end, cut_middle, repeat])(data, draw)
        treebank(bytes(data), "export", packed=True)
