"""What all parsers share, with a parser that finds little."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import pytest

from crossbranch.config import Settings
from crossbranch.errors import UsageError
from crossbranch.parsers.parser import Parser
from crossbranch.tree import ROOT, Node, Sentence


class LazyParser(Parser):
    """Finds a tree for sentences of two tokens, and for no others."""

    kind: ClassVar[str] = "lazy"
    settings_type: ClassVar[type[Settings]] = Settings

    def __init__(self) -> None:
        self.settings = Settings(parser="lazy")
        self.about = {}
        self.threads: set[int] = set()

    def search(self, sentences: Sequence[Sentence], *, beam: int | None, k_best: int) -> list[int]:
        self.threads.add(threading.get_ident())
        assert all(sentences)
        return [len(sentence) for sentence in sentences]

    def roots(self, found: list[int], count: int) -> Iterator[list[tuple[float, Node]]]:
        assert len(found) == count
        for size in found:
            yield [(1.0, Node("S", [Node("X", [0, 1])]))] if size == 2 else []

    def files(self) -> dict[str, bytes]:
        return {}

    @classmethod
    def from_folder(cls, settings: Any, folder: Any) -> LazyParser:
        return cls()

    @classmethod
    def learner(cls, settings: Any, trees: Any, report: Any) -> Any:
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
    assert (threading.get_ident() in parser.threads) == (threads == 1)


def test_an_error_in_another_thread_is_raised_here() -> None:
    class Broken(LazyParser):
        def search(self, sentences: Any, **options: Any) -> list[int]:
            raise UsageError("broken")

    with pytest.raises(UsageError, match="broken"):
        list(Broken().parse_many([["a"]], threads=2))


def test_batches_are_searched_at_the_same_time() -> None:
    class Meeting(LazyParser):
        everybody = threading.Barrier(2, timeout=30)

        def search(self, sentences: Any, **options: Any) -> list[int]:
            self.everybody.wait()
            return super().search(sentences, **options)

    parser = Meeting()
    assert len(list(parser.parse_many([["a", "b"]] * 2048, threads=2))) == 2048
    assert len(parser.threads) == 2


@pytest.mark.parametrize("sentence", [None, 3])
def test_what_is_no_sentence_is_refused(sentence: Any) -> None:
    with pytest.raises(UsageError, match=f"a sentence is {sentence}, expected a text"):
        LazyParser().parse(sentence)


def test_a_parser_may_be_left_before_the_end() -> None:
    found = LazyParser().parse_many([["a", "b"]] * 100_000, threads=2)
    assert str(next(found).root) == "(S (X 0 1))"
    found.close()  # type: ignore[attr-defined]
