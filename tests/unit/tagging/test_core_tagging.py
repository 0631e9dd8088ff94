"""The bindings of the tagger: what they refuse."""

from __future__ import annotations

from array import array

import pytest

from crossbranch._core import Tagger, TagTemplates, TagTrainer

TEMPLATES = [(0, [(0, 0)]), (1, [(-1, 1)]), (2, [])]


def templates() -> TagTemplates:
    return TagTemplates(TEMPLATES, column_count=2)


def numbers(count: int) -> array[int]:
    return array("I", range(count))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([(3, [])], "up to two tags"),
        ([(-1, [])], "up to two tags"),
        ([(1, []), (0, [])], "come first"),
        ([(0, [(0, 2)])], "not there"),
        ([(0, [(0, -1)])], "not there"),
        ([(0, [(99, 0)])], "not there"),
    ],
)
def test_templates_that_cannot_be(
    given: list[tuple[int, list[tuple[int, int]]]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        TagTemplates(given, column_count=2)


def test_a_trainer_gives_what_a_tagger_takes() -> None:
    trainer = TagTrainer(templates(), tag_count=3, beam=2)
    tags = array("H", [2, 1, 0])
    for _ in range(9):
        trainer.train(numbers(6), [0, 2, 3], tags)
    tagger = Tagger(templates(), trainer.average(), tag_count=3, beam=2)
    assert memoryview(tagger.tag(numbers(6), [0, 2, 3])).cast("H").tolist() == [2, 1, 0]


def test_wrong_calls_of_a_trainer() -> None:
    trainer = TagTrainer(templates(), tag_count=3, beam=2)
    for rows, offsets, tags, message in (
        (6, [0, 3], [0, 1], "every token has a tag"),
        (6, [0, 3], [0, 1, 3], "not there"),
        (6, [0, -3], [0, 1, 2], "expected 0 or more"),
        (6, [0, 4], [0, 1, 2], "all tokens"),
        (5, [0, 2], [0, 1], "2 columns"),
    ):
        with pytest.raises(ValueError, match=message):
            trainer.train(numbers(rows), offsets, array("H", tags))
    with pytest.raises(ValueError, match="scale"):
        trainer.average(scale=0)
    for options in ({"beam": 0}, {"tag_count": 0}, {"margin": -1}, {"batch": 0}):
        with pytest.raises(ValueError, match=r"beam|tags|margin"):
            TagTrainer(templates(), **({"tag_count": 3, "beam": 2} | options))


def test_wrong_calls_of_a_tagger() -> None:
    weights = TagTrainer(templates(), tag_count=3, beam=2).average()
    tagger = Tagger(templates(), weights, tag_count=3, beam=2)
    assert tagger.tag(numbers(0), [0]) == b""
    for rows, offsets in ((6, [0, 4]), (6, [0, 2]), (6, []), (6, [0, 3, 2, 3]), (5, [0, 2])):
        with pytest.raises(ValueError, match=r"all tokens|columns"):
            tagger.tag(numbers(rows), offsets)
    with pytest.raises(ValueError, match="too early"):
        Tagger(templates(), b"", tag_count=3, beam=2)
    with pytest.raises(ValueError, match="a beam"):
        Tagger(templates(), weights, tag_count=3, beam=0)
