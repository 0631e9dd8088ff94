"""What there is to parse: texts, files and standard input, each with the kind of its content."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crossbranch.cli.show import say
from crossbranch.errors import UsageError
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import COMPRESSIONS, files_of, strip_compression
from crossbranch.treebank.reading import guess_format_by_name

RAW = "raw"
"""In place of a format: text that nobody has cut into sentences and tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One thing to read: a file, standard input (`-`), or a text from the command line."""

    name: str
    format: str | None
    """RAW, the name of a format, or None where the content is to tell."""
    text: str | None = None

    @property
    def path(self) -> Path | None:
        """The file, where this is one."""
        return None if self.text is not None or self.name == "-" else Path(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What users say about the content, and whether the model can read raw text."""

    format: str | None = None
    tokenized: bool = False
    tagged: bool = False
    lines: bool = False
    reads_text: bool = True

    def __post_init__(self) -> None:
        """Refuse contradictions, and what the model cannot do."""
        said = {
            "--from": self.format is not None,
            "--tokenized": self.tokenized,
            "--tagged": self.tagged,
            "--lines": self.lines,
        }
        names = [name for name, is_given in said.items() if is_given]
        if len(names) > 1:
            raise UsageError(f"{' and '.join(names)} exclude each other")
        if self.lines and not self.reads_text:
            raise UsageError(f"--lines is for raw text, and {_NO_TEXT}")

    @property
    def is_given(self) -> bool:
        """Whether users say what the content is."""
        return self._given() is not None

    def of_file(self, name: str) -> str | None:
        """Return the format of a file with this name."""
        return self._given() or (RAW if self.reads_text and _is_raw(name) else None)

    def of_stream(self) -> str | None:
        """Return the format of what has no name."""
        return self._given() or (RAW if self.reads_text else None)

    def of_text(self) -> str:
        """Return the format of a text from the command line."""
        if (format := self.of_stream()) is None:
            raise UsageError(
                f"{_NO_TEXT}: give --tokenized or --tagged if there are blanks between the tokens"
            )
        return format

    def _given(self) -> str | None:
        if self.lines:
            return RAW
        return "tagged" if self.tagged else "tokens" if self.tokenized else self.format


_NO_TEXT = "this model has no tokenizer and tagger"


def find_inputs(sources: Sequence[str], kind: Kind) -> list[Input]:
    """Tell texts from files, and look into folders.

    Raises:
        UsageError: Nothing is given, or something that looks like a file that is not there.
    """
    if not sources:
        if sys.stdin.isatty():
            raise UsageError("nothing to parse: give a text or files, or - for standard input")
        sources = ["-"]
    if list(sources).count("-") > 1:
        raise UsageError("standard input can be read only once")
    return [found for source in sources for found in _inputs(source, kind)]


def _inputs(source: str, kind: Kind) -> Iterator[Input]:
    if source == "-":
        yield Input(name="-", format=kind.of_stream())
    elif _is_there(source) and Path(source).is_dir():
        yield from _in_folder(Path(source), kind)
    elif _is_there(source):
        yield Input(name=source, format=kind.of_file(source))
    elif _looks_like_a_path(source, kind):
        raise UsageError(
            f"cannot read {source}: there is no such file (to parse it as a text, send it to"
            " standard input)"
        )
    else:
        given = source.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        yield Input(name="<text>", format=kind.of_text(), text=given)


def _is_there(source: str) -> bool:
    try:
        return Path(source).exists() and source != ""
    except (OSError, ValueError):  # too long for a name, or with a NUL in it
        return False


def _looks_like_a_path(source: str, kind: Kind) -> bool:
    if not source or any(character.isspace() for character in source):
        return False
    if source.lower().endswith((*COMPRESSIONS, *_suffixes())):
        return True
    return not kind.tagged and any(sign in source for sign in (os.sep, os.altsep) if sign)


def _suffixes() -> Iterator[str]:
    return (suffix for format in FORMATS.values() for suffix in format.suffixes)


def _in_folder(folder: Path, kind: Kind) -> Iterator[Input]:
    """Yield the files of a folder; where some are treebanks, others only lie beside them."""
    paths = files_of(folder)
    if not paths:
        raise UsageError(f"cannot read {folder}: it is an empty folder")
    named = [path for path in paths if not _is_raw(path.name)]
    if kind.is_given:
        named = []  # all are as users say
    if named and (others := len(paths) - len(named)):
        say(
            f"{folder}: read as treebanks: {', '.join(path.name for path in named[:3])}"
            f"{'...' if len(named) > 3 else ''}; files left out: {others}"
        )
    for path in named or paths:
        yield Input(name=str(path), format=kind.of_file(path.name))


def _is_raw(name: str) -> bool:
    """Say whether the name of a file tells of nothing but text."""
    if strip_compression(name).lower().endswith(".txt"):
        return True
    try:
        guess_format_by_name(FORMATS, name)
    except UsageError:
        return True
    return False
