"""Parsing with any grammar, and normal forms."""

import math

import pytest

from crossbranch.errors import UsageError
from crossbranch.grammar import (
    Deduction,
    binary,
    gap_explicit,
    measure,
    ordered,
    parse_text,
    sample,
    tagged,
    trim,
    useless_rules,
)
from crossbranch.grammar.text_format import write_text


def test_the_best_tree_is_found() -> None:
    grammar = parse_text(
        'top S\n1 S -> A B\n1 S -> C D\n1 A -> "x"\n3 A -> "y"\n1 B -> "z"\n1 C -> "x"\n1 D -> "z"'
    )
    parse = Deduction(grammar).parse(["x", "z"])
    assert parse is not None
    assert parse.tree.tags == ["C", "D"]
    assert parse.log_probability == pytest.approx(math.log(0.5))


def test_tags_may_be_given() -> None:
    deduction = Deduction(parse_text("top S\n1 S -> DT NN"))
    parse = deduction.parse(["a", "dog"], ["DT", "NN"])
    assert parse is not None
    assert str(parse.tree) == "(S 0 1) 0=a 1=dog"
    assert parse.tree.tags == ["DT", "NN"]
    assert parse.log_probability == 0
    assert deduction.parse(["a", "dog"]) is None
    assert deduction.parse(["a", "dog"], ["NN", "DT"]) is None
    with pytest.raises(UsageError, match="1 tags for 2 words"):
        deduction.parse(["a", "dog"], ["DT"])


def test_given_tags_with_terminals_and_subsymbols() -> None:
    deduction = Deduction(parse_text('top S\n1 S -> "a" N.x\n1 N.x -> "n"\n1 N.y -> "m"'))
    parse = deduction.parse(["a", "new"], ["DT", "N"])
    assert parse is not None
    assert parse.tree.tags == ["", "N"]


def test_terminals_have_no_tags_and_hidden_symbols_no_nodes() -> None:
    parse = Deduction(parse_text('top S\n1 S -> "a" _X "b"\n1 _X -> T\n1 T -> "t"')).parse(
        list("atb")
    )
    assert parse is not None
    assert str(parse.tree) == "(S 0 1 2) 0=a 1=t 2=b"
    assert parse.tree.tags == ["", "T", ""]


def test_a_start_symbol_that_is_hidden_or_a_tag() -> None:
    parse = Deduction(parse_text('top _TOP\n1 _TOP -> S\n1 S -> "a" "b"')).parse(["a", "b"])
    assert parse is not None
    assert str(parse.tree.root) == "(S 0 1)"
    parse = Deduction(parse_text('top S\n1 S -> "a"')).parse(["a"])
    assert parse is not None
    assert str(parse.tree.root) == "(S 0)"
    for text in ('top _TOP\n1 _TOP -> S\n1 S -> "a" "b"', 'top S\n1 S -> "a"'):
        (tree,) = sample(1, grammar=parse_text(text))
        assert tree.root.label == "S"


def test_circles_end() -> None:
    deduction = Deduction(parse_text('top S\n1 S -> A\n1 A -> S\n1 A -> "a" "b"'))
    parse = deduction.parse(["a", "b"])
    assert parse is not None
    assert str(parse.tree.root) == "(S (A 0 1))"
    assert deduction.parse(["b", "a"]) is None
    assert deduction.parse([]) is None


def test_a_language_with_four_counts() -> None:
    # a^n b^n c^n d^n: two blocks are enough.
    deduction = Deduction(
        parse_text(
            'top S\n1 S -> A(x,y) : x y\n1 A -> A(x,y) : "a" x "b" , "c" y "d"\n'
            '1 A -> : "a" "b" , "c" "d"'
        )
    )
    assert deduction.parse(list("aaabbbcccddd")) is not None
    assert deduction.parse(list("aaabbbccddd")) is None


def test_ordered() -> None:
    grammar = parse_text(
        'top S\n1 S -> A(x,y) : y x\n2 A -> A(x,y) : x "c" , y\n1 A -> : "a" , "b"'
    )
    assert not measure(grammar).ordered
    assert list(write_text(ordered(grammar))) == [
        "top S\n",
        "1 S -> A.order2_1(a,b) : a b\n",
        '2 A.order2_1 -> A.order2_1(a,b) : a , b "c"\n',
        '1 A.order2_1 -> : "b" , "a"\n',
    ]


def test_gap_explicit_needs_order() -> None:
    with pytest.raises(UsageError, match="expected an ordered rule"):
        gap_explicit(parse_text("top S\n1 S -> A(x,y) : y x"))


def test_new_symbols_do_not_clash() -> None:
    grammar = parse_text(
        'top S\n1 S -> A(x,y) A.order2_1(z) : y x z\n1 A -> : "a" , "b"\n1 A.order2_1 -> "a" "b"'
    )
    assert "A.order2_1x" in ordered(grammar).symbols
    grammar = parse_text('top S\n1 S -> _a B "a"\n1 _a -> "x"\n1 B -> "b"')
    assert "_ax" in tagged(grammar).symbols
    grammar = parse_text("top S\n1 S -> A B C _S.1")
    assert [rule.left for rule in binary(grammar).rules] == ["_S.2", "_S.3", "S"]


def test_binary_joins_what_has_the_fewest_blocks() -> None:
    grammar = parse_text("top S\n7 S -> A(a,d) B(b) C(c,e) : a b c d e")
    assert list(write_text(binary(grammar))) == [
        "top S\n",
        "7 S -> _S.1(a,c) C(b,d) : a b c d\n",
        "1 _S.1 -> A(a,c) B(b) : a b , c\n",
    ]


def test_useless_rules_are_found() -> None:
    grammar = parse_text(
        'top S\n1 S -> A\n1 S -> B\n1 A -> "a" "b"\n1 B -> C\n1 C -> B C\n1 D -> A\n1 E -> "e"'
    )
    assert list(map(str, useless_rules(grammar))) == [
        *("S -> B", "B -> C", "C -> B C", "D -> A", 'E -> "e"'),
    ]
    assert [str(rule) for rule in trim(grammar).rules] == ["S -> A", 'A -> "a" "b"']


def test_sampling_follows_the_weights() -> None:
    grammar = parse_text('top S\n3 S -> A A\n1 S -> "b" A\n1 A -> S\n9 A -> "a"')
    trees = list(sample(400, grammar=grammar, seed=2))
    starts = sum(tree.words[0] == "b" for tree in trees)
    assert 70 < starts < 180
    assert str(trees[0]) == str(next(sample(1, grammar=grammar, seed=2)))
    with pytest.raises(UsageError, match="no words, or no rules that lead to words"):
        sample(1, grammar=parse_text("top S\n1 S -> S S"))
