"""TIGER-XML: what its elements mean, and what is wrong with bad ones."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from crossbranch.errors import InputError
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree, feature
from crossbranch.treebank import Header, read, write
from crossbranch.treebank.header import HeaderTable, HeaderValue
from crossbranch.treebank.tigerxml import TigerXml

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<corpus id="hand">
<head>
<meta>
<name>By hand</name>
<author>Ann &amp; Bob</author>
</meta>
<annotation>
<feature name="word" domain="T"/>
<feature name="lemma" domain="T"/>
<feature name="pos" domain="T">
<value name="PDS">pronoun</value>
<value name="VMFIN">verb</value>
</feature>
<feature name="morph" domain="T"/>
<feature name="case" domain="T"/>
<feature name="cat" domain="NT">
<value name="VP"></value>
</feature>
<edgelabel/>
<secedgelabel/>
</annotation>
</head>
<body>
"""
SENTENCE = """<s id="s1" art_id="7">
<?crossbranch comment see below?>
<graph root="s1_501" discontinuous="true">
<terminals>
<t id="s1_1" word="Das" lemma="das" pos="PDS" morph="Acc.Sg" case="acc"/>
<t id="s1_2" word="will" lemma="wollen" pos="VMFIN" morph="--"/>
<t id="s1_3" word="er" lemma="--" pos="PPER" morph="--"><secedge label="SB" idref="s1_500"/></t>
<t id="s1_4" word="tun" lemma="tun" pos="VVINF" morph="--"/>
</terminals>
<nonterminals>
<nt id="s1_500" cat="VP">
<edge label="OA" idref="s1_1"/>
<edge label="HD" idref="s1_4"/>
</nt>
<nt id="s1_501" cat="S">
<edge label="OC" idref="s1_500"/>
<edge label="HD" idref="s1_2"/>
<edge label="--" idref="s1_3"/>
</nt>
</nonterminals>
</graph>
</s>
"""
TAIL = "</body>\n</corpus>\n"
TREE = Tree(
    [
        Token("Das", "PDS", "das", "Acc.Sg", "OA", (("case", "acc"),)),
        Token("will", "VMFIN", "wollen", "", "HD"),
        Token("er", "PPER"),
        Token("tun", "VVINF", "tun", "", "HD"),
    ],
    Node(ROOT, [Node("S", [Node("VP", [0, 3], edge_label="OC"), 1, 2])]),
    id="1",
    secondary_edges=[SecondaryEdge("SB", 2, 6)],
    comments=["see below"],
    features=(("art_id", "7"),),
)


def trees_of(text: str) -> list[Tree]:
    return list(read(io.BytesIO(text.encode()), format="tigerxml"))


def text_of(tree: Tree) -> str:
    return TigerXml().write_tree(tree, 1)


def back(tree: Tree) -> Tree:
    (found,) = trees_of(HEAD + text_of(tree) + TAIL)
    return found


def sentence(terminals: str, nonterminals: str = "", root: str = "") -> str:
    """A document with one sentence; `root` holds the attributes of its graph."""
    return (
        f'<corpus>\n<body>\n<s id="s1">\n<graph{root}>\n<terminals>\n{terminals}\n</terminals>\n'
        f"<nonterminals>\n{nonterminals}\n</nonterminals>\n</graph>\n</s>\n</body>\n</corpus>\n"
    )


def test_a_document_by_hand() -> None:
    reader = read(io.BytesIO((HEAD + SENTENCE + TAIL).encode()))
    assert reader.header == Header(
        meta=(("corpus", "hand"), ("name", "By hand"), ("author", "Ann & Bob")),
        tables=(
            HeaderTable("tag", (HeaderValue("PDS", "pronoun"), HeaderValue("VMFIN", "verb"))),
            HeaderTable("T:case", ()),
            HeaderTable("label", (HeaderValue("VP"),)),
        ),
    )
    assert list(reader) == [TREE]
    assert reader.format == "tigerxml"
    stream = io.StringIO()
    write([TREE], stream, format="tigerxml", header=reader.header)
    assert stream.getvalue() == HEAD + SENTENCE + TAIL


def test_what_is_unconnected_hangs_from_the_virtual_root() -> None:
    terminals = '<t id="a" word="Ja"/><t id="b" word="," pos="$,"/><t id="c" word="so"/>'
    (tree,) = trees_of(sentence(terminals, '<nt id="d" cat="S"><edge idref="a"/></nt>'))
    assert str(tree.root) == "(ROOT (S 0) 1 2)"


