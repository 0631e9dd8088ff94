"""Columns of texts: trees as lines of JSON, in the tables of other libraries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from trained_parsers import trained

from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.jobs import parse_column
from crossbranch.jobs.columns import load_once
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.tree import Tree

TEXTS = ["What should I do? He came.", "", "Nobody knew it."]


def trees(lines: list[str]) -> list[Tree]:
    return [Tree.from_dict(json.loads(line)) for line in lines]


def test_texts_words_and_nothing() -> None:
    found = parse_column("en", [*TEXTS, None, ["He", "came", "."], []])
    parser = load_once("en")
    assert load_once("en") is parser
    assert [trees(lines) for lines in found[:3]] == [list(parser.parse_text(t)) for t in TEXTS]
    assert found[3] == []
    assert trees(found[4]) == [parser.parse(["He", "came", "."])]
    assert trees(found[5]) == [parser.parse([])]


def test_options_reach_the_parser() -> None:
    [[line]] = parse_column("en", ["He came."], confidence=True, functions=False, beam=2, threads=2)
    [tree] = trees([line])
    assert tree.confidence is not None
    assert not any(node.edge_label for node in tree.nodes)
    with pytest.raises(UsageError, match="bream"):
        parse_column("en", ["He came."], bream=2)


@pytest.mark.parametrize("values", ["He came.", b"", [5], [b"He"], 5, None])
def test_values_that_are_no_column(values: Any) -> None:
    with pytest.raises(CrossbranchError, match="expected"):
        parse_column("en", values)


def test_models_that_read_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = trained("sr-gap")
    monkeypatch.setattr(parser, "front_end", FrontEnd())
    with pytest.raises(UsageError, match="cannot parse raw text; expected lists of words"):
        parse_column(parser, ["Ein Text."])


def test_hugging_face_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_dict({"text": TEXTS})

    def add_trees(batch: dict[str, list[str]]) -> dict[str, list[list[str]]]:
        return {"trees": parse_column("en", batch["text"])}

    found = dataset.map(add_trees, batched=True, batch_size=2)
    assert found["text"] == TEXTS
    assert list(found["trees"]) == parse_column("en", TEXTS)
