"""Drafts: trees taken apart, moved about, and put together again."""

from __future__ import annotations

import pytest

from crossbranch.draft import Draft, order_children_first
from crossbranch.errors import TreeError
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree

# Vertices: tokens 0-4, ROOT 5, S 6, VP 7, NP 8.
S, VP, NP = 6, 7, 8


def example() -> Tree:
    np = Node("NP", [2, 3], edge_label="SB", head=1)
    vp = Node("VP", [0, 4], edge_label="OC", head=1, features=(("comment", "gap"),))
    return Tree(
        [Token(w, "T", edge_label="E") for w in "abcde"],
        Node(ROOT, [Node("S", [vp, 1, np], head=1)]),
        id="1",
        secondary_edges=[SecondaryEdge("X", NP, VP), SecondaryEdge("Y", 3, S)],
        comments=["c"],
        features=(("origin", "o"),),
    )


def test_a_draft_shows_the_parts() -> None:
    draft = Draft(example())
    assert draft.root == 5
    assert draft.children == {5: [S], S: [VP, 1, NP], VP: [0, 4], NP: [2, 3]}
    assert draft.parents == {0: VP, 1: S, 2: NP, 3: NP, 4: VP, S: 5, VP: S, NP: S}
    assert draft.heads == {5: None, S: 1, VP: 4, NP: 3}
    assert draft.is_node(S)
    assert not draft.is_node(0)
    assert draft.ancestors(0) == [VP, S, 5]
    assert draft.ancestors(5) == []
    assert draft.spans()[VP] == 0b10001
    assert draft.spans()[5] == 0b11111
    assert draft.edge_label(NP) == "SB"
    assert draft.edge_label(0) == "E"


def test_build_gives_the_tree_back() -> None:
    assert Draft(example()).build() == example()


def test_edge_labels_of_tokens_and_nodes() -> None:
    draft = Draft(example())
    draft.set_edge_label(0, "HD")
    draft.set_edge_label(NP, "OA")
    tree = draft.build()
    assert tree.sentence[0].edge_label == "HD"
    assert tree.nodes[3].edge_label == "OA"
    assert example().sentence[0].edge_label == "E"


def test_moving_a_head_unmarks_it_and_edges_follow() -> None:
    draft = Draft(example())
    draft.move(3, VP)
    tree = draft.build()
    assert str(tree.root) == "(ROOT (S (VP/OC 0 3 4) 1 (NP/SB 2)))"
    assert [node.head for node in tree.nodes] == [None, 1, 2, None]
    assert tree.secondary_edges == (("X", NP, VP), ("Y", 3, S))


def test_moving_another_child_keeps_the_head() -> None:
    draft = Draft(example())
    draft.move(2, VP)
    tree = draft.build()
    assert str(tree.root) == "(ROOT (S (VP/OC 0 2 4) 1 (NP/SB 3)))"
    assert [node.head for node in tree.nodes] == [None, 1, 2, 0]


def test_moving_to_where_it_is_changes_nothing() -> None:
    draft = Draft(example())
    for vertex, parent in list(draft.parents.items()):
        draft.move(vertex, parent)
    assert draft.build() == example()


def test_moved_nodes_are_numbered_anew_in_edges() -> None:
    draft = Draft(example())
    draft.move(0, NP)  # NP now begins first, and is node 7
    tree = draft.build()
    assert str(tree.root) == "(ROOT (S (NP/SB 0 2 3) 1 (VP/OC 4)))"
    assert tree.secondary_edges == (("X", 7, 8), ("Y", 3, S))


def test_adding_a_node() -> None:
    draft = Draft(example())
    new = draft.add("AP", S, [1, NP], edge_label="MO", features=(("id", "9"),))
    assert new == 9
    tree = draft.build()
    assert str(tree.root) == "(ROOT (S (VP/OC 0 4) (AP/MO 1 (NP/SB 2 3))))"
    assert tree.nodes[1].head is None  # it was token 1
    assert tree.nodes[3].features == (("id", "9"),)
    assert tree.secondary_edges == (("X", 9, VP), ("Y", 3, S))


