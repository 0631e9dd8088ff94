"""What is noted beside an output while it is being written, so that an interruption costs little.

The note of `out.export` is `out.export.progress`. It is written before the first tree and after
each part of the output has reached the disk, and goes when all is done. So there is always a note
that fits the beginning of the output; what is behind that was not noted yet, and is written again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from crossbranch.cli.parse_input import Input
from crossbranch.cli.parse_output import check_part, checksum
from crossbranch.cli.parse_raw import Place
from crossbranch.errors import InputError, UsageError

SUFFIX = ".progress"
_HEAD = 1 << 16  # bytes of inputs that are known again, at both ends

Identity = dict[str, Any]
"""By what it is about: what must be the same for a run to be continued."""


class Written(msgspec.Struct, frozen=True):
    """How far an output has got."""

    size: int
    checksum: int


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run has got."""

    identity: Identity
    sentences: int = 0
    trees: int = 0
    """More than there are sentences where each has several."""
    place: Place = Place()
    before: int = 0
    """How many of the sentences are before the place."""
    outputs: tuple[Written, ...] = ()
    """In the order in which they are named; their names and places may change."""


def note_path(output: Path) -> Path:
    """Return where the note of an output is."""
    return output.with_name(output.name + SUFFIX)


def read_note(output: Path, identity: Identity, outputs: Sequence[Path]) -> Note:
    """Read the note of an output, and make sure that it may be gone on with.

    Raises:
        UsageError: It was written by another call.
        InputError: The note is damaged, or an output has changed.
    """
    path = note_path(output)
    try:
        note = msgspec.json.decode(path.read_bytes(), type=Note)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(str(error), "a note of crossbranch parse", path=str(path)) from None
    for about, now in identity.items():
        if note.identity.get(about) != now:
            raise UsageError(f"cannot resume {output}: {_difference(about, note.identity, now)}")
    if len(note.outputs) != len(outputs):
        raise InputError(f"{len(note.outputs)} outputs", str(len(outputs)), path=str(path))
    for each, done in zip(outputs, note.outputs, strict=True):
        check_part(each, done.size, done.checksum)
    return note


def write_note(output: Path, note: Note) -> None:
    """Replace the note of an output in one step."""
    path = note_path(output)
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        file.write(msgspec.json.encode(note))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def written(paths: Mapping[Path, int]) -> tuple[Written, ...]:
    """Describe outputs and how many bytes of them are finished."""
    return tuple(Written(size, checksum(path, size)) for path, size in paths.items())


def identify(model: bytes, options: Mapping[str, Any], inputs: Sequence[Input]) -> Identity:
    """Say what a run is: the program, the model, the options and the inputs."""
    return {
        "the version of crossbranch": version("crossbranch"),
        "the model": hashlib.sha256(model).hexdigest(),
        **{f"the option {name}": value for name, value in options.items()},
        "the inputs": [_identify(input) for input in inputs],
    }


def _identify(input: Input) -> dict[str, Any]:
    found: dict[str, Any] = {"name": input.name, "format": input.format}
    if input.text is not None:
        return found | {"sha256": hashlib.sha256(input.text.encode("utf-8")).hexdigest()}
    path = input.path
    if path is None or not path.is_file():  # standard input, pipes: nobody can look ahead
        return found
    with path.open("rb") as file:
        size = path.stat().st_size
        digest = hashlib.sha256(file.read(_HEAD))
        file.seek(max(0, size - _HEAD))
        digest.update(file.read(_HEAD))
    return found | {"size": size, "sha256": digest.hexdigest()}


def _difference(about: str, before: Identity, now: object) -> str:
    if about == "the inputs":
        names = [found["name"] for found in before.get(about, [])]
        current = [found["name"] for found in now]  # type: ignore[attr-defined]
        if names != current:
            return f"it was written from {', '.join(names)}, not from {', '.join(current)}"
        pairs = list(zip(before[about], now, strict=True))  # type: ignore[call-overload]
        for one, other in pairs:
            was, is_now = (found["format"] or "what its content tells" for found in (one, other))
            if was != is_now:
                return f"{one['name']} was read as {was}, and is now to be read as {is_now}"
        changed = [one["name"] for one, other in pairs if one != other]
        return f"{', '.join(changed)} has changed since"
    if about == "the model":
        return "it was written with another model"
    return f"{about} was {before.get(about)}, and is {now}"
