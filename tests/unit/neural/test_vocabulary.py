"""Words, characters and tags as numbers. Nothing here needs torch."""

from __future__ import annotations

import msgspec
import pytest

from crossbranch.errors import InputError
from crossbranch.neural.vocabulary import START, STOP, UNKNOWN, Vocabulary
from crossbranch.tree import Token


def sentence(text: str) -> tuple[Token, ...]:
    """Return tokens of `form/tag` pairs."""
    pairs = [word.rpartition("/") for word in text.split()]
    return tuple(Token(form, tag) for form, _, tag in pairs)


LEARNED = [sentence("b/X a/Y b/X"), sentence("c/Z a/Y b/Y")]


def test_frequent_words_come_first() -> None:
    vocabulary = Vocabulary.of(LEARNED)
    assert vocabulary.words == ("b", "a", "c")
    assert (vocabulary.characters, vocabulary.tags) == ("abc", ())
    assert (vocabulary.word_count, vocabulary.character_count, vocabulary.tag_count) == (4, 6, 1)
    assert "b" in vocabulary
    assert "d" not in vocabulary


def test_rare_words_are_left_out_but_not_their_characters() -> None:
    vocabulary = Vocabulary.of(LEARNED, min_count=2)
    assert (vocabulary.words, vocabulary.characters) == (("b", "a"), "abc")


def test_tags_are_collected_on_request() -> None:
    vocabulary = Vocabulary.of(LEARNED, has_tags=True)
    assert vocabulary.tags == ("X", "Y", "Z")
    encoded = vocabulary.encode([sentence("a/Z b/NEW c/X")])
    assert list(encoded.tags) == [3, UNKNOWN, 1]
    assert not Vocabulary.of(LEARNED).encode(LEARNED).tags


def test_tokens_are_numbered_and_each_form_is_spelled_once() -> None:
    vocabulary = Vocabulary.of(LEARNED)
    encoded = vocabulary.encode([sentence("a/Y new/Y"), sentence("b/X a/Y cab/X")])
    assert list(encoded.lengths) == [2, 3]
    assert list(encoded.words) == [2, UNKNOWN, 1, 2, UNKNOWN]
    assert list(encoded.forms) == [0, 1, 2, 0, 3]
    assert list(encoded.form_lengths) == [3, 5, 3, 5]
    new = [START, UNKNOWN, UNKNOWN, UNKNOWN, STOP]
    assert list(encoded.characters) == [1, 3, 2, *new, 1, 4, 2, 1, 5, 3, 4, 2]


def test_nothing_is_encoded_as_nothing() -> None:
    encoded = Vocabulary.of(LEARNED).encode([])
    assert not any(map(len, encoded))
    assert Vocabulary.of([]).word_count == 1


@pytest.mark.parametrize(
    ("form", "spelled"),
    [
        ("", [START, STOP]),
        ("é", [START, UNKNOWN, STOP]),
        ("\U0001f600a", [START, UNKNOWN, 3, STOP]),
        ("a" * 40, [START, *[3] * 40, STOP]),
        ("a" * 20 + "c" * 500 + "b" * 20, [START, *[3] * 20, *[4] * 20, STOP]),
        ("a" * 20 + "c" + "b" * 20, [START, *[3] * 20, *[4] * 20, STOP]),
    ],
    ids=["empty", "unknown", "not in the basic plane", "longest", "very long", "one too long"],
)
def test_spelling(form: str, spelled: list[int]) -> None:
    assert Vocabulary(words=(), characters="abc").spelled(form) == spelled


def test_json_and_back() -> None:
    vocabulary = Vocabulary.of([sentence('"/X \U0001f600/Y é/Z')], has_tags=True)
    again = msgspec.json.decode(vocabulary.to_json(), type=Vocabulary)
    assert again == vocabulary
    assert again.encode(LEARNED) == vocabulary.encode(LEARNED)
    again.check("vocabulary.json")


@pytest.mark.parametrize(
    "values",
    [
        {"words": ("a", "a"), "characters": "a"},
        {"words": ("a",), "characters": "aa"},
        {"words": ("a",), "characters": "a", "tags": ("X", "X")},
    ],
    ids=["words", "characters", "tags"],
)
def test_what_occurs_twice_is_refused(values: dict[str, str]) -> None:
    vocabulary = msgspec.convert(values, Vocabulary)
    with pytest.raises(InputError, match=r"^mine\.json: .*twice"):
        vocabulary.check("mine.json")
