"""Blocks: what a worker parses in one go. A block begins at one mark and ends at another.

Blocks are planned before anything is parsed: first the places where files can be cut, then the
number of sentences in each block. So each block knows the numbers of its sentences, and its trees
do not depend on who parses it, or when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

import msgspec

from crossbranch.jobs.inputs import JobInput
from crossbranch.jobs.sentences import JobSentences, ReadingMark

BLOCK_BYTES = 1 << 22
"""The usual size of a block: about 800,000 tokens of English."""


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the inputs."""

    number: int
    start: ReadingMark
    stop: ReadingMark | None
    """Where the next block begins; None for the last one."""
    before: int = 0
    """The number of sentences in earlier blocks."""
    sentences: int | None = None
    """The number of its sentences; None for the last block, which nobody has counted."""

    @property
    def name(self) -> str:
        """The name of its part, without an ending. Names are in the order of the blocks."""
        return f"part-{self.number:06d}"


def cut(sentences: JobSentences, inputs: Sequence[JobInput], size: int) -> list[Block]:
    """Cut the inputs into blocks of about `size` bytes. Small files share a block."""
    starts = [ReadingMark()]
    sizes = [0 if one.path is None else one.path.stat().st_size for one in inputs]
    ends = [*accumulate(sizes, initial=0)]
    for mark in sentences.marks(size):
        last = starts[-1]
        far = ends[mark.input] + mark.at.byte - ends[last.input] - last.at.byte
        is_large = mark.input != last.input and sizes[mark.input] > size
        if far >= size or is_large:  # a large file begins a block
            starts.append(mark)
    stops: list[ReadingMark | None] = [*starts[1:], None]
    return [
        Block(number=number, start=start, stop=stop)
        for number, (start, stop) in enumerate(zip(starts, stops, strict=True))
    ]


def numbered(
    blocks: Sequence[Block], count_all: Callable[[Sequence[Block]], Iterable[int]]
) -> list[Block]:
    """Return the blocks with the numbers of their sentences.

    Args:
        blocks: All blocks.
        count_all: Counts the sentences of several blocks, in their order.
    """
    counts = [*count_all(blocks[:-1]), None]
    found: list[Block] = []
    before, in_file = 0, Counter[int]()
    for block, count in zip(blocks, counts, strict=True):
        start = block.start
        if (
            start.at.byte
        ):  # in the middle of a large file; earlier blocks of the file are only of it
            start = msgspec.structs.replace(start, begun=in_file[start.input] > 0)
        found.append(msgspec.structs.replace(block, start=start, before=before, sentences=count))
        before += count or 0
        in_file[start.input] += count or 0
    return found
