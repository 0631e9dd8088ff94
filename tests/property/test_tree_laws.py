"""Trees and drafts keep their laws, whatever the tree."""

from __future__ import annotations

import copy
import pickle

from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch import span as spans
from crossbranch.draft import Draft
from crossbranch.tree import Node, Tree

WELL_FORMED = trees(rich=True)


def tokens_below(node: Node) -> set[int]:
    """The definition of a span, by recursion."""
    found: set[int] = set()
    for child in node.children:
        found |= {child} if isinstance(child, int) else tokens_below(child)
    return found


@given(WELL_FORMED)
def test_spans_are_what_is_below(tree: Tree) -> None:
    for node in tree.nodes:
        tokens = tokens_below(node)
        assert node.tokens == sorted(tokens)
        assert node.fan_out == sum(token - 1 not in tokens for token in tokens)
        assert node.gap_degree == max(node.fan_out - 1, 0)
        assert node.is_discontinuous == (node.fan_out > 1)
        assert [token for block in node.blocks for token in range(*block)] == node.tokens
    assert tree.fan_out == max(node.fan_out for node in tree.nodes)
    assert tree.gap_degree == max(node.gap_degree for node in tree.nodes)
    assert tree.is_discontinuous == any(node.is_discontinuous for node in tree.nodes)


@given(WELL_FORMED)
def test_ill_nestedness_is_interleaving_of_disjoint_nodes(tree: Tree) -> None:
    expected = any(
        one.span & two.span == 0 and spans.interleave(one.span, two.span)
        for one in tree.nodes
        for two in tree.nodes
    )
    assert tree.is_ill_nested == expected


@given(WELL_FORMED)
def test_parents_and_children_agree(tree: Tree) -> None:
    count = len(tree.sentence)
    assert len(tree.parents) == count + len(tree.nodes)
    for vertex, parent in enumerate(tree.parents):
        if parent < 0:
            assert vertex == count
            continue
        above = tree.vertex(parent)
        assert isinstance(above, Node)
        own = vertex if vertex < count else tree.vertex(vertex)
        assert any(child is own or child == own for child in above.children)
        assert vertex < count or vertex > parent  # preorder


@given(WELL_FORMED)
def test_the_orders_hold_the_same_nodes(tree: Tree) -> None:
    before, after = list(tree.root.preorder()), list(tree.root.postorder())
    assert sorted(map(id, before)) == sorted(map(id, after))
    place = {id(node): index for index, node in enumerate(after)}
    for node in after:
        inner = [child for child in node.children if isinstance(child, Node)]
        assert [place[id(child)] for child in inner] == sorted(place[id(child)] for child in inner)
        assert all(place[id(child)] < place[id(node)] for child in inner)
    firsts = [[c if isinstance(c, int) else c.tokens[0] for c in node.children] for node in before]
    assert firsts == [sorted(first) for first in firsts]


@given(WELL_FORMED)
def test_copies_are_equal(tree: Tree) -> None:
    twin = pickle.loads(pickle.dumps(tree))
    assert twin == tree
    assert hash(twin) == hash(tree)
    assert copy.deepcopy(tree) == tree
    assert tree.replace() == tree
    for node in tree.nodes:
        assert pickle.loads(pickle.dumps(node)) == node
        assert node.replace() == node


@given(WELL_FORMED, st.randoms(use_true_random=False))
def test_the_order_in_which_children_are_given_does_not_matter(tree: Tree, random: object) -> None:
    for node in tree.nodes:
        order = list(range(len(node.children)))
        random.shuffle(order)  # type: ignore[attr-defined]
        head = None if node.head is None else order.index(node.head)
        assert node.replace(children=[node.children[i] for i in order], head=head) == node


@given(WELL_FORMED)
def test_a_draft_without_changes_builds_the_tree(tree: Tree) -> None:
    draft = Draft(tree)
    assert draft.build() == tree
    count = len(tree.sentence)
    for vertex, span in draft.spans().items():
        assert span == (1 << vertex if vertex < count else tree.nodes[vertex - count].span)


def identities(tree: Tree, draft: Draft) -> list[tuple[str, str, str]]:
    """Secondary edges by marks that a vertex carries along: its edge label."""
    return [
        (edge.label, draft.edge_label(edge.child), draft.edge_label(edge.parent))
        for edge in draft.secondary_edges
        if all(end in draft.tokens or draft.is_node(end) for end in (edge.child, edge.parent))
    ]


@given(WELL_FORMED, st.data())
def test_operations_keep_words_heads_and_edges(tree: Tree, data: st.DataObject) -> None:
    draft = Draft(tree)
    for vertex in [*draft.tokens, *draft.children]:
        draft.set_edge_label(vertex, str(vertex))  # so that each vertex is known again
    for _ in range(data.draw(st.integers(1, 4))):
        movable = sorted(draft.parents)
        if not movable:
            break
        change_something(draft, data.draw(st.sampled_from(movable)), data)
    drop_empty_nodes(draft)
    marks = {v: draft.edge_label(v) for v in [*draft.tokens, *draft.children]}
    built = draft.build()
    assert [token.edge_label for token in built.sentence] == [str(v) for v in sorted(draft.tokens)]
    assert sorted(node.edge_label for node in built.nodes) == sorted(
        marks[v] for v in draft.children
    )
    for node in built.nodes:  # heads are the marked vertices
        vertex = next(v for v in draft.children if marks[v] == node.edge_label)
        head = draft.heads[vertex]
        if head is None:
            assert node.head is None
        else:
            assert node.head is not None
            child = node.children[node.head]
            found = built.sentence[child] if isinstance(child, int) else child
            assert found.edge_label == marks[head]
    assert [
        (e.label, built.vertex(e.child).edge_label, built.vertex(e.parent).edge_label)
        for e in built.secondary_edges
    ] == identities(tree, draft)
    assert Draft(built).build() == built


def change_something(draft: Draft, vertex: int, data: st.DataObject) -> None:
    operation = data.draw(st.sampled_from(["move", "splice", "remove", "add"]))
    nodes = sorted(draft.children)
    if operation == "remove":
        draft.remove(vertex)
    elif operation == "splice" and draft.is_node(vertex):
        draft.splice(vertex)
    elif operation == "add":
        new = draft.add("NEW", draft.parents[vertex], [vertex])
        draft.set_edge_label(new, str(new))
    else:
        target = data.draw(st.sampled_from(nodes))
        if vertex != target and vertex not in draft.ancestors(target):
            draft.move(vertex, target)


def drop_empty_nodes(draft: Draft) -> None:
    while empty := [v for v in draft.parents if draft.is_node(v) and not draft.children[v]]:
        draft.remove(empty[0])
