"""The data model of grammars, and extraction from trees."""

from io import StringIO

import pytest
from commands import CROSSING

from crossbranch.errors import UsageError
from crossbranch.grammar import Grammar, Rule, complexity, extract, measure, merge, parse_text
from crossbranch.grammar.lcfrs import HIDDEN_START
from crossbranch.tree import Node, Token, Tree
from crossbranch.treebank import read

PAIR = Rule("VP_2", ("WP", "VB"), (((0, 0),), ((1, 0),)))


def question() -> Tree:
    (tree,) = read(StringIO(CROSSING), format="discbracket")
    return tree


def test_the_rules_of_a_tree() -> None:
    grammar = extract([question(), question()])
    assert grammar.start == "ROOT"
    assert {str(rule): weight for rule, weight in grammar.rules.items()} == {
        "ROOT -> SBARQ .": 2,
        "SBARQ -> VP_2(a,c) SQ(b) : a b c": 2,
        "VP_2 -> WHNP(a) VB(b) : a , b": 2,
        "WHNP -> WP": 2,
        "SQ -> MD NP": 2,
        "NP -> PRP": 2,
    }
    assert grammar.words["WP"] == {"What": 2}
    assert grammar.fan_out("VP_2") == 2
    assert grammar.fan_out("WP") == 1
    assert grammar.symbols[0] == "ROOT"
    assert repr(grammar) == "<Grammar ROOT: 6 rules, 5 words>"


def test_probabilities_are_relative_frequencies() -> None:
    grammar = parse_text('top S\n3 S -> A A\n1 S -> A\n2 A -> "a"\n6 A -> "b"')
    half = grammar.probabilities()
    assert [half.rules[rule] for rule in grammar.rules] == [0.75, 0.25]
    assert half.words["A"] == {"a": 0.25, "b": 0.75}
    assert half.probabilities() == half
    assert half != grammar


def test_a_label_that_is_also_a_tag_shares_its_probability() -> None:
    grammar = parse_text('top S\n1 S -> A\n1 A -> A A\n3 A -> "a"').probabilities()
    assert sum(grammar.rules_of("A").values()) + sum(grammar.words["A"].values()) == 1


def test_several_roots_have_a_hidden_start_symbol() -> None:
    trees = [Tree([Token("a", "T")], Node(label, [0])) for label in ("S", "NP", "S")]
    grammar = extract(trees)
    assert grammar.start == HIDDEN_START
    assert list(grammar.rules_of(HIDDEN_START).values()) == [2, 1]


def test_no_trees_no_grammar() -> None:
    with pytest.raises(UsageError, match="no trees"):
        extract([])


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Rule("S", ("A",), (((0, 0), (0, 0)),)), "each block of each child exactly once"),
        (Rule("S", ("A", "A"), (((0, 0),),)), "each block of each child exactly once"),
        (Rule("S", ("A",), (((0, 1),),)), "each block of each child exactly once"),
        (Rule("S", ("A",), (((0, 0),), ())), "found an empty block"),
        (PAIR._replace(left="S"), "VP_2 has 1 blocks, expected 2|S has 2 blocks, expected 1"),
    ],
)
def test_bad_rules_are_refused(rule: Rule, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Grammar("S", {Rule("S", (), (("a", "b"),)): 1, rule: 1})


def test_fan_outs_must_agree() -> None:
    with pytest.raises(UsageError, match="WP has 2 blocks, expected 1 as in another rule"):
        Grammar("S", {PAIR: 1, Rule("S", ("WP",), (((0, 0), "a", (0, 1)),)): 1}, {"WP": {"a": 1}})
    with pytest.raises(UsageError, match="the start symbol VP_2 has 2 blocks"):
        Grammar("VP_2", {PAIR: 1})


def test_grammars_do_not_change() -> None:
    rules = {PAIR: 1.0}
    grammar = Grammar("S", rules)
    rules[PAIR] = 2.0
    assert grammar.rules[PAIR] == 1.0
    with pytest.raises(TypeError):
        grammar.rules[PAIR] = 3.0  # type: ignore[index]


def test_rules_are_written_with_variables_if_they_need_them() -> None:
    assert str(PAIR) == "VP_2 -> WP(a) VB(b) : a , b"
    assert str(Rule("S", ("A",), (("a", (0, 0), '"'),))) == 'S -> "a" A "&#x22;"'
    many = Rule("S", ("A",) * 30, (tuple((29 - child, 0) for child in range(30)),))
    assert str(many).endswith("x y z a1 b1 c1 d1")


def test_merging_adds_weights() -> None:
    one = parse_text('top S\n1 S -> A\n2 A -> "a"')
    two = parse_text('top S\n3 S -> A\n1 S -> A A\n4 A -> "a"')
    both = merge([one, two])
    assert list(both.rules.values()) == [4, 1]
    assert both.words["A"] == {"a": 6}
    with pytest.raises(UsageError, match="the start symbols S and T, expected one"):
        merge([one, parse_text('top T\n1 T -> "a" "b"')])
    with pytest.raises(UsageError, match="the start symbols none"):
        merge([])


def test_how_often_rules_of_each_fan_out_occur() -> None:
    counted = extract([question(), question()])
    assert measure(counted).occurrences == {1: 10, 2: 2}
    assert measure(merge([counted, extract([question()])])).occurrences == {1: 15, 2: 3}
    halves = Grammar(counted.start, dict.fromkeys(counted.rules, 0.5), counted.words)
    assert measure(halves).occurrences is None


def test_figures() -> None:
    figures = measure(extract([question()]))
    assert (figures.rules, figures.fan_out, figures.rank, figures.complexity) == (6, 2, 2, 4)
    assert figures.fan_outs == {1: 5, 2: 1}
    assert figures.occurrences == {1: 5, 2: 1}
    assert figures.ranks == {1: 2, 2: 4}
    assert figures.complexities == {2: 2, 3: 2, 4: 2}
    assert figures.probabilistic
    assert figures.words == figures.tags == 5
    assert complexity(PAIR) == 4
