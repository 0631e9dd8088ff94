"""Comparing parsers: all pairs, and the sentences that make the difference."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import crossbranch
from crossbranch.errors import UsageError
from crossbranch.evaluation import evaluate
from crossbranch.evaluation.comparison import Comparison, compare
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.scores import Column, Figures
from crossbranch.evaluation.significance import Resampling, significance

QUICK = Resampling(rounds=200)


class Row(NamedTuple):
    number: int
    id: str
    column: Column


def row(number: int, matched: int, *, gold: int = 4, gappy: int = 0, id: str = "") -> Row:
    """A sentence with one discontinuous bracket, of which `gappy` are found."""
    counts = MatchCounts(gold, gold, matched)
    return Row(
        number,
        id or f"s{number}",
        Column(
            all=Figures(1, counts, exact=int(matched == gold)),
            discontinuous=Figures(1, MatchCounts(1, 1, gappy), exact=gappy),
            sentences=1,
        ),
    )


GOOD = [row(1, 4, gappy=1), row(2, 3), row(3, 4), row(4, 4, gappy=1), row(5, 2)]
FAIR = [row(1, 3), row(2, 4, gappy=1), row(3, 4), row(4, 1), row(5, 2)]
POOR = [row(number, 0) for number in range(1, 6)]


def quick(*parsers: list[Row], largest: int = 10) -> Comparison:
    names = ["good", "fair", "poor"][: len(parsers)]
    return compare(names, parsers, resampling=QUICK, largest=largest)


def test_all_pairs_are_compared_in_order() -> None:
    found = quick(GOOD, FAIR, POOR)
    assert [(c.one, c.other) for c in found.contrasts] == [
        ("good", "fair"),
        ("good", "poor"),
        ("fair", "poor"),
    ]


def test_both_metrics_are_tested_on_their_own_brackets() -> None:
    (contrast,) = quick(GOOD, FAIR).contrasts
    one, other = ([r.column.all.brackets for r in rows] for rows in (GOOD, FAIR))
    assert contrast.f1 == significance(one, other, QUICK)
    assert contrast.discontinuous_f1.one.value == pytest.approx(2 / 5)
    assert contrast.discontinuous_f1.other.value == pytest.approx(1 / 5)


def test_a_parser_has_the_same_interval_in_every_pair() -> None:
    with_fair, with_poor, _ = quick(GOOD, FAIR, POOR).contrasts
    assert with_fair.f1.one == with_poor.f1.one


def test_sentences_that_only_one_gets_right() -> None:
    (contrast,) = quick(GOOD, FAIR).contrasts
    assert [(r.number, r.id) for r in contrast.only_one_right] == [(1, "s1"), (4, "s4")]
    assert [r.number for r in contrast.only_other_right] == [2]


def test_sentences_with_the_largest_difference() -> None:
    (contrast,) = quick(GOOD, FAIR).contrasts
    assert [(r.number, r.difference) for r in contrast.largest] == [
        (4, 0.75),
        (1, 0.25),
        (2, -0.25),
    ]
    (contrast,) = quick(GOOD, FAIR, largest=1).contrasts
    assert [r.number for r in contrast.largest] == [4]


def test_sentences_of_one_parser_only_are_left_out() -> None:
    (contrast,) = quick(GOOD[1:], [*FAIR[:4], row(9, 4)]).contrasts
    assert (contrast.sentences, contrast.left_out) == (3, 3)
    (shared,) = quick(GOOD[1:4], FAIR[1:4]).contrasts
    assert contrast.f1 == shared.f1
    assert contrast.largest == shared.largest


def test_swapping_the_parsers_mirrors_the_sentences() -> None:
    (contrast,) = compare(["good", "fair"], [GOOD, FAIR], resampling=QUICK).contrasts
    (swapped,) = compare(["fair", "good"], [FAIR[::-1], GOOD], resampling=QUICK).contrasts
    assert contrast.only_one_right == tuple(
        r._replace(one_f1=r.other_f1, other_f1=r.one_f1) for r in swapped.only_other_right
    )
    assert [r.difference for r in contrast.largest] == [-r.difference for r in swapped.largest]
    assert contrast.f1.one == swapped.f1.other
    assert contrast.f1.difference.low == -swapped.f1.difference.high
    assert contrast.f1.bootstrap_p == swapped.f1.bootstrap_p


def test_a_parser_does_not_differ_from_itself() -> None:
    (contrast,) = quick(GOOD, GOOD).contrasts
    assert contrast.f1.difference.value == 0
    assert contrast.f1.randomization_p == contrast.discontinuous_f1.bootstrap_p == 1
    assert contrast.only_one_right == contrast.only_other_right == contrast.largest == ()


def test_rows_for_tables() -> None:
    found = quick(GOOD, FAIR, POOR)
    rows = found.rows()
    assert [(r["one"], r["other"], r["metric"]) for r in rows[:3]] == [
        ("good", "fair", "f1"),
        ("good", "fair", "discontinuous_f1"),
        ("good", "poor", "f1"),
    ]
    contrast = found.contrasts[0]
    assert (rows[0]["one_value"], rows[0]["other_value"], rows[0]["difference"]) == (85, 70, 15)
    assert rows[0]["difference_low"] == round(100 * contrast.f1.difference.low, 2)
    assert rows[1]["randomization_p"] == contrast.discontinuous_f1.randomization_p
    assert len({tuple(r) for r in rows}) == 1  # one header fits all


def test_json() -> None:
    found = quick(GOOD, FAIR).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["names"] == ["good", "fair"]
    assert found["resampling"] == {"rounds": 200, "seed": 0, "confidence": 0.95}
    (pair,) = found["pairs"]
    assert pair["largest"][0] == {
        "number": 4,
        "id": "s4",
        "one_f1": 100.0,
        "other_f1": 25.0,
        "difference": 75.0,
        "one_f1_exact": 1.0,
        "other_f1_exact": 0.25,
        "difference_exact": 0.75,
    }
    assert [sentence["number"] for sentence in pair["only_other_right"]] == [2]


@pytest.mark.parametrize(
    ("names", "parsers", "message"),
    [
        (["a"], [GOOD], "two or more parsers, found 1"),
        (["a", "b"], [GOOD], "2 names for 1 parsers"),
        (["a", "a"], [GOOD, FAIR], "different names, found a, a"),
        (["a", "b"], [GOOD, [row(2, 1, id="x")]], "sentence 2 has the ids 's2' and 'x'"),
        (["a", "b"], [GOOD, [row(2, 1, gold=5)]], "4 and 5 gold brackets"),
    ],
)
def test_what_cannot_be_compared(names: list[str], parsers: list[list[Row]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compare(names, parsers, resampling=QUICK)


def test_a_negative_number_of_sentences_is_refused() -> None:
    with pytest.raises(UsageError, match="largest is -1"):
        quick(GOOD, FAIR, largest=-1)


def test_real_parsers(shared: Path) -> None:
    folder = shared / "golden" / "evaluation"
    gold = list(crossbranch.read(folder / "gold.discbracket"))
    names = ["weak", "strong"]
    evaluations = [
        evaluate(gold, crossbranch.read(folder / f"{name}.discbracket")) for name in names
    ]
    (contrast,) = compare(names, [evaluation.sentences for evaluation in evaluations]).contrasts
    assert contrast.sentences == 714
    for found, kind in ((contrast.f1, "all"), (contrast.discontinuous_f1, "discontinuous")):
        weak, strong = (getattr(e.scores.all, kind).brackets.f1 for e in evaluations)
        assert (found.one.value, found.other.value) == (weak, strong)
        assert found.one.low < weak < found.one.high < found.other.low < strong < found.other.high
        assert found.bootstrap_p == found.randomization_p == 1 / 10_001
    weak, strong = (evaluation.scores.all.all.exact for evaluation in evaluations)
    assert len(contrast.only_other_right) - len(contrast.only_one_right) == strong - weak
