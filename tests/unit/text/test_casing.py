"""The usual casing of words, for sentences in capitals and in lower case."""

from __future__ import annotations

import pytest
from trained_parsers import DEV, trained

from crossbranch import Token, Tree
from crossbranch.errors import InputError
from crossbranch.text import Casing


def sentence(text: str) -> tuple[Token, ...]:
    return tuple(Token(word, f"T{i}") for i, word in enumerate(text.split()))


def forms(tokens: tuple[Token, ...]) -> str:
    return " ".join(token.form for token in tokens)


CASING = Casing.learn(
    map(
        sentence,
        [
            "Das Haus ist alt .",
            "Im Haus wohnt Anna Huber .",
            "Die USA sind groß , sagt Anna .",
            "Wir essen , und das Essen ist gut , denn wir essen viel .",
            "DAS IST EIN TITEL",
        ],
    )
)


def test_sentences_in_capitals_are_read_as_usual() -> None:
    read = CASING.read(sentence("ANNA HUBER SAGT , DAS HAUS IN DEN USA IST -LRB- GROSS -RRB- ."))
    assert forms(read) == "Anna Huber sagt , das Haus in den USA ist -LRB- gross -RRB- ."
    assert [token.tag for token in read] == [f"T{i}" for i in range(len(read))]


def test_sentences_in_lower_case_are_read_as_usual() -> None:
    assert forms(CASING.read(sentence("das haus ist alt"))) == "Das Haus ist alt"
    assert forms(CASING.read(sentence("wir essen , anna ."))) == "Wir essen , Anna ."


@pytest.mark.parametrize("text", ["Das HAUS ist alt .", "Anna", "USA !", "", "12 : 30", "das Haus"])
def test_other_sentences_stay_as_they_are(text: str) -> None:
    given = sentence(text)
    assert CASING.read(given) is given


def test_a_treebank_whose_sentences_begin_in_lower_case() -> None:
    casing = Casing.learn(map(sentence, ["og Anna kom", "en hann fór", "Þá kom Anna"]))
    assert not casing.capital_first
    assert forms(casing.read(sentence("ÞÁ KOM ANNA"))) == "þá kom Anna"


def test_the_casing_is_stored_as_json() -> None:
    assert Casing.from_json(CASING.to_json(), path="casing.json") == CASING
    for damaged in (b"[]", b'{"version": 1}', b"\xff", CASING.to_json().replace(b":1", b":7", 1)):
        with pytest.raises(InputError, match=r"model/casing\.json"):
            Casing.from_json(damaged, path="model/casing.json")


def test_trees_keep_the_words_as_they_were_typed() -> None:
    parser = trained("sr-gap")
    words = [tree.words for tree in DEV if tree.sentence and tree.words[0][:1].isupper()][:10]
    capitals = [[word.upper() for word in one] for one in words]
    read = [parser.front_end.read(tuple(map(Token, one))) for one in capitals]
    assert not any(forms(one).isupper() for one in read)
    for confidence in (False, True):
        expected = parser.parse_many(read, confidence=confidence)
        found = parser.parse_many(capitals, confidence=confidence)
        for given, tree, usual in zip(capitals, found, expected, strict=True):
            assert tree.words == given
            assert tree.tags == usual.tags
            assert isinstance(tree, Tree)
            assert tree.root == usual.root
            assert tree.features == usual.features
