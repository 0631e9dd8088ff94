"""Checkpoints: files from which an interrupted training run continues.

A checkpoint is one file. It is always replaced as a whole, so that it is complete even if the
process is killed. It consists of:

a line with the name of the format
a line of JSON: the identity of the training run, its progress, and names and sizes of the parts
the parts, one after the other
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Annotated, Any

import msgspec

from crossbranch.disk import make_folders, open_file, replacing, steps
from crossbranch.errors import InputError, UsageError
from crossbranch.training.contract import Epoch, Mean

_FORMAT = b"crossbranch checkpoint 1\n"
_MAX_HEADER = 1 << 26


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far training has come."""

    epoch: int = 1  # the current epoch
    sentences: int = 0  # done in the current epoch
    updates: int = 0  # in the current epoch
    seconds: float = 0.0  # in the current epoch
    metrics: dict[str, Mean] = {}  # of the current epoch, by name
    epochs: tuple[Epoch, ...] = ()  # the finished epochs
    best: int = 0  # the number of the best epoch; 0: none is finished


class Part(msgspec.Struct, frozen=True):
    """A part of a checkpoint file."""

    name: str
    size: Annotated[int, msgspec.Meta(ge=0)]
    crc: int


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    identity: dict[str, Any]
    progress: Progress
    parts: list[Part]


class CheckpointFile:
    """The checkpoint of one training run. `identity` is everything that its result depends on.

    If it is not kept, nothing is written: another process of the team does this.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], *, is_kept: bool = True) -> None:
        self.path = path
        self._is_kept = is_kept
        # Through JSON and back, so that it can be compared with what a file says.
        self.identity = msgspec.json.decode(msgspec.json.encode(identity))

    def write(self, progress: Progress, parts: Mapping[str, bytes]) -> None:
        """Replace the checkpoint."""
        if not self._is_kept:
            return
        listed = [Part(name, len(data), zlib.crc32(data)) for name, data in parts.items()]
        header = _Header(identity=self.identity, progress=progress, parts=listed)
        make_folders(self.path.parent)
        with replacing(self.path, work=self.path.with_name(f"{self.path.name}.new")) as file:
            file.write(_FORMAT + msgspec.json.encode(header) + b"\n")
            for data in parts.values():
                file.write(data)

    def read(self) -> tuple[Progress, dict[str, bytes]] | None:
        """Return the progress and the parts; None if there is no checkpoint.

        Raises:
            UsageError: The checkpoint belongs to a different training run.
            InputError: The checkpoint is damaged.
        """
        if not self.path.exists():
            return None
        with self._opened() as file:
            header = self._read_header(file)
            self._compare(header.identity)
            parts = {part.name: file.read(part.size) for part in header.parts}
        for part in header.parts:
            if len(parts[part.name]) != part.size or zlib.crc32(parts[part.name]) != part.crc:
                raise self._damaged(f"a damaged part {part.name}", "an unchanged file")
        return header.progress, parts

    def is_usable(self) -> bool:
        """Return whether training can continue from here. True if there is no checkpoint."""
        if not self.path.exists():
            return True
        try:
            with self._opened() as file:
                return bool(self._read_header(file).identity == self.identity)
        except InputError:
            return False

    def remove(self) -> None:
        """Delete the checkpoint, and a new one that was only written in part."""
        if not self._is_kept:
            return
        for path in (self.path, self.path.with_name(f"{self.path.name}.new")):
            steps.remove(path)

    def _opened(self) -> IO[bytes]:
        try:
            return open_file(self.path)
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise self._damaged(reason, "a checkpoint") from None

    def _read_header(self, file: IO[bytes]) -> _Header:
        if file.readline(len(_FORMAT)) != _FORMAT:
            raise self._damaged("another kind of file", "a checkpoint of this version")
        return self._decode(file.readline(_MAX_HEADER))

    def _decode(self, line: bytes) -> _Header:
        try:
            return msgspec.json.decode(line, type=_Header)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise self._damaged(str(error), "the header of a checkpoint") from None

    def _damaged(self, found: str, expected: str) -> InputError:
        return InputError(found, f"{expected}; delete it to start again", path=str(self.path))

    def _compare(self, found: Mapping[str, Any]) -> None:
        names = sorted(found.keys() | self.identity.keys())
        other = [name for name in names if found.get(name) != self.identity.get(name)]
        if other:
            name = other[0]
            raise UsageError(
                f"{self.path} belongs to a different training run: {name} was"
                f" {found.get(name)!r} and is now {self.identity.get(name)!r}; use the same"
                " settings and data, choose another folder, or use --overwrite (overwrite=True)"
            )
