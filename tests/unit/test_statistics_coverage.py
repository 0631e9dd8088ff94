"""How many constituents span charts can find."""

from __future__ import annotations

from pathlib import Path

from crossbranch.statistics import Coverage
from crossbranch.statistics.coverage import SPACES
from crossbranch.tree import Tree
from crossbranch.treebank import read


def found(text: str) -> dict[str, int]:
    """By search space: how many constituents of two blocks can be found."""
    covered = Coverage.of([Tree.from_string(text)])
    return dict(zip(SPACES, covered.found_gaps, strict=True))


def test_continuous_trees_are_in_every_space() -> None:
    covered = Coverage.of([Tree.from_string("(S (NP (NN 0=a)) (VP (VB 1=b) (NP (NN 2=c))))")])
    assert covered.total == 4
    assert covered.found == (4,) * len(SPACES)
    assert set(covered.shares().values()) == {(1.0, 1.0, 1.0)}


def test_a_gap_needs_the_cubic_chart() -> None:
    assert found("(S (VP (VB 0=a) (VB 2=c)) (NN 1=b))") == {
        "continuous": 0,
        **dict.fromkeys(list(SPACES)[1:], 1),
    }


def test_a_discontinuous_child_of_a_discontinuous_constituent() -> None:
    text = "(S (VP (VP (VB 0=a) (VB 2=c)) (VB 4=e)) (NN 1=b) (NN 3=d))"
    numbers = found(text)
    assert numbers["O(n³)"] == 1  # of three blocks: VP over 0, 2 and 4
    text = "(S (VP (VP (VB 0=a) (VB 2=c)) (VB 3=d)) (NN 1=b))"
    numbers = found(text)
    assert numbers["O(n³)"] == 1
    assert numbers["O(n⁵), well-nested"] == 2


def test_ill_nested_constituents() -> None:
    numbers = found("(S (A (X 0=a) (X 2=c)) (B (X 1=b) (X 3=d)))")
    assert numbers["O(n⁶), well-nested"] == 1
    assert numbers["O(n⁵)"] == 2


def test_coverages_add() -> None:
    trees = [
        Tree.from_string("(S (A (X 0=a) (X 2=c)) (B (X 1=b) (X 3=d)))"),
        Tree.from_string("(S (A (X 0=a) (X 2=c) (X 4=e)) (X 1=b) (X 3=d))"),
    ]
    both = Coverage.of(trees)
    assert both == Coverage.of(trees[:1]).add(Coverage.of(trees[1:]))
    assert (both.total, both.two_blocks, both.more_blocks) == (5, 2, 1)
    assert both.to_dict()["found"]["O(n⁶)"] == 4


def test_coverage_of_a_real_treebank(shared: Path) -> None:
    trees = read(shared / "treebanks" / "alpino-nltk" / "dev.export.xz")
    shares = Coverage.of(trees).shares()
    percent = {title: round(100 * share[0], 2) for title, share in shares.items()}
    assert percent["continuous"] == 92.43
    assert percent["O(n³)"] == 98.31
    assert percent["O(n⁵), well-nested"] == 99.33
    assert percent["O(n⁵)"] == 99.35
