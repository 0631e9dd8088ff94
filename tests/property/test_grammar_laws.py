"""Laws of grammars: files keep them, normal forms keep their language, and parsing is exact."""

import math
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path

import pytest
from grammar_yields import Yield, apply, grammars, sentences
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch.errors import InputError, UsageError
from crossbranch.grammar import (
    Deduction,
    Grammar,
    Rule,
    binary,
    extract,
    gap_explicit,
    label_of,
    measure,
    merge,
    ordered,
    parse_text,
    read,
    sample,
    symbol_of,
    tagged,
    trim,
    write,
)
from crossbranch.grammar.lcfrs import is_hidden, rule_of
from crossbranch.grammar.text_format import write_text
from crossbranch.tree import Tree

LENGTH = 5  # of the longest sentences that are compared


@given(st.text(), st.integers(1, 12))
def test_a_symbol_keeps_its_label(label: str, fan_out: int) -> None:
    symbol = symbol_of(label, fan_out)
    assert label_of(symbol) == label
    assert not is_hidden(symbol)
    assert not set(symbol) & set(' \t\n()[]/?"')


@given(st.text(), st.text(), st.integers(1, 3), st.integers(1, 3))
def test_different_labels_have_different_symbols(one: str, two: str, a: int, b: int) -> None:
    assert (symbol_of(one, a) == symbol_of(two, b)) == ((one, a) == (two, b))


@given(st.lists(trees(min_size=1), min_size=1, max_size=4))
def test_extracted_grammars_are_ordered_and_gap_explicit(found: list[Tree]) -> None:
    grammar = extract(found)
    figures = measure(grammar)
    assert figures.ordered
    assert figures.gap_explicit
    assert figures.tagged
    assert figures.useless == 0
    assert ordered(grammar) == gap_explicit(grammar) == tagged(grammar) == grammar
    assert all(math.isclose(total, 1) for total in grammar.probabilities().totals().values())


@given(trees(min_size=1))
def test_rules_give_back_the_words_of_their_nodes(tree: Tree) -> None:
    words = tuple(map(str, range(len(tree.sentence))))
    found: dict[int, Yield] = {}
    for node in tree.root.postorder():
        children = [((words[c],),) if isinstance(c, int) else found[id(c)] for c in node.children]
        found[id(node)] = apply(rule_of(node, tree.sentence), children)
        assert found[id(node)] == tuple(words[start:stop] for start, stop in node.blocks)


@given(found=st.lists(trees(min_size=1), min_size=1, max_size=3))
def test_files_keep_extracted_grammars(found: list[Tree], folder: Path) -> None:
    grammar = extract(found)
    for name in ("my.lcfrs", "my.rcg.gz"):
        write(grammar, folder / name)
        assert read(folder / name) == grammar
    small = binary(grammar)
    write(small, folder / "my.rules.xz")
    again = read(folder / "my.rules.xz")
    assert set(again.rules) == set(small.rules)
    assert again == small.probabilities()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("grammars")


@given(grammars())
def test_the_text_format_keeps_every_grammar(grammar: Grammar) -> None:
    assert parse_text("".join(write_text(grammar))) == grammar


@given(grammars())
def test_deduction_agrees_with_the_definition(grammar: Grammar) -> None:
    known = sentences(ordered(grammar), LENGTH)
    deduction = Deduction(grammar)
    for length in range(1, LENGTH + 1):
        for words in product("ab", repeat=length):
            parse = deduction.parse(words)
            assert (parse is not None) == (words in known)
            if parse is not None:
                assert math.isclose(parse.log_probability, math.log(known[words]), abs_tol=1e-9)
                assert tuple(parse.tree.words) == words


FORMS: list[Callable[[Grammar], Grammar]] = [
    trim,
    ordered,
    tagged,
    binary,
    lambda grammar: gap_explicit(ordered(grammar)),
    lambda grammar: binary(tagged(gap_explicit(ordered(grammar)))),
]


