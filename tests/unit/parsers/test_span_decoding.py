"""How charts of many sentences decode: as the charts of single sentences do."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest
from span_trees import Scores, Tokens, as_tokens

from crossbranch import _core
from crossbranch.parsers.neural_span.spaces import Space, space_numbers

LABELS = 3  # of continuous constituents: two inside sentences, and one of whole sentences
GAP_LABELS = 2
Labelled = tuple[int, Tokens]


def random_scores(random: Random, tokens: int, gap_mean: float) -> Scores:
    """Scores without ties. The higher the mean of gaps, the more constituents are discontinuous."""

    def some(labels: int, mean: float) -> array[float]:
        return array("f", [random.gauss(mean, 2) for _ in range(tokens * tokens * labels)])

    continuous, outer, gap = (
        some(LABELS, -3),
        some(GAP_LABELS, gap_mean),
        some(GAP_LABELS, gap_mean),
    )
    is_root = [False, False, True]
    return Scores(tokens, continuous, outer, gap, LABELS, GAP_LABELS, is_root)


def decoded(
    scores: Scores, space: Space, *, probabilities: bool = False, minimum_risk: bool = False
) -> tuple[float, dict[Labelled, float]]:
    """Return the score of a tree, and its constituents, with probabilities if there are any."""
    charts = _core.SpanCharts(is_root=scores.is_root, discontinuous_labels=GAP_LABELS)
    (((score, codes, _, found),),) = charts.trees(
        array("i", [scores.tokens]),
        *scores[1:4],
        spaces=space_numbers([space]),
        probabilities=probabilities,
        minimum_risk=minimum_risk,
    )
    nodes = constituents_of(codes)
    return score, dict(zip(nodes, found or [0.0] * len(nodes), strict=True))


def constituents_of(codes: list[int]) -> list[Labelled]:
    """Return the constituents of a tree as the core writes it, in the same order."""
    found: list[Labelled] = []
    stack: list[Tokens] = []
    numbers = iter(codes)
    for code in numbers:
        if code >= 0:
            stack.append(frozenset([code]))
            continue
        count = next(numbers)
        tokens = frozenset().union(*stack[-count:])
        stack[-count:] = [tokens]
        has_gap = max(tokens) - min(tokens) >= len(tokens)
        found.append((~code - LABELS if has_gap else ~code, tokens))
    return found


@pytest.mark.parametrize("ill_nested", [False, True])
@pytest.mark.parametrize("gap_mean", [-4.0, 1.0])
def test_the_quintic_search_is_exact_whether_pruned_or_not(
    gap_mean: float, ill_nested: bool
) -> None:
    random = Random(f"decoding {gap_mean} {ill_nested}")
    gaps = 0
    for tokens in (1, 2, 5, 9, 20, 21, 24, 27, 30):
        scores = random_scores(random, tokens, gap_mean)
        best, tree = scores.core().best("quintic", ill_nested=ill_nested)
        score, found = decoded(scores, Space("quintic", ill_nested))
        assert score == pytest.approx(best, abs=1e-4)
        assert set(found) == set(map(as_tokens, tree))
        gaps += sum(one[2] >= 0 for one in tree)
    assert gaps > 0
    score, _, bound = scores.core().best_pruned(ill_nested=ill_nested, limit=300)
    assert (score < bound) == (gap_mean > 0)  # both ways were tested


@pytest.mark.parametrize("rules", ["continuous", "cubic", "quintic", "sextic"])
def test_minimum_risk_is_that_of_single_sentences(rules: Any) -> None:
    random = Random(f"risk {rules}")
    others = 0
    for tokens in (1, 3, 6, 8, 11):
        scores = random_scores(random, tokens, -1.0)
        f1, tree, probabilities = scores.core().minimum_risk(rules)
        score, found = decoded(scores, Space(rules), probabilities=True, minimum_risk=True)
        assert score == pytest.approx(f1)
        expected = dict(zip(map(as_tokens, tree), probabilities, strict=True))
        assert found == pytest.approx(expected, abs=1e-6)
        others += set(found) != set(decoded(scores, Space(rules))[1])
    assert others > 0


def test_a_minimum_risk_tree_has_its_own_probability() -> None:
    scores = random_scores(Random(3), 4, -1.0)
    charts = _core.SpanCharts(is_root=scores.is_root, discontinuous_labels=GAP_LABELS)

    def trees(*, k_best: int = 1, minimum_risk: bool = False) -> Any:
        return charts.trees(
            array("i", [4]),
            *scores[1:4],
            spaces=space_numbers([Space("cubic")]),
            k_best=k_best,
            probabilities=True,
            minimum_risk=minimum_risk,
        )

    ((safest,),) = trees(minimum_risk=True)
    (every,) = trees(k_best=10_000)
    (same,) = [one for one in every if one[1] == safest[1]]
    assert safest[2:] == (pytest.approx(same[2]), pytest.approx(same[3]))
    with pytest.raises(ValueError, match="there is only one minimum-risk tree"):
        trees(k_best=2, minimum_risk=True)
