"""Parameters: what counts and what does not. They can be read from EVALB and disco-dop files.

`proper` is used for published scores: the root and all punctuation do not count. With `spmrl`, only
the root does not count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from crossbranch.disk import read_file
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError

EqualNames = tuple[tuple[str, str], ...]
"""Pairs of names that count as the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """One set of parameters. The names in parentheses are the keys in parameter files."""

    name: str = ""
    cutoff: int = 40  # the longest sentence in the column of short sentences (CUTOFF_LEN)
    labelled: bool = True  # (LABELED)
    discontinuous_only: bool = False  # show only scores of discontinuous brackets (DISC_ONLY)
    deleted_labels: frozenset[str] = frozenset()  # of nodes, and gold tags (DELETE_LABEL)
    deleted_words: frozenset[str] = frozenset()  # (DELETE_WORD)
    uncounted_tags: frozenset[str] = frozenset()  # in lengths (DELETE_LABEL_FOR_LENGTH)
    equal_labels: EqualNames = ()  # (EQ_LABEL)
    equal_words: EqualNames = ()  # (EQ_WORD)
    deletes_root_tokens: bool = False  # tokens directly below the root (DELETE_ROOT_PRETERMS)
    leaf_ancestor: bool = False  # (LA)
    tree_distance: bool = False  # (TED)
    dependencies: bool = False  # (DEP)
    most_errors: int | None = None  # sentences with other tokens before an error (MAX_ERROR)
    unknown_keys: tuple[str, ...] = ()


_ROOTS = frozenset({"TOP", "ROOT", "VROOT"})
_NEGRA_TAGS = {"$,", "$(", "$[", "$."}
_ALPINO_TAGS = {"punct", "PUNCT", "let", "LET", "let()", "LET()", "let[]", "LET[]"}
_PENN_TAGS = {",", ":", "``", "''", ".", "-NONE-"}
_PUNCTUATION_TAGS = frozenset(_NEGRA_TAGS | _ALPINO_TAGS | _PENN_TAGS)
_MARKS = {".", ",", ":", ";", "-", "(", ")", "/", "&", "$", "..", "..."}
_QUOTES = {"'", "`", '"', "``", "''", "\u00ab", "\u00bb"}
_EXCLAMATIONS = {"!", "!!!", "?", "??", "???"}
_PUNCTUATION_WORDS = frozenset(_MARKS | _QUOTES | _EXCLAMATIONS)

PARAMETERS: dict[str, Parameters] = {
    "proper": Parameters(
        name="proper",
        deleted_labels=_ROOTS | {"NOPARSE"} | _PUNCTUATION_TAGS,
        deleted_words=_PUNCTUATION_WORDS,
        equal_labels=(("PRT", "ADVP"),),
        equal_words=(("(", "-LRB-"), (")", "-RRB-")),
    ),
    "spmrl": Parameters(name="spmrl", cutoff=70, deleted_labels=_ROOTS | {"S1", "-NONE-"}),
}


@cache
def representatives(pairs: EqualNames) -> Mapping[str, str]:
    """Return one name for all names that count as the same, for each of them."""
    chosen: dict[str, str] = {}

    def find(name: str) -> str:
        while chosen.get(name, name) != name:
            name = chosen[name]
        return name

    for other, same in pairs:
        chosen.setdefault(same, same)
        chosen.setdefault(other, other)
        chosen[find(other)] = find(same)
    return {name: find(name) for name in chosen}


@door
def find_parameters(name: str | Path) -> Parameters:
    """Return a set by its name, or read it from a file."""
    if str(name) in PARAMETERS:
        return PARAMETERS[str(name)]
    if not Path(name).is_file():
        known = ", ".join(PARAMETERS)
        raise UsageError(f"unknown parameters {str(name)!r}; expected one of {known}, or a file")
    return read_parameters(Path(name))


_NUMBERS = {"CUTOFF_LEN": "cutoff", "MAX_ERROR": "most_errors"}
_SWITCHES = {
    "LABELED": "labelled",
    "DISC_ONLY": "discontinuous_only",
    "DELETE_ROOT_PRETERMS": "deletes_root_tokens",
    "LA": "leaf_ancestor",
    "TED": "tree_distance",
    "DEP": "dependencies",
}
_SETS = {
    "DELETE_LABEL": "deleted_labels",
    "DELETE_WORD": "deleted_words",
    "DELETE_LABEL_FOR_LENGTH": "uncounted_tags",
}
_EQUALS = {"EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words"}
_IGNORED = {"DEBUG"}  # how much EVALB prints; scores of each sentence are always kept here


def read_parameters(path: Path) -> Parameters:
    """Read a parameter file. Unknown keys are listed in `unknown_keys`."""
    values: dict[str, object] = {}
    sets: dict[str, set[str]] = {name: set() for name in _SETS.values()}
    equals: dict[str, list[tuple[str, str]]] = {name: [] for name in _EQUALS.values()}
    unknown: list[str] = []
    for line, key, words in _entries(path):
        if key in _NUMBERS:
            values[_NUMBERS[key]] = _number(path, line, key, words)
        elif key in _SWITCHES:
            values[_SWITCHES[key]] = bool(_number(path, line, key, words))
        elif key in _SETS:
            sets[_SETS[key]].update(words)
        elif key in _EQUALS:
            if len(words) < 2:
                raise InputError(f"{key} {' '.join(words)}", "two words", path=str(path), line=line)
            equals[_EQUALS[key]] += [(other, words[0]) for other in words[1:]]
        elif key not in _IGNORED:
            unknown.append(key)
    values |= {name: frozenset(words) for name, words in sets.items()}
    values |= {name: tuple(pairs) for name, pairs in equals.items()}
    return Parameters(name=path.name, unknown_keys=tuple(unknown), **values)  # type: ignore[arg-type]


_MOST_DIGITS = 18


def _entries(path: Path) -> Iterator[tuple[int, str, list[str]]]:
    data = read_file(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("iso-8859-1")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield number, words[0], words[1:]


def _number(path: Path, line: int, key: str, words: list[str]) -> int:
    if len(words) == 1 and key == "MAX_ERROR" and words[0] == "-1":
        return sys.maxsize  # never too many
    if len(words) != 1 or not words[0].isdecimal() or len(words[0]) > _MOST_DIGITS:
        found = f"{key} {' '.join(words)}".strip()
        raise InputError(repr(found), f"{key} and a number", path=str(path), line=line)
    return int(words[0])
