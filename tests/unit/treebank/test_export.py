"""NeGra export: every kind of line, and every way in which lines can be wrong."""

from __future__ import annotations

import io

import pytest

from crossbranch.errors import InputError, LossWarning
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import FORMATS, read, write

VERSION_4 = """\
#FORMAT 4
#BOS 1
Das\tder\tPDS\tAcc\tOA\t500
wollen\twollen\tVMFIN\t--\tHD\t502
wir\twir\tPPER\t--\tSB\t502
tun\ttun\tVVINF\t--\tHD\t500
.\t.\t$.\t--\t--\t0
#500\t--\tVP\t--\tOC\t502
#501\t--\tNP\t--\t--\t0
#502\t--\tS\t--\t--\t501
#EOS 1
"""


def parse(text: str, **options: object) -> list[Tree]:
    return list(read(io.StringIO(text), format="export", **options))  # type: ignore[arg-type]


def one(*rows: str, bos: str = "#BOS 1", eos: str = "#EOS 1", version: int | None = 4) -> Tree:
    """The tree of one sentence, its columns separated by blanks."""
    lines = ([f"#FORMAT {version}"] if version else []) + [bos, *rows, eos]
    (tree,) = parse("\n".join(lines) + "\n")
    return tree


def text_of(*trees: Tree, format: str = "export") -> str:
    stream = io.StringIO()
    write(trees, stream, format=format)
    return stream.getvalue()


# --- what is read


def test_a_discontinuous_sentence() -> None:
    (tree,) = parse(VERSION_4)
    assert tree.sentence[0] == Token("Das", "PDS", "der", "Acc", "OA")
    assert tree.sentence[4] == Token(".", "$.", ".")
    assert str(tree.root) == "(ROOT (NP (S (VP/OC 0 3) 1 2)) 4)"
    assert tree.id == "1"
    assert (tree.comments, tree.features, tree.secondary_edges) == ((), (), ())


def test_numbers_that_are_not_canonical_come_out_as_they_went_in() -> None:
    assert text_of(*parse(VERSION_4)) == VERSION_4
    (tree,) = parse(VERSION_4)
    assert [node.features for node in tree.nodes[1:]] == [
        (("id", "501"),),
        (("id", "502"),),
        (("id", "500"),),
    ]


def test_canonical_numbers_leave_no_trace() -> None:
    tree = one("a -- T -- -- 500", "b -- T -- -- 501", "#500 -- A -- -- 501", "#501 -- B -- -- 0")
    assert [node.features for node in tree.nodes] == [(), (), ()]


@pytest.mark.parametrize("version", [3, None])
def test_version_3(version: int | None) -> None:
    tree = one("a T m HD 500 SB 501", "b T -- -- 501", "#500 A -- X 501", "#501 B -- -- 0",
               version=version)  # fmt: skip
    assert tree.sentence[0] == Token("a", "T", "", "m", "HD")
    assert str(tree.root) == "(ROOT (B (A/X 0) 1))"
    assert tree.secondary_edges == (("SB", 0, 3),)


def test_without_a_version_the_first_row_decides() -> None:
    text = "#BOS 1\na l T m HD 0 SB 0\nb l T m HD 0\n#EOS 1\n#BOS 2\nc l T m HD 0\n#EOS 2\n"
    first, second = parse(text)
    assert first.sentence[1] == Token("b", "T", "l", "m", "HD")
    assert second.sentence[0].lemma == "l"
    with pytest.raises(InputError, match=r"5 columns .* expected 6 columns"):
        parse(text + "#BOS 3\nd T m HD 0\n#EOS 3\n")


@pytest.mark.parametrize(
    "row",
    [
        "Das\tder\tPDS\tAcc\tOA\t0",
        "Das\t\tder\t\t\tPDS\tAcc\tOA\t0\t",
        "Das   der PDS  Acc\tOA\t 0 ",
        "  Das der PDS Acc OA 0",
        "Das\tder \tPDS\t Acc\tOA\t0",
        "Das\tder\tPDS\tAcc\tOA\t0\r",
    ],
)
def test_padding_with_tabs_and_with_blanks(row: str) -> None:
    data = f"#FORMAT 4\n#BOS 1\n{row}\n#EOS 1\n"
    (tree,) = read(io.BytesIO(data.encode()), format="export")
    assert tree.sentence == (Token("Das", "PDS", "der", "Acc", "OA"),)


