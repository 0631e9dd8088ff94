"""The everyday sentences of the benchmarks: they fit their constituents and the label sets."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from crossbranch import Node, Token, Tree
from crossbranch.models import LABEL_SETS, label_set

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
LANGUAGES = ("en", "de", "nl", "is")

pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="benchmarks/ is not here")


@pytest.fixture(scope="module")
def sentences() -> Iterator[ModuleType]:
    path = BENCHMARKS / "accuracy" / "_everyday_sentences.py"
    spec = importlib.util.spec_from_file_location("_everyday_sentences", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_forty_sentences(sentences: ModuleType, language: str) -> None:
    found = sentences.everyday(language)
    assert len(found) == 40
    assert all(sentence.constituents for sentence in found)
    assert sum(sentence.is_discontinuous for sentence in found) >= 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_are_those_of_the_treebank(sentences: ModuleType, language: str) -> None:
    path = BENCHMARKS / "everyday" / f"{language}.toml"
    treebank = tomllib.loads(path.read_text(encoding="utf-8"))["treebank"]
    assert treebank in LABEL_SETS
    for sentence in sentences.everyday(language):
        for constituent in sentence.constituents:
            assert constituent.label in label_set(treebank).phrases


def tree_of(*phrases: Node) -> Tree:
    """Return a tree of "What should I do?", with these phrases below its root."""
    places = (("What", 0, 4), ("should", 5, 11), ("I", 12, 13), ("do", 14, 16), ("?", 16, 17))
    tokens = [Token(form, start=start, end=end) for form, start, end in places]
    covered = {token for phrase in phrases for token in phrase.tokens}
    rest = [token for token in range(len(tokens)) if token not in covered]
    return Tree(tokens, Node("ROOT", [*phrases, *rest]))


def test_missing_constituents_are_found_by_their_letters(sentences: ModuleType) -> None:
    text = "What should I do?"
    wanted = [sentences.undoubted(text, entry) for entry in ("VP What … do", "NP I")]
    sentence = sentences.Everyday(text, tuple(wanted))
    punctuated = Node("VP", [0, 3, 4])
    assert sentence.missing(tree_of(punctuated, Node("NP", [2]))) == []
    assert sentence.missing(tree_of(Node("VP", [0, 3]))) == [wanted[1]]
    assert sentence.missing(tree_of(Node("S", [0, 3]), Node("NP", [2]))) == [wanted[0]]


def test_words_that_do_not_fit_are_errors(sentences: ModuleType) -> None:
    with pytest.raises(ValueError, match="expected 'you' once, found it 0 times"):
        sentences.undoubted("What should I do?", "NP you")
    with pytest.raises(ValueError, match="expected 'er' once, found it 2 times"):
        sentences.undoubted("Dass er lacht, weiß er.", "NP er")
    with pytest.raises(ValueError, match="not in the order"):
        sentences.undoubted("What should I do?", "VP do … What")


def test_other_spellings_keep_the_words(sentences: ModuleType) -> None:
    text = "Die Suppe ist heiß."
    words = (sentences.undoubted(text, "AP heiß"),)
    capitals = sentences.respelled(sentences.Everyday(text, words), sentences.all_capitals)
    assert capitals.text == "DIE SUPPE IST HEISS."
    assert "".join(capitals.text[i] for i in sorted(capitals.constituents[0].span)) == "HEISS"
    bare = sentences.respelled(sentences.Everyday(text, words), sentences.without_final_mark)
    assert bare.text == "Die Suppe ist heiß"
    assert bare.constituents == words
