"""The losses of span charts, compared with their definitions and with all trees."""

from __future__ import annotations

import math
from array import array
from random import Random
from typing import Any

import pytest
from span_trees import SPACES, Scores, labelled_trees

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch import _core  # noqa: E402
from crossbranch.neural.biaffine import SpanTensors  # noqa: E402
from crossbranch.parsers.neural_span.gold import GoldSpans, GoldTrees  # noqa: E402
from crossbranch.parsers.neural_span.losses import (  # noqa: E402
    Charts,
    GoldCells,
    LabelLoss,
    hinge_loss,
    likelihood_loss,
)
from crossbranch.parsers.neural_span.spaces import Space, space_numbers  # noqa: E402
from crossbranch.parsers.neural_span.torch_engine import padding_of  # noqa: E402
from crossbranch.tree import Tree  # noqa: E402

TREES = [
    Tree.from_string("(S (B 0=a 2=c) (A 1=b 3=d))"),
    Tree.from_string("(S (A (X 0=a) (X 3=d)) (A (X 1=b)) (B (X 2=c)))"),
    Tree.from_string("(S (B (X 0=a)))"),
]
GOLD = GoldTrees.read(TREES, lambda error: pytest.fail(str(error)))
LABELS = GOLD.labels
LENGTHS = array("i", [len(tree.sentence) for tree in TREES])


def random_scores(seed: int, scale: float = 1.0) -> SpanTensors:
    """Scores for the sentences of the trees."""
    torch.manual_seed(seed)
    sizes = LABELS.continuous_count, LABELS.discontinuous_count, LABELS.discontinuous_count
    return SpanTensors(*(scale * torch.randn(3, 4, 4, size) for size in sizes))


def charts(rules: Any = "cubic", *, ill_nested: bool = False) -> Charts:
    """The charts of the sentences of the trees."""
    core = _core.SpanCharts(
        is_root=LABELS.is_root, discontinuous_labels=LABELS.discontinuous_count, threads=2
    )
    return Charts(core, LENGTHS, space_numbers([Space(rules, ill_nested)] * 3))


def test_gold_spans_have_labels_of_their_kind() -> None:
    assert LABELS.names.inside == ("A", "B")
    assert LABELS.names.roots == ("S", "S+B")
    assert LABELS.names.discontinuous == ("A", "B")
    assert GOLD.spans[0] == GoldSpans([(0, 3, 2)], [(0, 2, 1), (1, 3, 0)], [(1, 1, 1), (2, 2, 0)])
    assert GOLD.spans[2] == GoldSpans([(0, 0, 3)], [], [])


def test_a_span_has_one_label() -> None:
    spans = GoldSpans(
        [(0, 4, 2)], [(0, 4, 1), (0, 4, 0), (1, 3, 0)], [(1, 1, 1), (2, 2, 0), (2, 2, 1)]
    )
    found = spans.distinct()
    assert sorted(found.outer) == [(0, 4, 1), (1, 3, 0)]
    assert sorted(found.gap) == [(1, 1, 1), (2, 2, 0)]


def expected_mean(scores: Any, places: list[list[Any]], roots: int) -> float:
    """The mean cross-entropy of the labels of all spans, one by one."""
    losses = []
    for number, count in enumerate(LENGTHS):
        gold = {(first, last): label for first, last, label in places[number]}
        for first in range(count):
            for last in range(first, count):
                logits = scores[number, first, last].tolist()
                label = gold.get((first, last))
                inside = len(logits) - roots
                if roots and last - first + 1 == count:
                    logits, label = logits[inside:], None if label is None else label - inside
                else:
                    logits, label = [0.0, *logits[:inside]], 0 if label is None else label + 1
                assert label is not None
                losses.append(math.log(sum(map(math.exp, logits))) - logits[label])
    return float(sum(losses) / len(losses))


def test_the_loss_of_labels_is_a_mean_over_all_spans() -> None:
    scores = random_scores(1)
    gold = GoldCells.of(GOLD.spans, "cpu")
    padding = padding_of(LENGTHS, "cpu")
    expected = sum(
        expected_mean(one, [spans[kind] for spans in GOLD.spans], 2 if kind == 0 else 0)
        for kind, one in enumerate(scores)
    )
    found = LabelLoss(2, 1.0)(scores, gold, padding)
    assert found.item() == pytest.approx(expected, abs=1e-5)
    torch.manual_seed(1)
    assert LabelLoss(2, 0.5)(scores, gold, padding).item() != pytest.approx(expected, abs=1e-3)
    few = LabelLoss(2, 0.0)(scores, gold, padding)  # gold constituents always count
    assert math.isfinite(few.item())


