"""Lemmatizers: known and unknown words, capitals, numbers, compounds, files."""

from __future__ import annotations

import json

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.tagging import Lemmatizer
from crossbranch.tagging.lemmas import LEMMAS, WEIGHTS
from crossbranch.tree import Sentence, Token

ENGLISH = """
 the/DT/the cats/NNS/cat dogs/NNS/dog birds/NNS/bird tables/NNS/table cars/NNS/car hats/NNS/hat
 stories/NNS/story cities/NNS/city ladies/NNS/lady parties/NNS/party walked/VBD/walk talked/VBD/talk
 played/VBD/play looked/VBD/look asked/VBD/ask went/VBD/go went/NN/went Anna/NNP/Anna
 London/NNP/London Peter/NNP/Peter NASA/NNP/NASA The/DT/the Cats/NNS/cat Old/JJ/old red/JJ/red
 Small/JJ/small Great/JJ/great 12/CD/12 saw/VBD/see saw/NN/saw saw/VBD/see saw/VBD/saw
 n't/RB/not
"""
DUTCH = """
 raad/n/raad raden/n/raad partij/n/partij partijen/n/partij gemeente/n/gemeente schaak/n/schaak
 oorlog/n/oorlog daad/n/daad daden/n/daad gemeenteraad/n/gemeente_raad
 schaakpartijen/n/schaak_partij oorlogsdaad/n/oorlog_daad oorlogsdaden/n/oorlog_daad
 partijraad/n/partij_raad gemeentepartij/n/gemeente_partij dorp/n/dorp dorpen/n/dorp
 straat/n/straat straten/n/straat
"""


def sentence(text: str) -> Sentence:
    """Return the tokens of `form/tag/lemma form/tag/lemma ...`."""
    words = [word.split("/") for word in text.split()]
    return tuple(Token(form, tag, lemma) for form, tag, lemma in words)


class Folder:
    """Files by name, as a model folder."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def data(self, name: str) -> bytes:
        return self.files[name]

    def where(self, name: str) -> str:
        return f"model/{name}"


english = Lemmatizer.learn([sentence(ENGLISH)])


def test_the_words_of_training_have_their_lemmas() -> None:
    trees = list(sample(60, seed=5, max_length=15))
    learned = Lemmatizer.learn([tree.sentence for tree in trees])
    lemmas: dict[tuple[str, str], set[str]] = {}
    for token in (token for tree in trees for token in tree.sentence):
        lemmas.setdefault((token.form, token.tag), set()).add(token.lemma)
    clear = {word: found.pop() for word, found in lemmas.items() if len(found) == 1}
    assert len(clear) > 50
    assert {word: learned.lemma(*word) for word in clear} == clear


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("went", "VBD", "go"),  # by form and tag
        ("went", "NN", "went"),
        ("saw", "VBD", "see"),  # the more frequent one
        ("mats", "NNS", "mat"),  # unknown
        ("berries", "NNS", "berry"),
        ("Birds", "NNS", "bird"),  # capitals: known in lower case
        ("WALKED", "VBD", "walk"),
        ("LONDON", "NNP", "London"),  # known with one capital
        ("Maria", "NNP", "Maria"),  # an unknown name
        ("Strange", "JJ", "strange"),
        ("1984", "CD", "1984"),  # nothing to cut without letters
        ("44", "NNS", "44"),
        ("--", "NNS", "--"),
        ("n’t", "RB", "not"),  # another apostrophe than in training
        ("mat", "", ""),  # without a tag
        ("", "NN", ""),
    ],
)
def test_lemmas(form: str, tag: str, lemma: str) -> None:
    assert english.lemma(form, tag) == lemma


def test_every_word_gets_a_lemma() -> None:
    tags = ("NNS", "VBD", "NNP", "new tag")
    for form in ("s", "S", "es", "ies", "İİ", "\ud800s", "x" * 5000, "a b", "ß", "😀s"):
        assert all(english.lemma(form, tag) for tag in tags)


def test_compounds_are_joined_as_in_training() -> None:
    dutch = Lemmatizer.learn([sentence(DUTCH)])
    assert dutch.guesser.compounds.links == ("", "s")
    assert dutch.lemma("gemeenteraden", "n") == "gemeente_raad"
    assert dutch.lemma("oorlogsraden", "n") == "oorlog_raad"
    assert dutch.lemma("dorpsraad", "n") == "dorp_raad"
    assert not english.guesser.compounds.links


def test_lemmas_of_sentences() -> None:
    tokens = (Token("The", "DT"), Token("mats", "NNS"), Token("fell"))
    assert english.lemmas(tokens) == ["the", "mat", ""]
    assert english.lemmas(()) == []


def test_the_same_seed_gives_the_same_lemmatizer() -> None:
    assert Lemmatizer.learn([sentence(ENGLISH)]).files() == english.files()


def test_saving_and_loading() -> None:
    for learned in (english, Lemmatizer.learn([sentence(DUTCH)])):
        loaded = Lemmatizer.from_folder(Folder(learned.files()))
        assert loaded.files() == learned.files()
        assert loaded.table == learned.table
        for word in ("mats", "dorpsraad", "Xyz"):
            assert loaded.lemma(word, "n") == learned.lemma(word, "n")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (LEMMAS, b""),
        (LEMMAS, b"[]"),
        (LEMMAS, b"{"),
        (LEMMAS, json.dumps({"columns": []}).encode()),
        (WEIGHTS, b""),
        (WEIGHTS, b"rubbish"),
    ],
)
def test_damaged_files_are_named(name: str, data: bytes) -> None:
    with pytest.raises(InputError, match=f"model/{name}"):
        Lemmatizer.from_folder(Folder({**english.files(), name: data}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("general", 0),
        ("general", 10_000),
        ("words", {"NN": [[10_000, ["word"]]]}),
        ("words", {"NN": [[-1, ["word"]]]}),
        ("columns", ["no such column"]),
        ("columns", []),
        ("rules", [["UPPER", []]]),
    ],
)
def test_wrong_values_are_named(key: str, value: object) -> None:
    content = json.loads(english.files()[LEMMAS]) | {key: value}
    files = {**english.files(), LEMMAS: json.dumps(content).encode()}
    with pytest.raises(InputError, match="model/lemmas"):
        Lemmatizer.from_folder(Folder(files))


def test_weights_of_another_lemmatizer_are_refused() -> None:
    other = Lemmatizer.learn(tree.sentence for tree in sample(60, seed=5, max_length=15))
    assert other.table.general > english.table.general
    with pytest.raises(InputError, match=WEIGHTS):
        Lemmatizer.from_folder(Folder({**english.files(), WEIGHTS: other.files()[WEIGHTS]}))


def test_nothing_to_learn_from() -> None:
    with pytest.raises(UsageError, match="no token has a tag and a lemma"):
        Lemmatizer.learn([(Token("a", "DT"), Token("b", "", "b"))])
    with pytest.raises(UsageError, match="epochs is 0"):
        Lemmatizer.learn([sentence(ENGLISH)], epochs=0)


def test_known_words_have_the_tag_of_the_training_data() -> None:
    lemmatizer = Lemmatizer.learn([sentence(ENGLISH)], epochs=1)
    assert lemmatizer.knows("cats", "NNS")
    assert not lemmatizer.knows("cats", "VBD")
    assert not lemmatizer.knows("whales", "NNS")
    assert not lemmatizer.knows("cats", "unknown")
