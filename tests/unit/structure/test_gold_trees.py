"""Gold trees as arrays are the trees that they were made from."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import scrambled_trees, trees

from crossbranch.errors import TransformError
from crossbranch.structure import GoldTree, LabelSet, NaryForm, NaryGold, NodeBuilder
from crossbranch.tree import Node, Token, Tree

FORM = NaryForm("+")
TREES = scrambled_trees() | trees(rich=False, min_size=1, max_size=9)


def plain(root: Node) -> Node:
    """Labels and children alone."""
    made: dict[int, Node] = {}
    for node in root.postorder():
        children = [c if isinstance(c, int) else made[id(c)] for c in node.children]
        made[id(node)] = Node(node.label, children)
    return made[id(root)]


@given(TREES)
def test_the_arrays_rebuild_the_tree(tree: Tree) -> None:
    gold = GoldTree(tree)
    assert gold.rebuild() == plain(tree.root)
    assert gold.size == len(tree.sentence)
    assert list(gold.parents) == list(tree.parents)
    for vertex, below in enumerate(gold.children, gold.size):
        assert {gold.parents[child] for child in below} == {vertex}
        assert all(child < gold.size or child > vertex for child in below)
        assert sum(gold.spans[child] for child in below) == gold.spans[vertex]
    assert gold.spans[gold.size] == (1 << gold.size) - 1


@given(TREES)
def test_joined_chains_have_one_node_for_each_span(tree: Tree) -> None:
    joined = FORM.shape(tree)
    labels = FORM.label_set([joined])
    gold = NaryGold(joined, labels)
    assert len(gold.vertex_at) == len(gold.nodes)
    assert gold.vertex_at.keys() == {node.span for node in tree.nodes}
    for vertex, span in enumerate(gold.spans[gold.size :], gold.size):
        assert gold.vertex_at[span] == vertex
        number = gold.number_at(span)
        assert number == gold.numbers[vertex - gold.size]
        chain = [node.label for node in tree.nodes if node.span == span]
        assert list(labels.chain(number)) == chain
    assert FORM.pipeline().undo(joined) == tree


@given(TREES)
def test_numbers_and_children_are_all_that_building_needs(tree: Tree) -> None:
    joined = FORM.shape(tree)
    labels = FORM.label_set([joined])
    gold = NaryGold(joined, labels)
    codes: list[int] = []

    def visit(vertex: int) -> None:
        if vertex < gold.size:
            codes.append(vertex)
            return
        below = gold.children[vertex - gold.size]
        for child in below:
            visit(child)
        codes.extend([~gold.numbers[vertex - gold.size], len(below)])

    visit(gold.size)
    chains = map(labels.chain, range(len(labels)))
    assert NodeBuilder(chains).build(codes) == plain(tree.root)


def test_trees_of_another_form_are_refused() -> None:
    with pytest.raises(TransformError, match="no tokens"):
        GoldTree(Tree([], Node("ROOT")))
    chain = Tree([Token("a")] * 2, Node("S", [Node("VP", [0, 1])]))
    labels = LabelSet.of([chain], joiner="+")
    with pytest.raises(TransformError, match="S is a unary node above another"):
        NaryGold(chain, labels)
    other = Tree([Token("a")] * 2, Node("NP", [0, 1]))
    with pytest.raises(TransformError, match="unknown label NP"):
        NaryGold(other, labels)
    single = Tree([Token("a")], Node("S", [0]))
    assert NaryGold(single, labels).number_at(0b1) == labels.id_of("S", 2)
    assert NaryGold(single, labels).number_at(0b10) is None
