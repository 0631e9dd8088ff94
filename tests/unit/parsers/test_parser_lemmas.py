"""Parsers with lemmas: learned, given to tokens without lemmas, saved, written."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import crossbranch as run
from trained_parsers import DEV, TRAIN, train_quickly, trained, trained_with

import crossbranch
from crossbranch.tree import Token
from crossbranch.treebank import read, write

parser = trained("sr-gap")
WORDS = [token.form for token in DEV[0].sentence]


def test_tokens_get_lemmas() -> None:
    tree = parser.parse(WORDS)
    assert parser.lemmatizer is not None
    assert [token.lemma for token in tree.sentence] == parser.lemmatizer.lemmas(tree.sentence)
    assert all(token.lemma for token in tree.sentence)


def test_most_lemmas_are_right() -> None:
    gold = [token.lemma for tree in DEV for token in tree.sentence]
    found = [token.lemma for tree in parser.tag(DEV) for token in tree.sentence]
    assert sum(map(str.__eq__, gold, found)) / len(gold) > 0.8


def test_given_lemmas_are_kept_with_keep_and_replaced_with_predict() -> None:
    tokens = [Token(word, lemma="mine") for word in WORDS]
    assert {token.lemma for token in parser.parse(tokens).sentence} == {"mine"}
    predicted = parser.parse(tokens, tags="predict").sentence
    assert [token.lemma for token in predicted] == [t.lemma for t in parser.parse(WORDS).sentence]
    (tagged,) = parser.tag([tokens])
    assert tagged.sentence == tuple([token._replace(edge_label="") for token in predicted])


def test_parsers_that_need_tags_have_lemmas_for_given_tags() -> None:
    gold = trained_with("sr-gap", tags="gold")
    tokens = [Token(token.form, token.tag) for token in DEV[0].sentence]
    assert all(token.lemma for token in gold.parse(tokens).sentence)


def test_lemmas_are_not_learned_without_tags_or_if_not_wanted() -> None:
    few = TRAIN[:12]
    assert train_quickly("sr-gap", epochs=1, train=few, lemmas=False).lemmatizer is None
    assert train_quickly("sr-gap", epochs=1, train=few, tags="none").lemmatizer is None


def test_a_source_teaches_lemmas(tmp_path: Path) -> None:
    bare = [
        tree.replace(sentence=tuple(token._replace(lemma="") for token in tree.sentence))
        for tree in TRAIN[:12]
    ]
    path = tmp_path / "words.conllu"
    path.write_text("1\tZebras\tzebra\t_\tNS\t_\t0\t_\t_\t_\n\n", encoding="utf-8")
    learned = train_quickly("sr-gap", epochs=1, train={"trees": bare, "words": str(path)})
    assert learned.lemmatizer is not None
    assert learned.lemmatizer.lemma("Zebras", "NS") == "zebra"
    assert train_quickly("sr-gap", epochs=1, train=bare).lemmatizer is None


@pytest.mark.parametrize("format", ["export", "conllu", "tigerxml", "json"])
def test_formats_hold_predicted_lemmas(format: str, tmp_path: Path) -> None:
    tree = parser.parse(WORDS)
    path = tmp_path / "trees"
    write([tree], path, format=format)
    (again,) = read(path, format=format)
    assert [t.lemma for t in again.sentence] == [t.lemma for t in tree.sentence]


def test_the_command_line_says_and_writes_lemmas(tmp_path: Path) -> None:
    parser.save(tmp_path / "model")
    loaded = crossbranch.load(tmp_path / "model")
    assert loaded.parse(WORDS) == parser.parse(WORDS)
    assert "tags, lemmas, trees" in run("models", tmp_path / "model")[0]
    written, _ = run("parse", tmp_path / "model", " ".join(WORDS), "--to", "conllu")
    columns = [line.split("\t") for line in written.splitlines() if line[:1].isdigit()]
    tree = loaded.parse(" ".join(WORDS))
    assert [column[2] for column in columns] == [token.lemma for token in tree.sentence]
