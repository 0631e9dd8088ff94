"""Dependencies: from marked heads, from head tables, and from files of dependencies."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.dependencies import dependencies, head_tokens
from crossbranch.errors import TreeError
from crossbranch.tree import ROOT, Dependency, Node, Token, Tree


def question() -> Tree:
    """What should I do ?: the VP is discontinuous, `should` the head of all."""
    vp = Node("VP", [0, 3], edge_label="OC", head=1)
    sq = Node("SQ", [vp, 1, Node("NP", [2], edge_label="SB", head=0)], head=1)
    sentence = [
        Token("What", "WP", edge_label="OA"),
        Token("should", "MD", edge_label="HD"),
        Token("I", "PRP", edge_label="HD"),
        Token("do", "VB", edge_label="HD"),
        Token("?", "."),
    ]
    return Tree(sentence, Node(ROOT, [sq, 4]), id="q1")


def heads(tree: Tree) -> list[int | None]:
    return [dependency.head for dependency in tree.dependencies()]


# --- from marked heads


def test_a_word_depends_on_the_head_of_the_lowest_constituent_that_it_does_not_head() -> None:
    assert dependencies(question()) == [(3, "OA"), (-1, ""), (1, "SB"), (1, "OC"), (1, "")]
    assert question().dependencies() == [
        Dependency(0, 3, "OA", "What", "do"),
        Dependency(1, None, "root", "should", None),
        Dependency(2, 1, "SB", "I", "should"),
        Dependency(3, 1, "OC", "do", "should"),
        Dependency(4, 1, "punct", "?", "should"),
    ]


def test_arcs_need_marks() -> None:
    tree = Tree([Token("a"), Token("b")], Node(ROOT, [Node("S", [0, 1])]))
    assert dependencies(tree) is None
    assert dependencies(tree.replace(root=Node("S", [0, 1]))) is None
    assert head_tokens(tree) == [None, None]


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (Node(ROOT, [0, Node("X", [1]), Node("Y", [2])]), [1, None, 1]),  # the first constituent
        (Node(ROOT, [0, 1, 2]), [None, 0, 0]),  # no constituents: the first word
        (Node(ROOT, [0, 1, 2], head=2), [2, 2, None]),  # a mark is a mark
        (Node(ROOT, [Node("X", [Node("Y", [0, 1, 2], head=1)])]), [1, None, 1]),  # only children
    ],
)
def test_the_virtual_root_needs_no_mark(root: Node, expected: list[int | None]) -> None:
    assert heads(Tree([Token(w) for w in "abc"], root)) == expected


def test_an_empty_sentence_has_no_dependencies() -> None:
    assert Tree([], Node(ROOT)).dependencies() == []


def test_punctuation_below_the_virtual_root_depends_on_the_constituent_around_it() -> None:
    # "the man , whom I know , sleeps ."
    words = ["the", "man", ",", "whom", "I", "know", ",", "sleeps", "."]
    tags = ["ART", "NN", "$,", "PRELS", "PPER", "VVFIN", "$,", "VVFIN", "$."]
    clause = Node("S", [3, 4, 5], edge_label="RC", head=2)
    np = Node("NP", [0, 1, clause], edge_label="SB", head=1)
    root = Node(ROOT, [Node("S", [np, 7], head=1), 2, 6, 8])
    tree = Tree(map(Token, words, tags), root)
    assert heads(tree) == [1, 7, 1, 5, 5, 1, 7, None, 7]
    assert {d.relation for d in tree.dependencies() if d.word in (",", ".")} == {"punct"}


@given(trees(min_size=1, heads=True))
def test_dependencies_are_always_a_tree(tree: Tree) -> None:
    found = heads(tree)
    assert found.count(None) == 1
    for token in range(len(found)):
        seen: set[int] = set()
        above: int | None = token
        while above is not None:  # every word leads to the one root
            assert above not in seen
            seen.add(above)
            above = found[above]


@given(trees(rich=False, min_size=1))
def test_trees_with_known_labels_always_have_dependencies(tree: Tree) -> None:
    bare = tree.replace(sentence=[token._replace(tag="") for token in tree.sentence])
    assert heads(bare).count(None) == 1
    assert bare.head_tokens[0] == heads(bare).index(None)


# --- from head tables


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(S (NP (DT The) (NN cat)) (VP (VBD sat)))", [1, 2, None]),
        ("(SMAIN (NP (lid De) (n kat)) (ww zat))", [1, 2, None]),
        ("(S (NP (ART Die) (NN Katze)) (VVFIN sitzt))", [1, 2, None]),
        ("(IP (NP (D Sú) (N köttur)) (BEDI var) (ADVP (ADV þar)))", [1, 2, None, 2]),
        ("(SENT (NP (DET Le) (NC chat)) (VN (V dort)))", [1, 2, None]),
        ("(S (NP the cat) (VP (V sat) down))", [1, 2, None, 2]),  # no tags that are known
    ],
)
def test_the_table_is_chosen_by_the_labels(text: str, expected: list[int | None]) -> None:
    assert heads(Tree.from_string(text)) == expected


def test_marks_stay_and_the_others_are_found() -> None:
    tree = Tree.from_string("(S (NP (DT The) (NN cat)) (VP (VBD sat)))")
    np = Node("NP", [0, 1], head=0)
    marked = tree.replace(root=tree.root.replace(children=[np, *tree.root.children[1:]]))
    assert heads(marked) == [2, 0, None]
    assert marked.mark_heads().root.head == 1
    assert marked.mark_heads().mark_heads() is not None
    assert tree.mark_heads("negra").nodes[1].head == 1


def test_labels_that_no_table_knows_are_an_error() -> None:
    tree = Tree([Token("a", "?"), Token("b", "?")], Node("@@", [0, 1]), id="s7")
    assert tree.mark_heads() is tree
    assert tree.head_tokens == (None,)
    with pytest.raises(TreeError, match=r"sentence s7: the head of @@ is not marked, and no head"):
        tree.dependencies()
    with pytest.raises(TreeError, match=r"^the head of @@ is not marked"):
        tree.replace(id="").dependencies()


# --- from files of dependencies


def stated(*heads_and_relations: tuple[str, str]) -> Tree:
    tokens = [
        Token(f"w{i}", features=(("deprel", relation), ("head", head)))
        for i, (head, relation) in enumerate(heads_and_relations)
    ]
    return Tree(tokens, Node(ROOT, range(len(tokens))))


def test_dependencies_of_a_file_are_returned() -> None:
    assert stated(("2", "det"), ("0", "root")).dependencies() == [
        Dependency(0, 1, "det", "w0", "w1"),
        Dependency(1, None, "root", "w1", None),
    ]
    tree = stated(("2", "det"), ("0", "root"))
    parsed = tree.replace(root=Node("NP", [0, 1], head=0))  # constituents say more
    assert heads(parsed) == [None, 0]


def test_features_that_are_no_heads_are_ignored() -> None:
    for head in ("", "x", "3", "-1"):
        assert heads(stated(("0", "root"), (head, "a"))) == [None, 0]
