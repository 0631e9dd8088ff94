"""Laws of binarization, for every order, mark and Markovization."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch.transforms.binarize import Binarize
from crossbranch.tree import Tree

ORDERS = ["head-outward", "left", "optimal", "right"]
SETTINGS = st.builds(
    Binarize,
    order=st.sampled_from(ORDERS),
    mark=st.sampled_from([":", "@"]),
    horizontal=st.integers(-1, 3),
    vertical=st.integers(1, 3),
)


def is_temporary(transform: Binarize, label: str) -> bool:
    return label.startswith("@") if transform.mark == "@" else ":" in label


@given(trees(rich=True, heads=True), SETTINGS)
def test_undo_restores_the_tree(tree: Tree, transform: Binarize) -> None:
    assert transform.undo(transform.apply(tree)) == tree


@given(trees(rich=True, heads=True), SETTINGS)
def test_twice_applied_is_twice_undone(tree: Tree, transform: Binarize) -> None:
    twice = transform.apply(transform.apply(tree))
    assert transform.undo(transform.undo(twice)) == tree


@given(trees(rich=True, heads=False), SETTINGS.filter(lambda t: t.order != "head-outward"))
def test_undo_restores_the_tree_without_heads(tree: Tree, transform: Binarize) -> None:
    binary = transform.apply(tree)
    assert all(node.head is None for node in binary.nodes)
    assert transform.undo(binary) == tree


@given(trees(rich=True, heads=True, max_size=14), SETTINGS)
def test_the_result_is_binary(tree: Tree, transform: Binarize) -> None:
    binary = transform.apply(tree)
    assert all(len(node.children) <= 2 for node in binary.nodes)
    temporary = [node for node in binary.nodes if is_temporary(transform, node.label)]
    assert all(len(node.children) == 2 for node in temporary)
    assert len(temporary) == sum(max(len(node.children) - 2, 0) for node in tree.nodes)


@given(trees(rich=False, heads=True), SETTINGS)
def test_the_brackets_are_kept(tree: Tree, transform: Binarize) -> None:
    kept = [
        (bracket.label.split("^")[0], bracket.span)
        for bracket in transform.apply(tree).brackets
        if not is_temporary(transform, bracket.label)
    ]
    assert sorted(kept) == sorted(tree.brackets)


@given(trees(rich=True, heads=True), SETTINGS)
def test_head_tokens_are_kept(tree: Tree, transform: Binarize) -> None:
    binary = transform.apply(tree)
    kept = [n for n in binary.nodes if not is_temporary(transform, n.label)]
    assert sorted((n.span, n.head_token) for n in kept) == sorted(
        (node.span, node.head_token) for node in tree.nodes
    )
    if tree.sentence:
        assert all(node.head_token is not None for node in binary.nodes)


@pytest.mark.parametrize("order", ["head-outward", "left", "right"])
@given(tree=trees(rich=False, heads=True, max_size=14))
def test_no_order_beats_the_optimal_one(order: str, tree: Tree) -> None:
    assert Binarize("optimal").apply(tree).fan_out <= Binarize(order).apply(tree).fan_out


@given(trees(rich=False, heads=True), st.sampled_from(ORDERS))
def test_order_0_labels_tell_nothing_of_siblings(tree: Tree, order: str) -> None:
    labels = {node.label for node in tree.nodes}
    made = {node.label for node in Binarize(order).apply(tree).nodes}
    assert made <= labels | {f"{label}:" for label in labels}


@given(trees(rich=False, labels=["S", "S:", "@S", "S:<X>", "@S<X>", "NP^S"]), SETTINGS)
def test_undo_takes_temporary_nodes_out_of_any_tree(tree: Tree, transform: Binarize) -> None:
    undone = transform.undo(tree)
    kept = [n for n in tree.nodes[1:] if not is_temporary(transform, n.label)]
    assert sorted(n.span for n in undone.nodes) == sorted(n.span for n in [tree.root, *kept])