@pytest.mark.parametrize("root", [' root="s1_VROOT"', ""])
@pytest.mark.parametrize("first", [True, False])
def test_a_virtual_root_in_the_file_is_the_root(root: str, first: bool) -> None:
    virtual = (
        '<nt id="s1_VROOT" cat="VROOT"><edge label="--" idref="s1_500"/>'
        '<edge label="X" idref="s1_2"/><secedge label="Y" idref="s1_500"/></nt>'
    )
    other = '<nt id="s1_500" cat="VROOT"><edge idref="s1_1"/><secedge idref="s1_VROOT"/></nt>'
    terminals = '<t id="s1_1" word="a"/><t id="s1_2" word="b"/>'
    (tree,) = trees_of(sentence(terminals, virtual + other if first else other + virtual, root))
    assert str(tree.root) == "(ROOT (VROOT 0) 1)"
    assert [token.edge_label for token in tree.sentence] == ["", "X"]
    assert tree.secondary_edges == (SecondaryEdge("Y", 2, 3), SecondaryEdge("", 3, 2))
    assert back(tree) == tree


def test_a_virtual_root_is_written_only_where_it_tells_something() -> None:
    plain = Tree([Token("a")], Node(ROOT, [Node("S", [0])]), id="1")
    assert '<graph root="s1_500">' in text_of(plain)
    assert "VROOT" not in text_of(plain)
    token = Tree([Token("a")], Node(ROOT, [0]), id="1")
    assert '<graph root="s1_1">' in text_of(token)
    for tree in (
        Tree([Token("a", edge_label="X")], Node(ROOT, [0]), id="1"),
        Tree([Token("a")], Node(ROOT, [Node("S", [0], edge_label="X")]), id="1"),
        Tree([Token("a")], Node(ROOT, [Node("VROOT", [0])]), id="1"),
        Tree([Token("a")], Node(ROOT, [0], features=(("x", "y"),)), id="1"),
        plain.replace(secondary_edges=[SecondaryEdge("X", 0, 1)]),
        plain.replace(secondary_edges=[SecondaryEdge("X", 1, 0)]),
    ):
        assert '<graph root="s1_VROOT">' in text_of(tree)
        assert back(tree) == tree


def test_an_empty_sentence() -> None:
    tree = Tree([], Node(ROOT), id="1")
    assert "<graph>\n<terminals>\n</terminals>" in text_of(tree)
    assert back(tree) == tree
    edge = tree.replace(secondary_edges=[SecondaryEdge("X", 0, 0)])
    assert back(edge) == edge


def test_a_bare_root_gets_the_virtual_root() -> None:
    bare = Tree([Token("a")], Node("S", [0]), id="1", secondary_edges=[SecondaryEdge("X", 0, 1)])
    assert back(bare) == bare.replace(
        root=Node(ROOT, [bare.root]), secondary_edges=[SecondaryEdge("X", 0, 2)]
    )


def test_numbers_of_nodes_are_kept() -> None:
    terminals = '<t id="s1_1" word="a"/><t id="s1_2" word="b"/>'
    inner = '<nt id="s1_{}" cat="NP"><edge idref="s1_1"/></nt>'
    outer = '<nt id="s1_{}" cat="S"><edge idref="s1_{}"/><edge idref="s1_2"/></nt>'
    (tree,) = trees_of(sentence(terminals, inner.format(507) + outer.format(502, 507)))
    assert [feature(node.features, "id") for node in tree.nodes] == ["", "502", "507"]
    text = text_of(tree)
    assert text.index('<nt id="s1_502" cat="S">') < text.index('<nt id="s1_507" cat="NP">')
    (canonical,) = trees_of(sentence(terminals, inner.format(500) + outer.format(501, 500)))
    assert [node.features for node in canonical.nodes] == [(), (), ()]
    (named,) = trees_of(sentence(terminals, inner.format("np") + outer.format("top", "np")))
    assert named == canonical


def test_a_feature_id_that_is_no_number_is_kept() -> None:
    node = Node("S", [0], features=(("id", "n1"), ("lemma", "--"), ("x y", "z")))
    tree = Tree([Token("a")], Node(ROOT, [node]), id="1")
    assert back(tree) == tree


