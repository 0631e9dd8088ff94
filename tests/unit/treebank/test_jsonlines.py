"""JSON lines: the documented schema, everything in it, and what is refused."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from crossbranch.errors import InputError
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import FORMATS, Header, read, write
from crossbranch.treebank.header import HeaderTable, HeaderValue


def full() -> Tree:
    token = Token("What", "WP", "what", "Neut", "OA", (("comment", "c"),))
    vp = Node("VP", [0, 3], edge_label="OC", head=1, features=(("comment", "gap"),))
    sq = Node("SQ", [1, 2], head=0)
    return Tree(
        [token, Token("should"), Token(""), Token('"do"\n')],
        Node(ROOT, [Node("SBARQ", [vp, sq])]),
        id="1",
        secondary_edges=[SecondaryEdge("SB", 2, 6)],
        comments=["first", ""],
        features=(("editor", "e"), ("origin", "o")),
    )


def lines_of(*trees: Tree, header: Header | None = None) -> list[str]:
    stream = io.StringIO()
    write(trees, stream, format="json", header=header)
    return stream.getvalue().splitlines()


def parse(*records: dict[str, Any] | str) -> list[Tree]:
    lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
    return list(read(io.StringIO("\n".join(lines)), format="json"))


def record(**changes: Any) -> dict[str, Any]:
    """A small record, with some fields changed, or left out where None is given."""
    whole = {
        "id": "7",
        "tokens": [{"form": "a"}, {"form": "b"}],
        "nodes": [{"label": "ROOT", "children": [3, 1]}, {"label": "N", "children": [0]}],
    } | changes
    return {key: value for key, value in whole.items() if value is not None}


def test_the_schema() -> None:
    (line,) = lines_of(full())
    assert json.loads(line) == {
        "id": "1",
        "tokens": [
            {
                "form": "What",
                "tag": "WP",
                "lemma": "what",
                "morphology": "Neut",
                "edge_label": "OA",
                "features": {"comment": "c"},
            },
            {"form": "should"},
            {"form": ""},
            {"form": '"do"\n'},
        ],
        "nodes": [
            {"label": "ROOT", "children": [5]},
            {"label": "SBARQ", "children": [6, 7]},
            {
                "label": "VP",
                "children": [0, 3],
                "edge_label": "OC",
                "head": 1,
                "features": {"comment": "gap"},
            },
            {"label": "SQ", "children": [1, 2], "head": 0},
        ],
        "secondary_edges": [{"label": "SB", "child": 2, "parent": 6}],
        "comments": ["first", ""],
        "features": {"editor": "e", "origin": "o"},
    }


def test_nothing_is_lost_and_nothing_is_added() -> None:
    empty = Tree([], Node("S"))
    assert parse(*lines_of(full(), empty)) == [full(), empty]
    assert json.loads(lines_of(empty)[0]) == {"tokens": [], "nodes": [{"label": "S"}]}


def test_places_in_the_raw_text() -> None:
    words = [Token("a", start=7, end=8), Token("-LRB-", "(", start=8, end=9), Token("trace")]
    tree = Tree(words, Node("S", [0, 1, 2]), text="a(")
    (line,) = lines_of(tree)
    assert json.loads(line)["text"] == "a("
    assert json.loads(line)["tokens"] == [
        {"form": "a", "start": 7, "end": 8},
        {"form": "-LRB-", "tag": "(", "start": 8, "end": 9},
        {"form": "trace"},
    ]
    assert parse(line) == [tree]


def test_a_feature_may_have_several_values() -> None:
    features = (("genre", "news"), ("genre", "essay"), ("origin", "o"))
    tree = full().replace(features=features)
    (line,) = lines_of(tree)
    assert json.loads(line)["features"] == {"genre": ["news", "essay"], "origin": ["o"]}
    assert parse(line) == [tree]


def test_empty_lines_and_blanks_do_not_matter() -> None:
    text = f"\n  {json.dumps(record())}  \r\n\n \n"
    assert [tree.id for tree in read(io.StringIO(text), format="json")] == ["7"]


def test_nodes_may_stand_in_any_order_behind_their_parents() -> None:
    (tree,) = parse(
        record(
            tokens=[{"form": w} for w in "abc"],
            nodes=[
                {"label": "ROOT", "children": [5, 4], "head": 0},
                {"label": "late", "children": [2]},
                {"label": "early", "children": [6, 1]},
                {"label": "below", "children": [0]},
            ],
            secondary_edges=[{"label": "X", "child": 4, "parent": 6}],
        )
    )
    assert str(tree.root) == "(ROOT (early (below 0) 1) (late 2))"
    assert tree.root.head == 0  # the first of the children as listed: early
    assert tree.secondary_edges == (("X", 6, 5),)


# --- the header


def test_the_header_is_a_line_of_its_own() -> None:
    values = (HeaderValue("NN", "noun", "1", "Y"), HeaderValue("VB"))
    header = Header(("c", ""), (("name", "n"), ("name", "m")), (HeaderTable("tag", values),))
    lines = lines_of(full(), header=header)
    assert json.loads(lines[0]) == {
        "header": {
            "comments": ["c", ""],
            "meta": [["name", "n"], ["name", "m"]],
            "tables": [
                ["tag", [{"name": "NN", "description": "noun", "number": "1", "flag": "Y"},
                         {"name": "VB"}]]
            ],
        }
    }  # fmt: skip
    for text in (lines[0], " " + lines[0].replace("{", "{ ").replace(":", " : ")):
        reader = read(io.StringIO("\n".join([text, *lines[1:]])))
        assert reader.header == header
        assert list(reader) == [full()]


def test_an_empty_header_is_no_line() -> None:
    assert len(lines_of(full(), header=Header())) == 1


def test_a_bad_header_is_reported() -> None:
    with pytest.raises(InputError, match="<stream>:1: found a bad record"):
        list(read(io.StringIO('{"header": {"colour": 1}}\n'), format="json"))


# --- what is wrong


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"tokens": None}, "missing required field `tokens`"),
        ({"nodes": None}, "missing required field `nodes`"),
        ({"nodes": []}, "there are no nodes"),
        ({"colour": "red"}, "unknown field `colour`"),
        ({"id": 7}, "Expected `str`"),
        ({"tokens": [{"tag": "T"}]}, "missing required field `form`"),
        ({"tokens": [{"form": "a", "pos": "T"}]}, "unknown field `pos`"),
        ({"tokens": [{"form": None}]}, "Expected `str`"),
        ({"tokens": [{"form": "a", "start": -1}]}, "Expected `int` >= 0"),
        ({"tokens": [{"form": "a", "end": "1"}]}, "Expected `int | null`"),
        ({"text": 1}, "Expected `str`"),
        ({"nodes": [{"label": "ROOT", "children": [0, 0, 1]}]}, "shares tokens"),
        ({"nodes": [{"label": "ROOT", "children": [0]}]}, r"does not cover tokens \[1\]"),
        ({"nodes": [{"label": "ROOT", "children": [0, 1, 2]}]}, "node 2 has child 2"),
        ({"nodes": [{"label": "ROOT", "children": [0, 1, -1]}]}, "node 2 has child -1"),
        ({"nodes": [{"label": "ROOT", "children": [0, 1, 9]}]}, "node 2 has child 9"),
        (
            {"nodes": [{"label": "ROOT", "children": [0, 1], "head": 2}]},
            "has head 2, but the number of its children is 2",
        ),
        (
            {"nodes": [{"label": "R", "children": [3, 1]}, {"label": "N", "children": [2]}]},
            "node 3 has child 2, which does not come after it",
        ),
        (
            {"nodes": [{"label": "R", "children": [0, 1]}, {"label": "N", "children": [0]}]},
            "some nodes are not below the first one",
        ),
        (
            {"nodes": [{"label": "R", "children": [3, 1]}, {"label": "N", "children": []}]},
            "a child without tokens",
        ),
        (
            {
                "nodes": [
                    {"label": "R", "children": [3, 1]},
                    {"label": "A", "children": [5]},
                    {"label": "orphan", "children": [5]},
                    {"label": "B", "children": [0]},
                ]
            },
            "some nodes are not below the first one",
        ),
        ({"secondary_edges": [{"label": "", "child": 4, "parent": 0}]}, "edge from 4 to 0"),
        ({"secondary_edges": [{"label": "", "child": 0, "parent": -1}]}, "edge from 0 to -1"),
        ({"secondary_edges": [{"child": 0, "parent": 1}]}, "missing required field `label`"),
    ],
)
def test_bad_records_name_line_and_sentence(changes: dict[str, Any], found: str) -> None:
    with pytest.raises(InputError, match=rf"found a bad record \(.*{found}.*a tree "):
        parse(record(), record(**changes))
    problems: list[InputError] = []
    text = "\n".join(json.dumps(r) for r in (record(**changes), record(id="8")))
    reader = read(io.StringIO(text), format="json", on_error="skip", report=problems.append)
    assert [tree.id for tree in reader] == ["8"]
    assert [problem.line for problem in problems] == [1]
    if "field" not in found and "Expected" not in found:
        assert problems[0].sentence == "7"


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "7", "null", '"text"', "{]}", "nonsense", '{"tokens": [', "[" * 100_000, "{}{}"],
)
def test_what_is_no_record(line: str) -> None:
    problems: list[InputError] = []
    text = f"{line}\n{json.dumps(record())}\n"
    reader = read(io.StringIO(text), format="json", on_error="skip", report=problems.append)
    assert len(list(reader)) == 1
    assert [problem.line for problem in problems] == [1]


def test_a_lone_half_of_a_character_is_kept() -> None:
    line = r'{"tokens":[{"form":"\ud83d"}],"nodes":[{"label":"S","children":[0]}]}'
    (tree,) = parse(line)
    assert tree.sentence[0].form == "\ud83d"
    file = io.BytesIO()
    write([tree], file, format="json")
    assert file.getvalue().decode() == line + "\n"


def test_bad_bytes_cost_one_line() -> None:
    good = json.dumps(record(id="ä"), ensure_ascii=False).encode()
    data = b"\n".join([good, good.replace("ä".encode(), b"\xe4"), good, good])
    problems: list[InputError] = []
    trees = list(read(io.BytesIO(data), on_error="skip", report=problems.append))
    assert len(trees) == 3
    assert [(problem.line, problem.found) for problem in problems] == [(2, "the byte 0xe4")]


def test_what_looks_like_json() -> None:
    assert FORMATS["json"].looks_like(' \n{"id"')
    assert not FORMATS["json"].looks_like("[{")
