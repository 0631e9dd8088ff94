"""The items of span charts in the order in which the search computes them."""

from __future__ import annotations

from math import comb
from random import Random
from typing import Any

import pytest
from span_trees import SPACES, Scores, as_tokens, best_inside

RULES = {
    ("continuous", False): "a",
    ("cubic", False): "abc",
    ("quartic", False): "abc",
    ("quintic", False): "abcefgh",
    ("quintic", True): "abcefghi",
    ("sextic", False): "abcdefgh",
    ("sextic", True): "abcdefghijkl",
}
each_space = pytest.mark.parametrize(("rules", "ill_nested"), SPACES)
EVERY = 10_000


def drawn(seed: int, count: int, *, with_root: bool = False) -> Scores:
    return Scores.draw(Random(seed), count, (3, 2), with_root=with_root)


@each_space
def test_scores_are_those_of_an_enumeration(rules: str, ill_nested: bool) -> None:
    for seed in range(6):
        scores = drawn(seed, 2 + seed % 4, with_root=seed % 2 == 0)
        items, total = scores.core().items(rules, EVERY, ill_nested=ill_nested)
        assert len(items) == total
        for _, places, score, labels, ways, _, is_shown in items:
            _, node = as_tokens((0, *places))
            space = "quartic" if rules == "cubic" else rules
            assert score == best_inside(scores, node, space, ill_nested)
            assert labels[0][1] == max(scores.labels(node, space).values())
            assert is_shown
            if ways:
                assert ways[0][3] == score == max(way[3] for way in ways)


@each_space
def test_the_items_of_the_tree(rules: str, ill_nested: bool) -> None:
    for seed in range(20):
        scores = Scores.draw(Random(seed), 6, (4, 3), with_root=True)
        best, constituents = scores.core().best(rules, ill_nested=ill_nested)
        items, _ = scores.core().items(rules, 0, ill_nested=ill_nested)
        assert items[-1][2] == best
        assert all(item[5] for item in items)
        found = {(item[3][0][0], *item[1]) for item in items if item[3][0][0] >= 0}
        score = sum(item[3][0][1] for item in items)
        assert score == best
        if rules != "cubic":  # of equally good trees, the cubic chart may find another one
            assert found == set(constituents)


@each_space
def test_the_order(rules: str, ill_nested: bool) -> None:
    """Short spans come before long ones, children before parents, and places have no holes."""
    count = 7
    items, total = drawn(1, count).core().items(rules, EVERY, ill_nested=ill_nested)
    gaps = 0 if rules == "continuous" else comb(count + 1, 4)
    assert total == len(items) == count * (count + 1) // 2 + gaps
    assert [item[0] for item in items] == list(range(total))
    widths = [item[1][3] - item[1][0] for item in items]
    assert widths == sorted(widths)
    seen = set()
    for _, places, _, _, ways, _, _ in items:
        assert all(part in seen for way in ways[:1] for part in way[1:3])
        seen.add(places)


@each_space
def test_rules_have_the_names_of_the_documentation(rules: str, ill_nested: bool) -> None:
    items, _ = drawn(2, 7).core().items(rules, EVERY, best=EVERY, ill_nested=ill_nested)
    names = {way[0] for item in items for way in item[4]}
    assert names == set(RULES[rules, ill_nested])
    for _, places, _, _, ways, _, _ in items:
        _, node = as_tokens((0, *places))
        for name, left, right, _ in ways:
            parts = [as_tokens((0, *part))[1] for part in (left, right)]
            assert parts[0] | parts[1] == node
            assert not parts[0] & parts[1]
            gaps = [part[1] >= 0 for part in (left, right)]
            assert gaps == [name in "cfghdijkl", name in "edijkl"]
            assert (places[1] >= 0) == (name not in "aci")


def test_further_items_have_the_best_labels() -> None:
    scores = drawn(3, 6)
    few, _ = scores.core().items("quintic", 5)
    every, _ = scores.core().items("quintic", EVERY)
    shown = [item for item in few if item[6] and not item[5]]
    assert len(shown) == 5
    left_out = [item for item in every if item[1] not in {one[1] for one in few}]

    def label_score(item: tuple[Any, ...]) -> float:
        return max(float(score) for label, score in item[3] if label >= 0)

    assert min(map(label_score, shown)) >= max(map(label_score, left_out))
