"""CoNLL-U: dependencies from heads, constituents in MISC, files of others as tokens and tags."""

from __future__ import annotations

import io

import pytest

from crossbranch.errors import InputError, LossWarning
from crossbranch.tree import ROOT, Features, Node, Token, Tree
from crossbranch.treebank import FORMATS, read, write


def example() -> Tree:
    """What should I do ?: the VP is discontinuous, `should` the head of all."""
    vp = Node("VP", [0, 3], edge_label="OC", head=1)
    sq = Node("SQ", [vp, 1, Node("NP", [2], edge_label="SB", head=0)], head=1)
    sentence = [
        Token("What", "WP", "what", "", "OA"),
        Token("should", "MD", "shall", "Tense=Past|VerbForm=Fin", "HD"),
        Token("I", "PRP", "I", "1.Sg", "HD"),
        Token("do", "VB", "do", "", "HD"),
        Token("?", "."),
    ]
    return Tree(sentence, Node(ROOT, [sq, 4]), id="q1", comments=["from a book"])


WRITTEN = """\
# sent_id = q1
# text = What should I do ?
# from a book
1\tWhat\twhat\t_\tWP\t_\t4\tOA\t_\tEdgeLabel=OA|Nodes=ROOT:1-5,SQ:1-4::2,VP:1+4:OC:2
2\tshould\tshall\t_\tMD\tTense=Past|VerbForm=Fin\t0\troot\t_\tEdgeLabel=HD
3\tI\tI\t_\tPRP\t_\t2\tSB\t_\tEdgeLabel=HD|Morphology=1.Sg|Nodes=NP:3:SB:1
4\tdo\tdo\t_\tVB\t_\t2\tOC\t_\tEdgeLabel=HD
5\t?\t_\t_\t.\t_\t2\tpunct\t_\t_

"""

OTHERS = """\
# newdoc id = d
# sent_id = fr-1
# text = du pain , oui
# text_en = bread , yes
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_
2\tle\tle\tDET\tD\tGender=Masc|Number=Sing\t3\tdet\t_\t_
3\tpain\tpain\tNOUN\tN\t_\t0\troot\t_\tSpaceAfter=No|Gloss=bread
4\t,\t,\tPUNCT\t_\t_\t3\tpunct\t_\t_
4.1\toui\toui\tINTJ\t_\t_\t_\t_\t3:dep\t_
5\toui\toui\tINTJ\t_\t_\t3\tdep\t_\t_

# sent_id = fr-2
0.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
1\toui\toui\tINTJ\tI\t_\t0\troot\t_\t_
"""


def parse(text: str, **options: object) -> list[Tree]:
    return list(read(io.StringIO(text), format="conllu", **options))  # type: ignore[arg-type]


def text_of(*trees: Tree) -> str:
    stream = io.StringIO()
    write(trees, stream, format="conllu")
    return stream.getvalue()


# --- dependencies


def columns(tree: Tree) -> list[list[str]]:
    """HEAD and DEPREL of each word."""
    lines = [line for line in text_of(tree).split("\n") if line and not line.startswith("#")]
    rows = [line.split("\t") for line in lines]
    return [row[6:8] for row in rows if "-" not in row[0]]  # without contractions


def test_heads_that_are_not_marked_are_found_by_the_labels() -> None:
    tree = Tree.from_string("(S (NP (DT The) (NN cat)) (VP (VBD sat) (ADVP (RB down))) (. .))")
    assert columns(tree) == [
        ["2", "dep"],
        ["3", "dep"],
        ["0", "root"],
        ["3", "dep"],
        ["3", "punct"],
    ]
    assert parse(text_of(tree.replace(id="1"))) == [tree.replace(id="1")]  # marks are not written


def test_labels_that_no_table_knows_give_no_dependencies() -> None:
    tree = Tree([Token("a"), Token("b")], Node(ROOT, [Node("@@", [0, 1])]), id="1")
    assert columns(tree) == [["_", "_"]] * 2


