"""The items of weighted deduction in the order in which they leave the agenda."""

from __future__ import annotations

from math import exp, log

import pytest
from derivations import PlainGrammar, item_costs, random_grammar
from grammar_yields import COPY

from crossbranch import _core
from crossbranch.derivations import show_items
from crossbranch.grammar import Deduction, parse_text
from crossbranch.search import ItemTrace
from crossbranch.search.deduction_items import trace_deduction
from crossbranch.tree import Token

ESTIMATES = ("none", "lengths", "blocks")


def core_of(grammar: PlainGrammar) -> _core.GrammarParser:
    return _core.GrammarParser(grammar.fan_outs, 0, grammar.rules)


def traced(letters: str, others: int = 30) -> ItemTrace:
    found = trace_deduction(Deduction(parse_text(COPY)), list(letters), others=others)
    assert found is not None
    return found


def test_the_order_of_figure_3_3() -> None:
    """The same grammar and order as in core/tests/test_grammar.cpp."""
    rules = [(0, 1, 2, "001", -log(0.1)), (0, 1, 2, "010", -log(0.9)), (1, 2, 2, "0,1", 0.0)]
    parser = _core.GrammarParser([1, 2, 1], 0, rules)
    taken, ending = parser.taken([(token, 2, 0.0) for token in range(3)], 3, estimates="none")
    assert ending == "found"
    order = ["SAB"[one[0]] + " " + " ".join(map(str, one[1])) for one in taken]
    assert order == ["B 0 1", "B 1 2", "B 2 3", "A 0 1 1 2", "A 1 2 2 3", "A 0 1 2 3", "S 0 3"]
    assert exp(-taken[-1][2]) == pytest.approx(0.9)
    assert [one[5] for one in taken] == [[], [], [], [0, 1], [1, 2], [0, 2], [5, 1]]
    assert [one[6] for one in taken] == [True, True, True, False, False, True, True]


@pytest.mark.parametrize("estimates", ESTIMATES)
def test_items_of_random_grammars(estimates: str) -> None:
    """Costs are those of an enumeration of all derivations; children come before parents."""
    found = 0
    for seed in range(60):
        grammar = random_grammar(seed)
        parser = core_of(grammar)
        taken, ending = parser.taken(grammar.axioms, grammar.token_count, estimates=estimates)
        derivations = parser.parse(grammar.axioms, grammar.token_count, estimates=estimates)[0]
        assert bool(derivations) == (ending == "found")
        best: dict[tuple[int, tuple[int, ...]], float] = {}
        for place, (symbol, ends, cost, _, step, children, _) in enumerate(taken):
            blocks = tuple(zip(ends[::2], ends[1::2], strict=True))
            own = grammar.axioms[~step][2] if step < 0 else grammar.rules[step].cost
            assert all(child < place for child in children)
            assert cost == pytest.approx(own + sum(taken[child][2] for child in children))
            assert cost >= min(item_costs(grammar, symbol, blocks)) - 1e-9
            assert cost < best.get((symbol, tuple(ends)), 1e9)
            best[symbol, tuple(ends)] = cost
            if estimates == "none":
                assert cost == pytest.approx(min(item_costs(grammar, symbol, blocks)))
        if derivations:
            found += 1
            assert taken[-1][6]
            assert taken[-1][2] == pytest.approx(derivations[0][0])
            steps = sorted(one[4] for one in taken if one[6])
            assert steps == sorted(derivations[0][1])
        else:
            assert not any(one[6] for one in taken)
    assert found > 10


def test_without_estimates_the_cheapest_item_comes_first() -> None:
    for seed in range(50):
        grammar = random_grammar(seed)
        taken, _ = core_of(grammar).taken(grammar.axioms, grammar.token_count, estimates="none")
        priorities = [one[3] for one in taken]
        assert priorities == sorted(priorities)


def test_the_last_item_is_the_tree_of_the_parser() -> None:
    words = list("abcccab")
    parse = Deduction(parse_text(COPY)).parse(words)
    assert parse is not None
    trace = traced("abcccab")
    assert trace.score == pytest.approx(parse.log_probability)
    assert trace.items[-1].score == trace.score
    shown = show_items(trace, tuple(Token(word) for word in words), id="1")
    (top,) = shown.frames[-1].forest.root.children
    assert top == parse.tree.root
    assert shown.frames[-1].in_tree
    numbers = {item.number for item in trace.items}
    for item in trace.items:
        assert all(child in numbers and child < item.number for child in item.children)


def test_how_many_items_are_shown() -> None:
    every, few = traced("aacccaa", 1000), traced("aacccaa", 2)
    assert len(every.shown) == every.total == few.total
    tree = [item.number for item in every.items if item.in_tree]
    assert [item.number for item in few.shown if item.in_tree] == tree
    assert len(few.shown) == len(tree) + 2
    sentence = tuple(Token(word) for word in "aacccaa")
    start = show_items(few, sentence).frames[0].explanation
    assert f"{few.total - len(few.shown)} items are not shown" in start
    assert show_items(every, sentence).frames[0].explanation.endswith("All are shown.")


def test_a_sentence_that_is_not_in_the_language() -> None:
    assert trace_deduction(Deduction(parse_text(COPY)), list("abcccba")) is None
    assert trace_deduction(Deduction(parse_text(COPY)), []) is None


def test_frames_of_items() -> None:
    shown = show_items(traced("accca"), tuple(Token(one) for one in "accca"))
    assert shown.frames[0].transition == ""
    for frame in shown.frames[1:]:
        (item,) = frame.parts[0].items
        assert item.text == frame.transition
        assert frame.items[item.vertex] == "focus"
        assert frame.taken == frame.transition
        assert frame.forest.root.span.bit_count() == 5
    last = shown.frames[-1]
    assert last.explanation.startswith(
        "The rule S -> A(a,d) B(b,c) : a b c d (100%) joins A “a … a”"
    )
