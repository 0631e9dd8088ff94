"""Quotes, dashes and apostrophes that the training data writes differently."""

from __future__ import annotations

import pytest

from crossbranch.tagging import Tagger
from crossbranch.tagging.spellings import known_spelling
from crossbranch.tree import Token


@pytest.mark.parametrize(
    ("form", "known", "spelling"),
    [
        ("“", {"``", "''", '"'}, "``"),  # Penn quotes
        ("”", {"``", "''", '"'}, "''"),
        ("„", {'"'}, '"'),
        ("''", {"„", "“"}, "“"),  # German quotes
        ("–", {"-"}, "-"),
        ("--", {"—"}, "—"),
        ("…", {"..."}, "..."),
        ("n’t", {"n't"}, "n't"),
        ("N’t", {"n't"}, "n't"),
        ("’s", {"'s", "’s"}, "’s"),  # known as it is
        ("word", {"'"}, "word"),
        ("“", {"x"}, "“"),  # nothing is known
        ("", {"x"}, ""),
    ],
)
def test_the_first_known_spelling(form: str, known: set[str], spelling: str) -> None:
    assert known_spelling(form, known.__contains__) == spelling


def test_a_tagger_takes_other_quotes_and_apostrophes_for_those_it_knows() -> None:
    words = ['"', "We", "do", "n't", "know", '"', "3", "of", "5", "-", "4", "-"]
    tags = ["QUOTE", "PRP", "VBP", "RB", "VB", "QUOTE", "CD", "IN", "CD", "DASH", "CD", "DASH"]
    sentence = tuple(map(Token, words, tags))
    tagger = Tagger.learn([sentence] * 5, epochs=3)
    other = tuple(map(Token, ["„", "We", "do", "n’t", "know", "“", "3", "of", "5", "–", "4", "—"]))
    assert tagger.tag([other]) == [tags]
