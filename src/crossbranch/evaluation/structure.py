"""Leaf-ancestor scores (Sampson & Babarcz 2003) and tree distance: the similarity of two trees."""

from __future__ import annotations

from collections.abc import Container, Sequence

from crossbranch import _core
from crossbranch.evaluation.pairs import Pair
from crossbranch.span import Span, first_of, last_of, tokens_of
from crossbranch.tree import Node, Tree


def leaf_ancestor(pair: Pair) -> float | None:
    """Return the mean similarity of the tokens' lineages, or None if no token counts."""
    gold = _lineages(pair, pair.gold)
    if not gold:
        return None
    if pair.predicted is None:
        return 0.0
    predicted = _lineages(pair, pair.predicted)
    return sum(_likeness(gold[token], predicted[token]) for token in gold) / len(gold)


def _lineages(pair: Pair, tree: Tree) -> dict[int, list[str]]:
    """Return the lineage of each token: the labels above it, and marks of beginnings and ends.

    Constituents are visited level by level, from the root down. Each adds its label to the lineages
    of its tokens. Marks are added as well: `)` before the label of its last token, `]` before the
    label of the last token of another block, `(` after the label of its first token, `[` after the
    label of the first token of another block. No lineage gets the same mark twice.
    """
    count = len(tree.sentence) - len(pair.deleted)
    lineages: dict[int, list[str]] = {token: [] for token in range(count)}
    level: list[Node] = [tree.root]
    while level:
        for node, bracket in pair.counting.brackets(level):
            _mark(lineages, pair.counting.label(node), bracket.span)
        level = [child for node in level for child in node.children if isinstance(child, Node)]
    return lineages


def _mark(lineages: dict[int, list[str]], label: str, span: Span) -> None:
    first, last = first_of(span), last_of(span)
    for token in tokens_of(span):
        lineage = lineages[token]
        if not span >> token + 1 & 1:
            _add_once(lineage, ")" if token == last else "]")
        lineage.append(label)
        if token == first or not span >> token - 1 & 1:
            _add_once(lineage, "(" if token == first else "[")


def _add_once(lineage: list[str], mark: str) -> None:
    if mark not in lineage:
        lineage.append(mark)


def _likeness(one: Sequence[str], other: Sequence[str]) -> float:
    total = len(one) + len(other)
    return 1 - edit_distance(one, other) / total if total else 1.0


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many items must be removed, added or replaced to turn one into the other."""
    if one == other:
        return 0
    row = list(range(len(other) + 1))
    for i, item in enumerate(one, 1):
        above, row[0] = row[0], i
        for j, opposite in enumerate(other, 1):
            kept = above + (item != opposite)
            above = row[j]
            row[j] = min(kept, above + 1, row[j - 1] + 1)
    return row[-1]


def tree_distance(pair: Pair) -> tuple[int, int]:
    """Return the edit distance of the trees, and the number of vertices.

    Roots count as vertices only if the label of the gold root counts.
    """
    numbers: dict[object, int] = {}
    root = int(pair.gold.root.label in pair.parameters.deleted_labels)
    gold = _postorder(pair, pair.gold, numbers)
    if pair.predicted is None:
        return len(gold[0]) - root, len(gold[0]) - root
    predicted = _postorder(pair, pair.predicted, numbers)
    distance = _core.tree_distance(*gold, *predicted)
    return distance, len(gold[0]) + len(predicted[0]) - 2 * root


def _postorder(pair: Pair, tree: Tree, numbers: dict[object, int]) -> tuple[list[int], list[int]]:
    """Return label numbers and leftmost vertices of all nodes and tokens, in postorder.

    Two tokens are the same if they have the same tag and position. The root is always included.
    """
    deleted = set(pair.deleted)
    counted = pair.counting.of(tree)
    labels: list[int] = []
    leftmost: list[int] = []

    def add(label: object, first: int) -> None:
        labels.append(numbers.setdefault(label, len(numbers)))
        leftmost.append(first)

    # Each node is visited twice: on the way down, and after all vertices below it.
    stack: list[tuple[Node | int, int | None]] = [(tree.root, None)]
    while stack:
        vertex, begun = stack.pop()
        if isinstance(vertex, int):
            add((tree.sentence[vertex].tag, vertex), len(labels))
        elif begun is None:
            stack.append((vertex, len(labels)))
            stack.extend((child, None) for child in reversed(_below(vertex, counted, deleted)))
        else:
            add(pair.counting.label(vertex), begun)
    return labels, leftmost


def _below(node: Node, counted: Container[int], deleted: Container[int]) -> list[Node | int]:
    """Return the children of a node that count, in the order of their first tokens.

    A node that does not count is replaced by its children.
    """
    found: list[Node | int] = []
    stack = list(node.children)
    while stack:
        child = stack.pop()
        if isinstance(child, int):
            if child not in deleted:
                found.append(child)
        elif id(child) in counted:
            found.append(child)
        else:
            stack.extend(child.children)

    def first(child: Node | int) -> int:
        if isinstance(child, int):
            return child
        return next(token for token in child.tokens if token not in deleted)

    return sorted(found, key=first)
