"""NLTK draws discontinuous trees as text too: both say the same, each in its own lines."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from strategies import trees

from crossbranch.drawing import draw_text
from crossbranch.nltk_trees import to_nltk_positions
from crossbranch.tree import Tree

prettyprinter = pytest.importorskip("nltk.tree.prettyprinter")


def labels(drawing: str) -> Counter[str]:
    """What is written, apart from the lines."""
    return Counter(re.findall(r"[A-Za-z]+", drawing))


@given(trees(rich=False, min_size=1))
@settings(max_examples=50, deadline=None)
def test_the_same_words_and_labels_in_the_same_order(tree: Tree) -> None:
    other, words = to_nltk_positions(tree)
    theirs = prettyprinter.TreePrettyPrinter(other, words).text(unicodelines=True)
    ours = draw_text(tree)
    assert labels(ours) == labels(theirs)
    assert ours.split("\n")[-1].split() == theirs.rstrip().split("\n")[-1].split()
