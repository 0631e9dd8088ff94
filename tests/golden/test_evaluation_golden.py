"""The reference's own figures for real parsers' output come out exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crossbranch.evaluation import Column, evaluate
from crossbranch.treebank import read

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
    """Our figures under the reference's names, in per cent with two decimals."""
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
    # The reference prints how many different brackets there are, but divides by how many there are.
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


@pytest.mark.parametrize("name", NAMES)
def test_figures(name: str, shared: Path) -> None:
    folder = shared / "golden" / "evaluation"
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text())
    assert set(expected) == set(NAMES)
    case = expected[name]
    scores = evaluate(
        read(folder / case["gold"]),
        read(folder / case["predicted"]),
        parameters="spmrl" if "spmrl" in name else "proper",
        labelled="unlabelled" not in name,
        leaf_ancestor="--la" in case["options"],
        tree_distance="--ted" in case["options"],
    ).scores
    disconly = "--disconly" in case["options"]
    found = figures(scores.all, disconly=disconly)
    found |= {
        f"{key} (<=cutoff)": value
        for key, value in figures(scores.cutoff, disconly=disconly).items()
    }
    assert {key: found[key] for key in case["figures"]} == case["figures"]
