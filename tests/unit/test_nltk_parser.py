"""crossbranch behind the interface of NLTK's parsers."""

from __future__ import annotations

import sys
from typing import Any

import pytest

nltk = pytest.importorskip("nltk")

from nltk.parse.api import ParserI  # noqa: E402

import crossbranch  # noqa: E402
from crossbranch.errors import UsageError  # noqa: E402
from crossbranch.nltk_parser import NltkParser  # noqa: E402

WHAT = ["What", "should", "I", "do", "?"]


@pytest.fixture(scope="module")
def parser() -> crossbranch.Parser:
    return crossbranch.load("en")


def test_it_is_a_parser_of_nltk(parser: crossbranch.Parser) -> None:
    found = NltkParser(parser)
    assert isinstance(found, ParserI)
    tree = found.parse_one(WHAT)
    assert isinstance(tree, nltk.Tree)
    assert tree.leaves() == WHAT
    assert found.parse_all(WHAT) == [tree] == list(found.parse(WHAT))
    assert tree.label() == "ROOT"


def test_crossing_branches_are_kept_with_positions(parser: crossbranch.Parser) -> None:
    tree = NltkParser(parser, positions=True).parse_one(WHAT)
    assert sorted(tree.leaves()) == [0, 1, 2, 3, 4]
    assert tree.leaves() != [0, 1, 2, 3, 4]
    expected = parser.parse(WHAT)
    assert crossbranch.from_nltk(tree, WHAT).brackets == expected.brackets
    assert [sub.leaves() for sub in tree.subtrees(lambda t: t.label() == "VP")] == [[0, 3]]


def test_lists_of_the_best_trees(parser: crossbranch.Parser) -> None:
    sentences: list[Any] = [WHAT, ["He", "came", "."], [("He", "PRP"), ("sleeps", "VBZ")]]
    found = [list(trees) for trees in NltkParser(parser, k_best=3, beam=8).parse_sents(sentences)]
    scored = parser.parse_k_best(sentences, 3, beam=8)
    wanted = [
        [crossbranch.to_nltk(t.tree) for t in s if not t.tree.is_discontinuous] for s in scored
    ]
    assert len(found) == 3
    assert 1 < len(found[1]) <= 3
    assert found[1:] == wanted[1:]
    assert found[2][0].pos() == sentences[2]


def test_a_sentence_without_words_has_no_tree(parser: crossbranch.Parser) -> None:
    assert NltkParser(parser).parse_all([]) == []
    assert NltkParser(parser).parse_one([]) is None


def test_wrong_options_are_found_at_once(parser: crossbranch.Parser) -> None:
    with pytest.raises(UsageError, match="bream"):
        NltkParser(parser, bream=2)
    with pytest.raises(UsageError, match="k_best is 0"):
        NltkParser(parser, k_best=0)
    with pytest.raises(UsageError, match="no shipped model"):
        NltkParser("nonsense")


def test_without_nltk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.parse.api", None)
    monkeypatch.delitem(sys.modules, "crossbranch.nltk_parser")
    with pytest.raises(UsageError, match=r"crossbranch\[nltk\]"):
        import crossbranch.nltk_parser  # noqa: F401
