"""Logistic regression with few features, in plain Python: from evidence to probability."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from operator import mul

Weights = tuple[float, ...]
Row = tuple[float, ...]
_Columns = Sequence[Sequence[float]]

RIDGE = 0.1  # draws weights to zero, so that there is a solution even if all rows are right
_STEPS = 50
_ENOUGH = 1e-4  # stop after a step this small: the remaining error is far smaller
_SMALLEST = 1e-3  # the smallest part of a step that is tried
_DIGITS = 6
_LARGEST = 30.0  # log-odds are limited to this


def probability(weights: Weights, row: Row) -> float:
    """Return the probability that a row is right. Numbers without a weight are ignored."""
    return _squashed(sum(map(mul, weights, row)))


def fit(rows: Sequence[Row], outcomes: Sequence[bool], size: int) -> Weights:
    """Return the `size` weights that make the outcomes most likely, by Newton's method."""
    columns: _Columns = list(zip(*rows, strict=True)) or [()] * size
    weights = [0.0] * size
    expected, loss = _expected(columns, outcomes, weights)
    for _ in range(_STEPS):
        step = _newton_step(columns, outcomes, weights, expected)
        part = 1.0
        while True:
            tried = [weight + part * change for weight, change in zip(weights, step, strict=True)]
            expected, new_loss = _expected(columns, outcomes, tried)
            if new_loss <= loss or part < _SMALLEST:
                break
            part /= 2  # too far: the function is not exactly a parabola
        weights, loss = tried, new_loss
        if max(map(abs, step)) < _ENOUGH:
            break
    return tuple(round(weight, _DIGITS) for weight in weights)


def _expected(
    columns: _Columns, outcomes: Sequence[bool], weights: Sequence[float]
) -> tuple[list[float], float]:
    """Return the probability of each row, and the loss with its penalty for large weights."""
    expected = [_squashed(sum(map(mul, weights, row))) for row in zip(*columns, strict=True)]
    pairs = zip(expected, outcomes, strict=True)
    surprise = -sum([log(p if outcome else 1.0 - p) for p, outcome in pairs])
    return expected, surprise + RIDGE / 2 * sum(map(mul, weights, weights))


def _newton_step(
    columns: _Columns,
    outcomes: Sequence[bool],
    weights: Sequence[float],
    expected: Sequence[float],
) -> list[float]:
    # Column by column: a sum over a map is many times as fast as a loop over rows.
    errors = [outcome - p for outcome, p in zip(outcomes, expected, strict=True)]
    curvature = [p * (1.0 - p) for p in expected]
    slopes = [
        sum(map(mul, column, errors)) - RIDGE * weight
        for column, weight in zip(columns, weights, strict=True)
    ]
    size = len(weights)
    matrix = [[0.0] * size for _ in range(size)]
    for i, column in enumerate(columns):
        curved = list(map(mul, column, curvature))
        for j in range(i + 1):
            matrix[i][j] = matrix[j][i] = sum(map(mul, curved, columns[j]))
        matrix[i][i] += RIDGE
    return _solve(matrix, slopes)


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve linear equations with a positive definite matrix. Both arguments are overwritten."""
    size = len(right)
    for i in range(size):
        for j in range(i + 1, size):
            factor = matrix[j][i] / matrix[i][i]
            right[j] -= factor * right[i]
            for k in range(i, size):
                matrix[j][k] -= factor * matrix[i][k]
    found = [0.0] * size
    for i in reversed(range(size)):
        known = sum(matrix[i][k] * found[k] for k in range(i + 1, size))
        found[i] = (right[i] - known) / matrix[i][i]
    return found


def _squashed(log_odds: float) -> float:
    return 1.0 / (1.0 + exp(-max(-_LARGEST, min(_LARGEST, log_odds))))
