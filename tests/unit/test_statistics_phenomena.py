"""Kinds of discontinuity in a treebank, and their sentences."""

from __future__ import annotations

import pytest

from crossbranch.errors import UsageError
from crossbranch.statistics import PhenomenonCounts
from crossbranch.tree import Tree

CROSSING = "(ROOT (SBARQ (VP (WP 0=What) (VB 3=do)) (SQ (MD 1=should) (PRP 2=I))) (. 4=?))"
PLAIN = "(ROOT (S (NP (PRP 0=I)) (VP (VBD 1=sang))))"
TREES = [(number, Tree.from_string(text)) for number, text in [(3, PLAIN), (7, CROSSING)]]


def test_detected_phenomena_know_their_sentences() -> None:
    found = PhenomenonCounts.detected(TREES).to_dict()
    assert found == {"wh-extraction": {"count": 1, "sentences": 1, "numbers": [7], "ids": [""]}}


def test_listed_phenomena_are_found_by_id() -> None:
    trees = [(number, tree.replace(id=f"s{number}")) for number, tree in TREES]
    found = PhenomenonCounts.listed(trees, {"s3": ["a", "b"], "s7": ["b", "b"]})
    assert [(name, [one.number for one in some]) for name, some in found.rows()] == [
        ("b", [3, 7]),
        ("a", [3]),
    ]
    assert found.to_dict()["b"]["count"] == 3


def test_unknown_labels_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot detect phenomena"):
        PhenomenonCounts.detected([(1, Tree.from_string("(X (Y 0=a))"))])
    assert PhenomenonCounts.detected([]).to_dict() == {}
