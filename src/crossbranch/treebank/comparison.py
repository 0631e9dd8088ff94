"""Comparing a tree with what was read back from a file: what is missing, and what is different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from crossbranch import _core
from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Tree, feature, with_feature
from crossbranch.treebank.assembly import UNNUMBERED
from crossbranch.treebank.format import BARE_ROOTS, Format, Holds

_FIELDS = (("tag", "tags"), ("lemma", "lemmas"), ("morphology", "morphology"))
_OF_NODES = ("edge labels", "node features", "features of the root")


class Comparison(NamedTuple):
    """What a tree lacks in comparison with another one.

    `missing` counts the missing parts, by the names that `count_losses` uses. `change` describes
    the first part that is different and not only missing; it is empty if there is none.
    """

    missing: Counter[str]
    change: str

    def unexplained(self, lost: Counter[str]) -> str:
        """Describe the first difference that is not among the counted losses; "" if all are."""
        if self.change:
            return self.change
        allowed = _joined(lost)
        for part, count in _joined(self.missing).items():
            if count > allowed[part]:
                return f"{count} {part} are missing, expected {allowed[part]}"
        return ""

    def fits(self, lost: Counter[str]) -> bool:
        """Say whether exactly the counted losses are missing."""
        return not self.change and _joined(self.missing) == _joined(lost)


def _joined(lost: Counter[str]) -> Counter[str]:
    """Count edge labels and features of nodes together: the root has its own name for them."""
    joined = Counter({part: n for part, n in lost.items() if n and part not in _OF_NODES})
    if count := sum(lost[part] for part in _OF_NODES):
        joined["edge labels and features of nodes"] = count
    return joined


def compare(written: Tree, found: Tree, *, format: Format, number: int) -> Comparison:
    """Compare a tree with the one that was read back.

    Args:
        written: The tree before it was written.
        found: The tree that was read.
        format: The format that it was written in.
        number: Its number in the file. Readers use it as id if a file has none.
    """
    return _Comparing(written, found, format.holds, number).result()


class _Comparing:
    def __init__(self, written: Tree, found: Tree, holds: Holds, number: int) -> None:
        self._written, self._found, self._holds, self._number = written, found, holds, number
        self._missing: Counter[str] = Counter()
        self._change = ""

    def result(self) -> Comparison:
        written, found = self._written, self._found
        forms, forms_found = ([t.form for t in tree.sentence] for tree in (written, found))
        if forms != forms_found:
            self._note(f"the words are {_shown(forms_found)}, expected {_shown(forms)}")
        else:
            self._compare_ids()
            self._compare_tokens()
            self._compare_nodes()
            self._compare_many("comments", written.comments, found.comments, "")
            self._compare_features("tree features", written.features, found.features, "the tree")
            self._compare_text("texts", written.text, found.text, "the tree")
        return Comparison(self._missing, self._change)

    def _note(self, change: str) -> None:
        self._change = self._change or change

    def _compare_text(self, part: str, written: str, found: str, where: str) -> None:
        if written == found:
            return
        if found:
            self._note(f"{part} of {where}: {found!r}, expected {written!r}")
        else:
            self._missing[part] += 1

    def _compare_ids(self) -> None:
        written, found = self._written.id, self._found.id
        if found in (written, written or str(self._number)):
            return
        if found in ("", str(self._number)):
            self._missing["ids"] += 1
        else:
            self._note(f"the id is {found!r}, expected {written!r}")

    def _compare_tokens(self) -> None:
        pairs = zip(self._written.sentence, self._found.sentence, strict=True)
        for position, (one, two) in enumerate(pairs, 1):
            if one == two:
                continue
            where = f"token {position}"
            for field, part in _FIELDS:
                self._compare_text(part, getattr(one, field), getattr(two, field), where)
            self._compare_text("edge labels", one.edge_label, two.edge_label, where)
            self._compare_features("token features", one.features, two.features, where)
            if one[6:] != two[6:]:
                if two[6:] == (None, None):
                    self._missing["offsets"] += 1
                else:
                    self._note(f"the offsets of {where}: {two[6:]}, expected {one[6:]}")

    def _compare_features(self, part: str, one: Features, two: Features, where: str) -> None:
        if one != two:
            self._compare_many(part, one, two, f" of {where}")

    def _compare_many(
        self, part: str, written: Iterable[object], found: Iterable[object], where: str
    ) -> None:
        """Compare items in order: some may be missing, none may be new."""
        left = iter(written)
        lost = 0
        for item in found:
            for other in left:
                if item == other:
                    break
                lost += 1
            else:
                self._note(f"{part}{where}: {item!r} is new, or in another place")
                return
        lost += sum(1 for _ in left)
        if lost:
            self._missing[part] += lost

    def _compare_nodes(self) -> None:
        written, found = self._written, self._found
        root = found.root
        shift = 0
        if not self._holds.constituents:
            if root != Node(ROOT, range(len(found.sentence))):
                self._note(f"constituents in a format without them: {root}")
            self._miss_all_nodes()
            return
        if not written.sentence and written.root.label != ROOT == root.label:
            self._missing[BARE_ROOTS] += 1
            self._miss_all_nodes(constituents=0)
            return
        if written.root.label != ROOT and not self._holds.bare_root:
            self._missing[BARE_ROOTS] += 1
            shift, root = 1, cast("Node", root.children[0])
        self._compare_edges(shift)
        for one, two in _pairs(written.root, root):
            if not isinstance(two, Node) or one.label != two.label or not _alike(one, two):
                self._note(f"the constituent {two}, expected {one}")
                return
            self._compare_text("edge labels", one.edge_label, two.edge_label, one.label)
            self._compare_node_features(one, two)
            if one.head != two.head:
                if two.head is not None:
                    self._note(f"the head of {one.label} is {two.head}, expected {one.head}")
                self._missing["heads"] += 1

    def _compare_node_features(self, one: Node, two: Node) -> None:
        features = two.features
        if one.features != features and not feature(one.features, "id") and feature(features, "id"):
            self._missing[UNNUMBERED] += 1
            features = with_feature(features, "id", None)
        self._compare_features("node features", one.features, features, one.label)

    def _miss_all_nodes(self, constituents: int | None = None) -> None:
        """Count everything that the nodes of a tree have."""
        tree = self._written
        count, edge_labels, heads, _ = _core.count_nodes(tree.root)
        missing = {
            "constituents": count - (tree.root.label == ROOT) if constituents is None else 0,
            "edge labels": edge_labels,
            "heads": heads,
            "node features": sum(len(node.features) for node in tree.nodes),
            "secondary edges": len(tree.secondary_edges),
        }
        self._missing.update({part: number for part, number in missing.items() if number})

    def _compare_edges(self, shift: int) -> None:
        """Compare secondary edges. Below a root that was added, nodes have higher numbers."""
        count = len(self._written.sentence)
        written = Counter(
            SecondaryEdge(e.label, *(v + shift * (v >= count) for v in e[1:]))
            for e in self._written.secondary_edges
        )
        found = Counter(self._found.secondary_edges)
        if new := found - written:
            self._note(f"{next(iter(new))} is new")
        elif lost := (written - found).total():
            self._missing["secondary edges"] += lost


def _pairs(one: Node, two: Node | int) -> Iterator[tuple[Node, Node | int]]:
    """Yield the nodes of two trees side by side. Stop early if the trees have other shapes."""
    stack: list[tuple[Node, Node | int]] = [(one, two)]
    while stack:
        pair = stack.pop()
        yield pair
        above, beside = pair
        if isinstance(beside, Node):
            both = zip(above.children, beside.children, strict=False)
            stack += [(a, b) for a, b in both if isinstance(a, Node)]


def _alike(one: Node, two: Node) -> bool:
    """Whether the children of both are nodes and the same tokens at the same positions."""
    if len(one.children) != len(two.children):
        return False
    return all(
        isinstance(b, Node) if isinstance(a, Node) else a == b
        for a, b in zip(one.children, two.children, strict=True)
    )


def _shown(words: list[str]) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= 100 else f"{text[:100]}…")
