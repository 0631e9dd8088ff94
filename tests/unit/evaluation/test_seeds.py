"""Several seeds of one system: means, deviations, and tests between systems."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest

from crossbranch.errors import UsageError
from crossbranch.evaluation import Evaluation, evaluate
from crossbranch.evaluation.seeds import Spread, System, compare_systems
from crossbranch.evaluation.significance import Resampling, significance_of_means
from crossbranch.grammar.sampling import sample
from crossbranch.transforms import pipeline

FEW = Resampling(rounds=200)
GOLD = list(sample(30, grammar="dutch", seed=1))
RAISED = [pipeline("raise").apply(tree) for tree in GOLD]


def wrong_after(right: int) -> Evaluation:
    """Evaluate a prediction whose first sentences are right."""
    return evaluate(GOLD, GOLD[:right] + RAISED[right:])


def test_mean_and_sample_deviation() -> None:
    seeds = (wrong_after(5), wrong_after(20), wrong_after(30))
    values = [seed.f1 for seed in seeds]
    found = System("mine", seeds).spreads()["f1"]
    assert found.mean == fmean(values)
    assert found.deviation == stdev(values)
    assert Spread((0.5,)).deviation is None


def test_systems_with_other_numbers_of_seeds_are_compared() -> None:
    mine = System("mine", (wrong_after(30), wrong_after(29)))
    yours = System("yours", (wrong_after(0),))
    found = compare_systems([mine, yours], FEW)
    test = found.contrasts[0].tests["f1"]
    assert test.one.value == pytest.approx(fmean(seed.f1 for seed in mine.seeds))
    assert test.difference.value == pytest.approx(test.one.value - yours.seeds[0].f1)
    assert test.randomization_p < 0.05
    assert found.contrasts[0].tests["tag_accuracy"].difference.value == 0
    assert found.contrasts[0].tests["tag_accuracy"].randomization_p == 1
    assert set(found.to_dict()["systems"]) == {"mine", "yours"}


def test_the_order_of_the_seeds_does_not_matter() -> None:
    one, two, three = (
        [row.column.all.brackets for row in wrong_after(n).sentences] for n in (3, 10, 25)
    )
    found = significance_of_means([one, two], [three], FEW)
    again = significance_of_means([two, one], [three], FEW)
    assert found.randomization_p == again.randomization_p
    assert found.bootstrap_p == again.bootstrap_p


def test_systems_need_names_and_seeds() -> None:
    one = System("mine", (wrong_after(0),))
    with pytest.raises(UsageError, match="different names, found mine, mine"):
        compare_systems([one, one])
    with pytest.raises(UsageError, match="yours has no seeds"):
        compare_systems([one, System("yours", ())])
