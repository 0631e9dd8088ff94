"""Span charts agree with the enumeration of all trees."""

from __future__ import annotations

import math
from array import array
from random import Random

import pytest
from span_trees import (
    SPACES,
    Scores,
    all_nodes,
    as_tokens,
    binary_trees,
    labelled_trees,
    probabilities,
)

from crossbranch import _core

LENGTHS = range(1, 7)
COUNTS = {
    # Catalan numbers, and more trees the more rules there are
    ("continuous", False): [1, 1, 2, 5, 14, 42],
}


def names(value: object) -> str:
    return "-".join(str(one) for one in value) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize("count", LENGTHS)
@pytest.mark.parametrize("space", SPACES, ids=names)
def test_all_trees_are_in_the_chart(space: tuple[str, bool], count: int) -> None:
    rules, ill_nested = space
    trees = binary_trees(count, rules, ill_nested)
    if space in COUNTS:
        assert len(trees) == COUNTS[space][count - 1]
    # With one label of score 0, or none, each binary tree has as many forms as it has choices.
    zeros = array("f", [0] * count * count)
    scores = _core.SpanScores(
        count, zeros, zeros, zeros, continuous_labels=1, discontinuous_labels=1
    )
    plain = Scores(count, zeros, zeros, zeros, 1, 1, [])
    expected = sum(math.prod(len(plain.labels(node, rules)) for node in tree) for tree in trees)
    found = scores.log_partition(rules, ill_nested=ill_nested)
    assert found == pytest.approx(math.log(expected), abs=1e-9)


def test_spaces_grow() -> None:
    sizes = [len(binary_trees(6, *space)) for space in SPACES]
    continuous, cubic, quartic, quintic, quintic_ill, sextic, sextic_ill = sizes
    assert continuous < cubic == quartic < quintic < min(quintic_ill, sextic)
    assert max(quintic_ill, sextic) < sextic_ill


@pytest.mark.parametrize("space", SPACES, ids=names)
def test_best_trees_partitions_and_marginals(space: tuple[str, bool]) -> None:
    rules, ill_nested = space
    random = Random(f"{rules} {ill_nested}")
    for count in (1, 2, 3, 4, 4, 5, 5, 6):
        labels = (random.randint(1, 3), random.randint(1, 2))
        scores = Scores.draw(random, count, labels, with_root=random.random() < 0.5)
        trees = binary_trees(count, rules, ill_nested)
        options = {node: scores.labels(node, rules) for node in all_nodes(trees)}
        best = {node: max(one.values()) for node, one in options.items()}
        core = scores.core()

        score, constituents = core.best(rules, ill_nested=ill_nested)
        assert score == max(sum(best[node] for node in tree) for tree in trees)
        check_tree(scores, rules, score, constituents)

        partition, expected = probabilities(scores, rules, ill_nested)
        assert core.log_partition(rules, ill_nested=ill_nested) == pytest.approx(partition)

        asked = list(expected)
        again, continuous, outer, gap, found = core.marginals(
            rules, ill_nested=ill_nested, asked=asked
        )
        assert again == pytest.approx(partition)
        assert found == pytest.approx([expected[one] for one in asked], abs=1e-6)
        check_derivatives(scores, expected, (continuous, outer, gap))


@pytest.mark.parametrize("space", SPACES, ids=names)
def test_k_best_trees(space: tuple[str, bool]) -> None:
    rules, ill_nested = space
    random = Random(f"k-best {rules} {ill_nested}")
    for count in (1, 2, 3, 3, 4, 4):
        scores = Scores.draw(random, count, (2, 1), with_root=random.random() < 0.5)
        expected = sorted(labelled_trees(scores, rules, ill_nested).values(), reverse=True)
        for number in (1, 7, 40):
            found = scores.core().k_best(rules, number, ill_nested=ill_nested)
            assert [score for score, _ in found] == expected[:number]
            assert len({frozenset(tree) for _, tree in found}) == len(found)
            for score, tree in found:
                check_tree(scores, rules, score, tree)


