"""Breakdowns: brackets by class; the rows add up to the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tree_pairs

from crossbranch import read
from crossbranch.errors import UsageError
from crossbranch.evaluation.breakdowns import BREAKDOWNS, Breakdown, largest_gap
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS, Parameters
from crossbranch.evaluation.scores import Scores
from crossbranch.span import span_of
from crossbranch.tree import ROOT, Node, Token, Tree

SEEN = frozenset({"a", "b"})
CHOSEN = [
    Parameters(),
    Parameters(labelled=False, deleted_labels=frozenset({ROOT})),
    # Tags and labels, so that tokens and brackets are deleted.
    Parameters(deleted_labels=frozenset({ROOT, "X", "PP"}), equal_labels=(("S", "NP"),)),
    Parameters(deleted_words=frozenset({"a"}), uncounted_tags=frozenset({"X", "Y"})),
]


def tree(text: str, *nodes: Node | int) -> Tree:
    """Make a tree over words `form/tag`, the tag being optional."""
    pairs = (word.partition("/") for word in text.split())
    return Tree([Token(form, tag) for form, _, tag in pairs], Node(ROOT, nodes))


def example() -> Pair:
    """A gold VP with a gap of two tokens (and a comma that does not count), in part found."""
    text = "what ,/$, should I/PRP do"
    gold = tree(text, Node("SQ", [Node("VP", [0, 4]), 2, Node("NP", [3])]), 1)
    predicted = tree(text, Node("SQ", [0, 2, Node("NP", [3]), Node("VP", [4])]), 1)
    return Pair(gold, predicted, PARAMETERS["proper"])


def rows(
    name: str, pair: Pair | None = None, seen: frozenset[str] = SEEN
) -> dict[str, MatchCounts]:
    """The rows of one sentence."""
    return dict(Breakdown.of(pair or example(), name, seen).rows())


FOUND, LOST, ADDED = MatchCounts(1, 1, 1), MatchCounts(1, 0, 0), MatchCounts(0, 1, 0)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("label", {"NP": FOUND, "SQ": FOUND, "VP": MatchCounts(1, 1, 0)}),
        ("length", {"1-10": MatchCounts(3, 3, 2)}),
        ("gap", {"0": MatchCounts(2, 3, 2), "1": LOST}),
        ("gap-length", {"0": MatchCounts(2, 3, 2), "2": LOST}),
        ("fan-out", {"1": MatchCounts(2, 3, 2), "2": LOST}),
        ("size", {"1": MatchCounts(1, 2, 1), "2": LOST, "4-5": FOUND}),
    ],
)
def test_each_bracket_counts_in_its_class(name: str, expected: dict[str, MatchCounts]) -> None:
    assert rows(name) == expected
    assert list(rows(name)) == list(expected)  # in this order


def test_a_constituent_with_an_unseen_word_is_unseen() -> None:
    seen = frozenset({"what", ",", "should", "do"})
    assert rows("unseen", seen=seen) == {
        "seen": MatchCounts(1, 1, 0),
        "unseen": MatchCounts(2, 2, 2),
    }
    # The comma does not count, whether it was seen or not.
    assert rows("unseen", seen=seen | {"I"} - {","}) == {"seen": MatchCounts(3, 3, 2)}
    assert rows("unseen", seen=frozenset()) == {"unseen": MatchCounts(3, 3, 2)}


@pytest.mark.parametrize(
    ("length", "expected"),
    [(1, "1-10"), (10, "1-10"), (11, "11-20"), (20, "11-20"), (101, "101-110")],
)
def test_sentence_lengths_are_taken_by_tens(length: int, expected: str) -> None:
    one = tree("w " * length, Node("S", range(length)))
    assert list(rows("length", Pair(one, one, PARAMETERS["proper"]))) == [expected]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, "1"),
        (3, "3"),
        (5, "4-5"),
        (6, "6-10"),
        (20, "11-20"),
        (40, "21-40"),
        (41, "41+"),
        (99, "41+"),
    ],
)
def test_sizes_are_taken_in_growing_classes(size: int, expected: str) -> None:
    one = tree("w " * size, Node("S", range(size)))
    assert list(rows("size", Pair(one, one, PARAMETERS["proper"]))) == [expected]


def test_numbers_ascend_and_labels_go_by_frequency() -> None:
    nodes = [Node("A", [0, 11]), Node("Z", [1, 4]), Node("Z", [2, 3]), *range(5, 11)]
    one = tree("w " * 12, *nodes)
    pair = Pair(one, one, PARAMETERS["proper"])
    assert list(rows("gap-length", pair)) == ["0", "2", "10"]
    assert list(rows("label", pair)) == ["Z", "A"]


def test_the_largest_gap() -> None:
    assert largest_gap(span_of([1, 2])) == 0
    assert largest_gap(span_of([0, 2, 3, 7, 9])) == 3
    assert largest_gap(0) == 0


def test_without_a_parse_all_is_lost() -> None:
    pair = example()
    missing = Pair(pair.gold, None, pair.parameters)
    assert rows("label", missing) == {"NP": LOST, "SQ": LOST, "VP": LOST}


def test_breakdowns_for_json() -> None:
    found = Breakdown.of(example(), "gap").to_dict()
    assert list(found) == ["0", "1"]
    assert (found["0"]["gold"], found["0"]["recall"], found["0"]["precision"]) == (2, 100, 66.67)
    assert found["1"]["f1_exact"] == 0


def test_what_cannot_be_broken_down_is_named() -> None:
    with pytest.raises(
        UsageError, match="unknown breakdown 'colour'; expected one of label, length"
    ):
        Breakdown("colour")
    with pytest.raises(UsageError, match="'unseen' needs `vocabulary`: the training words"):
        Breakdown("unseen")
    with pytest.raises(TypeError):
        Breakdown("gap") + Breakdown("size")


# --- laws


@given(tree_pairs(), st.sampled_from(CHOSEN))
def test_rows_add_up_to_the_scores(trees: tuple[Tree, Tree | None], parameters: Parameters) -> None:
    pair = Pair(*trees, parameters)
    scores = Scores.of(pair).all
    for name in BREAKDOWNS:
        found = Breakdown.of(pair, name, SEEN).rows()
        assert sum((counts for _, counts in found), MatchCounts()) == scores.all.brackets
        assert all(counts.matched <= min(counts.gold, counts.predicted) for _, counts in found)
        assert len(dict(found)) == len(found)
    for name, continuous in [("gap", "0"), ("gap-length", "0"), ("fan-out", "1")]:
        rest = [counts for key, counts in Breakdown.of(pair, name).rows() if key != continuous]
        assert sum(rest, MatchCounts()) == scores.discontinuous.brackets


@given(st.lists(tree_pairs(), max_size=3))
def test_breakdowns_add(parts: list[tuple[Tree, Tree | None]]) -> None:
    pairs = [Pair(*trees, CHOSEN[2]) for trees in parts]
    for name in BREAKDOWNS:
        whole, empty = Breakdown(name, SEEN), Breakdown(name, SEEN)
        for pair in pairs:
            whole.add(pair)
        assert sum([Breakdown.of(pair, name, SEEN) for pair in pairs], empty) == whole
        assert empty == Breakdown(name, SEEN)  # adding has changed nothing


def test_real_trees(shared: Path) -> None:
    folder = shared / "golden" / "evaluation"
    gold, weak = (read(folder / f"{name}.discbracket") for name in ("gold", "weak"))
    pairs = [Pair(*trees, PARAMETERS["proper"]) for trees in zip(gold, weak, strict=True)]
    expected = sum((Scores.of(pair).all.all.brackets for pair in pairs), MatchCounts())
    for name in BREAKDOWNS:
        found = Breakdown(name, SEEN)
        for pair in pairs:
            found.add(pair)
        assert sum((counts for _, counts in found.rows()), MatchCounts()) == expected
