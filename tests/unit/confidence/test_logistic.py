"""Logistic regression: the most likely weights, and an answer whatever the rows are."""

from __future__ import annotations

from math import exp
from random import Random

import pytest

from crossbranch.confidence.logistic import RIDGE, fit, probability


def rows_of(weights: tuple[float, ...], count: int) -> tuple[list[tuple[float, ...]], list[bool]]:
    """Random rows that are right as often as the weights say."""
    chance = Random(1)
    rows = [(1.0, *(chance.gauss(0, 2) for _ in weights[1:])) for _ in range(count)]
    return rows, [chance.random() < probability(weights, row) for row in rows]


def test_the_weights_behind_the_outcomes_are_found() -> None:
    weights = (-1.0, 0.7, 0.0, -0.3)
    found = fit(*rows_of(weights, 4000), 4)
    assert found == pytest.approx(weights, abs=0.15)


def test_no_other_weights_are_more_likely() -> None:
    rows, outcomes = rows_of((0.5, -0.4), 300)
    found = fit(rows, outcomes, 2)
    for column in range(2):  # the slope is zero at the summit
        errors = [
            row[column] * (right - probability(found, row))
            for row, right in zip(rows, outcomes, strict=True)
        ]
        assert sum(errors) == pytest.approx(RIDGE * found[column], abs=1e-3)


def test_one_feature_gives_the_rate() -> None:
    found = fit([(1.0,)] * 1000, [True] * 800 + [False] * 200, 1)
    assert probability(found, (1.0,)) == pytest.approx(0.8, abs=0.001)


@pytest.mark.parametrize("right", [False, True])
def test_rows_that_are_all_right_or_all_wrong(right: bool) -> None:
    found = fit([(1.0, 3.0), (1.0, -2.0)] * 10, [right] * 20, 2)
    assert 0.9 < probability(found, (1.0, 0.0)) < 1.0 or not right
    assert 0.0 < probability(found, (1.0, 0.0)) < 0.1 or right


def test_rows_that_can_be_told_apart_for_certain() -> None:
    found = fit([(1.0, 700.0), (1.0, -700.0)] * 50, [True, False] * 50, 2)
    assert probability(found, (1.0, 700.0)) > 0.99
    assert probability(found, (1.0, -700.0)) < 0.01


def test_no_rows_teach_nothing() -> None:
    assert fit([], [], 3) == (0.0, 0.0, 0.0)
    assert probability((0.0, 0.0, 0.0), (1.0, 9.0, 9.0)) == 0.5


def test_features_that_say_the_same_share_the_weight() -> None:
    rows, outcomes = rows_of((0.0, 1.0), 500)
    one = fit(rows, outcomes, 2)
    two = fit([(first, second, second) for first, second in rows], outcomes, 3)
    assert two[1] == pytest.approx(two[2])
    assert two[1] + two[2] == pytest.approx(one[1], rel=0.01)


def test_probabilities_never_overflow() -> None:
    assert probability((1e6,), (1e6,)) == pytest.approx(1.0)
    assert probability((1e6,), (-1e6,)) == pytest.approx(0.0)
    assert probability((1.0, 1.0), (1.0, 1.0)) == pytest.approx(1 / (1 + exp(-2)))