def test_indented_nodes_are_nodes() -> None:
    tree = one("  a -- T -- -- 500 %% on a", "  #500 -- A -- -- 0 SB 0 %% on A")
    assert str(tree.root) == "(ROOT (A 0))"
    assert tree.nodes[1].features == (("comment", "on A"),)
    assert tree.secondary_edges == (("SB", 2, 1),)


@pytest.mark.parametrize("word", ["two words", "a\u00a0b", "\u2028", "\u3000x", "#500\u00a0x"])
def test_words_with_blanks_of_other_programs(word: str) -> None:
    text = f"#FORMAT 4\n#BOS 1\n{word}\t--\tT\t--\t--\t0\t%% x\n#EOS 1\n"
    (tree,) = parse(text)
    assert tree.sentence == (Token(word, "T", features=(("comment", "x"),)),)
    if " " not in word:
        assert text_of(tree) == text


@pytest.mark.parametrize("word", ["#1", "#", "#499", "#BOSTON", "#EOSX", "#x", "##500", "#0500"])
def test_words_that_only_look_like_nodes_or_commands(word: str) -> None:
    tree = one(f"{word} -- T -- -- 500", "#500 -- A -- -- 0")
    assert tree.sentence[0].form == word


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("#500", "&#x23;500"),
        ("#1234", "&#x23;1234"),
        ("#BOS", "&#x23;BOS"),
        ("#EOS", "&#x23;EOS"),
        ("#FORMAT", "&#x23;FORMAT"),
        ("%%", "&#x25;%"),
        ("two words", "two&#x20;words"),
        ("", "&#x;"),
        ("&#x20;", "&#x26;#x20;"),
        ("--", "--"),
        ("#1", "#1"),
        ("100%", "100%"),
    ],
)
def test_escapes(word: str, written: str) -> None:
    tree = Tree([Token(word, word, word, word, word)], Node(ROOT, [0]), id="1")
    row = text_of(tree).split("\n")[2].split("\t")
    assert row[0] == written
    assert (
        row[1:5]
        == [{"--": "&#x2d;-", "": "--"}.get(word, word if word.startswith("#") else written)] * 4
    )
    assert parse(text_of(tree)) == [tree]


def test_an_escaped_word_is_no_command() -> None:
    """In the first column, `#` at the start is escaped where it would be a command."""
    for word in ("#BOT", "#EOT", "#BOS", "#EOS", "#500", "#FORMAT"):
        tree = Tree([Token(word)], Node(ROOT, [0]), id=word)
        assert parse(text_of(tree, tree)) == [tree, tree]


# --- #BOS, #EOS and comments


def test_both_kinds_of_bos_lines() -> None:
    row = "a -- T -- -- 0"
    assert one(row, bos="#BOS 1").features == ()
    tree = one(row, bos="#BOS 1 2 899973978 17 %% @SB2AV@")
    assert tree.features == (("date", "899973978"), ("editor", "2"), ("origin", "17"))
    assert tree.comments == ("@SB2AV@",)
    text = text_of(tree)
    assert text.split("\n")[1] == "#BOS 1 2 899973978 17 %% @SB2AV@"
    assert parse(text) == [tree]


def test_other_features_do_not_lengthen_the_bos_line() -> None:
    tree = one("a -- T -- -- 0").replace(features=(("genre", "news"),))
    with pytest.warns(LossWarning, match="1 tree features"):
        assert text_of(tree).split("\n")[1] == "#BOS 1"


@pytest.mark.parametrize("bos", ["#BOS 1 %%", "#BOS\t1", "#BOS 1   %%  "])
def test_bos_lines_with_little_in_them(bos: str) -> None:
    assert one("a -- T -- -- 0", bos=bos).comments == ()


