"""The contract of a format: how to recognise, read and write it, and what it can hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar

from crossbranch.tree import ROOT, Features, SecondaryEdge, Sentence, Tree
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import Source

_tag, _lemma, _morphology, _edge_label, _features = map(itemgetter, range(1, 6))

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
    holds, root = format.holds, tree.root
    lost = _lost_by_tokens(tree.sentence, holds)
    lost.update(_lost_by_nodes(tree, holds))
    if not holds.secondary_edges:
        lost["secondary edges"] = len(tree.secondary_edges)
    elif tree.secondary_edges:
        held = sum(format.holds_edge(tree, edge) for edge in tree.secondary_edges)
        lost["secondary edges"] = len(tree.secondary_edges) - held
    if not holds.ids:
        lost["ids"] = bool(tree.id)
    if not holds.comments:
        lost["comments"] = len(tree.comments)
    if tree.features:
        lost["tree features"] = _foreign(tree.features, holds.tree_features)
    if not holds.root_features and root.label == ROOT and (root.features or root.edge_label):
        foreign = _foreign(root.features, holds.node_features)
        lost["features of the root"] = len(root.features) - foreign + bool(root.edge_label)
    return +lost


def _lost_by_tokens(sentence: Sentence, holds: Holds) -> Counter[str]:
    lost: Counter[str] = Counter()
    for part, held, field in (
        ("tags", holds.tags, _tag),
        ("lemmas", holds.lemmas, _lemma),
        ("morphology", holds.morphology, _morphology),
        ("edge labels", holds.edge_labels, _edge_label),
    ):
        if not held:
            lost[part] = sum(map(bool, map(field, sentence)))
    for features in filter(None, map(_features, sentence)):
        lost["token features"] += _foreign(features, holds.token_features)
    return lost


def _lost_by_nodes(tree: Tree, holds: Holds) -> Counter[str]:
    edge_labels = heads = features = 0
    for node in tree.nodes:
        if node.edge_label:
            edge_labels += 1
        if node.head is not None:
            heads += 1
        if node.features:
            features += _foreign(node.features, holds.node_features)
    lost = Counter({"node features": features})
    if not holds.edge_labels:
        lost["edge labels"] = edge_labels
    if not holds.heads:
        lost["heads"] = heads
    if not holds.constituents:
        lost["constituents"] = len(tree.nodes) - (tree.root.label == ROOT)
    return lost


def _foreign(features: Features, names: frozenset[str] | None) -> int:
    return 0 if names is ANY else sum(name not in names for name, _ in features)
