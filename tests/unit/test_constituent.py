"""Constituents: nodes in their place, with words, text, offsets and neighbours."""

from __future__ import annotations

import pickle
import sys
from dataclasses import FrozenInstanceError
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.constituent import Constituent
from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Node, Token, Tree

RAW = "Well. What  (on earth)\nshould I do?"


def example(*, placed: bool = True) -> Tree:
    """What should I do: the VP has a gap, and words are spelt as treebanks do."""
    places = [(6, 10), (12, 13), (13, 15), (16, 21), (21, 22), (23, 29), (30, 31), (32, 34)]
    words = ["What", "-LRB-", "on", "earth", "-RRB-", "should", "I", "do"]
    tags = ["WP", "(", "IN", "NN", ")", "MD", "PRP", "VB"]
    sentence = [
        Token(word, tag, start=start, end=end) if placed else Token(word, tag)
        for word, tag, (start, end) in zip(words, tags, places, strict=True)
    ]
    whnp = Node("WHNP", [0, 1, Node("PP", [2, 3]), 4])
    vp = Node("VP", [whnp, 7], edge_label="OC", head=1, features=(("confidence", "0.750"),))
    sq = Node("SQ", [vp, 5, Node("NP", [6], edge_label="SB")], head=1)
    text = RAW[6:34] if placed else ""
    features = (("confidence", "0.5"),)
    return Tree(sentence, Node(ROOT, [sq]), id="q7", text=text, features=features)


def one(tree: Tree, label: str) -> Constituent:
    (found,) = tree.constituents(label)
    return found


# --- finding them


def test_constituents_are_found_by_label_in_preorder() -> None:
    tree = example()
    labels = [constituent.label for constituent in tree.constituents()]
    assert labels == ["SQ", "VP", "WHNP", "PP", "NP"]
    assert [c.label for c in tree.constituents("NP", "VP")] == ["VP", "NP"]
    assert tree.constituents("ADVP") == []


def test_the_virtual_root_is_there_when_it_is_asked_for() -> None:
    assert [c.node for c in example().constituents(ROOT)] == [example().root]
    bare = Tree([Token("a")], Node("S", [0]))
    assert [c.label for c in bare.constituents()] == ["S"]
    below = Tree([Token("a")], Node(ROOT, [Node(ROOT, [0])]))
    assert [c.index for c in below.constituents()] == [1]


def test_labels_are_given_one_by_one() -> None:
    labels: Any = ["NP", "PP"]
    with pytest.raises(UsageError, match=r"\['NP', 'PP'\] is not a label; give labels one by one"):
        example().constituents(labels)


# --- what they say


def test_words_tags_and_head() -> None:
    tree = example()
    assert tree.words == ["What", "-LRB-", "on", "earth", "-RRB-", "should", "I", "do"]
    assert tree.tags == ["WP", "(", "IN", "NN", ")", "MD", "PRP", "VB"]
    vp = one(tree, "VP")
    assert vp.words == ["What", "-LRB-", "on", "earth", "-RRB-", "do"]
    assert vp.tags == ["WP", "(", "IN", "NN", ")", "VB"]
    assert vp.tokens == [0, 1, 2, 3, 4, 7]
    assert (vp.head_word, vp.head_token) == ("do", 7)
    assert one(tree, "SQ").head_word == "should"
    assert one(tree, "WHNP").head_word == "What"  # not marked: found by the labels
    unknown = Tree.from_string("(@A (@B b c) (@D d))")
    assert [c.head_word for c in unknown.constituents()] == [None, None]


def test_functions_are_edge_labels() -> None:
    tree = example()
    assert [c.function for c in tree.constituents()] == [c.edge_label for c in tree.constituents()]
    assert one(tree, "NP").function == one(tree, "NP").node.function == "SB"
    assert Token("a", edge_label="HD").function == "HD"


def test_shape() -> None:
    vp, np = one(example(), "VP"), one(example(), "NP")
    assert (vp.blocks, vp.fan_out, vp.is_discontinuous) == ([(0, 5), (7, 8)], 2, True)
    assert (np.blocks, np.fan_out, np.is_discontinuous) == ([(6, 7)], 1, False)
    assert (vp.edge_label, np.edge_label) == ("OC", "SB")
    assert vp.node is vp.tree.nodes[vp.index]
    assert example().vertex(vp.vertex) == vp.node


def test_the_text_is_as_it_was_given() -> None:
    tree = example()
    assert one(tree, "VP").text == "What  (on earth) … do"
    assert one(tree, "WHNP").text == "What  (on earth)"
    assert one(tree, "SQ").text == RAW[6:34] == tree.text
    assert str(one(tree, "NP")) == "I"
    assert repr(one(tree, "VP")) == "<Constituent VP: What  (on earth) … do>"


def test_without_a_raw_text_it_is_words_and_blanks() -> None:
    tree = example(placed=False)
    assert one(tree, "VP").text == "What -LRB- on earth -RRB- … do"
    assert one(tree, "VP").offsets == []
    assert (one(tree, "VP").start, one(tree, "VP").end) == (None, None)
    for changes in ({"text": ""}, {"text": "another"}):
        assert one(example().replace(**changes), "PP").text == "on earth"
    some = list(example().sentence)
    some[3] = some[3]._replace(start=None, end=None)
    assert one(example().replace(sentence=some), "PP").text == "on earth"


