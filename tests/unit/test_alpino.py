"""Alpino XML: what its elements mean, and what is wrong with bad ones."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from crossbranch.errors import InputError
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree, feature
from crossbranch.treebank import read, write
from crossbranch.treebank.alpino import Alpino

SENTENCE = """<alpino_ds version="1.3">
  <metadata>
    <meta type="text" name="origin" value="hand"/>
  </metadata>
  <node begin="0" end="4" id="0" cat="top" rel="top">
    <node begin="0" end="3" id="1" cat="smain" rel="--">
      <node begin="0" end="3" id="2" cat="inf" rel="vc">
        <node begin="1" end="2" id="3" index="1" rel="su"/>
        <node begin="0" end="1" id="4" lemma="lezen" postag="WW()" pt="ww" rel="hd" word="Lezen"/>
        <node begin="2" end="3" id="5" pos="adv" rel="mod" word="niet"/>
      </node>
      <node begin="1" end="2" id="6" index="1" root="zij" pos="pron" rel="su" word="ze" getal="ev"/>
    </node>
    <node begin="3" end="4" id="7" pos="punct" rel="--" word="."/>
  </node>
  <sentence sentid="a/1">Lezen ze niet .</sentence>
  <comments>
    <comment>why &lt;not&gt;?</comment>
  </comments>
