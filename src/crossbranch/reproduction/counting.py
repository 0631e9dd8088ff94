"""Figures that need no parser: lengths of derivations, sizes of corpora, rules, labels."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from crossbranch.disk import read_file
from crossbranch.errors import UsageError
from crossbranch.experiments.runs import write_json
from crossbranch.grammar import extract
from crossbranch.reproduction.description import Column, Figure, Row, Table
from crossbranch.reproduction.parts import CorpusTrees
from crossbranch.statistics import Statistics
from crossbranch.structure.forms import CompleteHeads
from crossbranch.transforms import Pipeline
from crossbranch.transforms.binarize import Binarize
from crossbranch.transforms.head_rules import table_text
from crossbranch.transforms.heads import Heads
from crossbranch.transitions import Lengths, compare
from crossbranch.tree import Tree

Counts = list[dict[str, Figure | None]]
"""For each row of a table: the figures by column."""

_MARKOV_ORDER = 2  # how many children temporary labels name (Maier 2015, section 3.3.3)


class KnownCounts:
    """The figures of a table in a file, if they are of the same trees and the same rows."""

    def __init__(self, path: Path, table: Table, corpus: CorpusTrees) -> None:
        """Look them up. `found` is None if they are not known."""
        from importlib.metadata import version  # slow to load

        files = {name: part.sha256 for name, part in corpus.parts.items()}
        wanted = msgspec.json.encode(
            [version("crossbranch"), table, files, table_text(corpus.heads)]
        )
        self._path, self._key = path, hashlib.sha256(wanted).hexdigest()
        found = self._all().get(self._key, [])
        names = [set(table.columns) for _ in table.rows]
        self.found: Counts | None = found if list(map(set, found)) == names else None

    def keep(self, counts: Counts) -> None:
        """Add figures to the file."""
        self.found = counts
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_json(self._path, self._all() | {self._key: counts})

    def _all(self) -> dict[str, Counts]:
        try:
            return msgspec.json.decode(read_file(self._path), type=dict[str, Counts])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}


def count(table: Table, corpus: CorpusTrees | None) -> Counts:
    """Return the figures of a table.

    Args:
        table: A table of any kind but `scores`.
        corpus: The corpus; None for examples, which have trees of their own.
    """
    if table.kind == "examples":
        return [_pick(_example(row), table) for row in table.rows]
    assert corpus is not None
    if table.kind == "sizes":
        return [_pick(_size(corpus, row.key), table) for row in table.rows]
    trees = corpus.parts[corpus.corpus.scored(table.on)].trees
    if table.kind == "lengths":
        return _lengths(table, trees, corpus.heads)
    if table.kind == "rules":
        return _rules(table, trees, corpus.heads)
    return _labels(table, trees)


def _pick(figures: dict[str, Figure], table: Table) -> dict[str, Figure | None]:
    """Return the figures that the columns of a table ask for."""
    return {name: _value(figures, column) for name, column in table.columns.items()}


def _value(figures: dict[str, Figure], column: Column) -> Figure:
    if column.figure not in figures:
        known = ", ".join(figures)
        raise UsageError(f"unknown figure {column.figure!r}; expected one of {known}")
    return figures[column.figure]


def _size(corpus: CorpusTrees, part: str) -> dict[str, Figure]:
    if part not in corpus.parts:
        return {"sentences": "", "tokens": ""}
    trees = corpus.parts[part].trees
    return {"sentences": len(trees), "tokens": sum(len(tree.sentence) for tree in trees)}


def _of_lengths(found: Lengths) -> dict[str, Figure]:
    return {
        "bound": found.bound,
        "longest": found.longest,
        "moved": found.moved,
        "most_in_a_row": found.most_in_a_row,
        "transitions": found.transitions,
        "average": found.average,
    }


def _lengths(table: Table, trees: Sequence[Tree], heads: str) -> Counts:
    wanted = [(row.system, row.oracle) for row in table.rows]
    found = compare(trees, heads, systems=wanted)
    return [_pick(_of_lengths(one), table) for one in found]


def _example(row: Row) -> dict[str, Figure]:
    tree = Tree.from_string(row.tree)
    (found,) = compare([tree], systems=[(row.system, row.oracle)])
    return _of_lengths(found)


def _rules(table: Table, trees: Sequence[Tree], heads: str) -> Counts:
    """Return how often rules of the binarized grammar occur, on average, by their number of gaps.

    Unary rules are among them. Rules from a tag to a word are not.
    """
    steps = Pipeline((Heads(heads), CompleteHeads(), Binarize(horizontal=_MARKOV_ORDER)))
    grammar = extract(map(steps.apply, trees))
    uses: defaultdict[str, list[float]] = defaultdict(list)
    for rule, used in grammar.rules.items():
        uses[str(rule.fan_out - 1)].append(used)
    found: Counts = []
    for row in table.rows:
        some = uses.get(row.key, [])
        means: dict[str, Figure] = {"rules": len(some), "average": sum(some) / max(len(some), 1)}
        found.append(_pick(means, table))
    return found


def _labels(table: Table, trees: Sequence[Tree]) -> Counts:
    """Return the share of labels among discontinuous constituents, in percent."""
    counts = Counter(Statistics.of(trees).with_punctuation.labels)
    every = max(counts.total(), 1)
    return [_pick({"share": 100 * counts[row.key] / every}, table) for row in table.rows]
