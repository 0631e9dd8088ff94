"""Calibrations: learned from dev trees, chosen by the beam, kept as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log
from random import Random
from typing import Annotated, Any, ClassVar

import msgspec
import pytest

from crossbranch.confidence.calibrating import (
    Look,
    balanced,
    best_temperature,
    calibrate,
    lowest,
    sampled,
    sentence_of,
)
from crossbranch.confidence.calibration import Calibration, calibrated_beams, wide_beam
from crossbranch.confidence.hiding import with_hidden_words
from crossbranch.confidence.strategies import CalibratedBeams
from crossbranch.config import SearchOptions, Settings
from crossbranch.constituent import CONFIDENCE
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.contract import Capabilities
from crossbranch.parsers.parser import Parser
from crossbranch.ranges import Size
from crossbranch.search import Analysis
from crossbranch.tree import Node, Sentence, Token, Tree, feature

LEFT, RIGHT = (Node("S", [Node("A", [0, 1]), 2]), Node("S", [0, Node("A", [1, 2])]))
STRENGTH = 7.0  # of the scores below


class BeamOptions(SearchOptions, frozen=True, kw_only=True):
    beam: Annotated[Size, "size of the beam"] = 1


class Oddsmaker(Parser):
    """Knows how likely each of two trees is, and says so in scores; the forms are log-odds."""

    kind: ClassVar[str] = "odds"
    settings_type: ClassVar[type[Settings]] = Settings
    options_type: ClassVar[type[SearchOptions]] = BeamOptions
    can: ClassVar[Capabilities] = Capabilities(k_best=True)
    strategy: ClassVar[CalibratedBeams] = CalibratedBeams()

    def __init__(self) -> None:
        self.settings = Settings(parser="odds")

    def search(
        self,
        sentences: Sequence[Sentence],
        options: Any,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        for sentence in sentences:
            odds = STRENGTH * float(sentence[0].form)
            trees = [Analysis(LEFT, odds), Analysis(RIGHT, 0.0)]
            yield sorted(trees, key=lambda one: -one.score)[:k_best]

    def files(self) -> dict[str, bytes]:
        return {}

    @classmethod
    def from_folder(cls, settings: Any, folder: Any) -> Oddsmaker:
        return cls()

    @classmethod
    def learner(cls, settings: Any, examples: Any, report: Any, *, dev: Any = ()) -> Any:
        raise UsageError("nothing to learn")


def gold(count: int, seed: int) -> list[Tree]:
    """Trees that are as likely as their first word says."""
    chance = Random(seed)
    trees = []
    for _ in range(count):
        odds = round(chance.gauss(0, 2), 2)
        root = LEFT if chance.random() < 1 / (1 + exp(-odds)) else RIGHT
        trees.append(Tree([Token(str(odds), "X"), Token("b", "X"), Token("c", "X")], root))
    return trees


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return calibrate(Oddsmaker(), gold(800, 1))


def test_a_parser_that_knows_its_odds_is_taken_at_its_word(calibration: Calibration) -> None:
    chosen = calibration.at(32)
    assert chosen.temperature == pytest.approx(STRENGTH, rel=0.2)
    parser = Oddsmaker()
    parser.confidence = calibration
    for odds in (-3.0, -1.0, 0.5, 2.0):
        words = [str(odds), "b", "c"]
        tree = parser.parse(words, beam=32, confidence=True)
        likely = 1 / (1 + exp(-abs(odds)))
        assert float(feature(tree.features, CONFIDENCE)) == pytest.approx(likely, abs=0.07)
        inner = tree.nodes[1]
        assert float(feature(inner.features, CONFIDENCE)) == pytest.approx(likely, abs=0.07)
        ((_, best), (_, other)) = (
            (each.score, each.tree)
            for each in next(parser.parse_k_best([words], 2, beam=32, confidence=True))
        )
        assert best == tree
        assert float(feature(other.features, CONFIDENCE)) == pytest.approx(1 - likely, abs=0.07)


def test_reliability_is_measured_on_what_was_not_learned_from(calibration: Calibration) -> None:
    for each in calibration.beams:
        trees, constituents = each.tree_reliability, each.constituent_reliability
        assert (trees.count, constituents.count) == (800, 1600)
        assert trees.calibration_error < 0.05
        assert constituents.calibration_error < 0.03
        assert trees.brier < trees.base_brier
    few = calibrate(Oddsmaker(), gold(8, 2)).at(32)
    assert few.tree_reliability.calibration_error > 0.05  # four sentences teach little


def test_the_nearest_beam_is_taken_in_proportion(calibration: Calibration) -> None:
    assert [each.beam for each in calibration.beams] == [1, 32]
    assert [calibration.at(beam).beam for beam in (1, 5, 6, 32, 500)] == [1, 1, 32, 32, 32]
    assert list(calibrated_beams(4)) == [1, 4, 32]
    assert list(calibrated_beams(1)) == [1, 32]
    assert list(calibrated_beams(64)) == [1, 32, 64]
    assert [wide_beam(beam) for beam in (1, 32, 64)] == [32, 32, 64]


def test_json(calibration: Calibration) -> None:
    data = calibration.to_json()
    value: dict[str, Any] = msgspec.json.decode(data)
    assert Calibration.from_json(value, path="x") == calibration
    for wrong in (
        {},
        value | {"beams": []},
        value | {"more": 1},
        value | {"beams": [value["beams"][0] | {"temperature": 0.0}]},
        value | {"beams": [value["beams"][0] | {"constituents": [1.0]}]},
        value | {"beams": [value["beams"][0] | {"beam": 0}]},
    ):
        with pytest.raises(InputError, match=r"x: found .*, expected a calibration"):
            Calibration.from_json(wrong, path="x")


def test_old_calibrations_are_read(calibration: Calibration) -> None:
    value: dict[str, Any] = msgspec.json.decode(calibration.to_json())
    for beam in value["beams"]:
        for name, size in (("best_tree", 5), ("other_trees", 5), ("constituents", 9)):
            beam[name] = beam[name][:size]
    parser = Oddsmaker()
    parser.confidence = Calibration.from_json(value, path="x")
    tree = parser.parse(["2.0", "b", "c"], beam=32, confidence=True)
    assert 0 < float(feature(tree.features, CONFIDENCE)) < 1


class Wordy(Oddsmaker):
    """Builds the left tree, and is right if it knows the words."""

    vocabulary = frozenset({"know", "this", "word"})

    def search(
        self,
        sentences: Sequence[Sentence],
        options: Any,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        for sentence in sentences:
            unknown = sum(token.form not in self.vocabulary for token in sentence)
            odd = sum(token.form[-1] < "k" for token in sentence) > 1  # mistakes without a pattern
            trees = [Analysis(LEFT, 2.0), Analysis(RIGHT, 1.0)]
            yield (trees[::-1] if unknown > 1 or (unknown and odd) else trees)[:k_best]


def test_hidden_words_teach_that_unfamiliar_text_is_parsed_worse() -> None:
    parser = Wordy()
    known = tuple(Token(form, "X") for form in ("know", "this", "word"))
    trees = [Tree(known, LEFT)] * 200  # all of them are right
    hidden = with_hidden_words(parser, trees)
    shares = [parser.known_words.count(tree.sentence)[0] for tree in hidden]  # type: ignore[union-attr]
    assert set(shares) == {0, 1, 2, 3}
    assert all(tree.root == LEFT and tree.tags == ["X"] * 3 for tree in hidden)
    assert {len(token.form) for tree in hidden for token in tree.sentence} == {4}
    assert hidden == with_hidden_words(parser, trees)
    assert with_hidden_words(Oddsmaker(), trees) == []
    parser.confidence = calibrate(parser, trees)
    sure = parser.parse(known, confidence=True).confidence
    unsure = parser.parse(["some", "other", "words"], confidence=True).confidence
    assert sure is not None
    assert unsure is not None
    assert sure > 0.9 > 0.4 > unsure
    assert parser.confidence.at(1).tree_reliability.count == 200


def test_a_sample_is_from_everywhere() -> None:
    trees = gold(10, 1)
    assert sampled(trees, 20) == trees
    assert sampled(trees, 3) == [trees[0], trees[3], trees[6]]
    assert sampled([Tree((), Node("ROOT")), *trees[:1]], 5) == trees[:1]
    assert sampled([], 5) == []


def test_sources_are_sampled_alike() -> None:
    few, more, many = gold(2, 1), gold(10, 2), gold(40, 3)
    found = balanced([many, few, more], 20)
    assert [sum(tree in source for tree in found) for source in (many, few, more)] == [9, 2, 9]
    assert found[:9] == sampled(many, 9)
    assert balanced([few, more], 100) == [*few, *more]
    assert balanced([more], 5) == sampled(more, 5)


def test_no_dev_trees_or_one_teach_little_but_do_no_harm() -> None:
    for count in (0, 1, 2):
        found = calibrate(Oddsmaker(), gold(count, 1))
        assert found.sentences == count
        assert found.at(1).tree_reliability.count == count


def test_the_temperature_is_that_of_the_right_trees() -> None:
    trees = gold(2, 1)
    sentences = [sentence_of(Tree(tree.sentence, LEFT)) for tree in trees]
    keys = [[key for _, key in sentences[0].counted.nodes(root)] for root in (LEFT, RIGHT)]
    looks = [Look([6.0, 0.0], keys), Look([6.0, 0.0], keys[::-1])]
    assert best_temperature(sentences, looks) > 100  # either may be right, whatever the scores
    looks = [Look([6.0, 0.0], keys)] * 2
    assert best_temperature(sentences, looks) < 1  # the better one is right
    looks = [Look([6.0], keys[:1])] * 2
    assert best_temperature(sentences, looks) == 1.0


def test_valleys_are_found() -> None:
    assert lowest(lambda x: (x - 2.5) ** 2, -10, 10) == pytest.approx(2.5, abs=1e-3)
    assert lowest(lambda x: x, log(0.1), 10) == pytest.approx(log(0.1), abs=1e-3)
