"""The figures of disco-dop's evaluator come out exactly: for real parsers and for our own trees.

Trees of our own are in `evaluation/`; its README says how disco-dop was run. The output of real
parsers is read from `../shared`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crossbranch.evaluation import Column, Evaluation, evaluate
from crossbranch.treebank import read

OWN = Path(__file__).parent / "evaluation"
MEASURES = {"la": "leaf_ancestor", "ted": "tree_distance"}
OWN_CASES: list[dict[str, Any]] = json.loads((OWN / "expected.json").read_text())
NAMES = [
    f"{parser}/{setting}"
    for parser in ("weak", "strong")
    for setting in (
        "proper",
        "proper/disconly",
        "spmrl",
        "spmrl/disconly",
        "unlabelled",
        "unlabelled/disconly",
    )
] + ["weak-120/proper/la,ted", "strong-120/proper/la,ted"]


def figures(column: Column, *, disconly: bool) -> dict[str, float]:
    """Our figures under disco-dop's names, in per cent with two decimals."""
    chosen = column.discontinuous if disconly else column.all
    counts, gaps = chosen.brackets, column.discontinuous.brackets
    shares = {
        "labeled recall": counts.recall,
        "labeled precision": counts.precision,
        "labeled f-measure": counts.f1,
        "exact match": chosen.exact_match,
        "pos accuracy": column.tag_accuracy,
        "leaf-ancestor": column.mean_leaf_ancestor,
        "tree-dist (Dice micro avg)": column.tree_likeness,
    }
    # disco-dop prints how many different brackets there are, but divides by how many there are.
    return {name: round(100 * share, 2) for name, share in shares.items()} | {
        "number of sentences": chosen.sentences,
        "longest sentence": column.longest,
        "gold brackets": chosen.gold_distinct,
        "cand. brackets": chosen.predicted_distinct,
        "gold brackets (disc.)": chosen.gold_distinct,
        "cand. brackets (disc.)": chosen.predicted_distinct,
        "disc. gold brackets": gaps.gold,
        "disc. cand. brackets": gaps.predicted,
    }


def check(evaluation: Evaluation, case: dict[str, Any]) -> None:
    disconly = "--disconly" in case["options"]
    found = figures(evaluation.scores.all, disconly=disconly)
    found |= {
        f"{key} (<=cutoff)": value
        for key, value in figures(evaluation.scores.cutoff, disconly=disconly).items()
    }
    assert {key: found[key] for key in case["figures"]} == case["figures"]


@pytest.mark.parametrize("name", NAMES)
def test_figures_of_real_parsers(name: str, shared: Path) -> None:
    folder = shared / "golden" / "evaluation"
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text())
    assert set(expected) == set(NAMES)
    case = expected[name]
    evaluation = evaluate(
        read(folder / case["gold"]),
        read(folder / case["predicted"]),
        parameters="spmrl" if "spmrl" in name else "proper",
        labelled="unlabelled" not in name,
        leaf_ancestor="--la" in case["options"],
        tree_distance="--ted" in case["options"],
    )
    check(evaluation, case)


def own(treebank: str, parameters: str, **options: bool) -> Evaluation:
    file = OWN / parameters
    return evaluate(
        read(OWN / f"{treebank}.gold.discbracket"),
        read(OWN / f"{treebank}.predicted.discbracket"),
        parameters=file if file.exists() else parameters,
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    "case",
    OWN_CASES,
    ids=["-".join([c["treebank"], c["parameters"], *c["options"]]) for c in OWN_CASES],
)
def test_figures_of_our_own_trees(case: dict[str, Any]) -> None:
    options = {name: f"--{key}" in case["options"] for key, name in MEASURES.items()}
    check(own(case["treebank"], case["parameters"], **options), case)


def test_the_cases_are_of_every_kind() -> None:
    assert len(OWN_CASES) >= 40
    assert {c["parameters"] for c in OWN_CASES} == {
        "proper",
        "spmrl",
        *(path.name for path in OWN.glob("*.prm")),
    }
    banks = {path.name.split(".")[0] for path in OWN.glob("*.discbracket")}
    assert {c["treebank"] for c in OWN_CASES} == banks
    f1 = [
        c["figures"].get("labeled f-measure", 0) for c in OWN_CASES if "--disconly" in c["options"]
    ]
    assert sum(0 < value < 100 for value in f1) >= 12


def test_chains_counted_by_hand() -> None:
    """Gold, predicted and matching brackets of the hand-written chains, sentence by sentence."""
    rows = own("chains", "proper").sentences
    assert [(b.gold, b.predicted, b.matched) for b in (r.column.all.brackets for r in rows)] == [
        (6, 5, 5),  # S, NP, NP, NP, VP, ADVP; S, NP, NP, VP, PRT, which is the same as ADVP
        (2, 3, 2),  # NP, NP; NP, NP, NP
        (6, 6, 5),  # S, VP, VP, NP, PRT, ADVP; S, VP, NP, NP, ADVP, ADVP
        (3, 2, 0),  # A, B, C; D, D
        (4, 4, 0),  # A, A, B, D; B, C, A, A
        (3, 3, 1),  # C, D, B; A, B, C: only the B over the last word
    ]
    chained = own("chains", "equal-labels.prm").sentences  # A, B, C and D are all the same
    matched = [r.column.all.brackets.matched for r in chained]
    assert matched == [5, 2, 5, 2, 3, 2]
