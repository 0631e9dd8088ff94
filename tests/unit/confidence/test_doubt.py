"""Doubt: which words are unknown, and which trees are doubtful."""

from __future__ import annotations

import pytest

from crossbranch.confidence.doubt import (
    DOUBTFUL,
    UNFAMILIAR,
    UNKNOWN_WORDS,
    UNSURE,
    KnownWords,
    doubt_confidence,
    reasons_to_doubt,
)
from crossbranch.config import Description
from crossbranch.jobs import DoubtCounts, formatted
from crossbranch.parsers import LinearTransitionParser, Parser, train
from crossbranch.parsers.sentences import Request, has_parse
from crossbranch.text import Casing
from crossbranch.tree import Features, Node, Token, Tree, feature
from crossbranch.treebank import FORMATS
from crossbranch.treebank.writing import TreeWriter

WORDS = KnownWords({"the", "cat", "sleeps", "Anna"})
DOUBT: Features = ((DOUBTFUL, UNFAMILIAR), (UNKNOWN_WORDS, "0.50"))


def tokens(text: str) -> tuple[Token, ...]:
    return tuple(map(Token, text.split()))


def flat(text: str, features: Features = ()) -> Tree:
    return Request(tokens(text), features=features).tree()


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("The cat sleeps .", (0, 3)),
        ("the dog sleeps , -LRB- 27 1,5 % ...", (1, 3)),
        ("anna Anna ANNA", (2, 3)),  # a name is not known in lower case
        ("THE Q8 3D-print", (2, 3)),
        ("12 !", (0, 0)),
        ("", (0, 0)),
        ("x" * 100, (1, 1)),
    ],
)
def test_words_are_counted_but_not_punctuation_and_numbers(
    text: str, counts: tuple[int, int]
) -> None:
    assert WORDS.count(tokens(text)) == counts
    assert WORDS.count(tokens(text)) == counts  # from the cache
    assert sum(WORDS.unknown(tokens(text))) == counts[0]


@pytest.mark.parametrize("form", ["n’t", "nʼt", "n't", "N’T", "’s", "’S", "e‑mail", "E–MAIL"])
def test_words_with_other_apostrophes_and_dashes_are_known(form: str) -> None:
    words = KnownWords({"n't", "'s", "e-mail"})
    assert words.count(tokens(form)) == (0, 1)
    assert words.count(tokens("’tis")) == (1, 1)


def test_sentences_in_one_case_count_as_they_are_read() -> None:
    casing = Casing({"anna": "Anna"})
    words = KnownWords({"the", "cat", "Anna"}, casing)
    for text in ("the cat sees anna .", "THE CAT SEES ANNA .", "The cat sees Anna ."):
        assert words.unknown(tokens(text)) == [False, False, True, False, False]
        assert words.count(tokens(text)) == (1, 4)
    assert words.count(tokens("The cat sees anna .")) == (2, 4)  # it has both cases


def test_a_sentence_is_doubtful_if_half_of_its_words_are_unknown() -> None:
    assert WORDS.features(tokens("the cat sleeps badly")) == ()
    assert WORDS.features(tokens("the dog barks , cat")) == DOUBT
    assert WORDS.features(tokens("a dog barks at Anna the cat")) == (
        (DOUBTFUL, UNFAMILIAR),
        (UNKNOWN_WORDS, "0.57"),
    )
    assert WORDS.features(tokens("7 . !")) == ()
    assert WORDS.features(()) == ()


def test_the_cache_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossbranch.confidence.doubt._CACHE_LIMIT", 3)
    words = KnownWords({"w1"})
    assert words.count(tokens(" ".join(f"w{i}" for i in range(10)))) == (9, 10)
    assert len(words) <= 3


def test_low_confidence_is_a_reason_of_its_own() -> None:
    assert doubt_confidence((), [0.9, 0.8]) == ()
    assert doubt_confidence((), []) == ()
    assert doubt_confidence((), [0.8, 0.1]) == ((DOUBTFUL, UNSURE),)
    both = doubt_confidence(DOUBT, [0.8, 0.1])
    assert reasons_to_doubt(flat("a", both)) == (UNFAMILIAR, UNSURE)
    assert doubt_confidence(both, [0.8, 0.1]) == both
    assert doubt_confidence(both, [0.9]) == DOUBT
    assert doubt_confidence(((DOUBTFUL, UNSURE),), [0.9]) == ()
    assert reasons_to_doubt(flat("a")) == ()


