"""Everyday text: what is learned from one part of the English Web Treebank holds for another."""

from itertools import islice
from pathlib import Path

import pytest

from crossbranch.text import Tokenizer, raw_text
from crossbranch.tree import Tree
from crossbranch.treebank import read


@pytest.fixture(scope="module")
def trees(shared: Path) -> list[Tree]:
    return list(islice(read(shared / "tagged/ewt/dev.conllu.xz"), 1600))


@pytest.fixture(scope="module")
def web(trees: list[Tree]) -> Tokenizer:
    return Tokenizer.learn(trees[:1200], language="English")


Places = set[tuple[int | None, int | None]]


def f1(gold: Places, found: Places) -> float:
    return 2 * len(gold & found) / (len(gold) + len(found))


def token_places(trees: list[Tree]) -> Places:
    return {(token.start, token.end) for tree in trees for token in tree.sentence}


def sentence_places(trees: list[Tree]) -> Places:
    return {(tree.sentence[0].start, tree.sentence[-1].end) for tree in trees}


def test_new_text_is_split_as_in_the_treebank(web: Tokenizer, trees: list[Tree]) -> None:
    text, gold = raw_text(trees[1200:])
    found = list(web.split(text))
    assert f1(token_places(gold), token_places(found)) > 0.97
    assert f1(sentence_places(gold), sentence_places(found)) > 0.8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don’t worry, it’s fine.", "Do n't worry , it 's fine ."),
        ("They’ll come at five o’clock.", "They 'll come at five o'clock ."),
        ("I'm gonna call. You cannot!", "I 'm gon na call . | You can not !"),
        ("I love rock ’n’ roll.", "I love rock 'n' roll ."),
        ("THIS IS GREAT! DON'T STOP!", "THIS IS GREAT ! | DO N'T STOP !"),
        ("What a day!!! I'm so tired", "What a day !!! | I 'm so tired"),
        ("It costs $5.99 at 5:30.", "It costs $ 5.99 at 5:30 ."),
        ("Mr. Smith met Dr. Jones.", "Mr. Smith met Dr. Jones ."),
        ("I love it 😍 See you!", "I love it 😍 | See you !"),
        ("Thanks @anna for the #tips!", "Thanks @anna for the #tips !"),
        (
            "See www.example.com, or write to a.b@example.org.",
            "See www.example.com , or write to a.b@example.org .",
        ),
        ("Call 555-1234. Don saw it.", "Call 555-1234 . | Don saw it ."),
        ("A long line that\nwas wrapped. Yes.", "A long line that was wrapped . | Yes ."),
        ("See you tomorrow\n\nAnna", "See you tomorrow | Anna"),
    ],
)
def test_everyday_text(web: Tokenizer, text: str, expected: str) -> None:
    found = [" ".join(token.form for token in tree.sentence) for tree in web.split(text)]
    assert found == expected.split(" | ")
