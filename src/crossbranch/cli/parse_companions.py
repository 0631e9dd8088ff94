"""Files beside the input of `crossbranch parse`: tags, and rows of distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from crossbranch.errors import InputError, UsageError
from crossbranch.parsers import Parser
from crossbranch.parsers.given_tags import retagged
from crossbranch.tree import Tree


def check_resume(option: str, is_used: bool, resume: bool) -> None:
    """Raise a UsageError if an option that needs all sentences at once is used with --resume."""
    if is_used and resume:
        raise UsageError(f"{option} cannot be used with --resume")


def with_tags(sentences: Iterator[Tree], file: str | None, treebank: str) -> Iterator[Tree]:
    """Give sentences the tags of a file. All sentences are read first, which needs memory."""
    return sentences if file is None else iter(retagged(list(sentences), file, treebank=treebank))


def with_rows(
    sentences: Iterator[Tree],
    parser: Parser,
    distributions: Sequence[str],
    report: Callable[[InputError], None],
) -> Iterator[Tree]:
    """Read the rows of all sentences, if there are files with rows. This needs memory."""
    if not distributions:
        return sentences
    files = {}
    for one in distributions:
        name, sign, file = one.partition("=")
        if not (name and sign and file):
            raise UsageError(f"--distribution is {one!r}, expected NAME=FILE")
        files[name] = file
    trees = list(sentences)
    parser.read_rows(files, trees, report)
    return iter(trees)
