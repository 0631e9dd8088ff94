"""How transition parsers found their trees: the steps build the tree, and their scores add up."""

from __future__ import annotations

from math import exp
from typing import Any

import pytest
from random_networks import random_parser

from crossbranch.grammar.sampling import sample
from crossbranch.parsers import TracedParse, TransitionParser, train
from crossbranch.transitions import build, pipeline_for

TRAIN = tuple(sample(25, seed=1, max_length=12))
BEAMS: tuple[dict[str, Any], ...] = ({"beam": 1}, {"beam": 4})
SENTENCES = [tree for tree in sample(8, seed=3, max_length=14) if tree.sentence]


def parser_with(system: str, **settings: Any) -> TransitionParser:
    settings = {"epochs": 1, "beam": 3, "tags": "gold", **settings}
    parser = train("sr-gap", train=TRAIN, system=system, **settings)
    assert isinstance(parser, TransitionParser)
    return parser


def check(parser: TransitionParser, one: TracedParse, score: float) -> None:
    """The steps build the tree that the parser finds, and their scores add up to its score."""
    built = build(one.derivation, pipeline_for(parser.system.name))
    assert [(node.label, node.span) for node in built.nodes] == [
        (node.label, node.span) for node in one.tree.nodes
    ]
    assert one.trace.score == pytest.approx(score)
    assert sum(step.score for step in one.trace.steps) == pytest.approx(score)
    for step in one.trace.steps:
        assert len({transition for transition, _ in step.scores}) == len(step.scores)


@pytest.mark.parametrize("stop", ["all", "first"])
@pytest.mark.parametrize("system", ["gap", "cgap", "swap", "cswap"])
def test_linear_parsers(system: str, stop: str) -> None:
    parser = parser_with(system, stop=stop)
    for options in BEAMS:
        scored = parser.parse_k_best(SENTENCES, 1, **options)
        traced = parser.parse_traced(SENTENCES, **options)
        for best, one in zip(scored, traced, strict=True):
            assert best[0].score is not None
            check(parser, one, best[0].score)


def test_without_a_beam_each_step_is_the_best_one() -> None:
    parser = parser_with("gap")
    for one in parser.parse_traced(SENTENCES, beam=1):
        for step in one.trace.steps:
            assert step.score == max(score for _, score in step.scores)


def test_legal_transitions_are_those_of_the_system() -> None:
    parser = parser_with("gap")
    one = next(iter(parser.parse_traced(SENTENCES)))
    configuration = parser.system.start(len(one.tree.sentence))
    for step in one.trace.steps:
        assert [transition for transition, _ in step.scores] == configuration.legal()
        configuration.apply(step.taken)
    assert configuration.is_final


def test_sentences_without_words_are_left_out() -> None:
    parser = parser_with("gap")
    assert [one.tree.id for one in parser.parse_traced([[], SENTENCES[0]])] == [SENTENCES[0].id]


@pytest.mark.parametrize("system", ["ml-gap", "ml-gap-lex", "ml-cgap", "stack-free"])
def test_neural_parsers_in_the_core_and_with_torch(system: str) -> None:
    torch: Any = pytest.importorskip("torch")
    from crossbranch.parsers.neural_transition.torch_engine import TorchEngine

    parser = random_parser(torch, system=system, encoder={})
    engine = TorchEngine(parser, "cpu")
    for options in BEAMS:
        chosen = parser.options(options)
        scored = parser.parse_k_best(SENTENCES, 1, **options)
        for best, one in zip(scored, parser.parse_traced(SENTENCES, **options), strict=True):
            assert best[0].score is not None
            check(parser, one, best[0].score)
            for step in one.trace.steps:  # scores are logarithms of probabilities
                assert sum(exp(score) for _, score in step.scores) == pytest.approx(1)
        sentences = [tree.sentence for tree in SENTENCES]
        for mine, other in zip(
            parser.traces(sentences, chosen),
            engine.trace(sentences, beam=chosen.beam),
            strict=True,
        ):
            assert mine is not None
            assert other.transitions == mine.transitions
            assert other.score == pytest.approx(mine.score, abs=1e-3)