@pytest.fixture(scope="module")
def gold() -> list[Tree]:
    words = (Token("Anna", "N"), Token("sieht", "V"), Token("ihn", "P"), Token(".", "$."))
    root = Node("ROOT", [Node("S", [0, Node("VP", [1, 2])]), 3])
    return [Tree(words, root)] * 6


@pytest.fixture(scope="module", params=["predicted", "gold"])
def parser(request: pytest.FixtureRequest, gold: list[Tree]) -> Parser:
    return train("sr-gap", train=gold, dev=gold[:2], epochs=1, tags=request.param)


def test_parsers_mark_sentences_with_unknown_words(parser: Parser) -> None:
    known = [("Anna", "N"), ("sieht", "V"), ("ihn", "P")]
    odd = [("Ben", "N"), ("hört", "V"), ("ihn", "P")]
    sentences = [known, odd, [], [*odd[:1], *known[1:]]]
    for confidence in (False, True):
        found = list(parser.parse_many(sentences, confidence=confidence))
        shares = [feature(tree.features, UNKNOWN_WORDS) for tree in found]
        assert shares == ["", "0.67", "", ""]
        assert [UNFAMILIAR in reasons_to_doubt(tree) for tree in found] == [False, True] + [
            False
        ] * 2
    if parser.tagger is not None:
        (tagged,) = parser.tag([odd])
        assert reasons_to_doubt(tagged) == (UNFAMILIAR,)
    else:
        assert isinstance(parser, LinearTransitionParser)


def test_a_model_that_does_not_say_what_it_knows_has_no_doubts(parser: Parser) -> None:
    class Silent(LinearTransitionParser):
        vocabulary = None

    assert parser.known_words is parser.known_words
    assert Silent.__new__(Silent).known_words is None


def test_a_fall_back_tree_may_be_doubtful_too() -> None:
    found = Request(tokens("a b"), features=DOUBT).fallback()
    assert not has_parse(found)
    assert reasons_to_doubt(found) == (UNFAMILIAR,)


def test_formats_hold_the_features_or_drop_them_silently() -> None:
    tree = flat("Anna barks", DOUBT).replace(id="1")
    assert '"unknown-words":"0.50"' in formatted(FORMATS["json"]).tree(tree, 1)
    export = formatted(FORMATS["export"])
    assert export.tree(tree, 1) == export.tree(tree.replace(features=()), 1)
    assert not export.losses
    export.tree(tree.replace(features=(*DOUBT, ("other", "x"))), 1)
    assert export.losses == {"tree features": 1}
    plain = TreeWriter(FORMATS["export"])
    plain.tree(tree, 1)
    assert plain.losses == {"tree features": 2}


def counted(doubtful: int, others: int, features: Features = DOUBT) -> DoubtCounts:
    counts = DoubtCounts()
    for number in range(doubtful + others):
        counts.add(flat("a", features if number < doubtful else ()))
    return counts


def test_one_message_tells_of_all_doubtful_sentences() -> None:
    described = Description(language="German", text="annual reports", trained_on="SQUOIA")
    assert counted(12, 28).message("de", described) == (
        "12 of 40 sentences have mostly unknown words;"
        " this model is for German text (annual reports); see: crossbranch models de"
    )
    assert counted(1, 0).message("my/model", Description()) == (
        "1 of 1 sentence has mostly unknown words; see: crossbranch models my/model"
    )
    older = Description(language="German", trained_on="SQUOIA")
    assert "is for German text (SQUOIA);" in counted(1, 3).message("x", older)
    assert "is for German text;" in counted(1, 3).message("x", Description(language="German"))
    assert "is for old letters;" in counted(1, 3).message("x", Description(text="old letters"))
    assert counted(1, 30).message("x", described) == ""  # some are in every text
    assert counted(0, 0).message("x", described) == ""
    both = ((DOUBTFUL, f"{UNFAMILIAR}, {UNSURE}"),)
    assert counted(2, 2, both).message("x", Description()) == (
        "2 of 4 sentences have mostly unknown words and 2 of 4 sentences have trees with low"
        " confidence; see: crossbranch models x"
    )


def test_sentences_that_were_too_long_are_counted() -> None:
    counts = counted(2, 3, (("search-space", "cubic"),))
    assert counts.message("x", Description()) == ""
    assert counts.spaces_message() == (
        "2 sentences were too long for the search space and got a smaller one: cubic 2"
    )
    assert counted(0, 3).spaces_message() == ""
