"""Trees with any text in every field, through every format.

What a format holds comes back exactly, and everything else is counted. CROSSBRANCH_ODD_TREES=20000
tries many more trees.
"""

from __future__ import annotations

import io
import json
import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from strategies import odd_trees

from crossbranch.conversion import make_continuous
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, Format, read
from crossbranch.treebank.comparison import compare
from crossbranch.treebank.files import open_target
from crossbranch.treebank.header import Header
from crossbranch.treebank.writing import TreeWriter

EXAMPLES = int(os.environ.get("CROSSBRANCH_ODD_TREES", "40"))
odd = settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
)


def with_joined_halves(tree: Tree) -> Tree:
    """Make one character of two halves in a row: JSON cannot hold them apart."""
    data = json.dumps(tree.to_dict())
    return Tree.from_dict(json.loads(data))


def written_and_found(tree: Tree, format: Format) -> tuple[Tree, Tree, Counter[str]]:
    """Return a tree as it was written, as it was read, and the losses that were counted."""
    if not format.holds.crossing_branches:
        tree = make_continuous(tree)
    if format.name == "json":
        tree = with_joined_halves(tree)
    writer = TreeWriter(format)
    stream = io.BytesIO()
    with open_target(stream, "utf-8", format.unencodable) as text:
        text.write(writer.start(Header()))
        text.write(writer.tree(tree, 1))
        text.write(writer.end())
    (found,) = read(io.BytesIO(stream.getvalue()), format=format.name)
    return tree, found, writer.losses


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_what_a_format_holds_comes_back_and_the_rest_is_counted(name: str) -> None:
    format = FORMATS[name]

    @given(odd_trees())
    @odd
    def law(tree: Tree) -> None:
        written, found, lost = written_and_found(tree, format)
        comparison = compare(written, found, format=format, number=1)
        assert comparison.fits(lost), (comparison, lost)

    law()


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_what_was_read_can_be_written_without_loss(name: str) -> None:
    format = FORMATS[name]

    @given(odd_trees())
    @odd
    def law(tree: Tree) -> None:
        _, found, _ = written_and_found(tree, format)
        _, again, lost = written_and_found(found, format)
        assert again == found
        assert not lost

    law()
