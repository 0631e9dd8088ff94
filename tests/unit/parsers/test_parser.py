"""What all parsers share, with a parser that finds little."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from crossbranch.config import Settings
from crossbranch.errors import UsageError
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.sentences import has_parse
from crossbranch.search import Analysis
from crossbranch.tree import ROOT, Node, Sentence


class LazyParser(Parser):
    """Finds a tree for sentences of two tokens, and for no others."""

    kind: ClassVar[str] = "lazy"
    settings_type: ClassVar[type[Settings]] = Settings

    def __init__(self) -> None:
        self.settings = Settings(parser="lazy")
        self.threads: set[int] = set()

    def search(
        self, sentences: Sequence[Sentence], options: Any, **_: Any
    ) -> Iterator[list[Analysis]]:
        self.threads.add(threading.get_ident())
        assert all(sentences)
        found = Analysis(Node("S", [Node("X", [0, 1])]), 1.0)
        return iter([[found] if len(sentence) == 2 else [] for sentence in sentences])

    def files(self) -> dict[str, bytes]:
        return {}

    @classmethod
    def from_folder(cls, settings: Any, folder: Any) -> LazyParser:
        return cls()

    @classmethod
    def learner(cls, settings: Any, examples: Any, report: Any, *, dev: Any = ()) -> Any:
        raise UsageError("a lazy parser learns nothing")


@pytest.mark.parametrize("threads", [1, 2])
def test_what_cannot_be_parsed_has_a_flat_tree(threads: int) -> None:
    parser = LazyParser()
    sentences: list[list[str]] = [["w"] * size for size in (2, 3, 0, 2, 1)] * 500
    found = list(parser.parse_many(sentences, threads=threads))
    assert [len(tree.sentence) for tree in found] == [len(words) for words in sentences]
    assert [str(tree.root) for tree in found[:5]] == [
        "(S (X 0 1))",
        "(ROOT 0 1 2)",
        "(ROOT)",
        "(S (X 0 1))",
        "(ROOT 0)",
    ]
    assert found[1].root == Node(ROOT, range(3))
    assert [has_parse(tree) for tree in found[:5]] == [True, False, True, True, False]
    assert (threading.get_ident() in parser.threads) == (threads == 1)


def test_a_missing_parse_has_no_score() -> None:
    """A score of 0.0 would be better than every log-probability."""
    sentences = [["w"] * size for size in (2, 3, 0)]
    scored = [one.score for (one,) in LazyParser().parse_k_best(sentences, 1)]
    assert scored == [1.0, None, None]


def test_an_error_in_another_thread_is_raised_here() -> None:
    class Broken(LazyParser):
        def search(self, sentences: Any, *_: Any, **__: Any) -> Iterator[list[Analysis]]:
            raise UsageError("broken")

    with pytest.raises(UsageError, match="broken"):
        list(Broken().parse_many([["a"]], threads=2))


def test_batches_are_searched_at_the_same_time() -> None:
    class Meeting(LazyParser):
        everybody = threading.Barrier(2, timeout=30)

        def search(self, sentences: Any, *args: Any, **_: Any) -> Iterator[list[Analysis]]:
            self.everybody.wait()
            return super().search(sentences, *args)

    parser = Meeting()
    assert len(list(parser.parse_many([["a", "b"]] * 2048, threads=2))) == 2048
    assert len(parser.threads) == 2


@pytest.mark.parametrize("sentence", [None, 3])
def test_what_is_no_sentence_is_refused(sentence: Any) -> None:
    with pytest.raises(UsageError, match=f"a sentence is {sentence}, expected a text"):
        LazyParser().parse(sentence)


def test_one_sentence_belongs_into_a_list() -> None:
    parser = LazyParser()
    for sentences in ("Das ist gut.", parser.parse(["a", "b"])):
        with pytest.raises(UsageError, match=r"put it into a list, \[t"):
            parser.parse_many(sentences)  # type: ignore[arg-type]


def test_a_path_is_no_text() -> None:
    with pytest.raises(UsageError, match=r"text.txt is a path, expected a text or an open file"):
        LazyParser().parse_text(Path("text.txt"))  # type: ignore[arg-type]


def test_a_parser_may_be_left_before_the_end() -> None:
    found = LazyParser().parse_many([["a", "b"]] * 100_000, threads=2)
    assert str(next(found).root) == "(S (X 0 1))"
    found.close()  # type: ignore[attr-defined]
