"""The base class of formats: how to recognise, read and write a format, and what it can hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from operator import itemgetter
from typing import Any, ClassVar

from crossbranch import _core
from crossbranch.doors import doors_in
from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Sentence, Tree
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import Source

_tag, _lemma, _morphology, _edge_label, _features = map(itemgetter, range(1, 6))
_offsets = itemgetter(slice(6, 8))

ANY = None
"""Stands for all names of features in `Holds`."""

BARE_ROOTS = "bare roots (ROOT is added above)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holds:
    """What a format can hold. Everything else is dropped and counted."""

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
    offsets: bool = False  # positions of tokens in the raw text, and the text itself
    bare_root: bool = True  # a root that is not virtual; if False, readers add ROOT above it
    root_features: bool = True  # edge label and features of the virtual root
    root_edge_label: bool = True  # edge label of the virtual root
    token_features: frozenset[str] | None = frozenset()
    node_features: frozenset[str] | None = frozenset()
    tree_features: frozenset[str] | None = frozenset()

    @property
    def missing(self) -> list[str]:
        """What the format cannot hold, by name."""
        names = [field.name for field in fields(self) if field.name != "bare_root"]
        return [name for name in names if getattr(self, name) is False]


class Format(ABC):
    """A treebank format. To add one, write a class in a new file and add a line to FORMATS."""

    name: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    holds: ClassVar[Holds]
    fits_any_text: ClassVar[bool] = False
    """Whether any text can be read in this format, so that content alone proves nothing."""
    unencodable: ClassVar[str] = "crossbranch.escape"
    """The codec error handler that writes characters outside the encoding."""

    def __init_subclass__(cls) -> None:
        doors_in(
            cls,
            "holds_edge",
            "holds_text",
            "looks_like",
            "write_declaration",
            "write_start",
            "write_tree",
        )

    @abstractmethod
    def looks_like(self, head: str) -> bool:
        """Say whether a text that begins with `head` may be in this format."""

    @abstractmethod
    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the trees of a source. Call `source.report` with every InputError."""

    @abstractmethod
    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the text of one tree. `number` is its number in the file, counted from 1."""

    def holds_edge(self, tree: Tree, edge: SecondaryEdge) -> bool:
        """Say whether this secondary edge can be written, if the format has secondary edges."""
        return True

    def count_more(self, tree: Tree, lost: Counter[str]) -> None:  # noqa: B027 - nothing, usually
        """Count parts of this tree that cannot be written, although `holds` has their kind."""

    def holds_text(self, tree: Tree) -> bool:
        """Say whether the text of this tree can be written, if the format has offsets."""
        return True

    def write_declaration(self, encoding: str) -> str:
        """Return the declaration of the encoding, if the format has one."""
        return ""

    def write_start(self, header: Header) -> str:
        """Return the text before the first tree."""
        return ""

    def write_end(self) -> str:
        """Return the text after the last tree."""
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the name, the summary, the file names, and what the format cannot hold."""
        return {
            "format": self.name,
            "summary": self.summary,
            "file_names": list(self.suffixes),
            "cannot_hold": self.holds.missing,
        }


def count_losses(tree: Tree, format: Format) -> Counter[str]:
    """Count the parts of the tree that the format cannot hold."""
    holds, root = format.holds, tree.root
    lost: Counter[str] = Counter()
    _count_in_tokens(tree.sentence, holds, lost)
    _count_in_nodes(tree, holds, lost)
    if tree.secondary_edges:
        held = [holds.secondary_edges and format.holds_edge(tree, e) for e in tree.secondary_edges]
        _add(lost, "secondary edges", held.count(False))
    if not holds.bare_root and holds.constituents and root.label != ROOT:
        lost[BARE_ROOTS] += 1
        if not tree.sentence:  # a node without words cannot be below another one
            count_lost_root(tree, format, lost)
    if tree.id and not holds.ids:
        lost["ids"] += 1
    if tree.comments and not holds.comments:
        lost["comments"] += len(tree.comments)
    if tree.text and not (holds.offsets and format.holds_text(tree)):
        lost["texts"] += 1
    if tree.features:
        _add(lost, "tree features", _foreign(tree.features, holds.tree_features))
    if root.label == ROOT and (root.features or root.edge_label):
        _count_at_root(root, holds, lost)
    format.count_more(tree, lost)
    return lost


def _count_at_root(root: Node, holds: Holds, lost: Counter[str]) -> None:
    count = 0
    if root.edge_label and holds.edge_labels:
        count += not (holds.root_features and holds.root_edge_label)
    if not holds.root_features:
        count += len(root.features) - _foreign(root.features, holds.node_features)
    _add(lost, "features of the root", count)


def count_lost_root(tree: Tree, format: Format, lost: Counter[str]) -> None:
    """Count what is lost with the root of an empty sentence, in addition to its label."""
    holds, root = format.holds, tree.root
    _add(lost, "edge labels", bool(root.edge_label) and holds.edge_labels)
    held = len(root.features) - _foreign(root.features, holds.node_features)
    _add(lost, "node features", held)
    if holds.secondary_edges:
        held = sum(format.holds_edge(tree, edge) for edge in tree.secondary_edges)
        _add(lost, "secondary edges", held)


def _count_in_tokens(sentence: Sentence, holds: Holds, lost: Counter[str]) -> None:
    if not holds.tags:
        _add(lost, "tags", sum(map(bool, map(_tag, sentence))))
    if not holds.lemmas:
        _add(lost, "lemmas", sum(map(bool, map(_lemma, sentence))))
    if not holds.morphology:
        _add(lost, "morphology", sum(map(bool, map(_morphology, sentence))))
    if not holds.edge_labels:
        _add(lost, "edge labels", sum(map(bool, map(_edge_label, sentence))))
    if not holds.offsets:
        _add(lost, "offsets", len(sentence) - list(map(_offsets, sentence)).count((None, None)))
    for features in filter(None, map(_features, sentence)):
        _add(lost, "token features", _foreign(features, holds.token_features))


def _count_in_nodes(tree: Tree, holds: Holds, lost: Counter[str]) -> None:
    count, edge_labels, heads, featured = _core.count_nodes(tree.root)
    if featured:
        for node in tree.nodes:
            _add(lost, "node features", _foreign(node.features, holds.node_features))
    if not holds.edge_labels:
        _add(lost, "edge labels", edge_labels)
    if not holds.heads:
        _add(lost, "heads", heads)
    if not holds.constituents:
        _add(lost, "constituents", count - (tree.root.label == ROOT))


def _add(lost: Counter[str], part: str, count: int) -> None:
    if count:
        lost[part] += count


def _foreign(features: Features, names: frozenset[str] | None) -> int:
    """Count features with other names than these, and second values of a name."""
    if names is ANY or not features:
        return 0
    return len(features) - len(names.intersection([name for name, _ in features]))