def test_the_best_of_k_is_the_best() -> None:
    scores = Scores.draw(Random(3), 13, (4, 3), with_root=True).core()
    for rules, ill_nested in SPACES:
        found = scores.k_best(rules, 20, ill_nested=ill_nested)
        assert found[0][0] == scores.best(rules, ill_nested=ill_nested)[0]
        assert len(found) == 20
        assert [score for score, _ in found] == sorted([score for score, _ in found], reverse=True)


def test_flat_trees_do_not_hide_others() -> None:
    """A flat tree of 30 tokens can be built in more ways than anybody can look at."""
    count = 30
    continuous = array("f", [-3.0]) * (count * count)
    continuous[count - 1] = 5.0
    never = array("f", [-9.0]) * (count * count)
    scores = _core.SpanScores(
        count, continuous, never, never, continuous_labels=1, discontinuous_labels=1
    )
    for rules in ("cubic", "quintic"):
        flat, *others = scores.k_best(rules, 20)
        assert flat == (5.0, [(0, 0, -1, -1, count)])
        assert {score for score, _ in others} == {2.0}


def check_tree(
    scores: Scores,
    rules: str,
    score: float,
    constituents: list[tuple[int, int, int, int, int]],
) -> None:
    """The constituents do not cross, and their scores add up to that of the tree."""
    nodes = [as_tokens(one) for one in constituents]
    assert len({node for _, node in nodes}) == len(nodes)
    assert score == sum(scores.labels(node, rules)[label] for label, node in nodes)
    for _, one in nodes:
        for _, other in nodes:
            assert one <= other or other <= one or not one & other
    if scores.is_root:
        label, whole = nodes[0]
        assert len(whole) == scores.tokens
        assert scores.is_root[label]


def check_derivatives(
    scores: Scores,
    probability: dict[tuple[int, int, int, int, int], float],
    derivatives: tuple[list[float], list[float], list[float]],
) -> None:
    """They are sums of probabilities of constituents."""
    count = scores.tokens
    expected = [[0.0] * len(one) for one in derivatives]
    for (label, first, gap, resume, last), one in probability.items():
        span, hole = first * count + last - 1, gap * count + resume - 1
        if gap < 0:
            expected[0][span * scores.continuous_labels + label] += one
        else:
            expected[1][span * scores.discontinuous_labels + label] += one
            expected[2][hole * scores.discontinuous_labels + label] += one
    for found, wanted in zip(derivatives, expected, strict=True):
        assert found == pytest.approx(wanted, abs=1e-6)


def test_the_cubic_and_the_quartic_chart_agree_on_longer_sentences() -> None:
    random = Random(5)
    for count in (12, 17, 25):
        scores = Scores.draw(random, count, (4, 3), with_root=True).core()
        assert scores.best("cubic")[0] == scores.best("quartic")[0]


def test_larger_spaces_are_not_worse() -> None:
    scores = Scores.draw(Random(9), 11, (3, 3), with_root=True).core()
    found = [scores.best(rules, ill_nested=ill)[0] for rules, ill in SPACES]
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"token_count": 0}, "at least one token"),
        ({"token_count": 3}, "do not fit the numbers of tokens and labels"),
        ({"continuous_labels": 2}, "do not fit the numbers of tokens and labels"),
        ({"is_root": [True, False]}, "if it is a root"),
    ],
)
def test_wrong_scores_are_refused(change: dict[str, object], message: str) -> None:
    four = array("f", [0] * 4)
    given: dict[str, object] = {
        "token_count": 2,
        "continuous": four,
        "outer": four,
        "gap": four,
        "continuous_labels": 1,
        "discontinuous_labels": 1,
        "is_root": [],
    }
    with pytest.raises(ValueError, match=message):
        _core.SpanScores(**{**given, **change})  # type: ignore[arg-type]


def test_wrong_questions_are_refused() -> None:
    scores = Scores.draw(Random(1), 4, (1, 1), with_root=False).core()
    with pytest.raises(ValueError, match="there are no rules quadratic"):
        scores.best("quadratic")
    for asked in [(0, 0, 2, 2, 4), (1, 0, -1, -1, 4), (0, 2, -1, -1, 2), (0, 0, 1, 2, 5)]:
        with pytest.raises(ValueError, match="no such constituent"):
            scores.marginals("cubic", asked=[asked])
