"""Tables: means, deviations, differences and their significance; formats and curves."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev

import pytest

from crossbranch.errors import UsageError
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.seeds import Spread
from crossbranch.evaluation.significance import Resampling
from crossbranch.experiments import (
    Experiment,
    Results,
    RunResult,
    SetScores,
    Training,
    plot,
    table,
    to_json,
    to_markdown,
    to_tsv,
)
from crossbranch.experiments.curves import curves
from crossbranch.experiments.formats import in_words

Make = Callable[..., Experiment]
QUICK = Resampling(rounds=200)
GOLD = 10
SENTENCES = 30


def made_results(
    make: Make,
    folder: Path,
    matched: Mapping[str, Sequence[int]],
    *,
    gold: Mapping[str, int] | None = None,
    tags: float | None = None,
) -> Results:
    """Make results: for each variant and seed, how many brackets of each sentence are right."""
    names = "".join(f"[variant.{name}]\nfolds = {i + 2}\n" for i, name in enumerate(matched))
    experiment = make(f"seeds = [1, 2, 3]\n{names}")
    runs = []
    for name, by_seed in matched.items():
        for seed, right in enumerate(by_seed, 1):
            size = (gold or {}).get(name, GOLD)
            place = folder / f"{name}{seed}"
            place.mkdir()
            row = [size, size, right, 2, 2, right % 3]
            lines = "".join(
                f"{i}\t\t9\t{chr(9).join(map(str, row))}\t9\t9\n" for i in range(SENTENCES)
            )
            (place / "test.tsv").write_text("head\n" + lines)
            one = MatchCounts(*row[:3]), MatchCounts(*row[3:])
            scores = SetScores("x", SENTENCES, 270, one[0].f1, one[1].f1, 0.5, tags, 1000.0 * seed)
            epochs = [
                {"number": n, "f1": n / 10, "discontinuous_f1": 0.1} for n in range(1, seed + 2)
            ]
            training = Training(90.0 * seed, 1, epochs, {}, 0, "")
            both = {"dev": scores, "test": scores}
            runs.append(RunResult(name, seed, place, training, both))
    return Results(experiment, tuple(runs), ())


def test_means_and_deviations(make: Make, folder: Path) -> None:
    found = table(made_results(make, folder, {"a": (5, 6, 8), "b": (7,)}), resampling=QUICK)
    assert found.set == "test"
    first, second = found.rows
    assert first.f1 is not None
    assert first.f1.mean == pytest.approx(fmean([0.5, 0.6, 0.8]))
    assert first.f1.deviation == pytest.approx(stdev([0.5, 0.6, 0.8]))
    assert first.training_seconds == Spread((90.0, 180.0, 270.0))
    assert first.tag_accuracy is None
    assert second.f1 is not None
    assert (second.f1.mean, second.f1.deviation) == (0.7, None)
    assert second.seeds == (1,)


def test_differences_are_those_of_the_seeds_that_both_have(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5, 6, 8), "b": (7, 8)})
    first, second = table(results, resampling=QUICK).rows
    assert first.to_baseline is None
    found = second.to_baseline
    assert found is not None
    assert found.seeds == (1, 2)
    assert found.f1 == pytest.approx(fmean([0.7, 0.8]) - fmean([0.5, 0.6]))
    assert found.f1_test is not None
    assert found.f1_test.difference.value == pytest.approx(found.f1)
    assert found.f1_test.randomization_p < 0.01
    assert found.discontinuous_f1_test is not None


def test_equal_variants_do_not_differ(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5, 8), "b": (8, 5)})
    found = table(results, resampling=QUICK).rows[1].to_baseline
    assert found is not None
    assert found.f1_test is not None
    assert found.f1_test.randomization_p == 1


def test_other_gold_trees_are_not_tested(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5,), "b": (5,)}, gold={"b": 8})
    found = table(results, resampling=QUICK).rows[1].to_baseline
    assert found is not None
    assert found.f1 > 0
    assert found.f1_test is None
    assert "+12.50" in to_markdown([table(results, resampling=QUICK)])


def test_the_table_for_people(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5, 6, 8), "b": (7, 8)}, tags=0.9)
    (found,) = in_words(table(results, resampling=QUICK))
    assert found.caption == "test: mean ± deviation over 3 seeds; Δ: difference to a"
    assert found.columns[:6] == ["variant", "seeds", "F1", "disc. F1", "tags", "tokens/s"]
    assert found.columns[6:] == ["training", "Δ F1", "p", "Δ disc. F1", "p"]
    first, second = found.rows
    assert first[:3] == ["a", "3 of 3", "63.33 ± 15.28"]
    assert first[4:] == ["90.00 ± 0.00", "2,000", "3.0 min", "", "", "", ""]
    assert second[1:3] == ["2 of 3", "75.00 ± 7.07"]
    assert second[7] == "+20.00"


def test_a_variant_without_a_finished_run(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5, 6, 8), "b": ()})
    (found,) = in_words(table(results, resampling=QUICK))
    assert found.columns == ["variant", "seeds", "F1", "disc. F1", "tokens/s", "training"]
    assert found.rows[1] == ["b", "0 of 3", "", "", "", ""]


def test_controls_have_a_table_of_their_own(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5, 6), "b": (7, 8), "c": (9, 9)})
    first, second, third = results.experiment.variants
    variants = (first, second, replace(third, control="b"))
    experiment = replace(results.experiment, variants=variants)
    figures, controls = in_words(table(replace(results, experiment=experiment), resampling=QUICK))
    assert len(figures.rows) == 3
    assert controls.caption == "test: difference to the control"
    assert [row[:3] for row in controls.rows] == [["c", "b", "+15.00"]]


def test_formats(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5, 6, 8), "b": (7, 8, 8)})
    found = [table(results, on=name, resampling=QUICK) for name in ("test", "test")]
    caption, _, head, rule, first, *_ = to_markdown(found).splitlines()
    assert caption.startswith("test: mean")
    assert head.startswith("| variant | F1 | disc. F1 | tokens/s |")
    assert rule.startswith("| --- | ---: |")
    assert first.startswith("| a | 63.33 ± 15.28 |")
    columns, *rows = (line.split("\t") for line in to_tsv(found).splitlines())
    assert [len(row) for row in rows] == [len(columns)] * 4
    second = dict(zip(columns, rows[1], strict=True))
    assert (second["variant"], second["f1_mean"], second["baseline"]) == ("b", "76.67", "a")
    assert second["baseline_f1_difference"] == "13.33"
    assert float(second["baseline_f1_p"]) < 0.05
    (one, _) = json.loads(to_json(found))
    assert one["rows"][0]["f1"]["values"] == [0.5, 0.6, 0.8]
    assert one["rows"][1]["to_baseline"]["tests"]["f1"]["randomization_p"] < 0.05


def test_signs_that_markdown_needs_are_escaped(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5,)})
    variant = replace(results.experiment.variants[0], name="x|y")
    experiment = replace(results.experiment, variants=(variant,), baseline="x|y")
    runs = tuple(replace(run, variant="x|y") for run in results.runs)
    found = table(Results(experiment, runs, ()), resampling=QUICK)
    assert "| x\\|y | " in to_markdown([found])


def test_no_such_set(make: Make, folder: Path) -> None:
    with pytest.raises(UsageError, match="there is no set 'train'; expected one of dev, test"):
        table(made_results(make, folder, {"a": (5,)}), on="train")


def test_curves(make: Make, folder: Path) -> None:
    results = made_results(make, folder, {"a": (5, 6), "b": ()})
    found = curves(results, "f1")
    assert found == {"a": [[10, 10], [20, 20], [pytest.approx(30)]]}  # seed 2 has one epoch more
    plot(results, folder / "curves.svg")
    assert "<svg" in (folder / "curves.svg").read_text()
    with pytest.raises(UsageError, match="cannot save a plot as"):
        plot(results, folder / "curves.txt")
    with pytest.raises(UsageError, match="there are no dev curves to plot"):
        plot(replace(results, runs=()), folder / "curves.svg")
