"""All trees of span charts, by enumeration: sets of tokens that are split in two again and again.

This knows nothing of the rules of charts, only what the spaces say about a node and its two parts.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from random import Random
from typing import NamedTuple

from crossbranch import _core

Tokens = frozenset[int]
BinaryTree = tuple[Tokens, ...]
"""The sets of tokens of all nodes, those of single tokens as well."""

SPACES = [
    ("continuous", False),
    ("cubic", False),
    ("quartic", False),
    ("quintic", False),
    ("quintic", True),
    ("sextic", False),
    ("sextic", True),
]


def blocks(tokens: Tokens) -> list[tuple[int, int]]:
    """Return the runs of neighbouring tokens as half-open ranges."""
    found: list[tuple[int, int]] = []
    for token in sorted(tokens):
        if found and found[-1][1] == token:
            found[-1] = (found[-1][0], token + 1)
        else:
            found.append((token, token + 1))
    return found


def in_a_gap(one: Tokens, other: Tokens) -> bool:
    """Say whether a token of one set is between tokens of the other."""
    return any(min(other) < token < max(other) for token in one)


def is_allowed(node: Tokens, left: Tokens, right: Tokens, rules: str, ill_nested: bool) -> bool:
    """Say whether a space has nodes with these two parts."""
    gaps = [len(blocks(part)) - 1 for part in (left, right)]
    if max(gaps) > 1 or (not ill_nested and in_a_gap(left, right) and in_a_gap(right, left)):
        return False
    has_gap = len(blocks(node)) > 1
    if rules == "continuous":
        return not has_gap and not any(gaps)
    if rules in ("cubic", "quartic"):
        return not any(gaps) if has_gap else sum(gaps) < 2
    if rules == "quintic":
        return not has_gap or sum(gaps) < 2
    return True


@cache
def binary_trees(count: int, rules: str, ill_nested: bool) -> tuple[BinaryTree, ...]:
    """Return all binary trees over some tokens."""

    @cache
    def grow(node: Tokens) -> tuple[BinaryTree, ...]:
        if len(node) == 1:
            return ((node,),)
        found = []
        first, *others = sorted(node)
        for size in range(len(others)):
            for chosen in combinations(others, size):
                left = frozenset([first, *chosen])
                right = node - left
                if is_allowed(node, left, right, rules, ill_nested):
                    found += [(node, *a, *b) for a in grow(left) for b in grow(right)]
        return tuple(found)

    return grow(frozenset(range(count)))


def best_inside(scores: Scores, node: Tokens, rules: str, ill_nested: bool) -> float:
    """Return the score of the best tree over some tokens of a sentence."""

    @cache
    def best(tokens: Tokens) -> float:
        label = max(scores.labels(tokens, rules).values())
        if len(tokens) == 1:
            return label
        first, *others = sorted(tokens)
        pairs = [
            (frozenset([first, *chosen]), tokens.difference([first, *chosen]))
            for size in range(len(others))
            for chosen in combinations(others, size)
        ]
        allowed = [pair for pair in pairs if is_allowed(tokens, *pair, rules, ill_nested)]
        return label + max(best(left) + best(right) for left, right in allowed)

    return best(node)


class Scores(NamedTuple):
    """Scores by span and label, as a chart gets them."""

    tokens: int
    continuous: array[float]
    outer: array[float]
    gap: array[float]
    continuous_labels: int
    discontinuous_labels: int
    is_root: list[bool]

    @classmethod
    def draw(
        cls, random: Random, count: int, labels: tuple[int, int], *, with_root: bool
    ) -> Scores:
        """Return random scores with few digits, so that sums are exact and ties happen."""

        def some(size: int) -> array[float]:
            return array("f", [random.randint(-24, 16) / 8 for _ in range(count * count * size)])

        continuous, discontinuous = labels
        is_root = [random.random() < 0.4 for _ in range(continuous)] if with_root else []
        if is_root:
            is_root[0] = True
        return cls(
            count,
            some(continuous),
            some(discontinuous),
            some(discontinuous),
            continuous,
            discontinuous,
            is_root,
        )

    def core(self) -> _core.SpanScores:
        """Return them for the core."""
        return _core.SpanScores(
            self.tokens,
            self.continuous,
            self.outer,
            self.gap,
            continuous_labels=self.continuous_labels,
            discontinuous_labels=self.discontinuous_labels,
            is_root=self.is_root,
        )

    def labels(self, node: Tokens, rules: str) -> dict[int, float]:
        """Return the score of each label that a node may have; -1 is none."""
        (i, j), *rest = blocks(node)
        if rest:
            (start, end) = rest[0]
            outer, gap = i * self.tokens + end - 1, j * self.tokens + start - 1
            size = self.discontinuous_labels
            found = {
                label: self.outer[outer * size + label] + self.gap[gap * size + label]
                for label in range(size)
            }
            return {-1: 0.0, **found} if rules in ("quintic", "sextic") else found
        size = self.continuous_labels
        at = (i * self.tokens + j - 1) * size
        found = {label: self.continuous[at + label] for label in range(size)}
        if not self.is_root:
            return {-1: 0.0, **found}
        is_whole = j - i == self.tokens
        kept = {label: one for label, one in found.items() if self.is_root[label] == is_whole}
        return kept if is_whole else {-1: 0.0, **kept}


def log_sum(numbers: Sequence[float]) -> float:
    """Return the logarithm of the sum of exponentials."""
    highest = max(numbers)
    return highest + math.log(sum(math.exp(number - highest) for number in numbers))


def as_tokens(constituent: tuple[int, int, int, int, int]) -> tuple[int, Tokens]:
    """Return the label and the tokens of a constituent of a chart."""
    label, first, gap, resume, last = constituent
    hole = frozenset(range(gap, resume)) if gap >= 0 else frozenset()
    return label, frozenset(range(first, last)) - hole


def as_places(node: Tokens) -> tuple[int, int, int, int]:
    """Return the places i, k, l, j of a node, as charts write them."""
    (i, j), *rest = blocks(node)
    return (i, j, rest[0][0], rest[0][1]) if rest else (i, -1, -1, j)


def all_nodes(trees: Sequence[BinaryTree]) -> Iterator[Tokens]:
    """Yield each node of some trees once."""
    yield from dict.fromkeys(node for tree in trees for node in tree)


def probabilities(
    scores: Scores, rules: str, ill_nested: bool
) -> tuple[float, dict[tuple[int, int, int, int, int], float]]:
    """Return the logarithm of the sum over all trees, and the probability of each constituent."""
    trees = binary_trees(scores.tokens, rules, ill_nested)
    options = {node: scores.labels(node, rules) for node in all_nodes(trees)}
    sums = {node: log_sum(list(one.values())) for node, one in options.items()}
    weights = [sum(sums[node] for node in tree) for tree in trees]
    partition = log_sum(weights)
    found: dict[tuple[int, int, int, int, int], float] = defaultdict(float)
    for tree, weight in zip(trees, weights, strict=True):
        for node in tree:
            for label, one in options[node].items():
                if label >= 0:
                    places = (label, *as_places(node))
                    found[places] += math.exp(weight - partition + one - sums[node])
    return partition, found


def labelled_trees(
    scores: Scores, rules: str, ill_nested: bool
) -> dict[frozenset[tuple[int, Tokens]], float]:
    """Return the score of each tree: its nodes that have a label."""
    found: dict[frozenset[tuple[int, Tokens]], float] = {}
    for tree in binary_trees(scores.tokens, rules, ill_nested):
        options = [scores.labels(node, rules) for node in tree]
        for chosen in product(*options):
            kept = [(label, node) for label, node in zip(chosen, tree, strict=True) if label >= 0]
            values = zip(options, chosen, strict=True)
            found[frozenset(kept)] = sum(one[label] for one, label in values)
    return found