@pytest.mark.parametrize("eos", ["#EOS", "#EOS 1", "#EOS\t1", "#EOS 1 %% done"])
def test_eos_lines(eos: str) -> None:
    assert one("a -- T -- -- 0", eos=eos).id == "1"


def test_comments_everywhere() -> None:
    text = """\
#FORMAT 4
%% of the header
#BOS 1 %% of the sentence
%% before a word
a -- T -- -- 500 %% of a word
  %% between words
b -- T -- -- 500 SB 0 %% of another  %% word
#500 -- A -- -- 0 OA 0 %%of a node
%% at the end
#EOS 1

%% before the next
%%
#BOS 2
c -- T -- -- 0 %%
#EOS 2
"""
    reader = read(io.StringIO(text))
    assert reader.header.comments == ("of the header",)
    first, second = reader
    assert first.comments == ("of the sentence", "before a word", "between words", "at the end")
    assert [token.features for token in first.sentence] == [
        (("comment", "of a word"),),
        (("comment", "of another  %% word"),),
    ]
    assert first.nodes[1].features == (("comment", "of a node"),)
    assert first.secondary_edges == (("SB", 1, 2), ("OA", 3, 2))
    assert second.comments == ("before the next", "")
    assert second.sentence[0].features == ()
    assert parse(text_of(first, second)) == [first, second]


def test_percent_signs_in_words_are_no_comments() -> None:
    tree = one("50%%\t--\tT\t--\t--\t0\t%% half")
    assert tree.sentence[0] == Token("50%%", "T", features=(("comment", "half"),))
    assert parse(text_of(tree)) == [tree]


def test_empty_lines_do_not_matter() -> None:
    assert parse(VERSION_4.replace("\n", "\n\n \t\n")) == parse(VERSION_4)


# --- structure


def test_secondary_edges_of_words_and_nodes() -> None:
    rows = (
        "a -- T -- -- 500 SB 501 -- 502",
        "b -- T -- -- 501",
        "#500 -- A -- -- 502 OA 501 X 0",
        "#501 -- B -- -- 502",
        "#502 -- C -- -- 0 X 502",
    )
    tree = one(*rows)
    #     tokens 0 1, ROOT 2, C 3, A 4, B 5
    assert tree.secondary_edges == (
        SecondaryEdge("SB", 0, 5),
        SecondaryEdge("", 0, 3),
        SecondaryEdge("OA", 4, 5),
        SecondaryEdge("X", 4, 2),
        SecondaryEdge("X", 3, 3),
    )
    written = text_of(tree).split("\n")
    assert [line.replace("\t", " ") for line in written[2:7]] == list(rows)


def test_parents_before_children() -> None:
    tree = one("a -- T -- -- 501", "#500 -- A -- -- 0", "#501 -- B -- -- 500")
    assert str(tree.root) == "(ROOT (A (B 0)))"
    assert "#500\t--\tA\t--\t--\t0\n#501\t--\tB\t--\t--\t500" in text_of(tree)


def test_words_between_and_behind_nodes() -> None:
    tree = one("#500 -- A -- -- 0", "a -- T -- -- 500", "#501 -- B -- -- 0", "b -- T -- -- 501")
    assert str(tree.root) == "(ROOT (A 0) (B 1))"


def test_everything_below_the_root_and_an_empty_sentence() -> None:
    assert str(one("a -- T -- -- 0", "b -- T -- -- 0").root) == "(ROOT 0 1)"
    empty = one()
    assert empty == Tree([], Node(ROOT), id="1")
    assert text_of(empty) == "#FORMAT 4\n#BOS 1\n#EOS 1\n"


def test_lemmas_and_morphology_of_nodes() -> None:
    tree = one("a -- T -- -- 500", "#500 lem A mor -- 0")
    assert tree.nodes[1].features == (("lemma", "lem"), ("morphology", "mor"))
    assert parse(text_of(tree)) == [tree]


