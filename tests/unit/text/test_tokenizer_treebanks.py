"""A real treebank: what is learned from one part holds for another."""

from pathlib import Path

import pytest

from crossbranch.text import Spacing, Tokenizer, detokenize
from crossbranch.tree import Tree
from crossbranch.treebank import read


@pytest.fixture(scope="module")
def parts(shared: Path) -> dict[str, list[Tree]]:
    folder = shared / "treebanks/squoia"
    return {part: list(read(folder / f"{part}.export.xz")) for part in ("train", "dev")}


@pytest.fixture(scope="module")
def german(parts: dict[str, list[Tree]]) -> Tokenizer:
    return Tokenizer.learn(parts["train"])


def texts(trees: list[Tree], parts: dict[str, list[Tree]]) -> list[str]:
    spacing = Spacing.learn([[t.form for t in tree.sentence] for tree in parts["train"]])
    return [text for text, _ in detokenize([tree.sentence for tree in trees], spacing=spacing)]


def share_of_right_sentences(
    tokenizer: Tokenizer, trees: list[Tree], parts: dict[str, list[Tree]]
) -> float:
    right = 0
    for tree, text in zip(trees, texts(trees, parts), strict=True):
        found = tokenizer.tokenize(text)
        right += [t.form for t in found.sentence] == [t.form for t in tree.sentence]
    return right / len(trees)


def test_known_sentences_come_back(german: Tokenizer, parts: dict[str, list[Tree]]) -> None:
    assert share_of_right_sentences(german, parts["train"], parts) > 0.99


def test_unknown_sentences_mostly_too(german: Tokenizer, parts: dict[str, list[Tree]]) -> None:
    assert share_of_right_sentences(german, parts["dev"], parts) > 0.96


def test_sentences_are_found_in_a_text(german: Tokenizer, parts: dict[str, list[Tree]]) -> None:
    sentences = [text for text in texts(parts["dev"], parts) if text.endswith((".", "?", "!"))]
    found = [tree.text for tree in german.split(" ".join(sentences))]
    common = len(set(sentences) & set(found))
    assert 2 * common / (len(set(sentences)) + len(set(found))) > 0.95


def test_it_is_small(german: Tokenizer) -> None:
    assert len(german.to_json()) < 100_000


def test_german_abbreviations_and_ordinals(german: Tokenizer) -> None:
    text = "Am 3. Mai kam z. B. Dr. Müller. Er blieb ca. 40 Jahre."
    assert [[token.form for token in tree.sentence] for tree in german.split(text)] == [
        ["Am", "3.", "Mai", "kam", "z.", "B.", "Dr.", "Müller", "."],
        ["Er", "blieb", "ca.", "40", "Jahre", "."],
    ]
