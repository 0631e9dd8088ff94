"""The contract of a format: how to recognise, read and write it, and what it can hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar

from crossbranch.tree import ROOT, Features, SecondaryEdge, Tree
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import Source

ANY = None
"""For the features in Holds: all names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holds:
    """What a format can hold; the rest is counted when it is dropped."""

    constituents: bool = True
    crossing_branches: bool = True
    tags: bool = True
    lemmas: bool = True
    morphology: bool = True
    edge_labels: bool = True
    heads: bool = True
    secondary_edges: bool = True
    ids: bool = True
    comments: bool = True
    header: bool = False
    bare_root: bool = True  # a root that is not virtual; where False, readers put ROOT above it
    root_features: bool = True  # edge label and features of the virtual root
    token_features: frozenset[str] | None = frozenset()
    node_features: frozenset[str] | None = frozenset()
    tree_features: frozenset[str] | None = frozenset()


class Format(ABC):
    """A treebank format. A new one is one class in one file and one line in FORMATS."""

    name: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    holds: ClassVar[Holds]
    fits_any_text: ClassVar[bool] = False
    """Whether the content proves nothing, since any text will do."""
    unencodable: ClassVar[str] = "crossbranch.escape"
    """How characters outside the encoding are written: the name of a codec error handler."""

    @abstractmethod
    def looks_like(self, head: str) -> bool:
        """Say whether a text that begins with `head` may be in this format."""

    @abstractmethod
    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the trees of a source; hand every InputError to `source.report`."""

    @abstractmethod
    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the text of one tree, the `number`th of its file, counted from 1."""

    def holds_edge(self, tree: Tree, edge: SecondaryEdge) -> bool:
        """Say whether this secondary edge can be written, where secondary edges can at all."""
        return True

    def write_declaration(self, encoding: str) -> str:
        """Return what names the encoding of the file, where the format has a place for that."""
        return ""

    def write_start(self, header: Header) -> str:
        """Return what stands before the first tree."""
        return ""

    def write_end(self) -> str:
        """Return what stands after the last tree."""
        return ""


def count_losses(tree: Tree, format: Format) -> Counter[str]:
    """Count by part what the tree has and the format does not hold."""
    losses: Counter[str] = Counter()
    holds = format.holds

    def lose(part: str, count: int) -> None:
        if count:
            losses[part] += count

    sentence = tree.sentence
    if not holds.tags:
        lose("tags", sum(map(bool, map(itemgetter(1), sentence))))
    if not holds.lemmas:
        lose("lemmas", sum(map(bool, map(itemgetter(2), sentence))))
    if not holds.morphology:
        lose("morphology", sum(map(bool, map(itemgetter(3), sentence))))
    if not holds.edge_labels:
        lose("edge labels", sum(map(bool, map(itemgetter(4), sentence))))
        lose("edge labels", sum(bool(node.edge_label) for node in tree.nodes))
    if not holds.heads:
        lose("heads", sum(node.head is not None for node in tree.nodes))
    if not holds.secondary_edges:
        lose("secondary edges", len(tree.secondary_edges))
    elif tree.secondary_edges:
        held = sum(format.holds_edge(tree, edge) for edge in tree.secondary_edges)
        lose("secondary edges", len(tree.secondary_edges) - held)
    if not holds.ids:
        lose("ids", bool(tree.id))
    if not holds.comments:
        lose("comments", len(tree.comments))
    if not holds.constituents:
        lose("constituents", len(tree.nodes) - (tree.root.label == ROOT))
    if holds.token_features is not ANY:
        for features in filter(None, map(itemgetter(5), sentence)):
            lose("token features", _foreign(features, holds.token_features))
    if holds.node_features is not ANY:
        for node in tree.nodes:
            if node.features:
                lose("node features", _foreign(node.features, holds.node_features))
    if holds.tree_features is not ANY:
        lose("tree features", _foreign(tree.features, holds.tree_features))
    if not holds.root_features and tree.root.label == ROOT:
        names = holds.node_features or frozenset()
        held = len(tree.root.features) - _foreign(tree.root.features, names)
        lose("features of the root", held + bool(tree.root.edge_label))
    return losses


def _foreign(features: Features, names: frozenset[str]) -> int:
    return sum(name not in names for name, _ in features)