def test_terminals_of_long_sentences_have_ids_of_their_own() -> None:
    tree = Tree([Token("a")] * 600, Node(ROOT, [Node("S", range(600))]), id="1")
    ids = re.findall(r' id="([^"]+)"', text_of(tree))
    assert len(set(ids)) == len(ids) == 602
    assert back(tree) == tree


@pytest.mark.parametrize(
    ("id_", "name"),
    [("1", "s1"), ("s1", "ss1"), ("x1", "x1"), ("cdb/1", "cdb_x002F_1"), ("s", "s"), ("", "s1")],
)
def test_ids_become_xml_names(id_: str, name: str) -> None:
    tree = Tree([Token("a")], Node(ROOT, [0]), id=id_)
    assert text_of(tree).startswith(f'<s id="{name}">')
    assert back(tree).id == (id_ or "1")


def test_absent_features_are_absent() -> None:
    terminals = '<t id="a" word="--" lemma="--" pos="" case="--" number="" mood="&amp;#x2d;-"/>'
    (tree,) = trees_of(sentence(terminals))
    assert tree.sentence == (Token("--", features=(("mood", "--"), ("number", ""))),)
    assert back(tree) == tree


def test_elements_and_instructions_of_others_are_skipped() -> None:
    text = SENTENCE.replace("</graph>", '</graph><sem><frame name="x"/></sem><?other feature a b?>')
    text = text.replace("<graph", "<?crossbranch unknown?><matches/><graph", 1)
    assert trees_of(HEAD + text + TAIL) == [TREE]


def test_a_document_may_be_one_sentence_or_a_part_of_a_corpus() -> None:
    assert trees_of(SENTENCE) == [TREE]
    assert trees_of(f'<subcorpus name="x">{SENTENCE}{SENTENCE}</subcorpus>') == [TREE, TREE]


def test_a_corpus_may_have_parts() -> None:
    part = f'<subcorpus name="x">{SENTENCE}</subcorpus>'
    assert trees_of(HEAD + part + part + TAIL) == [TREE, TREE]
    broken = part.replace("</graph>", "", 1)
    errors: list[InputError] = []
    text = (HEAD + broken + part + TAIL).encode()
    assert list(
        read(io.BytesIO(text), format="tigerxml", on_error="skip", report=errors.append)
    ) == [TREE]
    assert len(errors) == 1