</alpino_ds>
"""
TREE = Tree(
    [
        Token("Lezen", "ww", "lezen", "WW()", "hd"),
        Token("ze", "pron", "zij", "", "su", (("getal", "ev"),)),
        Token("niet", "adv", "", "", "mod"),
        Token(".", "punct"),
    ],
    Node(ROOT, [Node("smain", [Node("inf", [0, 2], edge_label="vc"), 1]), 3]),
    id="a/1",
    secondary_edges=[SecondaryEdge("su", 1, 6)],
    comments=["why <not>?"],
    features=(("origin", "hand"),),
)


def trees_of(text: str) -> list[Tree]:
    return list(read(io.BytesIO(text.encode()), format="alpino"))


def text_of(tree: Tree) -> str:
    return Alpino().write_tree(tree, 1)


def back(tree: Tree) -> Tree:
    (found,) = trees_of(f"<treebank>{text_of(tree)}</treebank>")
    return found


def sentence(nodes: str, rest: str = "", attributes: str = "") -> str:
    return f"<alpino_ds{attributes}>\n{nodes}\n{rest}</alpino_ds>\n"


def test_a_document_by_hand() -> None:
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<treebank>\n{SENTENCE}</treebank>\n'
    reader = read(io.BytesIO(text.encode()))
    assert list(reader) == [TREE]
    assert reader.format == "alpino"
    stream = io.StringIO()
    write([TREE], stream, format="alpino")
    assert stream.getvalue() == text


def test_words_are_placed_by_their_numbers() -> None:
    word = '<node begin="{}" word="{}"/>'
    nodes = f'<node cat="top"><node cat="s">{word.format(10, "c")}{word.format(2, "a")}</node>'
    (tree,) = trees_of(sentence(f"{nodes}{word.format(3, 'b')}</node>"))
    assert [token.form for token in tree.sentence] == ["a", "b", "c"]
    assert str(tree.root) == "(ROOT (s 0 2) 1)"


@pytest.mark.parametrize(
    ("attributes", "token"),
    [
        ('pt="n" postag="N()" pos="noun"', Token("w", "n", "", "N()", "", (("pos", "noun"),))),
        ('pos="noun" postag="N()"', Token("w", "noun", "", "N()")),
        ('pt="" pos="noun"', Token("w", "", "", "", "", (("pos", "noun"),))),
        ('pos="noun"', Token("w", "noun")),
        ('lemma="l" root="r"', Token("w", "", "l", "", "", (("root", "r"),))),
        ('lemma="" root="r"', Token("w", "", "", "", "", (("root", "r"),))),
        ('root="r"', Token("w", "", "r")),
        ('rel="obj1" cat="x"', Token("w", "", "", "", "obj1", (("cat", "x"),))),
    ],
)
def test_the_analysis_of_words(attributes: str, token: Token) -> None:
    (tree,) = trees_of(sentence(f'<node begin="0" word="w" {attributes}/>'))
    assert tree.sentence == (token,)
    assert back(tree) == tree


def test_the_older_analysis_is_written_as_such() -> None:
    tree = Tree([Token("w", "noun", "r")], Node(ROOT, [0]))
    assert ' root="r" pos="noun" ' in text_of(tree)
    new = Tree([Token("w", "n", "l", "N()")], Node(ROOT, [0]))
    assert ' lemma="l" postag="N()" pt="n" ' in text_of(new)


def test_trees_without_top_get_a_root() -> None:
    (tree,) = trees_of(sentence('<node cat="np" rel="x"><node begin="0" word="a"/></node>'))
    assert str(tree.root) == "(ROOT (np/x 0))"
    (two,) = trees_of(
        sentence(
            '<node cat="top"><node begin="0" word="a"/></node>' * 1 + '<node begin="1" word="b"/>'
        )
    )
    assert str(two.root) == "(ROOT (top 0) 1)"


def test_the_root_keeps_features_and_edge_label() -> None:
    root = Node(ROOT, [0], edge_label="top", features=(("x", "y"),))
    tree = Tree([Token("a")], root, id="1")
    assert back(tree) == tree


def test_a_bare_root_gets_the_virtual_root() -> None:
    bare = Tree([Token("a")], Node("S", [0]), id="1")
    assert back(bare) == bare.replace(root=Node(ROOT, [bare.root]))


def test_an_empty_sentence() -> None:
    tree = Tree([], Node(ROOT), id="1", secondary_edges=[SecondaryEdge("x", 0, 0)])
    assert back(tree) == tree


@pytest.mark.parametrize(
    ("edge", "is_node"),
    [
        (SecondaryEdge("su", 0, 5), True),
        (SecondaryEdge("", 4, 5), True),
        (SecondaryEdge("--", 0, 3), True),
        (SecondaryEdge("su", 0, 1), False),  # in a word
        (SecondaryEdge("a b", 3, 5), False),  # below itself
        (SecondaryEdge("su", 5, 5), False),
    ],
)
def test_secondary_edges(edge: SecondaryEdge, is_node: bool) -> None:
    root = Node(ROOT, [Node("np", [0, 1]), Node("vp", [2])])
    tree = Tree([Token("a"), Token("b"), Token("c")], root, secondary_edges=[edge, edge])
    text = text_of(tree)
    assert text.count(" rel=") == (8 if is_node else 6)
    assert text.count("<?crossbranch edge 1 ") == (0 if is_node else 2)
    assert back(tree) == tree


def test_nodes_without_words_vanish_but_are_mentioned() -> None:
    nodes = (
        '<node cat="top"><node cat="np" rel="su" index="1"><node begin="0" word="a"/></node>'
        '<node cat="vp" rel="cnj"><node begin="1" word="b"/>'
        '<node cat="inf" rel="vc" index="2"><node index="1" rel="su"/></node>'
        '<node index="2" rel="obj1"/></node></node>'
    )
    (tree,) = trees_of(sentence(nodes))
    assert str(tree.root) == "(ROOT (np/su 0) (vp/cnj 1))"
    assert tree.secondary_edges == (SecondaryEdge("su", 3, 4),)
    assert feature(tree.features, "wordless") == "inf/vc /obj1"
    assert back(tree) == tree


def test_ids_come_from_the_sentence_or_else_from_the_file(tmp_path: Path) -> None:
    node = '<node begin="0" word="a"/>'
    text = {
        "one": sentence(node),
        "two": sentence(node, '<sentence sentid="x">a</sentence>'),
        "three": sentence(node, '<sentence sentid="x">a</sentence>', ' id="y"'),
    }
    for name, content in text.items():
        (tmp_path / f"{name}.xml").write_text(content, encoding="utf-8")
    assert [tree.id for tree in read(tmp_path)] == ["one", "y", "x"]
    (three,) = read(tmp_path / "three.xml")
    assert three.features == (("sentence.sentid", "x"),)
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("10.alpino.xml", text["one"])
        zipped.writestr("9.xml", text["one"])
    assert [tree.id for tree in read(archive)] == ["9", "10"]
    assert [tree.id for tree in trees_of(text["one"])] == [""]
    (tmp_path / "one.xml").write_text(f"<treebank>{text['one'] * 2}</treebank>", encoding="utf-8")
    assert [tree.id for tree in read(tmp_path / "one.xml")] == ["", ""]


def test_other_descriptions_are_features() -> None:
    rest = '<parser cats="1" build="x"/><metadata><meta name="date" value="1999"/></metadata>'
    (tree,) = trees_of(sentence('<node begin="0" word="a"/>', rest, ' version="1.5" x="y"'))
    assert tree.features == (
        ("alpino_ds.x", "y"),
        ("date", "1999"),
        ("parser.build", "x"),
        ("parser.cats", "1"),
    )


@pytest.mark.parametrize(
    ("nodes", "line", "message"),
    [
        ("", 1, "a sentence without nodes"),
        ('\n<node word="a"/>', 3, "a word with begin=''"),
        ('<node begin="x" word="a"/>', 2, "a word with begin='x'"),
        (
            '<node begin="0" word="a"/>\n<node begin="0" word="b"/>',
            3,
            "a second word at position 0",
        ),
        ('<node begin="0" word="a">\n<node begin="1" word="b"/></node>', 2, "a word with nodes"),
        ('<node begin="0"/>', 2, "a node without cat, word or index"),
        ('<node cat="x"><node index="1"/>\n<node begin="0" word="a"/></node>', 2, "index '1'"),
        (
            '<node index="1" begin="0" word="a"/>\n<node index="1" begin="1" word="a"/>',
            3,
            "index 1 a second time",
        ),
        (
            '<node index="1"><node begin="0" word="a"/></node>',
            2,
            "words inside a node that is only an index",
        ),
    ],
)
def test_errors_name_line_and_sentence(nodes: str, line: int, message: str) -> None:
    text = sentence(nodes, '<sentence sentid="7"/>')
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        trees_of(text)
    assert (caught.value.line, caught.value.sentence) == (line, "7")
    errors: list[InputError] = []
    more = f"<treebank>{text}{SENTENCE}</treebank>".encode()
    assert list(read(io.BytesIO(more), format="alpino", on_error="skip", report=errors.append)) == [
        TREE
    ]
    assert [str(error) for error in errors] == [str(caught.value)]


def test_nodes_outside_sentences_are_an_error() -> None:
    with pytest.raises(InputError, match="<node> outside a sentence"):
        trees_of('<treebank><node cat="x"><node/></node></treebank>')


def test_instructions_of_others_are_skipped() -> None:
    text = SENTENCE.replace("<comments>", "<?other feature a b?><?crossbranch unknown?><comments>")
    assert trees_of(text) == [TREE]


@given(trees(rich=True, heads=False, offsets=False), st.text(max_size=3))
@settings(max_examples=60)
def test_whatever_features_and_comments_there_are_survive(tree: Tree, text: str) -> None:
    text = re.sub(r"[\ud800-\udfff]", "", text)
    names = ["word", "pos", "root", "pt", "lemma", "index", "a:b", "xmlns", text]
    features = tuple((name, text) for name in sorted(set(names)))
    sentence = [token._replace(features=features) for token in tree.sentence]
    tree = tree.replace(
        id="1",
        sentence=sentence,
        features=features,
        comments=[text, ""],
        secondary_edges=sorted(tree.secondary_edges, key=lambda edge: (edge.child, edge.parent)),
    )
    found = back(tree)
    assert sorted(found.secondary_edges) == sorted(tree.secondary_edges)
    assert found.replace(secondary_edges=()) == tree.replace(secondary_edges=())


@pytest.mark.parametrize(
    ("name", "sentences", "tokens", "edges"),
    [("alpino-cdb", 121, 2453, 167), ("alpino-single-file.xml", 60, 1268, 98)],
)
def test_real_files(shared: Path, name: str, sentences: int, tokens: int, edges: int) -> None:
    path = shared / "treebanks" / "originals" / name
    found = list(read(path))
    assert len(found) == sentences
    assert sum(len(tree.sentence) for tree in found) == tokens
    assert sum(len(tree.secondary_edges) for tree in found) == edges
    assert all(feature(tree.features, "wordless") == "" for tree in found)
    assert all(tree.id for tree in found)
    for format in ("alpino", "tigerxml", "json"):
        stream = io.BytesIO()
        assert not write(found, stream, format=format)
        assert list(read(io.BytesIO(stream.getvalue()))) == found
