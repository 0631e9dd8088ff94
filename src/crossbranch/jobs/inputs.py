"""The inputs of a job: texts, files and standard input, each with the format of its content."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crossbranch.doors import door
from crossbranch.errors import OptionError, UsageError
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import COMPRESSIONS, files_of, refuse_model, strip_compression
from crossbranch.treebank.live import live_stream
from crossbranch.treebank.reading import guess_format_by_name

RAW = "raw"
"""The format of raw text, which has yet to be split into sentences and tokens."""

_SURROGATE = re.compile("[\ud800-\udfff]")  # for example from an argument that is not UTF-8


@dataclass(frozen=True, slots=True, kw_only=True)
class JobInput:
    """One input: a file, standard input (`-`), or a text."""

    name: str
    format: str | None
    """RAW, the name of a format, or None to guess it from the content."""
    text: str | None = None

    @property
    def path(self) -> Path | None:
        """The file; None for a text and for standard input."""
        return None if self.text is not None or self.name == "-" else Path(self.name)

    @property
    def is_live(self) -> bool:
        """Whether it is a pipe or a terminal, where the next sentence may take long to arrive."""
        if self.name == "-":
            return live_stream(sys.stdin.buffer) is not None
        return self.path is not None and not self.path.is_file()

    @property
    def may_be_treebank(self) -> bool:
        """Whether it may contain gold tags. A .txt file may, until its content is known."""
        if self.format is not None:
            return self.format not in (RAW, "tokens", "tagged")
        endings = tuple(ending for ending in FORMATS["tokens"].suffixes if ending != ".txt")
        return not strip_compression(self.name).lower().endswith(endings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The user's options for the content of inputs, and whether the model can read raw text."""

    format: str | None = None
    lines: bool = False
    reads_text: bool = True
    needs_tags: bool = False

    def __post_init__(self) -> None:
        """Raise an error for options that exclude each other or that the model cannot follow."""
        if self.lines and self.format is not None:
            raise OptionError("{0} and {1} exclude each other; give one", "format", "lines")
        if self.lines and not self.reads_text:
            raise OptionError("{0} needs raw text, but {why}", "lines", why=self._why_no_text)

    @property
    def _why_no_text(self) -> str:
        return f"this model has no {'tagger' if self.needs_tags else 'tokenizer'}"

    @property
    def given(self) -> str | None:
        """The format of all inputs, if the user gives one."""
        return RAW if self.lines else self.format

    @door
    def of_file(self, name: str) -> str | None:
        """Return the format of a file with this name."""
        return self.given or (RAW if self.reads_text and _is_raw(name) else None)

    def of_stream(self) -> str | None:
        """Return the format of standard input."""
        return self.given or (RAW if self.reads_text else None)

    def of_text(self) -> str:
        """Return the format of a text."""
        if (format := self.of_stream()) is None:
            raise OptionError(
                "{why}: write {how} and give {0}",
                'format="tagged"' if self.needs_tags else 'format="tokens"',
                why=self._why_no_text,
                how="word/tag" if self.needs_tags else "blanks between the tokens",
            )
        return format


@door
def find_inputs(
    sources: Sequence[str], content: Content, tell: Callable[[str], None]
) -> list[JobInput]:
    """Find out which sources are texts, files or folders, and list the files of folders.

    Args:
        sources: Names of files and folders, `-` for standard input, and texts.
        content: The user's options for the content.
        tell: Called with a message for each folder in which only some files are read.

    Raises:
        UsageError: A source looks like a file that does not exist, or cannot be read.
    """
    if list(sources).count("-") > 1:
        raise UsageError("standard input can be read only once; give - once")
    return [found for source in sources for found in _inputs(source, content, tell)]


def _inputs(source: str, content: Content, tell: Callable[[str], None]) -> Iterator[JobInput]:
    if source == "-":
        yield JobInput(name="-", format=content.of_stream())
    elif is_there(source) and Path(source).is_dir():
        yield from _in_folder(Path(source), content, tell)
    elif is_there(source):
        yield JobInput(name=source, format=content.of_file(source))
    elif _looks_like_a_path(source, content):
        raise UsageError(
            f"cannot read {source}: no such file (to parse it as a text, send it to standard input)"
        )
    else:
        text = _SURROGATE.sub("\ufffd", source)
        yield JobInput(name="<text>", format=content.of_text(), text=text)


def is_there(source: str) -> bool:
    """Return True if a file or folder with this name exists. Most texts are not valid names."""
    try:
        return Path(source).exists() and source != ""
    except (OSError, ValueError):  # too long for a name, or with a NUL in it
        return False


def _looks_like_a_path(source: str, content: Content) -> bool:
    if not source or any(character.isspace() for character in source):
        return False
    suffixes = (suffix for format in FORMATS.values() for suffix in format.suffixes)
    if source.lower().endswith((*COMPRESSIONS, *suffixes)):
        return True
    has_slash = any(sign in source for sign in (os.sep, os.altsep) if sign)
    return has_slash and content.format != "tagged"


def _in_folder(folder: Path, content: Content, tell: Callable[[str], None]) -> Iterator[JobInput]:
    """Yield the files of a folder. If some of them are treebanks, yield only these."""
    refuse_model(folder)
    paths = files_of(folder)
    if not paths:
        raise UsageError(f"cannot read {folder}: it is an empty folder")
    treebanks = [] if content.given else [path for path in paths if not _is_raw(path.name)]
    if treebanks and (others := len(paths) - len(treebanks)):
        tell(
            f"{folder}: read as treebanks: {', '.join(path.name for path in treebanks[:3])}"
            f"{'...' if len(treebanks) > 3 else ''}; other files, not read: {others}"
        )
    for path in treebanks or paths:
        yield JobInput(name=str(path), format=content.of_file(path.name))


def _is_raw(name: str) -> bool:
    """Return True if a file with this name is read as raw text."""
    if strip_compression(name).lower().endswith(".txt"):
        return True
    try:
        guess_format_by_name(FORMATS, name)
    except UsageError:
        return True
    return False
