"""Dictionary: how words are usually written, and their parts of speech."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.tagging import Dictionary, Tagger
from crossbranch.tagging.dictionary import PartOfSpeech
from crossbranch.tagging.tagger import DICTIONARY
from crossbranch.tree import Token

VERBS = PartOfSpeech(
    frozenset({"walk", "bake"}), frozenset({"went"}), (("ing", ""), ("ing", "e"), ("s", ""))
)
NOUNS = PartOfSpeech(frozenset({"walk", "cat"}), endings=(("s", ""),))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with the tables of a language."""
    tables = {
        "lexeme_prob": {"the": -3.0, "Anna": -9.0, "anna": -15.0, "NASA": -10.0, "1984": -8.0},
        "lemma_index": {"noun": ["walk", "ice_cream"], "verb": ["walk"]},
        "lemma_exc": {"verb": {"went": ["go"]}},
        "lemma_rules": {"verb": [["ed", ""]], "noun": [["s", ""]]},
    }
    data = tmp_path / "spacy_lookups_data" / "data"
    data.mkdir(parents=True)
    (data.parent / "__init__.py").write_text("")
    for name, table in tables.items():
        (data / f"xx_{name}.json.gz").write_bytes(gzip.compress(json.dumps(table).encode()))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "spacy_lookups_data", raising=False)
    return "spacy:xx"


def test_forms_of_a_part_of_speech() -> None:
    dictionary = Dictionary(parts={"noun": NOUNS, "verb": VERBS})
    assert dictionary.classes("Walks") == "noun s, verb s"
    assert dictionary.classes("baking") == "verb ing"
    assert dictionary.classes("went") == "verb *"
    assert dictionary.classes("xyz") == "unknown"


def test_a_dictionary_of_the_package(package: str) -> None:
    found = Dictionary.read(package)
    names, the, nasa = (found.casing(word) for word in ("anna", "THE", "nasa"))
    assert len({names, the, nasa}) == 3
    assert names == found.casing("Anna")
    assert found.casing("1984") == ""
    assert found.casing("zzz") == "unknown"
    assert found.classes("walked") == "verb ed"
    assert found.classes("went") == "verb *"
    assert "ice_cream" not in found.parts["noun"].words


def test_a_dictionary_that_is_not_there(package: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no dictionary of 'yy'"):
        Dictionary.read("spacy:yy")
    with pytest.raises(InputError, match="expected a file"):
        Dictionary.read(str(tmp_path / "nothing.json"))
    (tmp_path / "wrong.json").write_text('{"casings": 1}')
    with pytest.raises(InputError, match="expected a dictionary"):
        Dictionary.read(str(tmp_path / "wrong.json"))


def test_saved_and_read_again(tmp_path: Path) -> None:
    dictionary = Dictionary({"anna": "90", "the": "00"}, {"noun": NOUNS, "verb": VERBS})
    file = tmp_path / DICTIONARY
    file.write_bytes(dictionary.to_json())
    assert Dictionary.read(str(file)) == dictionary


def test_a_tagger_learns_from_casings() -> None:
    """Names are unknown words; only the dictionary tells them from others in capitals."""
    names, others = (
        [f"N{letter}q" for letter in "abcdefgh"],
        [f"O{letter}q" for letter in "abcdefgh"],
    )
    casings = dict.fromkeys(map(str.lower, names), "90") | dict.fromkeys(
        map(str.lower, others), "00"
    )
    pairs = [(word, "NNP") for word in names] + [(word, "NN") for word in others]
    lines = [(Token("a", "DT"), Token(*pair)) for pair in pairs]
    tagger = Tagger.learn(lines[:6] + lines[8:14], dictionary=Dictionary(casings))
    assert tagger.tag([lines[7], lines[15]]) == [["DT", "NNP"], ["DT", "NN"]]
    assert tagger.files()[DICTIONARY]
