"""What a job reads: texts, files and standard input, each with the format of its content."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crossbranch.errors import OptionError, UsageError
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import COMPRESSIONS, files_of, refuse_model, strip_compression
from crossbranch.treebank.live import live_stream
from crossbranch.treebank.reading import guess_format_by_name

RAW = "raw"
"""In place of a format: raw text, which still has to be cut into sentences and tokens."""

_SURROGATE = re.compile("[\ud800-\udfff]")  # such as a byte of an argument that is not UTF-8


@dataclass(frozen=True, slots=True, kw_only=True)
class JobInput:
    """One thing to read: a file, standard input (`-`), or a text."""

    name: str
    format: str | None
    """RAW, the name of a format, or None: the content decides."""
    text: str | None = None

    @property
    def path(self) -> Path | None:
        """The file; None for a text and for standard input."""
        return None if self.text is not None or self.name == "-" else Path(self.name)

    @property
    def is_live(self) -> bool:
        """Whether it is a pipe or a terminal, which may take its time."""
        if self.name == "-":
            return live_stream(sys.stdin.buffer) is not None
        return self.path is not None and not self.path.is_file()

    @property
    def may_be_treebank(self) -> bool:
        """Whether there may be gold tags in it; the ending .txt says nothing."""
        if self.format is not None:
            return self.format not in (RAW, "tokens", "tagged")
        endings = tuple(ending for ending in FORMATS["tokens"].suffixes if ending != ".txt")
        return not strip_compression(self.name).lower().endswith(endings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What users say about the content of inputs, and whether the model can read raw text."""

    format: str | None = None
    lines: bool = False
    reads_text: bool = True
    needs_tags: bool = False

    def __post_init__(self) -> None:
        """Refuse contradictions, and what the model cannot do."""
        if self.lines and self.format is not None:
            raise OptionError("{0} and {1} exclude each other", "format", "lines")
        if self.lines and not self.reads_text:
            raise OptionError("{0} is for raw text, and {why}", "lines", why=self._why_no_text)

    @property
    def _why_no_text(self) -> str:
        return f"this model has no {'tagger' if self.needs_tags else 'tokenizer'}"

    @property
    def given(self) -> str | None:
        """The format of all inputs, if users say so."""
        return RAW if self.lines else self.format

    def of_file(self, name: str) -> str | None:
        """Return the format of a file with this name."""
        return self.given or (RAW if self.reads_text and _is_raw(name) else None)

    def of_stream(self) -> str | None:
        """Return the format of what has no name."""
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


def find_inputs(
    sources: Sequence[str], content: Content, tell: Callable[[str], None]
) -> list[JobInput]:
    """Tell texts from files, and look into folders.

    Args:
        sources: Names of files and folders, `-` for standard input, and texts.
        content: What users say about the content.
        tell: Called with a message about each folder of which only some files are read.

    Raises:
        UsageError: A source looks like a file that is not there, or cannot be read.
    """
    if list(sources).count("-") > 1:
        raise UsageError("standard input can be read only once")
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
            f"cannot read {source}: there is no such file (to parse it as a text, send it to"
            " standard input)"
        )
    else:
        text = _SURROGATE.sub("\ufffd", source)
        yield JobInput(name="<text>", format=content.of_text(), text=text)


def is_there(source: str) -> bool:
    """Say whether there is a file or folder of this name; a text may be no name at all."""
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
    """Yield the files of a folder; if some are treebanks, only these."""
    refuse_model(folder)
    paths = files_of(folder)
    if not paths:
        raise UsageError(f"cannot read {folder}: it is an empty folder")
    treebanks = [] if content.given else [path for path in paths if not _is_raw(path.name)]
    if treebanks and (others := len(paths) - len(treebanks)):
        tell(
            f"{folder}: read as treebanks: {', '.join(path.name for path in treebanks[:3])}"
            f"{'...' if len(treebanks) > 3 else ''}; files left out: {others}"
        )
    for path in treebanks or paths:
        yield JobInput(name=str(path), format=content.of_file(path.name))


def _is_raw(name: str) -> bool:
    """Say whether a file with this name is read as raw text."""
    if strip_compression(name).lower().endswith(".txt"):
        return True
    try:
        guess_format_by_name(FORMATS, name)
    except UsageError:
        return True
    return False
