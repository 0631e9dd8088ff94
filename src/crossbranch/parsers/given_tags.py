"""Tags from a file beside a treebank, such as those that another tagger has predicted.

The file has the same sentences as the treebank. It is a treebank itself, CoNLL-U, a text with a
sentence on each line (word/tag), or a text with a word and its tag on each line, with an empty line
after each sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from crossbranch.errors import InputError
from crossbranch.tasks.files import guess_task_format
from crossbranch.tasks.rows import read_columns
from crossbranch.tree import Tree, feature, with_feature
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import open_streams
from crossbranch.treebank.source import Source

_FEATURE = "given-tag"
_TAG_COLUMN = "2"


def read_tags(path: str | Path) -> list[list[str]]:
    """Return the tags of all sentences of a file.

    Raises:
        UsageError: The file cannot be read.
        InputError: A word has no tag, or the file is damaged.
    """
    found: list[list[str]] = []
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
        InputError: The file has not the same sentences as the trees, or words without tags.
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
    tags = read_tags(path)
    for number, (tree, some) in enumerate(zip(trees, tags, strict=False), 1):
        if len(tree.sentence) != len(some):
            raise InputError(
                f"{len(some)} words",
                f"{len(tree.sentence)}, as in the sentence {tree.id or number} of {treebank}",
                path=str(path),
                sentence=str(number),
            )
        yield tree, some
    if len(trees) != len(tags):
        found, expected = f"{len(tags)} sentences", f"{len(trees)}, as in {treebank}"
        raise InputError(found, expected, path=str(path))


def _format(source: Source) -> str:
    guessed = guess_task_format(source)
    return "tagged" if guessed == "columns" and _is_tagged(source) else guessed


def _is_tagged(source: Source) -> bool:
    head = source.head()
    return "\t" not in head and FORMATS["tagged"].looks_like(head)


def _rows(source: Source) -> Iterator[list[str]]:
    for rows in read_columns(source):
        tags = rows.column(_TAG_COLUMN, source)
        for tag, line in zip(tags, rows.lines, strict=True):
            if not tag:
                raise source.error("a word without a tag", "a word and its tag", line=line)
        yield tags


def _trees(source: Source) -> Iterator[list[str]]:
    format = FORMATS[_format(source)]
    for number, tree in enumerate(format.read(source), 1):
        if missing := next((token for token in tree.sentence if not token.tag), None):
            found = f"the word {missing.form!r} without a tag"
            raise source.error(found, "a tag for each word", sentence=tree.id or str(number))
        yield list(tree.tags)
