"""Changed copies of training trees: no final mark, other cases, curved quotes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from crossbranch.config import AugmentSettings
from crossbranch.grammar.random_trees import random_trees
from crossbranch.grammar.sampling import sample
from crossbranch.training.augmentation import (
    Augmentation,
    in_capitals,
    in_small_letters,
    with_typographic_quotes,
    without_final_mark,
)
from crossbranch.tree import Node, Token, Tree

TREES = list(sample(200, grammar="english", seed=1))


def sentence(*words: str) -> Tree:
    """A flat tree; a word may have a tag: Word/TAG."""
    pairs = [word.partition("/") for word in words]
    tokens = [Token(form, tag or "X") for form, _, tag in pairs]
    return Tree(tokens, Node("S", range(len(tokens))))


def words(tree: Tree) -> str:
    return " ".join(token.form for token in tree.sentence)


def copies(trees: list[Tree], seed: str = "1", **shares: Any) -> list[tuple[int, Tree]]:
    return Augmentation(AugmentSettings.of(shares), trees).copies(trees, seed)


@pytest.mark.parametrize("tree", list(random_trees(30, seed=1)), ids=lambda tree: tree.id)
def test_all_constituents_stay_when_the_final_mark_goes(tree: Tree) -> None:
    last = len(tree.sentence) - 1
    marked = tree.replace(
        sentence=[*tree.sentence[:-1], tree.sentence[-1]._replace(form="?", tag=".")]
    )
    found = without_final_mark(marked)
    assert found.sentence == tree.sentence[:-1]
    expected = Counter(
        (node.label, node.span & ~(1 << last)) for node in tree.nodes if node.span != 1 << last
    )
    assert Counter((node.label, node.span) for node in found.nodes) == expected


def test_sentences_without_a_final_mark_stay_as_they_are() -> None:
    for tree in (sentence("Stop"), sentence("."), sentence("a", ".", '"'), sentence("Mr.")):
        assert without_final_mark(tree) is tree


def test_words_in_another_case() -> None:
    tree = sentence("I", "do", "n't", "-LRB-", "NASA", "-RRB-", ".")
    assert words(in_small_letters(tree)) == "i do n't -LRB- nasa -RRB- ."
    assert words(in_capitals(tree)) == "I DO N'T -LRB- NASA -RRB- ."
    assert in_small_letters(in_small_letters(tree)).tags == tree.tags
    small = sentence("so", ".")
    assert in_small_letters(small) is small


def test_curved_quotes() -> None:
    tree = sentence("``", "It", "'s", "O'Hara", "'s", "''", ",", '"', "no", '"', ",", "the", "boys")
    assert words(with_typographic_quotes(tree)) == "“ It ’s O’Hara ’s ” , “ no ” , the boys"
    tags = sentence("\"/''", "a", '"/``', "'/POS", "'/``", "`/``")
    assert words(with_typographic_quotes(tags)) == "” a “ ’ ‘ ‘"


def test_the_first_letter_becomes_small_if_the_word_is_known_so() -> None:
    trees = [
        sentence("The", "man", "saw", "the", "house"),
        sentence("Anna", "saw", "Anna"),
        sentence('"', "The", "end"),
        sentence("Nobody", "knows"),
        sentence("NASA", "knows"),
        sentence("..."),
    ]
    found = copies(trees, lower_first=1)
    assert [(n, words(tree)) for n, tree in found] == [
        (0, "the man saw the house"),
        (2, '" the end'),
    ]


def test_each_change_has_its_share_and_the_seed_decides() -> None:
    found = copies(TREES, all_caps=0.3)
    assert 40 <= len(found) <= 80
    assert all(tree == in_capitals(TREES[number]) for number, tree in found)
    assert found == copies(TREES, all_caps=0.3)
    assert [n for n, _ in found] != [n for n, _ in copies(TREES, "2", all_caps=0.3)]
    assert copies(TREES, all_caps=0) == []
    assert len(copies(TREES, all_caps=1)) == len(TREES)


def test_a_copy_may_have_several_changes() -> None:
    (number, tree), *_ = copies(TREES, all_caps=1, no_final_mark=1)
    assert words(tree) == words(in_capitals(without_final_mark(TREES[number])))