@given(grammars(), st.sampled_from(FORMS))
def test_normal_forms_keep_the_language(
    grammar: Grammar, form: Callable[[Grammar], Grammar]
) -> None:
    # The weights of useless rules would count in probabilities.
    grammar = trim(grammar)
    one, two = sentences(grammar, LENGTH), sentences(form(grammar), LENGTH)
    assert set(one) == set(two)
    for words, probability in one.items():
        assert two[words] > probability * (1 - 1e-9)  # rules that become equal are added


@given(grammars())
def test_normal_forms_are_what_they_say(grammar: Grammar) -> None:
    assert measure(ordered(grammar)).ordered
    assert measure(gap_explicit(ordered(grammar))).gap_explicit
    assert measure(gap_explicit(ordered(grammar))).ordered
    assert measure(tagged(grammar)).tagged
    assert measure(binary(grammar)).binary
    assert measure(trim(grammar)).useless == 0


@given(grammars(), st.integers(1, 3))
def test_sampled_sentences_are_in_the_language(grammar: Grammar, seed: int) -> None:
    known = sentences(grammar, LENGTH)
    useful = trim(grammar)
    if not known or _has_circle(useful):
        return
    for tree in islice(sample(5, grammar=grammar, seed=seed, max_length=LENGTH), 5):
        assert tuple(tree.words) in known


def _has_circle(grammar: Grammar) -> bool:
    """Say whether a symbol can become itself alone: such trees have no end to their depth."""
    steps = {(rule.left, rule.right[0]) for rule in grammar.rules if rule.rank == 1}
    while True:
        more = {(a, d) for a, b in steps for c, d in steps if b == c} - steps
        if not more:
            return any(a == b for a, b in steps)
        steps |= more


@given(st.lists(trees(min_size=1), min_size=2, max_size=4))
def test_merging_is_extracting_from_all(found: list[Tree]) -> None:
    found = [tree.replace(root=tree.root.replace(label="ROOT")) for tree in found]
    assert merge(map(extract, ([tree] for tree in found))) == extract(found)


@given(trees(min_size=1, max_size=6))
def test_the_grammar_of_a_tree_parses_its_sentence(tree: Tree) -> None:
    grammar = extract([tree])
    parse = Deduction(grammar).parse(tree.words)
    assert parse is not None
    used = {rule_of(node, parse.tree.sentence) for node in parse.tree.nodes}
    assert used <= set(grammar.rules)
    assert isinstance(next(iter(used)), Rule)


WHOLE = {
    "my.lcfrs": 'top S\n2 S -> A(x,y) B(z) : x z y\n1 A -> : "a" , "b"\n1 B -> "b" B\n1 B -> "c"\n',
    "my.rules": "S\tA_2\tB\t010\t1/2\nA_2\tC\tD\t0,1\t1\n",
    "my.rcg": "#start S1\nS1([0][1][2]) --> A2([0],[2]) B1([1])\nA2([0],[1]) --> B1([0]) C1([1])",
    "my.lex": "b\tB\t1/2\nc\tC 1\n",
}


@given(name=st.sampled_from(sorted(WHOLE)), data=st.data())
def test_damaged_files_give_errors_that_name_a_place(
    name: str, data: st.DataObject, folder: Path
) -> None:
    text = WHOLE[name]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        new = data.draw(st.sampled_from([*'\n\t ,:;#"()[]->/01xS.', "1e9", "é", ""]))
        text = text[:place] + new + text[place + data.draw(st.integers(0, 3)) :] or " "
    for one, whole in WHOLE.items():
        (folder / one).write_text(text if one == name else whole)
    for format, rules in (("lcfrs", "my.lcfrs"), ("discodop", "my.rules"), ("rparse", "my.rcg")):
        try:
            grammar = read(folder / rules, format=format)
        except InputError as error:
            assert str(folder) in str(error)
        except UsageError:
            continue  # symbols do not agree
        else:
            assert parse_text("".join(write_text(grammar))) == grammar