def test_a_root_of_another_label_becomes_a_node() -> None:
    s = Node("S", [0, Node("N", [1])], edge_label="x", features=(("comment", "top"),))
    edges = [SecondaryEdge("E", 2, 3), SecondaryEdge("F", 0, 2)]
    tree = Tree([Token("a"), Token("b")], s, id="1", secondary_edges=edges)
    with pytest.warns(LossWarning, match="1 bare roots"):
        (found,) = parse(text_of(tree))
    assert found.root == Node(ROOT, [s])
    assert sorted(found.secondary_edges) == [("E", 3, 4), ("F", 0, 3)]


def test_edges_that_have_no_place_are_counted() -> None:
    from_root, to_word, fine = ("A", 2, 0), ("B", 0, 1), ("C", 0, 2)
    edges = [SecondaryEdge(*ends) for ends in (from_root, to_word, fine)]
    tree = Tree([Token("a"), Token("b")], Node(ROOT, [0, 1]), id="1", secondary_edges=edges)
    with pytest.warns(LossWarning, match="dropped: 2 secondary edges"):
        text = text_of(tree)
    assert parse(text)[0].secondary_edges == (fine,)


def test_version_3_is_written_without_lemmas() -> None:
    tree = one("a -- T m HD 500", "#500 -- A -- -- 0")
    assert text_of(tree, format="export3") == (
        "#FORMAT 3\n#BOS 1\na\tT\tm\tHD\t500\n#500\tA\t--\t--\t0\n#EOS 1\n"
    )
    with pytest.warns(LossWarning, match="1 lemmas"):
        text_of(tree.replace(sentence=[Token("a", lemma="l")]), format="export3")


# --- what is wrong

GOOD = "#BOS 8\ngood -- T -- -- 0\n#EOS 8\n"


@pytest.mark.parametrize(
    ("rows", "line", "found", "expected"),
    [
        (["a -- T -- -- 501"], 3, "parent '501'", "0 or the number of a node of this sentence"),
        (["a -- T -- -- x"], 3, "parent 'x'", "0 or the number of a node of this sentence"),
        (["a -- T -- -- 0", "#500 -- A -- -- 0"], 4, "#500: a node without children", "children"),
        (
            ["a -- T -- -- 500", "#500 -- A -- -- 501", "#501 -- B -- -- 500"],
            4,
            "a node that is its own ancestor",
            "connected to the root",
        ),
        (["a -- T -- -- 500", "#500 -- A -- -- 500"], 4, "#500: a node that is its own", "root"),
        (
            ["a -- T -- -- 500", "#500 -- A -- -- 0", "", "#500 -- B -- -- 0"],
            6,
            "node #500 a second time",
            "each node once",
        ),
        (["a -- T -- 0"], 3, "5 columns in 'a -- T -- 0'", "6 columns"),
        (["a -- T -- -- 0 SB"], 3, "7 columns", "each secondary edge"),
        (["a"], 3, "1 columns in 'a'", "6 columns"),
        (["x" * 300], 3, f"1 columns in '{'x' * 60}…'", "6 columns"),
        (["a -- T -- -- 0 SB 500"], 3, "a secondary edge to 500", "a node of this sentence"),
        (
            ["a -- T -- -- 500 X 0", "#500 -- A -- -- 0 SB 99"],
            4,
            "a secondary edge to 99",
            "a node of this sentence",
        ),
        (["#FORMAT 4"], 3, "2 columns in '#FORMAT 4'", "6 columns"),
        (["\t%% only a comment behind nothing", "a"], 4, "1 columns", "6 columns"),
    ],
)
def test_bad_sentences(rows: list[str], line: int, found: str, expected: str) -> None:
    text = "\n".join(["#FORMAT 4", "#BOS 7 %% c", *rows, "#EOS 7", ""]) + GOOD
    check_error(text, line, "7", found, expected)


