"""Edit rules: they make the lemma of a form, or they do not fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.tagging.lemma_rules import (
    Edit,
    LemmaRule,
    Lemmatized,
    RuleChooser,
    possible_rules,
)

texts = st.text(max_size=8)


@given(texts, texts.filter(bool))
def test_every_possible_rule_makes_the_lemma(form: str, lemma: str) -> None:
    rules = list(possible_rules(form, lemma))
    assert rules
    assert len(set(rules)) == len(rules)
    assert [rule.apply(form) for rule in rules] == [lemma] * len(rules)


@given(st.lists(st.tuples(texts, texts.filter(bool)), min_size=1, max_size=6))
def test_the_chosen_rule_makes_the_lemma(pairs: list[tuple[str, str]]) -> None:
    words = [Lemmatized(form, "N", lemma) for form, lemma in pairs]
    chooser = RuleChooser(words)
    assert [chooser.rule(word).apply(word.form) for word in words] == [one.lemma for one in words]


@pytest.mark.parametrize(
    ("rule", "form", "lemma"),
    [
        (LemmaRule("lower"), "Huis", "huis"),
        (LemmaRule("keep"), "NASA", "NASA"),
        (LemmaRule("title"), "OLYMPUS", "Olympus"),
        (LemmaRule("lower", (Edit(-4, "zen", "s"),)), "Huizen", "huis"),
        (LemmaRule("lower", (Edit(-4, "zen", "s"),)), "huis", ""),  # nothing to cut
        (LemmaRule("lower", (Edit(2, "ge", "_"), Edit(-1, "", "n"))), "opgezette", "op_zetten"),
        (LemmaRule("lower", (Edit(2, "ge", "_"), Edit(-1, "", "n"))), "voorgezette", ""),
        (LemmaRule("lower", (Edit(-9, "", "x"),)), "kort", ""),  # too short
        (LemmaRule("lower", (Edit(0, "ab", ""), Edit(-2, "b", ""))), "ab", ""),  # edits overlap
    ],
)
def test_a_rule_fits_or_gives_nothing(rule: LemmaRule, form: str, lemma: str) -> None:
    assert rule.apply(form) == lemma


def test_words_share_rules() -> None:
    pairs = [("huizen", "huis"), ("muizen", "muis"), ("lozen", "lozen"), ("kazen", "kaas")]
    words = [Lemmatized(form, "n", lemma) for form, lemma in pairs]
    chooser = RuleChooser(words)
    assert chooser.rule(words[0]) == chooser.rule(words[1])


def test_words_in_lower_case_follow_words_with_capitals() -> None:
    words = [
        Lemmatized("Anna", "NNP", "Anna"),
        Lemmatized("Rome", "NNP", "Rome"),
        Lemmatized("anna", "NNP", "anna"),
        Lemmatized("Red", "JJ", "red"),
        Lemmatized("old", "JJ", "old"),
    ]
    chooser = RuleChooser(words)
    assert chooser.rule(words[2]).case == "keep"
    assert chooser.rule(words[4]).case == "lower"


def test_a_rule_that_leaves_nothing_is_not_for_new_words() -> None:
    (rule,) = possible_rules("was", "zijn")
    assert not rule.leaves("was")
    assert LemmaRule("lower", (Edit(-2, "s", ""),)).leaves("cats")
