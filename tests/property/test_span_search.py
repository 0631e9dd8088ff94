"""Costs, pruned search and minimum risk agree with the enumeration of all trees."""

from __future__ import annotations

from array import array
from functools import partial
from random import Random

import pytest
from span_trees import (
    SPACES,
    Scores,
    Tokens,
    all_nodes,
    as_places,
    as_tokens,
    binary_trees,
    labelled_trees,
    probabilities,
)

Constituent = tuple[int, int, int, int, int]


def names(value: object) -> str:
    return "-".join(str(one) for one in value) if isinstance(value, tuple) else str(value)


def some_constituents(
    scores: Scores, rules: str, ill_nested: bool, random: Random
) -> list[Constituent]:
    """Return gold constituents. They need not be those of one tree."""
    nodes = list(all_nodes(binary_trees(scores.tokens, rules, ill_nested)))
    found = []
    for node in random.sample(nodes, min(len(nodes), 6)):
        labels = [label for label in scores.labels(node, rules) if label >= 0]
        if labels:
            found.append((random.choice(labels), *as_places(node)))
    return found


def best_with_cost(
    scores: Scores,
    rules: str,
    ill_nested: bool,
    gold: set[tuple[int, Tokens]],
    costs: tuple[float, float],
) -> float:
    """Return the highest sum of scores and costs: those of wrong and of gold constituents."""
    trees = binary_trees(scores.tokens, rules, ill_nested)
    best = {
        node: max(
            one + (costs[(label, node) in gold] if label >= 0 else 0)
            for label, one in scores.labels(node, rules).items()
        )
        for node in all_nodes(trees)
    }
    return max(sum(best[node] for node in tree) for tree in trees)


@pytest.mark.parametrize("space", SPACES, ids=names)
def test_costs(space: tuple[str, bool]) -> None:
    rules, ill_nested = space
    random = Random(f"costs {rules} {ill_nested}")
    for count in (1, 2, 3, 4, 4, 5, 5, 6):
        labels = (random.randint(1, 3), random.randint(1, 2))
        scores = Scores.draw(random, count, labels, with_root=random.random() < 0.5)
        plain = some_constituents(scores, rules, ill_nested, random)
        gold = {as_tokens(one) for one in plain}
        for cost, gold_cost in ((0.0, 0.0), (0.5, 0.0), (2.0, 0.0), (1.0, -1.0)):
            score, tree = scores.core().best_with_cost(
                rules, plain, cost, gold_cost=gold_cost, ill_nested=ill_nested
            )
            assert score == best_with_cost(scores, rules, ill_nested, gold, (cost, gold_cost))
            nodes = [as_tokens(one) for one in tree]
            own = sum(scores.labels(node, rules)[label] for label, node in nodes)
            assert score == own + sum(gold_cost if node in gold else cost for node in nodes)


def test_a_gold_constituent_may_be_said_twice() -> None:
    scores = Scores.draw(Random(2), 4, (1, 1), with_root=False).core()
    gold = [(0, 0, 1, 2, 4), (0, 1, -1, -1, 3)]
    assert scores.best_with_cost("quintic", gold * 2, 1.0) == scores.best_with_cost(
        "quintic", gold, 1.0
    )


@pytest.mark.parametrize("ill_nested", [False, True])
def test_the_pruned_search_is_exact_with_all_items(ill_nested: bool) -> None:
    random = Random(f"pruned {ill_nested}")
    for count in (1, 2, 3, 5, 6, 7, 9, 12):
        for _ in range(4):
            scores = Scores.draw(random, count, (2, 2), with_root=random.random() < 0.5).core()
            score, constituents, bound = scores.best_pruned(ill_nested=ill_nested, limit=100_000)
            assert score == bound == scores.best("quintic", ill_nested=ill_nested)[0]
            check_nodes(constituents)