def test_deep_trees_have_dependencies() -> None:
    node: Node | int = 0
    for token in range(1, 2000):
        node = Node("X", [node, token], head=0)
    tree = Tree([Token("a")] * 2000, Node(ROOT, [node]), id="1")
    assert columns(tree) == [["0", "root"]] + [["1", "dep"]] * 1999
    assert parse(text_of(tree)) == [tree]


def test_dependencies_of_others_are_kept() -> None:
    first, second = parse(OTHERS)
    assert [(d.word, d.relation, d.head_word) for d in first.dependencies()] == [
        ("de", "case", "pain"),
        ("le", "det", "pain"),
        ("pain", "root", None),
        (",", "punct", "pain"),
        ("oui", "dep", "pain"),
    ]
    text = text_of(first, second)
    assert "Nodes=" not in text
    assert parse(text) == [first, second]
    assert columns(second) == [["0", "root"]]


def test_dependencies_of_others_are_all_there_or_ignored() -> None:
    (tree,) = parse(OTHERS.partition("\n\n")[0].replace("\t3\tcase", "\t_\t_"))
    assert "head" not in {name for token in tree.sentence for name, _ in token.features}


def test_constituents_say_more_than_dependencies() -> None:
    (tree,) = parse(WRITTEN.replace("\t4\tOA", "\t2\tobj"))
    assert tree == example()
    flat = parse(OTHERS)[0]
    parsed = flat.replace(root=Node(ROOT, [Node("NP", range(5), head=0)]))
    with pytest.warns(LossWarning, match="dropped: 10 token features"):
        found = columns(parsed)
    assert [head for head, _ in found] == ["0", "1", "1", "1", "1"]


# --- writing and reading


def test_what_is_written() -> None:
    assert text_of(example()) == WRITTEN


def test_nothing_is_lost_on_the_way() -> None:
    assert parse(WRITTEN) == [example()]
    assert parse(text_of(example(), example().replace(id="q2")))[1].id == "q2"


def arc(head: str, deprel: str, upos: str = "") -> Features:
    """The features of a token from a file of dependencies."""
    found = (("deprel", deprel), ("head", head))
    return (*found, ("upos", upos)) if upos else found


def test_files_of_others_are_tokens_and_tags() -> None:
    first, second = parse(OTHERS)
    assert first.sentence == (
        Token("de", "ADP", "de", features=arc("3", "case"), start=0, end=2),
        Token("le", "D", "le", "Gender=Masc|Number=Sing", "", arc("3", "det", "DET"), 0, 2),
        Token("pain", "N", "pain", features=arc("0", "root", "NOUN"), start=3, end=7),
        Token(",", "PUNCT", ",", features=arc("3", "punct"), start=8, end=9),
        Token("oui", "INTJ", "oui", features=arc("3", "dep"), start=10, end=13),
    )
    assert first.root == Node(ROOT, range(5))
    assert (first.id, second.id) == ("fr-1", "fr-2")
    assert first.comments == ("newdoc id = d", "text_en = bread , yes")
    assert second.sentence == (Token("oui", "I", "oui", features=arc("0", "root", "INTJ")),)


@pytest.mark.parametrize("text", [OTHERS, OTHERS.replace("\n", "\r\n"), OTHERS + "\n\n\n"])
def test_line_ends_and_empty_lines_do_not_matter(text: str) -> None:
    assert len(list(read(io.BytesIO(text.encode())))) == 2


