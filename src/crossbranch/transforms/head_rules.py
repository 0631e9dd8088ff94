"""Files of head rules, in our own format.

    # LABELS   WHICH   CANDIDATES     meaning
    *          first   /HD            in all nodes: the first child with the function HD
    NP         last    NN|NE PRO*     otherwise, in an NP: the last noun, or the last PRO...
    *          first   *              otherwise: the first child

The lines whose labels fit a node are tried in order, and on each line the candidates in order. The
first candidate that fits a child decides. See docs/head-rules.md. Files of rparse and disco-dop are
recognised.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from crossbranch.errors import InputError, UsageError
from crossbranch.transforms.directed_head_rules import DIRECTIONS, directed_table
from crossbranch.transforms.head_lines import RuleLine, check_labels, rule_lines
from crossbranch.transforms.head_table import WHICH, HeadRule, HeadTable, compile_rule
from crossbranch.transforms.user_files import read_text

_SUFFIX = ".heads"


def load_table(name: str) -> HeadTable:
    """Load the shipped table with this name, or a table from a file."""
    return parse_table(table_text(name), name)


def table_text(name: str) -> str:
    """Return the text of the shipped table with this name, or of a table in a file."""
    folder = resources.files("crossbranch.transforms") / "head_tables"
    names = sorted(file.name.removesuffix(_SUFFIX) for file in folder.iterdir())
    if name in names:
        return (folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8")
    try:
        return read_text(name)
    except UsageError as error:
        raise UsageError(
            f"{error}; the head tables without a path are {', '.join(names)}"
        ) from None


def parse_table(text: str, path: str = "") -> HeadTable:
    """Make a table from its text, or from that of a file of rparse or disco-dop.

    Errors name `path`.
    """
    try:
        lines = rule_lines(text)
        return directed_table(lines) if is_directed(lines) else own_table(lines)
    except ValueError as error:
        found, expected, line = error.args
        raise InputError(found, expected, path=path, line=line) from None


def is_directed(lines: Sequence[RuleLine]) -> bool:
    """Say whether the rules have directions: the first line with a word of a format decides.

    Raises ValueError(found, expected, line) if there is no such line.
    """
    for line in lines:
        word = line.words[1] if len(line.words) > 1 else ""
        if word in WHICH or word.lower() in DIRECTIONS:
            return word not in WHICH
    if not lines:
        raise ValueError("no rule", "at least one", None)
    number, words = lines[0]
    if len(words) == 1:
        raise ValueError("1 column", "labels, which child, and candidates", number)
    expected = f"one of {', '.join(WHICH)}; or a direction: {', '.join(DIRECTIONS)}"
    raise ValueError(repr(words[1]), expected, number)


def own_table(lines: Sequence[RuleLine]) -> HeadTable:
    """Make a table from rules in our own format; raises ValueError(found, expected, line)."""
    return HeadTable([_rule(line) for line in lines])


def _rule(line: RuleLine) -> HeadRule:
    start = next((i for i, word in enumerate(line.words) if word.startswith("#")), None)
    words = line.words[:start]
    check_labels(words, line.number)
    for word in words:
        if word.startswith("%"):
            expected = f"\\{word} for a label, or # before a comment"
            raise ValueError(repr(word), expected, line.number)
    try:
        return compile_rule(words)
    except ValueError as error:
        raise ValueError(*error.args, line.number) from None
