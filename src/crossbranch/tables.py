"""Constituents as records: plain dicts for tables, data frames and databases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crossbranch.constituent import TreeLike, find
from crossbranch.doors import door

Record = dict[str, str | int | float | bool | None]
"""A row of a table: the properties of a constituent, by name."""


@door
def records(trees: Iterable[TreeLike]) -> Iterator[Record]:
    """Yield a record for each constituent of each tree. Trees are read one at a time.

    If a sentence has no id, its number is used, counted from 1.
    """
    for number, tree in enumerate(trees, 1):
        yield from records_of(tree, tree.id or str(number))


def records_of(tree: TreeLike, sentence: str) -> list[Record]:
    """Return the records of one tree. There is none for the virtual root."""
    count, parents, nodes = len(tree.sentence), tree.parents, tree.nodes
    depths = [0] * len(nodes)
    for index in range(1, len(nodes)):  # parents first
        depths[index] = depths[parents[count + index] - count] + 1
    found: list[Record] = []
    for constituent in find(tree):
        tokens, offsets = constituent.tokens, constituent.offsets
        above = parents[constituent.vertex] - count
        found.append(
            {
                "sentence": sentence,
                "label": constituent.label,
                "edge_label": constituent.edge_label,
                "text": constituent.text,
                "head_word": constituent.head_word,
                "word_count": len(tokens),
                "first_token": tokens[0] if tokens else None,
                "last_token": tokens[-1] if tokens else None,
                "start": offsets[0][0] if offsets else None,
                "end": offsets[-1][1] if offsets else None,
                "fan_out": constituent.fan_out,
                "is_discontinuous": constituent.is_discontinuous,
                "confidence": constituent.confidence,
                "parent_label": nodes[above].label if constituent.index else None,
                "depth": depths[constituent.index],
            }
        )
    return found