T = '<t id="a" word="x"/>\n<t id="b" word="y"/>'
NT = '<nt id="n" cat="S">\n<edge idref="a"/>\n</nt>\n'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (sentence('<t id="a"/>'), 6, "found <t> without word, expected the attribute word"),
        (sentence('<t word="a"/>'), 6, "<t> without id"),
        (sentence(T, '<nt cat="S"/>'), 10, "<nt> without id"),
        (sentence(T, NT + '<nt id="b" cat="X"/>'), 13, "the id 'b' a second time"),
        (sentence(T, NT + '<nt id="m"><edge idref="a"/></nt>'), 13, "a second parent for a"),
        (sentence(T, '<nt id="n"><edge idref="n"/></nt>'), 10, "its own ancestor (n)"),
        (sentence(T, '<nt id="n"><edge idref="zz"/></nt>'), 10, "an edge to 'zz'"),
        (sentence(T, '<nt id="n"><edge label="x"/></nt>'), 10, "an edge without idref"),
        (sentence(T, '\n<nt id="n"/>'), 11, "a node without children (n)"),
        (sentence(T, NT, ' root="zz"'), 3, "the root 'zz'"),
        (sentence(T, '<edge idref="a"/>'), 7, "<edge> outside a nonterminal"),
        (
            sentence('<t id="a" word="x"><edge idref="b"/></t>\n<t id="b" word=""/>'),
            6,
            "<edge> out",
        ),
        (sentence('<t id="a" word="x"><secedge idref="b"/></t>'), 6, "an edge to 'b'"),
        (sentence('<secedge idref="a"/>' + T), 3, "<secedge> outside <t> and <nt>"),
        (sentence(T).replace("terminals>", "x>"), 3, "a sentence without terminals"),
        (
            sentence(T, '<nt id="v" cat="VROOT"/><nt id="n"><edge idref="v"/></nt>', ' root="v"'),
            10,
            "a node without children (v)",
        ),
    ],
)
def test_errors_name_line_and_sentence(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        trees_of(text)
    assert caught.value.line == line
    assert caught.value.sentence == "1"
    errors: list[InputError] = []
    more = text.replace("</body>", SENTENCE + "</body>")
    found = list(
        read(io.BytesIO(more.encode()), format="tigerxml", on_error="skip", report=errors.append)
    )
    assert found == [TREE]
    assert [str(error) for error in errors] == [str(caught.value)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<corpus><body><t id="a" word="x"/><t/></body></corpus>', "<t> outside a sentence"),
        ('<corpus><subcorpus external="file:x.xml"/></corpus>', "another file, file:x.xml"),
    ],
)
def test_errors_outside_sentences(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        trees_of(text)


def test_broken_headers_do_not_hide_sentences() -> None:
    errors: list[InputError] = []
    text = (HEAD.replace("</meta>", "") + SENTENCE + TAIL).encode()
    reader = read(io.BytesIO(text), format="tigerxml", on_error="skip", report=errors.append)
    assert list(reader) == [TREE]
    assert len(errors) == 1


TEXT = st.sampled_from(["", "--", " a ", "a b", "?>", "<&>", "\t", "é", "&#x20;"]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=3
)
VALUES = st.builds(HeaderValue, TEXT, TEXT, TEXT, TEXT)
KINDS = ["tag", "lemma", "label", "edge_label", "origin", "T:case", "NT:x", "T:word", "T:pos", ""]
TABLES = st.builds(HeaderTable, st.sampled_from(KINDS), st.lists(VALUES, max_size=2).map(tuple))
META = st.tuples(st.sampled_from(["name", "corpus", "author", "x y", ""]), TEXT)
HEADERS = st.builds(
    Header,
    st.lists(TEXT, max_size=2).map(tuple),
    st.lists(META, max_size=3).map(tuple),
    st.lists(TABLES, max_size=3).map(tuple),
)


def test_what_the_schema_has_no_place_for_survives() -> None:
    """Comments, other meta data, and tables with numbers, in any order or twice."""
    rows = (HeaderValue("NN", "a noun", "3", "Y"), HeaderValue("VB", "", "", ""))
    kinds = ("edge_label", "origin", "tag", "T:case", "NT:x", "secondary", "tag")
    header = Header(
        ("first", "second"),
        (("corpus", "mine"), ("author", "me"), ("place of writing", "here")),
        tuple(HeaderTable(kind, rows) for kind in kinds),
    )
    check_header(header)


@given(HEADERS)
@settings(max_examples=200)
def test_headers_survive(header: Header) -> None:
    check_header(header)


def check_header(header: Header) -> None:
    stream = io.StringIO()
    write([TREE], stream, format="tigerxml", header=header)
    reader = read(io.BytesIO(stream.getvalue().encode()))
    assert reader.header == header
    assert list(reader) == [TREE]


@given(trees(rich=True, heads=False, offsets=False), st.text(max_size=3))
@settings(max_examples=60)
def test_whatever_features_and_comments_there_are_survive(tree: Tree, text: str) -> None:
    text = re.sub(r"[\ud800-\udfff]", "", text)
    features = tuple(
        sorted({"word": text, "xmlns": text, "a:b": text, text: "x", "e.1": "--"}.items())
    )
    sentence = [token._replace(features=features) for token in tree.sentence]
    tree = tree.replace(
        id="1", sentence=sentence, features=features, comments=[text, ""], secondary_edges=[]
    )
    assert back(tree) == tree


def test_a_real_file(shared: Path) -> None:
    path = shared / "treebanks" / "originals" / "tiger-squoia-lai.xml"
    text = path.read_text(encoding="utf-8")
    reader = read(path)
    header, found = reader.header, list(reader)
    assert reader.format == "tigerxml"
    assert len(found) == text.count("<s ") == 179
    assert sum(len(tree.sentence) for tree in found) == text.count("<t ") == 3354
    assert sum(len(tree.nodes) - 1 for tree in found) == text.count("<nt ")
    assert sum(len(tree.secondary_edges) for tree in found) == text.count("<secedge ") == 25
    assert [table.kind for table in header.tables] == [
        "tag",
        "morphology",
        "label",
        "edge_label",
        "secondary_edge_label",
    ]
    stream = io.BytesIO()
    assert not write(found, stream, format="tigerxml", header=header)
    again = read(io.BytesIO(stream.getvalue()))
    assert again.header == header
    assert list(again) == found
