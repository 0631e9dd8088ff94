"""Laws of the transforms that make trees continuous."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch import treebank
from crossbranch.draft import Draft
from crossbranch.span import fan_out
from crossbranch.transforms import pipeline
from crossbranch.tree import Tree

REVERSIBLE = {
    text: pipeline(text)
    for text in ["boyd", "boyd(rest)", "reorder", "reorder(head)", "split", "split | reorder"]
}
AMBIGUOUS = ["NP", "NP*", "NP*1", "NP*2"]  # labels that meet those of blocks


@given(trees(rich=True, max_size=12))
def test_the_result_is_continuous_and_comes_back(tree: Tree) -> None:
    for text, transform in REVERSIBLE.items():
        applied = transform.apply(tree)
        assert not applied.is_discontinuous, text
        assert transform.undo(applied) == tree, text
    assert not pipeline("raise").apply(tree).is_discontinuous


@given(trees(rich=True, max_size=14), st.integers(1, 3))
def test_raising_keeps_some_blocks(tree: Tree, most: int) -> None:
    applied = pipeline(f"raise(blocks={most})").apply(tree)
    assert all(fan_out(node.span) <= most for node in applied.nodes)
    assert len(applied.nodes) == len(tree.nodes)
    assert applied.sentence == tree.sentence
    if all(fan_out(node.span) <= most for node in tree.nodes):
        assert applied == tree


@given(trees(rich=True, labels=AMBIGUOUS, max_size=14))
def test_parts_of_at_most_two_blocks(tree: Tree) -> None:
    transform = pipeline("split(blocks=2)")
    applied = transform.apply(tree)
    assert all(fan_out(node.span) <= 2 for node in applied.nodes)
    assert transform.undo(applied) == tree
    if all(fan_out(node.span) <= 2 for node in tree.nodes):
        assert applied.parents == tree.parents


@given(trees(rich=False, labels=AMBIGUOUS, max_size=14))
def test_confusing_labels_and_two_applications(tree: Tree) -> None:
    for text, transform in REVERSIBLE.items():
        applied = transform.apply(tree)
        assert transform.undo(applied) == tree, text
        assert transform.undo(transform.undo(transform.apply(applied))) == tree, text


@given(trees(rich=False, labels=AMBIGUOUS))
def test_undo_never_fails_on_other_trees(tree: Tree) -> None:
    for transform in REVERSIBLE.values():
        undone = transform.undo(tree)
        assert undone.sentence == tree.sentence
        assert len(undone.nodes) <= len(tree.nodes)


@given(trees(rich=True, discontinuous=False))
def test_a_continuous_tree_keeps_its_shape(tree: Tree) -> None:
    assert pipeline("raise").apply(tree) == tree
    assert pipeline("reorder").apply(tree) == tree
    for text in ("boyd", "boyd(rest)", "split"):
        assert pipeline(text).apply(tree).parents == tree.parents


@given(trees(rich=False, heads=True, max_size=12))
def test_raising_is_the_split_without_the_blocks_that_lack_the_head(tree: Tree) -> None:
    """Maier 2015, 3.1, in two steps and in one."""
    draft = Draft(pipeline("boyd(rest)").apply(tree))
    for vertex, label in list(draft.labels.items()):
        if label.endswith("*"):
            draft.splice(vertex)
    one_step = pipeline("raise").apply(tree)
    assert str(draft.build().root) == str(one_step.root)


@given(trees(rich=True))
def test_reordering_only_permutes_words(tree: Tree) -> None:
    applied = pipeline("reorder").apply(tree)
    assert sorted(t.form for t in applied.sentence) == sorted(t.form for t in tree.sentence)
    assert [n.label for n in applied.nodes] == [n.label for n in tree.nodes]


@pytest.mark.parametrize("name", ["alpino", "squoia", "wsj-sample"])
def test_real_trees_come_back(shared: Path, name: str) -> None:
    binarized = {text: pipeline(text) for text in ("binarize(left)", "binarize(optimal)")}
    for tree in treebank.read(shared / "treebanks" / name / "dev.export.xz"):
        for text, transform in (REVERSIBLE | binarized).items():
            assert transform.undo(transform.apply(tree)) == tree, text
