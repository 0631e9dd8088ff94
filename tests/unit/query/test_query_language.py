"""Each construct of the query language, on a tree with a gap, and mistakes in queries."""

from __future__ import annotations

import pickle

import pytest

import crossbranch
from crossbranch import QueryError, Tree, find
from crossbranch.tree import SecondaryEdge

WHAT = Tree.from_string(
    "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
)
PLAIN = Tree.from_string("(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT the) (NN dog))))")


def texts(tree: Tree, query: str) -> list[str]:
    """The labels and texts of the nodes of each match."""
    return ["; ".join(f"{n.label} {n.text}" for n in match.nodes) for match in find(tree, query)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("VP", ["VP What … do"]),
        ("MD", ["MD should"]),
        ("SQ|VP", ["VP What … do", "SQ should I"]),
        ("/S.*/", ["SBARQ What should I do", "SQ should I"]),
        ("'.'", [". ?"]),
        ('"I"', ["PRP I"]),
        ('"i"i', ["PRP I"]),
        ('NP|"do"', ["VB do", "NP I"]),
        ("[label=VP]", ["VP What … do"]),
        ("[tag=VB|MD]", ["MD should", "VB do"]),
        ("[word=/.*d/]", ["MD should"]),
        ("[category!=/.*[A-Z].*/]", [". ?"]),
        ("[word!=/[A-Za-z]+/]", [". ?"]),
        ("[text='should I']", ["SQ should I"]),
        ("[fan-out=2]", ["VP What … do"]),
        ("[gap-length>1]", ["VP What … do"]),
        ("[constituent and length=1]", ["WHNP What", "NP I"]),
        ("[children>=2 and depth>=2]", ["VP What … do", "SQ should I"]),
        ("[position=2]", ["MD should", "SQ should I"]),
        ("[root]", ["ROOT What should I do ?"]),
        ("[token and first-child and last-child]", ["WP What", "PRP I"]),
        ("[only-child and constituent]", []),
        ("[punctuation]", [". ?"]),
        ("[discontinuous]", ["VP What … do"]),
        ("[fronted]", ["WHNP What"]),
        ("[extraposed or ill-nested]", []),
        ("VP[head or not head]", ["VP What … do"]),
        ("VP > VB", ["VP What … do; VB do"]),
        ("VP[> VB]", ["VP What … do"]),
        ("NP < SQ < SBARQ", ["NP I; SQ should I; SBARQ What should I do"]),
        ("SBARQ >> PRP", ["SBARQ What should I do; PRP I"]),
        ("SBARQ >{2} NP", ["SBARQ What should I do; NP I"]),
        (
            "SBARQ >{3,} [token]",
            ["SBARQ What should I do; WP What", "SBARQ What should I do; PRP I"],
        ),
        ("SQ begins-with MD", ["SQ should I; MD should"]),
        ("[token] ends VP", ["VB do; VP What … do"]),
        ("MD before NP", ["MD should; NP I"]),
        ("SQ right-before VB", ["SQ should I; VB do"]),
        ("WHNP before{2} NP", ["WHNP What; NP I"]),
        ("VP before '.'", ["VP What … do; . ?"]),
        ("VP before SQ", []),
        ("VP starts-before SQ", ["VP What … do; SQ should I"]),
        ("VP sibling-of SQ", ["VP What … do; SQ should I"]),
        ("SQ sibling-right-after VP", ["SQ should I; VP What … do"]),
        ("VP gap-contains SQ", ["VP What … do; SQ should I"]),
        ("[token] in-gap-of VP", ["MD should; VP What … do", "PRP I; VP What … do"]),
        ("#a:VP and #a > VB and #a >> WP", ["VP What … do; VB do; WP What"]),
        (
            "#a:[] > #b:[token] & #a != #b & #b.word = #a.text",
            ["WHNP What; WP What", "NP I; PRP I"],
        ),
        ("#a:NP > #b:[] & #b = #c:PRP", ["NP I; PRP I; PRP I"]),
        ("SQ[not > WP]", ["SQ should I"]),
        ("SQ[not >> PRP]", []),
        ("#q:SQ and not #q > #p:VB", ["SQ should I"]),
        ("VP or NP", ["VP What … do", "NP I"]),
        ("[count(> []) = 2 and depth>1]", ["VP What … do", "SQ should I"]),
        ("ROOT and count(NP|WHNP) > 1", ["ROOT What should I do ?"]),
        ("ROOT and count(NP|WHNP) > 2", []),
        ("not NN", [""]),
        ("not NP", []),
    ],
)
def test_constructs(query: str, expected: list[str]) -> None:
    assert sorted(texts(WHAT, query)) == sorted(expected)


def test_matches_know_their_nodes() -> None:
    [match] = find(WHAT, "#v:VP gap-contains #q:SQ > MD")
    assert match["q"].text == match["#q"].text == "should I"
    assert match.node == match["v"] == match.nodes[0]
    assert str(match) == "What … do"
    assert repr(match) == "<Match 1: VP: What … do, SQ: should I, MD: should>"
    assert match.number == 1
    with pytest.raises(KeyError):
        _ = match["x"]


def test_a_name_of_another_alternative_is_absent() -> None:
    found = list(find(WHAT, "#a:VP or #b:NP"))
    assert [match.vertices for match in found] == [(-1, 10), (7, -1)]
    with pytest.raises(KeyError):
        _ = found[0]["a"]


def test_a_match_without_nodes_is_the_sentence() -> None:
    [match] = find([PLAIN], "not [discontinuous]")
    assert (match.nodes, match.node) == ((), None)
    assert str(match) == "the cat saw the dog"


