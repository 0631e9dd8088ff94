"""The models that ship: whole, small enough, and right about a few plain sentences."""

from __future__ import annotations

import zlib
from functools import cache

import pytest

from crossbranch import Parser, load
from crossbranch.confidence.doubt import UNFAMILIAR, reasons_to_doubt
from crossbranch.models import describe, label_set, shipped

NAMES = tuple(shipped())
NEURAL = tuple(name for name in NAMES if name.endswith("-neural"))
LINEAR = tuple(name for name in NAMES if name not in NEURAL)
MOST_MEGABYTES = {"linear": 60, "all": 80}  # together, in a wheel

each_model = pytest.mark.parametrize("name", NAMES)


@cache
def model(name: str) -> Parser:
    return load(name)


def test_these_models_ship() -> None:
    assert {"de", "en", "en-bio", "is", "nl"} <= set(LINEAR)
    assert {"de-neural", "en-neural", "is-neural", "nl-neural"} <= set(NEURAL)


@pytest.mark.parametrize(("names", "kinds"), [(LINEAR, "linear"), (NAMES, "all")])
def test_they_fit_into_a_wheel(names: tuple[str, ...], kinds: str) -> None:
    files = [path for name in names for path in shipped()[name].iterdir()]
    size = sum(len(zlib.compress(path.read_bytes(), 6)) for path in files)
    assert size < MOST_MEGABYTES[kinds] * 1_000_000


@each_model
def test_a_card_says_where_a_model_comes_from_and_how_good_it_is(name: str) -> None:
    card = describe(shipped()[name])
    assert all((card.language, card.trained_on, card.licence, card.attribution))
    tags = "own tags" if name in NEURAL else "predicted tags"
    for given in {tags, "raw text", *(["gold tags"] if name in LINEAR else [])}:
        assert 0.6 < (card.score(given, "f1") or 0) < 1
        assert 0.2 < (card.score(given, "discontinuous_f1") or 0) < 1
    assert (card.score(tags, "tags") or 0) > 0.94
    explained = label_set(card.label_set)
    assert all(explained.phrase(label) for label in card.labels if label != "ROOT")
    assert all(explained.tag(tag) for tag in card.tags)


@pytest.mark.parametrize("name", NEURAL)
def test_a_neural_model_finds_more_than_the_linear_one(name: str) -> None:
    neural, linear = describe(name), describe(name.removesuffix("-neural"))
    assert (neural.score_from_words("f1") or 0) > (linear.score_from_words("f1") or 1)
    # Two crossing branches of masc dev are as much as these hundredths.
    crossing = [one.score_from_words("discontinuous_f1") or 0 for one in (neural, linear)]
    assert crossing[0] > crossing[1] - 0.02


@pytest.mark.parametrize(
    ("name", "text", "label", "blocks"),
    [
        ("nl", "Dat boek heb ik gelezen.", "PPART", ["Dat boek", "gelezen"]),
        ("de", "Das wollen wir umkehren.", "VP", ["Das", "umkehren"]),
        ("en", "What should I do?", "VP", ["What", "do"]),
        ("nl-neural", "Dat boek heb ik gelezen.", "PPART", ["Dat boek", "gelezen"]),
        ("de-neural", "Das wollen wir umkehren.", "VP", ["Das", "umkehren"]),
        ("en-neural", "What should I do?", "VP", ["What", "do"]),
    ],
)
def test_crossing_branches(name: str, text: str, label: str, blocks: list[str]) -> None:
    tree = model(name).parse(text)
    found = [node for node in tree.constituents(label) if node.is_discontinuous]
    places = [[text[start:end] for start, end in node.offsets] for node in found]
    assert places == [blocks]


@pytest.mark.parametrize(
    ("name", "text", "label", "phrases"),
    [
        ("en", "The cat sat on the mat.", "NP", ["The cat", "the mat"]),
        ("en-bio", "The protein is expressed in mice.", "NP", ["The protein", "mice"]),
        ("is", "Hann kom heim.", "NP", ["Hann"]),
    ],
)
def test_plain_phrases(name: str, text: str, label: str, phrases: list[str]) -> None:
    assert [node.text for node in model(name).parse(text).constituents(label)] == phrases


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nl", "Dhr. De Vries las blz. 12 van nr. 5. | Hij kocht brood enz. voor mevr. Smit."),
        ("en", "Mrs. Jones met Mr. Lee in St. Louis at 5 p.m. yesterday. | It was late."),
        ("de", "Hr. Müller zahlte lt. Art. 5 Abs. 3 ca. 5 Euro. | Birnen usw. kosten viel."),
        ("is", "Hr. Jón kom kl. 10 í gær. | Sjá bls. 12 hér."),
    ],
)
def test_abbreviations_end_no_sentence(name: str, text: str) -> None:
    tokenizer = model(name).tokenizer
    assert tokenizer is not None
    found = [tree.text for tree in tokenizer.split(text.replace(" | ", " "))]
    assert found == text.split(" | ")


@each_model
def test_a_model_takes_any_text(name: str) -> None:
    text = "Ja! \u202bשלום\u202c 漢字 \x00\ufffd " + "x" * 500 + " 😀 (3,5 %)\n\n" + "a b " * 600
    trees = list(model(name).parse_text(text, threads=2))
    places = [(token.start, token.end) for tree in trees for token in tree.sentence]
    assert "".join(text[start:end] for start, end in places) == "".join(text.split())


OTHER_TEXTS = {
    "English": "Where did you put my keys? The kettle is boiling again. We danced all night.",
    "German": "Wo hast du meine Schlüssel hingelegt? Das Wasser kocht schon wieder.",
}
"""Two short texts; each model gets one that is not in its language."""


@each_model
def test_text_in_another_language_is_doubted(name: str) -> None:
    own = describe(name).language
    text = next(text for language, text in OTHER_TEXTS.items() if language != own)
    found = [reasons_to_doubt(tree) for tree in model(name).parse_text(text)]
    assert sum(UNFAMILIAR in reasons for reasons in found) > len(found) / 2