def test_two_nodes_added_have_two_numbers() -> None:
    draft = Draft(example())
    assert draft.add("A", VP, [0]) != draft.add("B", VP, [4])
    assert str(draft.build().nodes[2]) == "(VP/OC (A 0) (B 4))"


def test_splicing_hands_on_children_and_head() -> None:
    draft = Draft(example())
    draft.heads[S] = VP
    draft.splice(VP)
    tree = draft.build()
    assert str(tree.root) == "(ROOT (S 0 1 (NP/SB 2 3) 4))"
    assert tree.nodes[1].head == 3  # token 4, the head of what was the head
    assert tree.secondary_edges == (("Y", 3, S),)  # an end of the other is gone


def test_splicing_another_child_keeps_the_head() -> None:
    draft = Draft(example())
    draft.splice(NP)
    assert draft.build().nodes[1].head == 1


def test_removing_a_token_removes_what_it_leaves_empty() -> None:
    draft = Draft(example())
    draft.add("PN", NP, [3])
    draft.remove(2)
    draft.remove(3)
    tree = draft.build()
    assert str(tree.root) == "(ROOT (S (VP/OC 0 2) 1))"
    assert [token.form for token in tree.sentence] == ["a", "b", "e"]
    assert [node.head for node in tree.nodes] == [None, 1, 1]
    assert tree.secondary_edges == ()


def test_removing_a_node_removes_all_below() -> None:
    draft = Draft(example())
    draft.remove(VP)
    tree = draft.build()
    assert str(tree.root) == "(ROOT (S 0 (NP/SB 1 2)))"
    assert tree.secondary_edges == (("Y", 2, 4),)


def test_removing_everything_leaves_an_empty_sentence() -> None:
    draft = Draft(example())
    draft.remove(S)
    assert draft.build().sentence == ()
    assert draft.build().root == Node(ROOT)


def test_a_new_order_of_tokens() -> None:
    tree = Draft(example()).build(order=[0, 4, 1, 2, 3])
    assert [token.form for token in tree.sentence] == ["a", "e", "b", "c", "d"]
    assert str(tree.root) == "(ROOT (S (VP/OC 0 1) 2 (NP/SB 3 4)))"
    assert tree.secondary_edges == (("X", NP, VP), ("Y", 4, S))


def test_changes_replace_fields() -> None:
    tree = Draft(example()).build(id="2", comments=(), secondary_edges=())
    assert (tree.id, tree.comments, tree.secondary_edges) == ("2", (), ())
    assert tree.features == (("origin", "o"),)


def test_what_is_no_tree_is_refused() -> None:
    draft = Draft(example())
    draft.move(S, VP)  # below itself
    with pytest.raises(TreeError, match="not below the root"):
        draft.build()
    draft = Draft(example())
    draft.add("E", S)
    with pytest.raises(TreeError, match="without tokens"):
        draft.build()


def test_drafts_of_trees_deeper_than_the_stack() -> None:
    node: Node | int = 0
    for _ in range(5000):
        node = Node("X", [node], head=0)
    tree = Tree([Token("a"), Token("b")], Node(ROOT, [node, 1]))
    draft = Draft(tree)
    assert len(draft.ancestors(0)) == 5001
    assert draft.build() == tree
    draft.move(1, 5002)
    assert draft.build().nodes[-1].children == (0, 1)
    draft.remove(0)
    draft.remove(1)
    assert draft.build().nodes == (Node(ROOT),)


def test_children_come_first() -> None:
    order = order_children_first(3, {3: [0, 4, 5], 4: [1], 5: [6], 6: [2]})
    assert sorted(order) == [3, 4, 5, 6]
    assert order[-1] == 3
    assert order.index(6) < order.index(5)