def test_sentences_have_numbers() -> None:
    assert [match.number for match in find([WHAT, PLAIN, WHAT], "VP")] == [1, 2, 3]


def test_equal_words() -> None:
    query = "#a:[token] before #b:[word=#a.word]"
    assert texts(PLAIN, query) == ["DT the; DT the"]


def test_functions_secondary_edges_features_and_confidence() -> None:
    vp, np = PLAIN.root.children[1], PLAIN.root.children[0]
    assert isinstance(vp, crossbranch.Node)
    assert isinstance(np, crossbranch.Node)
    subject = np.replace(edge_label="SB", features=(("confidence", "0.25"), ("genus", "f")))
    tree = PLAIN.replace(
        root=PLAIN.root.replace(children=[subject, vp]),
        secondary_edges=[SecondaryEdge("SB", 6, 7)],
        features=(("confidence", "0.75"),),
    )
    assert texts(tree, "S >{SB|OA} []") == ["S the cat saw the dog; NP the cat"]
    assert texts(tree, "[] <{SB} S") == ["NP the cat; S the cat saw the dog"]
    assert texts(tree, "[function=SB]") == ["NP the cat"]
    assert texts(tree, "VP ~>{SB} NP") == ["VP saw the dog; NP the cat"]
    assert texts(tree, "NP <~ VP") == ["NP the cat; VP saw the dog"]
    assert texts(tree, "VP ~>{OA} NP") == []
    assert texts(tree, "[confidence < 0.5]") == ["NP the cat"]
    assert texts(tree, "VP[tree-confidence > 0.5]") == ["VP saw the dog"]
    assert texts(tree, "[@genus=f|m]") == ["NP the cat"]
    assert texts(tree, "[@genus!=m]") == ["NP the cat"]
    assert texts(PLAIN, "[confidence < 0.5 or not confidence < 2]") != []


def test_words_have_no_label_and_constituents_no_word() -> None:
    assert all(match.nodes[0].label in ("NP", "VP", "S") for match in find(PLAIN, "[label!=X]"))
    assert len(list(find(PLAIN, "[word!=cat]"))) == 4
    assert len(list(find(PLAIN, "[not word=cat]"))) == 8


@pytest.mark.parametrize(
    ("query", "position", "found", "expected"),
    [
        ("", 0, "the end of the query", "a node"),
        ("VP > > NP", 5, "'>'", "a node"),
        ("VP NP", 3, "'NP'", "a relation"),
        ("VP befor NP", 3, "'befor'", "did you mean before?"),
        ("VP[discontinous]", 3, "'discontinous'", "did you mean discontinuous?"),
        ("VP[> NP", 7, "the end of the query", "']'"),
        ("(VP", 3, "the end of the query", "')'"),
        ("VP]", 2, "']'", "the end of the query"),
        ('"word', 0, "'\"'", 'a second "'),
        ("S > /V(/", 6, "missing )", "one that Python knows"),
        ("S > (VP)", 4, "'('", "in [square brackets]"),
        ("VP[label<NP]", 8, "'<'", "= or !="),
        ("VP[length=NP]", 10, "'NP'", "a number"),
        ("VP[length 3]", 10, "'3'", "one of ="),
        ("VP >{0} NP", 5, "'0'", "a number from 1 on"),
        ("VP >{3,2} NP", 7, "'2'", "a number from 3 on"),
        ("VP >>{2} NP", 6, "'2'", "no number of steps after >>"),
        ("VP before{SB} NP", 10, "'SB'", "can name functions"),
        ("#a.label = #b", 13, "the end of the query", "'.' and an attribute"),
        ("#a.label = #b.length", 14, "'length'", "one of category"),
        ("#a.labl = NP", 3, "'labl'", "did you mean label?"),
        ("VP[#a]", 3, "'#a'", "a condition"),
        ("count(VP)", 9, "the end of the query", "one of ="),
        ("VP %", 3, "'%'", "a relation or a bracket"),
        ("VP & not", 8, "the end of the query", "a node"),
        ("[" * 60, 0, "", "a condition"),
        ("(" * 60 + "VP", 50, "'('", "at most 50"),
    ],
)
def test_mistakes(query: str, position: int, found: str, expected: str) -> None:
    with pytest.raises(QueryError) as caught:
        list(find([], query))
    error = caught.value
    assert found in error.found
    assert expected in error.expected
    if not query.startswith("["):
        assert error.position == position
    *_, line, caret = str(error).split("\n")
    assert line[2:] == query
    assert caret == "  " + " " * error.position + "^"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_mistake_in_the_second_line() -> None:
    with pytest.raises(QueryError, match=r"character 12") as caught:
        list(find([], "VP >\n  NP >"))
    assert str(caught.value).endswith("    NP >\n        ^")


def test_too_many_alternatives() -> None:
    either = "(#a > NP or #a > VP)"
    with pytest.raises(crossbranch.UsageError, match="1,000 alternatives"):
        list(find([], " and ".join([either] * 11)))
    with pytest.raises(crossbranch.UsageError, match="1,000 alternatives"):
        list(find([], " or ".join(["VP"] * 1001)))


def test_deep_and_empty_trees() -> None:
    node: crossbranch.Node | int = 0
    for _ in range(3000):
        node = crossbranch.Node("X", [node])
    assert isinstance(node, crossbranch.Node)
    deep = Tree([crossbranch.Token("a", "T")], node)
    assert len(list(find(deep, "X[root] >> T"))) == 1
    empty = Tree([], crossbranch.Node("ROOT"))
    assert texts(empty, "[]") == ["ROOT "]
    assert texts(empty, "[fan-out=0]") == ["ROOT "]
    assert texts(empty, "[] before []") == []
