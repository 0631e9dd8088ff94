"""Real treebanks: read without complaint, counted right, written as they were."""

from __future__ import annotations

import io
import lzma
import re
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

from crossbranch.errors import LossWarning
from crossbranch.tree import Tree
from crossbranch.treebank import read, write


class Figures(NamedTuple):
    """What the SOURCE.md files say; None where they do not."""

    sentences: int
    tokens: int
    constituents: int | None = None
    discontinuous_sentences: int | None = None
    discontinuous_constituents: int | None = None
    ill_nested_sentences: int | None = None


DEV = {
    "alpino": Figures(714, 13_580, 7_116, 310, 530, 2),
    "alpino-nltk": Figures(714, 13_580, 7_118, 313, 539, 2),
    "craft": Figures(2_780, 67_652, 48_751, 178, 293, 19),
    "icepahc": Figures(7_235, 103_540, 76_155, 1_166, 1_643, 17),
    "squoia": Figures(416, 8_144, 5_584, 82, 126, 5),
    "wsj-sample": Figures(250, 6_086, 4_872, 44, 66, 1),
    "alpino/with-functions": Figures(714, 13_580),
    "squoia/with-functions": Figures(416, 8_144),
    "wsj-sample/with-functions": Figures(250, 6_086),
}
ORIGINALS = {  # the format of each, and what marks a sentence in it
    "alpino-cdb": ("alpino", b"<alpino_ds"),
    "alpino-single-file.xml": ("alpino", b"<alpino_ds"),
    "craft-15018652.mrg": ("bracket", rb"^\("),
    "icepahc-sample.psd": ("psd", rb"\(ID "),
    "tiger-squoia-lai.xml": ("tigerxml", rb"<s "),
    "wsj-sample.mrg": ("bracket", rb"^\("),
}


def count(trees: list[Tree], figures: Figures) -> Figures:
    """Count what the figures count."""
    nodes = [node for tree in trees for node in tree.nodes[1:]]
    counted = Figures(
        len(trees),
        sum(len(tree.sentence) for tree in trees),
        len(nodes),
        sum(tree.is_discontinuous for tree in trees),
        sum(node.is_discontinuous for node in nodes),
        sum(tree.is_ill_nested for tree in trees),
    )
    return Figures(*[c if f is not None else None for c, f in zip(counted, figures, strict=True)])  # type: ignore[arg-type]


def converted(data: bytes, *formats: str) -> bytes:
    """Convert through several formats, the header included."""
    for format in formats:
        target = io.BytesIO()
        assert write(read(io.BytesIO(data)), target, format=format) == {}
        data = target.getvalue()
    return data


@pytest.mark.parametrize("name", DEV)
def test_export_comes_out_as_it_went_in(name: str, shared: Path) -> None:
    path = shared / "treebanks" / name / "dev.export.xz"
    data = lzma.decompress(path.read_bytes())
    reader = read(path)
    header = reader.header
    trees = list(reader)
    assert reader.format == "export"
    assert count(trees, DEV[name]) == DEV[name]
    target = io.BytesIO()
    assert write(trees, target, format="export", header=header, strict=True) == {}
    assert target.getvalue() == data


@pytest.mark.parametrize("way", ["json", "tigerxml"])
@pytest.mark.parametrize("name", [name for name in DEV if name != "icepahc"])
def test_export_survives_other_formats(name: str, way: str, shared: Path) -> None:
    data = lzma.decompress((shared / "treebanks" / name / "dev.export.xz").read_bytes())
    assert converted(data, way, "export") == data


@pytest.mark.parametrize("name", ORIGINALS)
def test_originals_are_read_and_survive_their_own_format(name: str, shared: Path) -> None:
    path = shared / "treebanks" / "originals" / name
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    format, mark = ORIGINALS[name]
    reader = read(path)
    trees = list(reader)
    assert reader.format == format
    marks = sum(len(re.findall(mark, file.read_bytes(), re.MULTILINE)) for file in files)
    assert len(trees) == marks
    assert all(tree.sentence for tree in trees)
    target = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write(trees, target, format=format)
    found = list(read(io.BytesIO(target.getvalue()), format=format))
    assert [(tree.sentence, tree.root) for tree in found] == [
        (tree.sentence, tree.root) for tree in trees
    ]


def test_a_folder_of_treebanks_is_read_without_the_notes_beside_them(shared: Path) -> None:
    trees = [tree.id for tree in read(shared / "treebanks" / "wsj-sample")]
    assert len(trees) == 2 * (250 + 3_300)
