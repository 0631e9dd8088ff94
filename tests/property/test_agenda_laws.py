"""The core's search for the best derivations agrees with enumeration."""

from __future__ import annotations

import pytest
from derivations import PlainGrammar, all_costs, random_grammar
from hypothesis import assume, given
from hypothesis import strategies as st

from crossbranch import _core

SEEDS = st.integers(0, 1_000_000)
ESTIMATES = st.sampled_from(["none", "lengths", "blocks"])


def parser_of(grammar: PlainGrammar) -> _core.GrammarParser:
    return _core.GrammarParser(grammar.fan_outs, 0, grammar.rules)


@given(SEEDS, st.booleans(), ESTIMATES, st.sampled_from([0.1, 8.0]))
def test_best_derivation_and_membership(
    seed: int, joins_own_blocks: bool, estimates: str, margin: float
) -> None:
    grammar = random_grammar(seed, joins_own_blocks=joins_own_blocks)
    expected = all_costs(grammar)
    found, ending, _, _ = parser_of(grammar).parse(
        grammar.axioms, grammar.token_count, estimates=estimates, margin=margin
    )
    assert ending == ("found" if expected else "none")
    assert [cost for cost, _ in found] == pytest.approx(expected[:1])


@given(SEEDS, st.booleans(), ESTIMATES, st.integers(2, 30), st.sampled_from([0.1, 8.0]))
def test_lists_of_the_best_derivations(
    seed: int, joins_own_blocks: bool, estimates: str, k_best: int, margin: float
) -> None:
    grammar = random_grammar(seed, joins_own_blocks=joins_own_blocks)
    expected = all_costs(grammar)
    assume(expected)
    found, ending, _, _ = parser_of(grammar).parse(
        grammar.axioms, grammar.token_count, k_best=k_best, estimates=estimates, margin=margin
    )
    assert ending == "found"
    assert [cost for cost, _ in found] == pytest.approx(expected[:k_best])
    assert len({tuple(steps) for _, steps in found}) == len(found)


@given(SEEDS, ESTIMATES)
def test_the_steps_of_a_derivation_cost_what_it_says(seed: int, estimates: str) -> None:
    grammar = random_grammar(seed)
    found, _, _, _ = parser_of(grammar).parse(
        grammar.axioms, grammar.token_count, k_best=9, estimates=estimates
    )
    for cost, steps in found:
        costs = [
            grammar.axioms[~step][2] if step < 0 else grammar.rules[step].cost for step in steps
        ]
        assert sum(costs) == pytest.approx(cost)
        tokens = [grammar.axioms[~step][0] for step in steps if step < 0]
        assert sorted(tokens) == list(range(grammar.token_count))


@given(SEEDS, ESTIMATES, st.integers(1, 40))
def test_limits_never_make_a_derivation_better(seed: int, estimates: str, max_items: int) -> None:
    grammar = random_grammar(seed)
    expected = all_costs(grammar)
    found, ending, _, _ = parser_of(grammar).parse(
        grammar.axioms, grammar.token_count, estimates=estimates, max_items=max_items
    )
    assert ending in (("found", "items") if expected else ("none", "items"))
    if found:
        least = expected[0]
        assert found[0][0] >= least - 1e-9
        assert ending == "items" or found[0][0] == pytest.approx(least)