@pytest.mark.parametrize(
    ("text", "line", "sentence", "found", "expected"),
    [
        ("#BOS\na -- T -- -- 0\n#EOS\n", 2, "", "'#BOS'", "#BOS and a number"),
        ("#BOS 1 2 3 4 5\n#EOS 1\n", 2, "1", "'#BOS 1 2 3 4 5'", "editor, date, origin"),
        ("#BOS 1\na -- T -- -- 0\n#EOS 2\n", 4, "1", "'#EOS 2'", "#EOS 1"),
        ("#BOS 1\na -- T -- -- 0\n", 4, "1", "no #EOS", "#EOS 1"),
        ("#BOS 1\na -- T -- -- 0\n#EOS 1\nrubbish\nmore\n", 5, "", "'rubbish'", "#BOS"),
        ("#BOS 1\na -- T -- -- 0\n#EOS 1\n#EOS 1\n", 5, "", "'#EOS 1'", "#BOS"),
        ("rubbish\nmore\n", 2, "", "'rubbish'", "#FORMAT, #BOT or #BOS"),
        ("#FORMAT 5\n", 2, "", "'#FORMAT 5'", "#FORMAT 3 or #FORMAT 4"),
    ],
)
def test_bad_files(text: str, line: int, sentence: str, found: str, expected: str) -> None:
    check_error("#FORMAT 4\n" + text + GOOD, line, sentence, found, expected)


def check_error(text: str, line: int, sentence: str, found: str, expected: str) -> None:
    """Stopping raises one error with its place; skipping reports it and reads what is good."""
    with pytest.raises(InputError) as caught:
        parse(text)
    error = caught.value
    assert (error.path, error.line, error.sentence) == ("<stream>", line, sentence)
    assert found in error.found
    assert expected in error.expected
    problems: list[InputError] = []
    trees = parse(text, on_error="skip", report=problems.append)
    assert [str(problem) for problem in problems] == [str(error)]
    assert [tree.id for tree in trees if tree.id == "8"] == ["8"]


def test_a_truncated_file() -> None:
    for stop in range(len("#FORMAT 4\n#BOS 1"), len(VERSION_4) - len("#EOS 1\n")):
        with pytest.raises(InputError, match="no #EOS"):
            parse(VERSION_4[:stop])


def test_bad_bytes_between_sentences_and_in_the_header() -> None:
    for bad in (b"%% \xff\n#BOS 1\n#EOS 1\n", b"#BOS 1\n#EOS 1\n%% \xff\n", b"%% \xff\n"):
        data = "#FORMAT 4\n%% äöü\n%% äöü\n".encode() + bad
        with pytest.raises(InputError, match="0xff"):
            list(read(io.BytesIO(data), format="export"))
        reader = read(io.BytesIO(data), format="export", on_error="skip")
        assert len(list(reader)) == bad.count(b"#BOS")
        assert reader.skipped == 1


def test_one_bad_sentence_with_several_bad_bytes_is_one_problem() -> None:
    data = "#FORMAT 4\n%% äöü\n%% ü\n%% ü\n%% ü\n#BOS 1\n".encode()
    data += b"\xff\t--\tT\t--\t--\t0\n\xff\t--\tT\t--\t--\t0\n#EOS 1\n\n" + GOOD.encode()
    problems: list[InputError] = []
    trees = list(read(io.BytesIO(data), on_error="skip", report=problems.append))
    assert [tree.id for tree in trees] == ["8"]
    assert [problem.line for problem in problems] == [7]


def test_a_missing_eos_costs_one_sentence() -> None:
    text = "#FORMAT 4\n#BOS 1\na -- T -- -- 0\n" + GOOD + GOOD
    problems: list[InputError] = []
    trees = parse(text, on_error="skip", report=problems.append)
    assert [tree.id for tree in trees] == ["8", "8"]
    assert [(problem.line, problem.sentence) for problem in problems] == [(4, "1")]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("#FORMAT 4\n", True),
        ("#BOS 1", True),
        ("\n\n%% comment\n  \n#BOT ORIGIN\n", True),
        ("%% comment", False),
        ("#FORMATION", False),
        ("# a comment\n#BOS 1\n", False),
        ("#BOSTON\n", False),
        ("", False),
    ],
)
def test_what_looks_like_export(head: str, expected: bool) -> None:
    assert FORMATS["export"].looks_like(head) is expected


def test_deep_trees() -> None:
    node: Node | int = 0
    for _ in range(5000):
        node = Node("X", [node])
    tree = Tree([Token("a")], Node(ROOT, [node]), id="1")
    assert parse(text_of(tree)) == [tree]
