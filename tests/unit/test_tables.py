"""Constituents as plain dicts, for data frames and tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.tables import records
from crossbranch.tree import ROOT, Node, Token, Tree


def example() -> Tree:
    vp = Node("VP", [0, 3], edge_label="OC", head=1, features=(("confidence", "0.9"),))
    words = [
        Token("What", start=10, end=14),
        Token("should", start=15, end=21),
        Token("I", start=22, end=23),
        Token("do", start=24, end=26),
    ]
    return Tree(words, Node(ROOT, [Node("SQ", [vp, 1, 2])]), id="q1", text="What should I do")


def test_a_record_says_everything_in_plain_values() -> None:
    whole, part = example().records()
    assert part == {
        "sentence": "q1",
        "label": "VP",
        "edge_label": "OC",
        "text": "What … do",
        "head_word": "do",
        "word_count": 2,
        "first_token": 0,
        "last_token": 3,
        "start": 10,
        "end": 26,
        "fan_out": 2,
        "is_discontinuous": True,
        "confidence": 0.9,
        "parent_label": "SQ",
        "depth": 2,
    }
    assert (whole["label"], whole["parent_label"], whole["confidence"]) == ("SQ", ROOT, None)
    assert list(whole) == list(part)


def test_what_is_not_known_is_none() -> None:
    (row,) = Tree([Token("a")], Node("S", [0])).records()
    unknown = [name for name, value in row.items() if value is None]
    assert unknown == ["start", "end", "confidence", "parent_label"]
    (empty,) = Tree([], Node("S")).records()
    assert (empty["first_token"], empty["last_token"], empty["word_count"]) == (None, None, 0)
    assert Tree([], Node(ROOT)).records() == []


def test_records_of_many_trees_come_one_by_one() -> None:
    asked: list[str] = []

    def source() -> Iterator[Tree]:
        for name in ("a", "", "c"):
            asked.append(name)
            yield example().replace(id=name)

    rows = records(source())
    assert next(rows)["sentence"] == "a"
    assert asked == ["a"]
    assert [row["sentence"] for row in rows] == ["a", "2", "2", "c", "c"]


@given(trees())
def test_records_are_json_and_tables(tree: Tree) -> None:
    rows = tree.records()
    assert [row["depth"] for row in rows] == [c.depth for c in tree.constituents()]
    assert [row["parent_label"] for row in rows] == [
        c.parent.label if c.parent else None for c in tree.constituents()
    ]
    assert json.loads(json.dumps(rows)) == rows
    if rows:
        table = csv.DictWriter(io.StringIO(), list(rows[0]))
        table.writerows(rows)


def test_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    for frame in (pandas.DataFrame(example().records()), pandas.DataFrame(records([example()]))):
        assert list(frame.label) == ["SQ", "VP"]
        assert list(frame[frame.is_discontinuous].text) == ["What … do"]
