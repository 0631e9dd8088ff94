"""Tags from a file beside a treebank, such as those that another tagger has predicted.

The file has the same sentences as the treebank, with the same words. It is a treebank itself,
CoNLL-U, a text with a sentence on each line (word/tag), or a text with a word and its tag on each
line, with an empty line after each sentence. In such a text, the words may be missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from crossbranch.errors import InputError
from crossbranch.escape import unescape
from crossbranch.tasks.files import guess_task_format
from crossbranch.tasks.rows import read_columns
from crossbranch.tree import Tree, feature, with_feature
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import open_streams
from crossbranch.treebank.source import Source

_FEATURE = "given-tag"
_WORD_COLUMN, _TAG_COLUMN, _ONLY_COLUMN = "1", "2", "1"


class _Tagged(NamedTuple):
    """A sentence of a file with tags."""

    words: Sequence[str]
    """Empty if the file has only tags."""
    tags: list[str]
    path: str
    lines: Sequence[int]
    """The line of each word, if the format has them."""


def read_tags(path: str | Path) -> list[list[str]]:
    """Return the tags of all sentences of a file.

    Raises:
        UsageError: The file cannot be read.
        InputError: A word has no tag, or the file is damaged.
    """
    return [sentence.tags for sentence in _read(path)]


def _read(path: str | Path) -> list[_Tagged]:
    found: list[_Tagged] = []
    for name, stream in open_streams(path, pipes=False):
        source = Source(name, stream)
        found += _rows(source) if _format(source) == "columns" else _trees(source)
    return found


def retagged(trees: Sequence[Tree], path: str | Path, *, treebank: str) -> list[Tree]:
    """Return trees with the tags of a file.

    Args:
        trees: The trees.
        path: The file with the tags.
        treebank: The name of the trees, for messages.

    Raises:
        UsageError: The file cannot be read.
        InputError: The file has not the same sentences and words as the trees, or words without
            tags.
    """
    return [_with_tags(tree, tags) for tree, tags in _pairs(trees, path, treebank)]


def noted(trees: Sequence[Tree], path: str | Path, *, treebank: str) -> list[Tree]:
    """Return trees whose tokens have the tags of a file as a feature, so that transforms keep them.

    Arguments and errors are as in `retagged`. `taken` returns these tags.
    """
    found = []
    for tree, tags in _pairs(trees, path, treebank):
        sentence = [
            token._replace(features=with_feature(token.features, _FEATURE, tag))
            for token, tag in zip(tree.sentence, tags, strict=True)
        ]
        found.append(tree.replace(sentence=sentence))
    return found


def taken(trees: Iterable[Tree]) -> tuple[tuple[Tree, ...], tuple[tuple[str, ...], ...]]:
    """Return trees without the tags that `noted` has added, and these tags, for each tree."""
    pairs = list(map(_taken, trees))
    return tuple(tree for tree, _ in pairs), tuple(tags for _, tags in pairs)


def _taken(tree: Tree) -> tuple[Tree, tuple[str, ...]]:
    tags = tuple(feature(token.features, _FEATURE) for token in tree.sentence)
    sentence = [
        token._replace(features=with_feature(token.features, _FEATURE, None))
        for token in tree.sentence
    ]
    return tree.replace(sentence=sentence), tags


def _with_tags(tree: Tree, tags: Sequence[str]) -> Tree:
    pairs = zip(tree.sentence, tags, strict=True)
    return tree.replace(sentence=[token._replace(tag=tag) for token, tag in pairs])


def _pairs(
    trees: Sequence[Tree], path: str | Path, treebank: str
) -> Iterator[tuple[Tree, list[str]]]:
    found = _read(path)
    for number, (tree, given) in enumerate(zip(trees, found, strict=False), 1):
        _check_words(tree, given, number, f"as in the sentence {tree.id or number} of {treebank}")
        yield tree, given.tags
    if len(trees) != len(found):
        sentences, expected = f"{len(found)} sentences", f"{len(trees)}, as in {treebank}"
        raise InputError(sentences, expected, path=str(path))


def _check_words(tree: Tree, given: _Tagged, number: int, treebank: str) -> None:
    """Raise an InputError if a sentence has other words than the tree."""
    if len(tree.sentence) != len(given.tags):
        things = "words" if given.words else "tags"
        found, expected = f"{len(given.tags)} {things}", f"{len(tree.sentence)}, {treebank}"
        raise InputError(found, expected, path=given.path, sentence=str(number))
    if not given.words:
        return
    for place, (token, word) in enumerate(zip(tree.sentence, given.words, strict=True)):
        if token.form != word:
            raise InputError(
                f"the word {word!r}",
                f"{token.form!r}, {treebank}",
                path=given.path,
                line=given.lines[place] if given.lines else None,
                sentence=str(number),
            )


def _format(source: Source) -> str:
    guessed = guess_task_format(source)
    return "tagged" if guessed == "columns" and _is_tagged(source) else guessed


def _is_tagged(source: Source) -> bool:
    head = source.head()
    return "\t" not in head and FORMATS["tagged"].looks_like(head)


def _rows(source: Source) -> Iterator[_Tagged]:
    for rows in read_columns(source):
        has_words = len(rows.cells[0]) > 1
        words = rows.column(_WORD_COLUMN, source) if has_words else []
        tags = rows.column(_TAG_COLUMN if has_words else _ONLY_COLUMN, source)
        for tag, line in zip(tags, rows.lines, strict=True):
            if not tag:
                raise source.error("a word without a tag", "a word and its tag", line=line)
        yield _Tagged(list(map(unescape, words)), tags, source.path, rows.lines)


def _trees(source: Source) -> Iterator[_Tagged]:
    name = _format(source)
    for number, tree in enumerate(FORMATS[name].read(source), 1):
        if missing := next((token for token in tree.sentence if not token.tag), None):
            found = f"the word {missing.form!r} without a tag"
            raise source.error(found, "a tag for each word", sentence=tree.id or str(number))
        lines = [int(tree.id)] * len(tree.words) if name == "tagged" else []  # the id is the line
        yield _Tagged(tree.words, list(tree.tags), source.path, lines)