@pytest.mark.parametrize(
    "tree",
    [
        Tree([], Node(ROOT), id="1"),
        Tree([], Node(ROOT), id="1", comments=["c"]),
        Tree([Token("_", "_", "_", "_", "_")], Node("_", [0]), id=" 1 "),
        Tree([Token("a b", "", "", "x|y=z", "e|f")], Node("", [0], edge_label=":+,|"), id="\u00a0"),
        Tree([Token("a")], Node(ROOT, [Node("A", [Node("B", [0], head=0)])]), id="1"),
        Tree([Token("a")], Node(ROOT, [0]), id="1", comments=["text = x", "sent_id=2", " x", ""]),
        Tree([Token("a")], Node(ROOT, [0]), id="1", comments=["text_en = x", "a\tb", "#"]),
    ],
)
def test_awkward_trees_survive(tree: Tree) -> None:
    assert parse(text_of(tree)) == [tree]


# --- places in the raw text

PLACED = """\
# sent_id = 1
# text = That's  &#x9;it&#x20;
1\tThat\t_\t_\t_\t_\t_\t_\t_\tNodes=@S:1-3|SpaceAfter=No|TokenRange=100:104
2\t's\t_\t_\t_\t_\t_\t_\t_\tTokenRange=104:106
3\tit \t_\t_\t_\t_\t_\t_\t_\tTokenRange=109:112

"""


def placed(*places: tuple[int, int] | None, text: str = "") -> Tree:
    words = [Token(f"w{i}") for i in range(len(places))]
    sentence = [
        word._replace(start=place[0], end=place[1]) if place else word
        for word, place in zip(words, places, strict=True)
    ]
    return Tree(sentence, Node(ROOT, range(len(places))), id="1", text=text)


def test_the_text_and_the_places_of_words() -> None:
    words = [
        Token("That", start=100, end=104),
        Token("'s", start=104, end=106),
        Token("it ", start=109, end=112),
    ]
    tree = Tree(words, Node("@S", range(3)), id="1", text="That's  \tit ")
    assert text_of(tree) == PLACED
    assert parse(PLACED) == [tree]


@pytest.mark.parametrize(
    "tree",
    [
        placed((0, 2), (2, 4), text="w0w1"),
        placed((0, 2), None, (2, 4), text="w0w2"),  # an empty element
        placed((5, 5), text=""),
        placed((0, 2), (3, 5)),  # places, and no text
        placed((0, 2), (0, 2), text="du"),  # two words of one contraction
        placed((3, 4), (1, 2), text="b a"),  # another order
    ],
)
def test_awkward_places_survive(tree: Tree) -> None:
    assert parse(text_of(tree)) == [tree]


def test_words_of_a_contraction_stand_where_it_stands() -> None:
    ranges = OTHERS.replace(
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_", "1-2\tdu" + "\t_" * 7 + "\tTokenRange=0:2"
    )
    first, second = parse(ranges.replace("SpaceAfter=No", "SpaceAfter=No|TokenRange=3:7"))
    assert [token.start for token in first.sentence] == [0, 0, 3, None, None]
    assert [token.end for token in first.sentence] == [2, 2, 7, None, None]
    assert first.text == "du pain , oui"
    assert (second.text, second.sentence[0].start) == ("", None)


def test_a_made_up_text_is_passed_over() -> None:
    assert [tree.text for tree in parse(WRITTEN)] == [""]


def test_comments_of_others_are_written_as_they_are() -> None:
    text = text_of(*parse(OTHERS))
    assert "\n# text_en = bread , yes\n" in text
    assert "\n# newdoc id = d\n" in text


# --- what is wrong


