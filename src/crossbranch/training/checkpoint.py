"""Checkpoints: one file that is replaced as a whole, so that a kill at any moment leaves one.

a line that names the format
a line of JSON: what is being trained, how far it is, and names and sizes of the parts
the parts, one after the other
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

from crossbranch.errors import InputError, UsageError
from crossbranch.training.contract import Epoch, Mean

_FORMAT = b"crossbranch checkpoint 1\n"
_MAX_HEADER = 1 << 26


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far training is."""

    epoch: int = 1  # the one that is under way
    sentences: int = 0  # of it
    updates: int = 0  # in it
    seconds: float = 0.0  # in it
    metrics: dict[str, Mean] = {}  # in it, by name
    epochs: tuple[Epoch, ...] = ()  # those that are over
    best: int = 0  # the number of the best one; 0: none is over


class Part(msgspec.Struct, frozen=True):
    """A part of the file."""

    name: str
    size: int
    crc: int


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    identity: dict[str, Any]
    progress: Progress
    parts: list[Part]


class CheckpointFile:
    """The place of a training's checkpoint; `identity` says what is trained on what."""

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        # As JSON gives it back, so that both compare.
        self.identity = msgspec.json.decode(msgspec.json.encode(identity))

    def write(self, progress: Progress, parts: Mapping[str, bytes]) -> None:
        """Replace the checkpoint."""
        listed = [Part(name, len(data), zlib.crc32(data)) for name, data in parts.items()]
        header = _Header(identity=self.identity, progress=progress, parts=listed)
        new = self.path.with_name(f"{self.path.name}.new")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("wb") as file:
            file.write(_FORMAT + msgspec.json.encode(header) + b"\n")
            for data in parts.values():
                file.write(data)
        os.replace(new, self.path)  # noqa: PTH105 - one step, on every system

    def read(self) -> tuple[Progress, dict[str, bytes]] | None:
        """Return how far training was and the parts; None where it had not begun.

        Raises:
            UsageError: The checkpoint is of another training.
            InputError: The checkpoint is damaged.
        """
        if not self.path.exists():
            return None
        with self.path.open("rb") as file:
            header = self._read_header(file)
            self._compare(header.identity)
            parts = {part.name: file.read(part.size) for part in header.parts}
        for part in header.parts:
            if len(parts[part.name]) != part.size or zlib.crc32(parts[part.name]) != part.crc:
                raise self._damaged(f"a damaged part {part.name}", "what was written")
        return header.progress, parts

    def is_usable(self) -> bool:
        """Say whether training can go on from here; also where it has not begun."""
        if not self.path.exists():
            return True
        try:
            with self.path.open("rb") as file:
                return bool(self._read_header(file).identity == self.identity)
        except InputError:
            return False

    def remove(self) -> None:
        """Delete the checkpoint, and what is left of one that was being written."""
        for path in (self.path, self.path.with_name(f"{self.path.name}.new")):
            path.unlink(missing_ok=True)

    def _read_header(self, file: IO[bytes]) -> _Header:
        if file.readline(len(_FORMAT)) != _FORMAT:
            raise self._damaged("something else", "a checkpoint of this version")
        return self._decode(file.readline(_MAX_HEADER))

    def _decode(self, line: bytes) -> _Header:
        try:
            return msgspec.json.decode(line, type=_Header)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise self._damaged(str(error), "the head of a checkpoint") from None

    def _damaged(self, found: str, expected: str) -> InputError:
        return InputError(found, f"{expected}; delete it to begin anew", path=str(self.path))

    def _compare(self, found: Mapping[str, Any]) -> None:
        names = sorted(found.keys() | self.identity.keys())
        other = [name for name in names if found.get(name) != self.identity.get(name)]
        if other:
            name = other[0]
            raise UsageError(
                f"{self.path} is of another training: {name} was {found.get(name)!r} and is"
                f" {self.identity.get(name)!r}; train as before, elsewhere, or overwrite it"
            )