def test_offsets_are_those_of_the_blocks_in_the_raw_text() -> None:
    vp = one(example(), "VP")
    assert vp.offsets == [(6, 22), (32, 34)]
    assert (vp.start, vp.end) == (6, 34)
    assert [RAW[start:end] for start, end in vp.offsets] == vp.text.split(" … ")


def test_confidence_is_a_number() -> None:
    tree = example()
    assert (tree.confidence, one(tree, "VP").confidence) == (0.5, 0.75)
    assert one(tree, "NP").confidence is None
    assert one(tree, "VP").features == (("confidence", "0.750"),)
    odd = Tree([Token("a")], Node("S", [0], features=(("confidence", "high"),)))
    assert one(odd, "S").confidence is None


def test_neighbours() -> None:
    tree = example()
    vp, sq = one(tree, "VP"), one(tree, "SQ")
    assert vp.parent == sq
    assert [c.label for c in sq.children] == ["VP", "NP"]
    assert [c.label for c in vp.children] == ["WHNP"]
    assert one(tree, "NP").children == []
    root = sq.parent
    assert root is not None
    assert (root.label, root.parent, root.depth) == (ROOT, None, 0)
    assert [c.depth for c in tree.constituents()] == [1, 2, 3, 4, 2]


# --- values


def test_they_are_values() -> None:
    vp = one(example(), "VP")
    assert vp == one(example(), "VP")
    assert vp != one(example(), "SQ")
    assert vp != one(example().replace(id="8"), "VP")
    assert vp != "VP"
    assert len({vp, one(example(), "VP"), one(example(), "SQ")}) == 2
    assert pickle.loads(pickle.dumps(vp)) == vp
    with pytest.raises(FrozenInstanceError):
        vp.index = 3  # type: ignore[misc]


# --- at a place in the text


def labels_at(start: int, end: int | None = None) -> list[str]:
    return [constituent.label for constituent in example().constituents_at(start, end)]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (17, None, ["PP", "WHNP", "VP", "SQ"]),
        (12, None, ["WHNP", "VP", "SQ"]),
        (23, None, ["SQ"]),
        (13, 22, ["WHNP", "VP", "SQ"]),
        (6, 34, ["SQ"]),
        (20, 24, ["SQ"]),
        (30, 31, ["NP", "SQ"]),
        (6, 1000, ["SQ"]),
        (11, None, []),  # a blank
        (0, 5, []),  # another sentence
        (34, None, []),  # behind the last
    ],
)
def test_the_smallest_constituent_at_a_place_comes_first(
    start: int, end: int | None, expected: list[str]
) -> None:
    assert labels_at(start, end) == expected


def test_places_that_are_none() -> None:
    for start, end in ((3, 3), (5, 2), (-1, 4)):
        with pytest.raises(UsageError, match=f"no characters from {start} to {end}"):
            labels_at(start, end)
    with pytest.raises(UsageError, match="the position of 'What' in the text is unknown"):
        example(placed=False).constituents_at(3)


# --- the text follows the tokens


def test_the_text_of_a_tree_follows_its_tokens() -> None:
    tree = example()
    fewer = tree.replace(sentence=tree.sentence[5:], root=Node("SQ", range(3)))
    assert fewer.text == "should I do"
    assert one(fewer, "SQ").text == "should I do"
    assert tree.replace(sentence=tree.sentence).text == tree.text
    back = tree.replace(sentence=tree.sentence[::-1])
    assert back.text == tree.text
    assert one(back, "NP").text == "-LRB-"  # by its word, since the text has another order
    assert tree.replace(sentence=tree.sentence, text="x").text == "x"
    bare = [Token(word) for word in tree.words]
    assert tree.replace(sentence=bare).text == ""
    longer = fewer.replace(sentence=tree.sentence, root=tree.root)
    assert longer.text == ""


# --- laws


@given(trees())
def test_views_agree_with_the_tree(tree: Tree) -> None:
    everything = [Constituent(tree, index) for index in range(len(tree.nodes))]
    for constituent in everything:
        assert constituent.words == [tree.words[token] for token in constituent.tokens]
        inner = [child for child in constituent.node.children if isinstance(child, Node)]
        assert [child.node for child in constituent.children] == inner
        assert all(child.parent == constituent for child in constituent.children)
        assert constituent.depth == (constituent.parent.depth + 1 if constituent.parent else 0)
        if not tree.text:
            continue
        first = tree.sentence[0].start or 0
        parts = [tree.text[start - first : end - first] for start, end in constituent.offsets]
        assert constituent.text == " … ".join(parts)
        assert len(constituent.offsets) == constituent.fan_out


@given(trees())
def test_places_lead_back_to_constituents(tree: Tree) -> None:
    for constituent in tree.constituents():
        start, end = constituent.start, constituent.end
        if start is not None and end is not None and start < end:
            chain = tree.constituents_at(start, end)
            assert all(a.node.span & b.node.span == a.node.span for a, b in pairwise(chain))
            if not constituent.is_discontinuous:
                assert constituent in chain


def test_deep_trees() -> None:
    depth = 3 * sys.getrecursionlimit()
    node = Node("X", [0])
    for _ in range(depth):
        node = Node("X", [node])
    tree = Tree([Token("a", start=0, end=1)], Node(ROOT, [node]), text="a")
    assert len(tree.constituents("X")) == depth + 1
    assert tree.constituents_at(0)[0].depth == depth + 1
    assert tree.records()[-1]["depth"] == depth + 1