def row(number: object, misc: str = "_", head: str = "_") -> str:
    return f"{number}\tw\t_\t_\t_\t_\t{head}\t_\t_\t{misc}\n"


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        (row(1) + "2\tb\n", 3, "2 columns", "10 columns"),
        (row(2), 2, "token '2'", "token 1"),
        (row(1) + row(1), 3, "token '1'", "token 2"),
        (row("x"), 2, "token 'x'", "token 1"),
        (row(1, "TokenRange=1"), 2, "the TokenRange '1'", "start:end"),
        (row(1, "TokenRange=4:2"), 2, "the TokenRange '4:2'", "start:end"),
        (row("1-2", "TokenRange=a:b"), 2, "the TokenRange 'a:b'", "start:end"),
        (row(1, head="2"), 2, "the head '2'", "a token of this sentence or 0"),
        (row(1, head="x"), 2, "the head 'x'", "a token of this sentence or 0"),
        (row(1, "Nodes=S"), 2, "the constituent 'S'", "label:tokens"),
        (row(1, "Nodes=S:0"), 2, "the tokens 0", "tokens of this sentence"),
        (row(1, "Nodes=S:9"), 2, "the tokens 9", "tokens of this sentence"),
        (row(1, "Nodes=S:2-1") + row(2), 2, "the tokens 2-1", "tokens of this sentence"),
        (row(1, f"Nodes=S:{'1' * 5000}"), 2, "the constituent", "label:tokens"),
        (row(1, f"Nodes=S:1::{'1' * 5000}"), 2, "the constituent", "label:tokens"),
        (
            row(1, "Nodes=S:1::2"),
            1,
            "S has head 1, but the number of its children is 1",
            "form a tree",
        ),
        (
            row(1, "Nodes=S:1::0"),
            1,
            "S has head -1, but the number of its children is 1",
            "form a tree",
        ),
        (row(1, "Nodes=S:1") + row(2), 1, "does not cover the sentence", "form a tree"),
        (row(1, "Nodes=S:1-2"), 1, "does not cover the sentence", "form a tree"),
        (
            row(1, "Nodes=S:1-2,X:2-3") + row(2),
            1,
            "tokens beyond the end of the sentence",
            "form a tree",
        ),
        (
            row(1, "Nodes=S:1-3,X:1-2,Y:2-3") + row(2) + row(3),
            1,
            "the tokens of Y belong to several constituents",
            "form a tree",
        ),
    ],
)
def test_bad_sentences(text: str, line: int, found: str, expected: str) -> None:
    text = f"# sent_id = bad\n{text}\n# sent_id = good\n{row(1)}\n"
    with pytest.raises(InputError) as caught:
        parse(text)
    error = caught.value
    assert (error.path, error.line, error.sentence) == ("<stream>", line, "bad")
    assert found in error.found
    assert expected in error.expected
    assert len(str(error)) < 300
    problems: list[InputError] = []
    trees = parse(text, on_error="skip", report=problems.append)
    assert [tree.id for tree in trees] == ["good"]
    assert [str(problem) for problem in problems] == [str(error)]


def test_bad_bytes_cost_one_sentence() -> None:
    good = f"# sent_id = ä\n{row(1)}\n".encode()
    data = good + good.replace("ä".encode(), b"\xe4") + good
    problems: list[InputError] = []
    trees = list(read(io.BytesIO(data), on_error="skip", report=problems.append))
    assert len(trees) == 2
    assert [problem.line for problem in problems] == [4]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (WRITTEN, True),
        (OTHERS, True),
        (OTHERS.partition("\n\n")[2], True),
        (row(1), True),
        (row("1-2"), True),
        ("# sent_id = 1\n", True),
        ("# a heading\n", False),
        ("1\ttwo\n", False),
        (row(2), False),
        ("", False),
    ],
)
def test_what_looks_like_conllu(head: str, expected: bool) -> None:
    assert FORMATS["conllu"].looks_like(head) is expected


def test_universal_tags_beside_others_are_kept() -> None:
    text = "# sent_id = 1\n# text = a\n1\ta\t_\tNOUN\tNN\t_\t0\troot\t_\tNodes=ROOT:1\n\n"
    (tree,) = read(io.BytesIO(text.encode()), format="conllu")
    assert tree.sentence[0].tag == "NN"
    assert tree.sentence[0].features == (("upos", "NOUN"),)
    out = io.StringIO()
    write([tree], out, format="conllu", strict=True)
    assert out.getvalue() == text
