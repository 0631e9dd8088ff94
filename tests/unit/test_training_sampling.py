"""Which sentences the epochs have, by weight."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from crossbranch.training.sampling import draw, epoch_order


@pytest.mark.parametrize("weight", [0.01, 0.3, 0.5, 1.0, 1.5, 2.0, 2.25])
def test_a_weight_says_how_often_sentences_are_seen(weight: float) -> None:
    seen: Counter[int] = Counter()
    for epoch in range(1, 101):
        chosen = draw([weight] * 200, 1, epoch)
        assert len(chosen) == pytest.approx(200 * weight)
        counts = Counter(chosen)
        least = int(weight)
        assert all(least <= counts[number] <= least + 1 for number in range(200))
        seen.update(chosen)
    assert {seen[number] for number in range(200)} == {round(100 * weight)}  # all equally often


def test_each_weight_is_kept_for_itself() -> None:
    weights = [2.0] * 10 + [0.3] * 100 + [1.0] * 10
    chosen = draw(weights, 1, 1)
    assert [sum(low <= n < high for n in chosen) for low, high in ((0, 10), (10, 110))] == [20, 30]
    assert chosen[-10:] == list(range(110, 120))
    assert draw([0.01] * 5, 1, 1)  # something of every source


def test_epochs_differ_and_seeds_decide() -> None:
    weights = [0.3] * 100
    orders = [epoch_order(weights, 1, epoch) for epoch in (1, 2, 3)]
    assert not set(orders[0]) & set(orders[1])
    assert orders[0] == epoch_order(weights, 1, 1)
    assert orders[0] != sorted(orders[0])
    assert set(orders[0]) != set(epoch_order(weights, 2, 1))


def test_with_equal_weights_all_sentences_come_in_the_order_of_one_source() -> None:
    order = list(range(50))
    Random("3 2").shuffle(order)  # as models were trained when there was only one source
    assert epoch_order([1.0] * 50, 3, 2) == order