@pytest.mark.parametrize(("rules", "ill_nested"), SPACES)
def test_the_gradient_of_likelihood(rules: str, ill_nested: bool) -> None:
    gold = GoldCells.of(GOLD.within(lambda _: Space("continuous")).spans, "cpu")
    scores = random_scores(2)
    chosen = charts(rules, ill_nested=ill_nested)
    for one in scores:
        one.requires_grad_(True)
    likelihood_loss(scores, gold, chosen).backward()  # type: ignore[no-untyped-call]
    random = Random(3)
    step = 0.02
    for kind, one in enumerate(scores):
        assert one.grad is not None
        for _ in range(6):
            place = tuple(random.randrange(size) for size in one.shape)
            ends = []
            for sign in (1, -1):
                moved = [other.detach().clone() for other in scores]
                moved[kind][place] += sign * step
                ends.append(likelihood_loss(SpanTensors(*moved), gold, chosen).item())
            slope = (ends[0] - ends[1]) / (2 * step)
            assert one.grad[place].item() == pytest.approx(slope, abs=2e-3)
    assert scores[0].grad is not None
    assert scores[0].grad.abs().max() > 0.1


def as_set(spans: GoldSpans) -> frozenset[Any]:
    """The constituents of a tree as `labelled_trees` has them."""
    found = [(label, frozenset(range(i, j + 1))) for i, j, label in spans.continuous]
    for (i, j, label), (k, m, _) in zip(spans.outer, spans.gap, strict=True):
        found.append((label, frozenset(range(i, j + 1)) - frozenset(range(k, m + 1))))
    return frozenset(found)


@pytest.mark.parametrize(("rules", "ill_nested"), [("cubic", False), ("quintic", True)])
def test_the_hinge_loss_is_that_of_the_worst_tree(rules: str, ill_nested: bool) -> None:
    scores = random_scores(5, 2.0)
    trees = GOLD.within(lambda _: Space(rules, ill_nested)).spans  # type: ignore[arg-type]
    total = 0.0
    for number, (count, spans) in enumerate(zip(LENGTHS, trees, strict=True)):
        continuous, outer, gap = (
            array("f", one[number, :count, :count].flatten().tolist()) for one in scores
        )
        plain = Scores(count, continuous, outer, gap, 4, 2, LABELS.is_root)
        every = labelled_trees(plain, rules, ill_nested)
        gold = as_set(spans)
        assert gold in every
        total += max(s + len(t ^ gold) for t, s in every.items()) - every[gold]
    found = hinge_loss(scores, trees, charts(rules, ill_nested=ill_nested))
    assert found.item() == pytest.approx(total, abs=1e-4)


def test_the_hinge_loss_is_zero_at_a_margin() -> None:
    trees = GOLD.within(lambda _: Space("cubic")).spans
    cells = GoldCells.of(trees, "cpu")
    for height, is_zero in ((20.0, True), (0.4, False)):
        scores = SpanTensors(*(torch.full_like(one, -height) for one in random_scores(1)))
        for one, places in zip(scores, cells, strict=True):
            one[tuple(places)] = height
        assert (hinge_loss(scores, trees, charts()).item() == 0) == is_zero


def test_a_wrong_gap_is_a_wrong_constituent() -> None:
    scores = SpanTensors(*(torch.full((1, 5, 5, size), -20.0) for size in (4, 2, 2)))
    scores.continuous[0, 0, 4, 2] = 5.0
    scores.outer[0, [0, 1], [4, 3], 0] = 5.0
    scores.gap[0, [1, 2], [3, 2], 0] = torch.tensor([6.0, 5.0])
    gold = GoldSpans([(0, 4, 2)], [(0, 4, 0), (1, 3, 0)], [(1, 3, 0), (2, 2, 0)])
    chosen = charts()._replace(lengths=array("i", [5]), spaces=space_numbers([Space("quintic")]))
    # Another tree is as good, with the borders of one gold constituent and the gap of the other.
    assert hinge_loss(scores, [gold], chosen).item() == pytest.approx(2)


def test_constituents_of_charts_and_gold_spans_are_the_same() -> None:
    for spans in GOLD.spans:
        assert GoldSpans.of_constituents(spans.constituents()) == spans
    assert (1, 0, 1, 2, 3) in GOLD.spans[0].constituents()


def test_trees_outside_the_space_lose_as_little_as_possible() -> None:
    crossing = GOLD.spans[0]  # two discontinuous constituents in each other's gaps
    assert crossing.reachable(4, Space("sextic", True)) == crossing
    kept = crossing.reachable(4, Space("cubic"))
    assert kept.continuous == crossing.continuous
    assert len(kept.outer) == len(kept.gap) == 1
    assert crossing.reachable(4, Space("continuous")) == GoldSpans(crossing.continuous, [], [])
    assert GOLD.within(lambda _: Space("cubic")).lost == 1
