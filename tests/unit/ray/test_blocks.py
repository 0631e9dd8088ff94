"""Blocks of inputs: together they have every sentence once, with the right number."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

import pytest

pytest.importorskip("ray")

from crossbranch.grammar.sampling import sample
from crossbranch.jobs.inputs import RAW, JobInput
from crossbranch.jobs.sentences import JobSentences, ReadingOptions
from crossbranch.ray.blocks import cut, numbered
from crossbranch.text import Tokenizer, decoding
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import write


class Words:
    """A tokenizer to whom a line is a sentence."""

    def stream(self, pieces: Iterable[str], *, lines: bool, start: int) -> Iterator[Tree]:
        for line in re.finditer(r"[^\n]+", "".join(pieces)):
            words = list(re.finditer(r"\S+", line[0]))
            first = start + line.start()
            tokens = [Token(w[0], start=first + w.start(), end=first + w.end()) for w in words]
            if tokens:
                yield Tree(tokens, Node(ROOT, range(len(tokens))), text=line[0].strip())


READING = ReadingOptions(tokenizer=cast("Tokenizer", Words()), names_documents=True)


def inputs(folder: Path) -> list[JobInput]:
    """Large and small, empty, blank and compressed files, and a treebank."""
    line = "Satz {} ist dä.\n\n".format
    found = {
        "empty.txt": b"",
        "large.txt": b"\xef\xbb\xbf" + "".join(map(line, range(60))).encode(),
        "small-1.txt": line("klein").encode(),
        "small-2.txt": line("kleiner").encode(),
        "blank.txt": b"\n\n" * 500 + b"Ende.\n",
        "packed.txt.gz": gzip.compress("".join(map(line, range(30))).encode()),
        "latin.txt": "".join(map(line, range(40))).encode("iso-8859-1"),
        "last.txt": b"Schluss.",
    }
    for name, data in found.items():
        (folder / name).write_bytes(data)
    write(sample(5, seed=1), folder / "trees.export")
    names = [*found, "trees.export"]
    return [
        JobInput(name=str(folder / name), format=None if name == "trees.export" else RAW)
        for name in names
    ]


@pytest.mark.parametrize("size", [1, 60, 200, 600, 1500, 10**9])
@pytest.mark.parametrize("section", [5, 90, 10**6])
def test_blocks_have_every_sentence_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, section: int
) -> None:
    monkeypatch.setattr(decoding, "_SECTION", section)
    files = inputs(tmp_path)
    expected = list(JobSentences(files, READING).start())
    blocks = cut(JobSentences(files, READING), files, size)
    counted = numbered(
        blocks,
        lambda some: [
            sum(1 for _ in JobSentences(files, READING).start(b.start, 0, b.stop)) for b in some
        ],
    )
    found: list[Tree] = []
    for block in counted:
        assert block.before == len(found)
        trees = list(JobSentences(files, READING).start(block.start, block.before, block.stop))
        assert block.sentences in (None, len(trees))
        found += trees
    assert found == expected
    assert [block.name for block in blocks] == sorted(block.name for block in blocks)
    if size == 10**9:
        assert len(blocks) == 1
    elif size == 60 and section == 5:
        assert len(blocks) > 15


def test_small_files_share_a_block(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.txt").write_text("Ein Satz.\n")
    files = [JobInput(name=str(path), format=RAW) for path in sorted(tmp_path.iterdir())]
    assert len(cut(JobSentences(files, READING), files, 50)) == 4
    assert len(cut(JobSentences(files, READING), files, 1)) == 20