@pytest.mark.parametrize("ill_nested", [False, True])
def test_the_pruned_search_knows_when_it_is_exact(ill_nested: bool) -> None:
    random = Random(f"limits {ill_nested}")
    certain = 0
    for count in (4, 6, 8, 10):
        for limit in (0, 1, 3, 10, 30):
            scores = few_gaps(random, count)
            score, constituents, bound = scores.core().best_pruned(
                ill_nested=ill_nested, limit=limit
            )
            exact = scores.core().best("quintic", ill_nested=ill_nested)[0]
            assert scores.core().best("cubic")[0] <= score <= exact <= bound
            check_nodes(constituents)
            certain += bound == score
    assert 10 < certain < 20


def few_gaps(random: Random, count: int) -> Scores:
    """Return scores as a trained model gives them: few discontinuous spans are good ones."""
    scores = Scores.draw(random, count, (2, 2), with_root=True)
    for numbers in (scores.outer, scores.gap):
        for place, number in enumerate(numbers):
            numbers[place] = number - (0 if random.random() < 0.2 else 3)
    return scores


def check_nodes(constituents: list[Constituent]) -> None:
    """Constituents do not cross."""
    nodes = [tokens for _, tokens in map(as_tokens, constituents)]
    for place, one in enumerate(nodes):
        for other in nodes[:place]:
            assert one < other or not one & other


def expected_f1(known: dict[Constituent, float], tree: frozenset[tuple[int, Tokens]]) -> float:
    right = sum(known[label, *as_places(node)] for label, node in tree)
    return 2 * right / (len(tree) + sum(known.values()))


@pytest.mark.parametrize("space", SPACES, ids=names)
def test_minimum_risk(space: tuple[str, bool]) -> None:
    rules, ill_nested = space
    random = Random(f"risk {rules} {ill_nested}")
    for count, labels in [
        (1, (2, 1)),
        (2, (3, 1)),
        (3, (2, 2)),
        (4, (2, 1)),
        (4, (1, 2)),
        (5, (1, 1)),
    ]:
        scores = Scores.draw(random, count, labels, with_root=random.random() < 0.5)
        _, known = probabilities(scores, rules, ill_nested)
        f1 = partial(expected_f1, known)
        found, constituents, shares = scores.core().minimum_risk(rules, ill_nested=ill_nested)
        trees = labelled_trees(scores, rules, ill_nested)
        assert found == pytest.approx(max(map(f1, trees)))
        assert found == pytest.approx(f1(frozenset(map(as_tokens, constituents))))
        assert shares == pytest.approx([known[one] for one in constituents], abs=1e-9)
        assert frozenset(map(as_tokens, constituents)) in trees


@pytest.mark.parametrize("space", SPACES, ids=names)
def test_probable_constituents(space: tuple[str, bool]) -> None:
    rules, ill_nested = space
    scores = Scores.draw(Random(rules), 5, (2, 2), with_root=True)
    _, known = probabilities(scores, rules, ill_nested)
    for limit in (0.01, 0.2):
        found = scores.core().probable(rules, limit=limit, ill_nested=ill_nested)
        assert dict(found) == pytest.approx({a: b for a, b in known.items() if b > limit})
        assert [one for _, one in found] == sorted((one for _, one in found), reverse=True)
    with pytest.raises(ValueError, match="above 0"):
        scores.core().probable(rules, limit=0)


def test_derivatives_can_be_written_into_arrays() -> None:
    scores = Scores.draw(Random(4), 7, (3, 2), with_root=True).core()
    for rules in ("cubic", "quintic"):
        targets = [array("f", [9.0] * (49 * labels)) for labels in (3, 2, 2)]
        partition, *expected, _ = scores.marginals(rules)
        assert scores.marginals_into(rules, *targets) == partition
        for found, wanted in zip(targets, expected, strict=True):
            assert list(found) == pytest.approx(wanted, abs=1e-6)
    few = array("f", [0.0])
    with pytest.raises(ValueError, match="room for 147 derivatives, not for 1"):
        scores.marginals_into("cubic", few, few, few)
