"""Parsers with a probabilistic LCFRS: their grammar, their words, fragments and limits."""

from __future__ import annotations

from functools import cache
from math import exp
from pathlib import Path
from typing import Any, ClassVar

import pytest
from trained_parsers import DEV, TEST, TRAIN

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation import evaluate
from crossbranch.grammar.agenda import AgendaParser
from crossbranch.grammar.lcfrs import Grammar, Rule, symbol_of
from crossbranch.grammar.text_format import parse_text
from crossbranch.parsers import Parser, PlcfrsParser, load, train
from crossbranch.parsers.plcfrs.lexicon import Lexicon
from crossbranch.parsers.plcfrs.settings import PlcfrsSettings
from crossbranch.parsers.plcfrs.shaping import Shape, TreeBuilder, tag_of
from crossbranch.parsers.sentences import has_parse
from crossbranch.tree import Node, Token, Tree, feature

PLAIN: dict[str, Any] = {"tags": "gold", "functions": False, "lemmas": False}
WHAT = Tree(
    [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")],
    Node("SBARQ", [Node("VP", [0, 3]), Node("SQ", [1, Node("NP", [2])])]),
)


@cache
def simple(**changes: Any) -> PlcfrsParser:
    """A parser whose grammar has seen its test sentences."""
    values = {"horizontal": 1, "vertical": 1, "tag_parents": False, **PLAIN, **changes}
    parser = train("plcfrs", train=[*TRAIN, *TEST], **values)
    assert isinstance(parser, PlcfrsParser)
    return parser


def test_the_tree_of_the_treebank_is_found_again() -> None:
    parser = train("plcfrs", train=[WHAT], **PLAIN)
    assert isinstance(parser, PlcfrsParser)
    assert parser.parse(WHAT, functions=False).root == WHAT.root
    assert [str(rule) for rule in parser.grammar.rules if rule.fan_out == 2] == [
        "VP^SBARQ_2 -> WP^VP(a) VB^VP(b) : a , b"
    ]


def test_a_grammar_knows_what_it_has_seen() -> None:
    parser = simple()
    scores = evaluate(TEST, parser.parse_many(TEST))
    assert scores.f1 > 0.8
    assert all(map(has_parse, parser.parse_many(TEST)))


@pytest.mark.parametrize("estimates", ["none", "lengths"])
def test_all_searches_find_trees_of_the_same_score(estimates: str) -> None:
    parser = simple()
    short = [tree for tree in TEST if len(tree.sentence) <= 12]
    expected = [one.score for (one,) in parser.parse_k_best(short, 1)]
    found = [one.score for (one,) in parser.parse_k_best(short, 1, estimates=estimates)]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("order", ["left", "right", "optimal"])
def test_orders_of_binarization(order: str) -> None:
    parser = train("plcfrs", train=[WHAT, *TRAIN], order=order, horizontal=-1, vertical=3, **PLAIN)
    assert parser.parse(WHAT, functions=False).root == WHAT.root


def test_scores_are_probabilities() -> None:
    parser = simple()
    (listed,) = parser.parse_k_best([TEST[0]], 20)
    scores = [one.score for one in listed]
    assert all(score is not None and score < 0 for score in scores)
    assert sum(exp(score) for score in scores if score is not None) < 1
    assert len({one.tree.root for one in listed}) == len(listed)


def test_fragments_of_a_sentence_without_a_tree() -> None:
    parser = train("plcfrs", train=TRAIN, **PLAIN)
    found = list(parser.parse_many([*TEST, WHAT]))
    assert {feature(tree.features, "parse") for tree in found} == {"", "fragments"}
    assert all(map(has_parse, found))
    assert any(len(tree.nodes) > 2 for tree in found if tree.features)
    assert parser.parse([Token("?", "?")]).words == ["?"]


def test_limits_are_told() -> None:
    parser = simple()
    longest = max(TEST, key=lambda tree: len(tree.sentence))
    tree = parser.parse(longest, items=5)
    assert feature(tree.features, "parse") == "none"
    tree = parser.parse(longest, tokens=3)
    assert not has_parse(tree)
    limited = [parser.parse(one, estimates="none", items=60) for one in TEST]
    told = {feature(tree.features, "parse") for tree in limited}
    assert told <= {"", "limited", "none"}
    assert len(told) > 1
    tree = parser.parse(longest, estimates="none", seconds=1e-9)
    assert feature(tree.features, "parse") in {"limited", "none"}


def test_own_tags() -> None:
    parser = train("plcfrs", train=TRAIN, dev=DEV, tags="own")
    tree = parser.parse([token.form for token in TEST[0].sentence])
    assert set(tree.tags) <= set(parser.tags)
    assert parser.about["scores"]["own tags"]["tags"] > 0.5


def test_models_survive_their_folder(tmp_path: Path) -> None:
    parser = simple()
    parser.save(tmp_path / "model")
    again: Parser = load(tmp_path / "model")
    assert list(again.parse_many(TEST)) == list(parser.parse_many(TEST))
    assert isinstance(again, PlcfrsParser)
    assert again.grammar == parser.grammar
    assert parse_text((tmp_path / "model" / "grammar.txt").read_text()) == parser.grammar


def test_wrong_settings_and_rules() -> None:
    with pytest.raises(
        UsageError, match="horizontal is -2, expected a whole number of at least -1"
    ):
        train("plcfrs", train=TRAIN, horizontal=-2)
    wide = Rule("S", ("A", "A", "A"), (((0, 0), (1, 0), (2, 0)),))
    with pytest.raises(UsageError, match="expected an ordered rule with one or two children"):
        AgendaParser(Grammar("S", {wide: 1.0}, {"A": {"a": 1.0}}))


def test_there_must_be_trees() -> None:
    with pytest.raises(InputError, match="no tree"):
        train("plcfrs", train=[])


class TestShape:
    def test_split_tags_and_back(self) -> None:
        odd = WHAT.replace(sentence=[t._replace(tag=f"{t.tag}^x") for t in WHAT.sentence])
        settings = PlcfrsSettings(tag_parents=True)
        shaped = Shape(settings).apply(odd)
        assert shaped.sentence[1].tag.endswith("^SQ")
        assert [tag_of(symbol_of(token.tag)) for token in shaped.sentence] == odd.tags

    def test_derivations_become_trees(self) -> None:
        grammar = AgendaParser(parse_text("top ROOT\n1 ROOT -> A\n1 A -> B B:\n1 B: -> B B"))
        builder = TreeBuilder(grammar, PlcfrsSettings())
        number = {str(rule): i for i, rule in enumerate(grammar.rules)}
        steps = [number["ROOT -> A"], number["A -> B B:"], ~0, number["B: -> B B"], ~1, ~2]
        axioms = [(token, grammar.number["B"], 0.0) for token in range(3)]
        assert builder.build(steps, axioms) == Node("ROOT", [Node("A", [0, 1, 2])])


class TestLexicon:
    WORDS: ClassVar = {
        "N^NP": {"dog": 6.0, "house": 1.0},
        "N^PP": {"dog": 2.0},
        "V": {"barks": 1.0},
    }

    def lexicon(self) -> Lexicon:
        return Lexicon(self.WORDS, 5, tag_of)

    def test_known_words_prefer_what_they_were_seen_with(self) -> None:
        costs = dict(self.lexicon().costs("dog", "N"))
        assert list(costs) == ["N^NP", "N^PP"]
        assert exp(-costs["N^NP"]) < 1
        assert dict(self.lexicon().costs("dog", "unknown")) == costs

    def test_unknown_words_are_like_rare_ones(self) -> None:
        assert [symbol for symbol, _ in self.lexicon().costs("mouse", "")] == ["N^NP", "N^PP"]
        assert [symbol for symbol, _ in self.lexicon().costs("talks", "")] == ["V"]
        symbols = {symbol for symbol, _ in self.lexicon().costs("Q", "")}
        assert symbols == {"N^NP", "N^PP", "V"}

    def test_words_with_new_tags_stay_possible(self) -> None:
        ((symbol, cost),) = self.lexicon().costs("dog", "V")
        assert symbol == "V"
        assert 0 < cost < 30
