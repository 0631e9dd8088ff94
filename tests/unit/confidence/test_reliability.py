"""Reliability: stated probabilities against what turned out right, by hand."""

from __future__ import annotations

import pytest

from crossbranch.confidence.reliability import Bin, bins, measure


def test_figures_by_hand() -> None:
    found = measure([0.2, 0.2, 0.8, 0.8], [False, True, True, True])
    assert (found.count, found.rate) == (4, 0.75)
    assert found.calibration_error == pytest.approx((2 * 0.3 + 2 * 0.2) / 4)
    assert found.brier == pytest.approx((0.04 + 0.64 + 0.04 + 0.04) / 4)
    assert found.base_brier == pytest.approx(0.75 * 0.25)


def test_what_is_right_as_often_as_stated_has_no_calibration_error() -> None:
    found = measure([0.75] * 4, [True, True, True, False])
    assert found.calibration_error == 0.0
    assert found.brier == pytest.approx(found.base_brier)


def test_bins_are_of_the_same_width_and_hold_everything() -> None:
    stated = [0.0, 0.05, 0.1, 0.55, 0.99, 1.0]
    found = bins(stated, [False, False, True, True, True, False])
    assert [each.count for each in found] == [2, 1, 1, 2]
    assert found[0] == Bin(2, 0.025, 0.0)
    assert found[-1] == Bin(2, 0.995, 0.5)


def test_nothing_stated() -> None:
    assert measure([], []).count == 0
    assert bins([], []) == []
