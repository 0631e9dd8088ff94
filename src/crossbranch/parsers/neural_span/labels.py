"""The labels of span charts: those of continuous and of discontinuous constituents.

Unary chains are one label. Constituents of more than two blocks are split into parts of at most
two, whose labels have numbers (`NP*1`, `NP*2`); parsed trees are put together again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from crossbranch.errors import InputError
from crossbranch.escape import unescape
from crossbranch.span import fan_out
from crossbranch.structure import NaryForm
from crossbranch.transforms import Pipeline
from crossbranch.transforms.continuous import Split
from crossbranch.transforms.joining import split
from crossbranch.tree import Node, Sentence, Tree

_FORM = NaryForm()
_SPLIT = Split(blocks=2)
PIPELINE = Pipeline((_SPLIT, *_FORM.pipeline().steps))
"""Gives trees the form of charts."""


class LabelNames(NamedTuple):
    """The names of labels, each sorted."""

    inside: tuple[str, ...]
    """Of continuous constituents that are not whole sentences."""
    roots: tuple[str, ...]
    discontinuous: tuple[str, ...]


class SpanLabels:
    """The labels of a treebank by number: those inside sentences, roots, discontinuous ones."""

    def __init__(self, names: LabelNames) -> None:
        self.names = names
        self.chains = [tuple(split(name, _FORM.joiner)) for some in names for name in some]
        """The treebank labels that each label stands for, the topmost first."""
        self._split = frozenset(
            ~number
            for number, chain in enumerate(self.chains)
            if any(self.whole_name(name) != name for name in chain)
        )

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> SpanLabels:
        """Collect the labels of trees in the form of charts."""
        inside: set[str] = set()
        roots: set[str] = set()
        discontinuous: set[str] = set()
        for tree in trees:
            roots.add(tree.root.label)
            for node in tree.nodes[1:]:
                (inside if fan_out(node.span) == 1 else discontinuous).add(node.label)
        if not inside:  # all trees are flat, but a chart has at least one label
            inside.add(min(roots).rpartition(_FORM.joiner)[2])
        return cls(LabelNames(*(tuple(sorted(some)) for some in (inside, roots, discontinuous))))

    @property
    def continuous_count(self) -> int:
        """The number of labels of continuous constituents."""
        return len(self.names.inside) + len(self.names.roots)

    @property
    def discontinuous_count(self) -> int:
        """The number of labels of discontinuous constituents."""
        return len(self.names.discontinuous)

    @property
    def is_root(self) -> list[bool]:
        """For each label of continuous constituents, whether it is one of whole sentences."""
        return [False] * len(self.names.inside) + [True] * len(self.names.roots)

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        inside, roots, discontinuous = (
            {name: number for number, name in enumerate(some)} for some in self.names
        )
        start = len(inside)
        return inside, {name: start + number for name, number in roots.items()}, discontinuous

    def number(self, node: Node, *, is_root: bool, blocks: int) -> int:
        """Return the number of a node's label among those of its kind."""
        inside, roots, discontinuous = self._numbers
        return (roots if is_root else inside if blocks == 1 else discontinuous)[node.label]

    @property
    def are_split(self) -> bool:
        """Whether some labels are those of parts of split constituents."""
        return bool(self._split)

    def has_parts(self, codes: Sequence[int]) -> bool:
        """Return whether a tree, as the core writes it, has parts of split constituents."""
        return self.are_split and not self._split.isdisjoint(codes)

    def whole_name(self, name: str) -> str:
        """Return the treebank label of a constituent or of a part of one."""
        return unescape(_SPLIT.whole_label(name))

    def put_together(self, sentence: Sentence, root: Node) -> Node:
        """Return a tree whose split constituents are whole again."""
        return _SPLIT.undo(Tree(sentence, root)).root

    def to_json(self) -> dict[str, Any]:
        """Return lists of names for JSON."""
        return {name: list(some) for name, some in self.names._asdict().items()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any], *, path: str = "") -> SpanLabels:
        """Read what `to_json` returned. Errors name `path`."""
        fields = LabelNames._fields
        good = isinstance(value, dict) and set(value) == set(fields)
        lists = [value[name] for name in fields] if good else []
        good = good and all(isinstance(one, list) for one in lists)
        if not good or not all(isinstance(name, str) and name for one in lists for name in one):
            raise InputError("other values", "lists of labels", path=path)
        if any(len(set(one)) < len(one) for one in lists) or not lists[0] or not lists[1]:
            raise InputError("labels that contradict each other", "different names", path=path)
        return cls(LabelNames(*map(tuple, lists)))
