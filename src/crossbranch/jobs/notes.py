"""The note of an unfinished output, from which an interrupted job is resumed.

The note of `out.export` is `out.export.progress`. It is written before the first tree, and again
after each part of the output has reached the disk. It is deleted when the job is done. So a note
always describes the beginning of its output. A resumed job writes the rest again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from crossbranch.disk import read_file, replace_file
from crossbranch.doors import door
from crossbranch.errors import InputError, OptionError, UsageError
from crossbranch.jobs.inputs import JobInput
from crossbranch.jobs.outputs import check_part, checksum
from crossbranch.jobs.sentences import ReadingMark

SUFFIX = ".progress"
_LARGEST = 1 << 28  # bytes of a note
_HEAD = 1 << 16  # bytes at both ends of an input that must not change


class JobIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """What must be the same when a job is resumed."""

    version: str
    """The version of crossbranch."""
    model: str
    options: dict[str, Any]
    inputs: list[dict[str, Any]]


class JobNote(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a job is done."""

    identity: JobIdentity
    mark: ReadingMark
    before: int = 0
    """The number of sentences before the mark."""
    sentences: int = 0
    trees: int = 0
    """The number of trees; with k-best lists, there are more trees than sentences."""
    outputs: tuple[tuple[int, int], ...] = ()
    """Size and checksum of each output, in order. Outputs may be renamed or moved."""


def note_path(output: Path) -> Path:
    """Return the path of the note of an output."""
    return output.with_name(output.name + SUFFIX)


def read_note(output: Path, identity: JobIdentity, outputs: Sequence[Path]) -> JobNote:
    """Read the note of an output, and check that the job can be resumed.

    Raises:
        UsageError: The note was written by another job.
        InputError: The note is damaged, or an output has changed.
    """
    path = note_path(output)
    try:
        note = msgspec.json.decode(read_file(path, most=_LARGEST), type=JobNote)
    except (OSError, msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise InputError(str(error), "a note of crossbranch parse", path=str(path)) from None
    if not all(map(_is_identified, note.identity.inputs)):
        raise InputError("an input without a name", "a note of crossbranch parse", path=str(path))
    check_identity(output, note.identity, identity)
    if len(note.outputs) != len(outputs):
        raise InputError(f"{len(note.outputs)} outputs", f"{len(outputs)} outputs", path=str(path))
    for each, (size, expected) in zip(outputs, note.outputs, strict=True):
        check_part(each, size, expected)
    return note


def write_note(output: Path, note: JobNote) -> None:
    """Replace the note of an output in one step."""
    path = note_path(output)
    replace_file(path, msgspec.json.encode(note), work=path.with_name(path.name + ".new"))


def written(sizes: Mapping[Path, int]) -> tuple[tuple[int, int], ...]:
    """Return size and checksum of each output, given how many bytes of it are finished."""
    return tuple((size, checksum(path, size)) for path, size in sizes.items())


@door
def identify(model: bytes, options: Mapping[str, Any], inputs: Sequence[JobInput]) -> JobIdentity:
    """Return the identity of a job: the program, the model, the options and the inputs."""
    from importlib.metadata import version  # slow to load

    return JobIdentity(
        version=version("crossbranch"),
        model=hashlib.sha256(model).hexdigest(),
        options=dict(options),
        inputs=[_identify(input) for input in inputs],
    )


def _identify(input: JobInput) -> dict[str, Any]:
    found: dict[str, Any] = {"name": input.name, "format": input.format}
    if input.text is not None:
        digest = hashlib.sha256(input.text.encode("utf-8", "surrogatepass"))
        return found | {"sha256": digest.hexdigest()}
    path = input.path
    if path is None or not path.is_file():  # standard input and pipes cannot be read ahead
        return found
    with path.open("rb") as file:
        size = path.stat().st_size
        digest = hashlib.sha256(file.read(_HEAD))
        file.seek(max(0, size - _HEAD))
        digest.update(file.read(_HEAD))
    return found | {"size": size, "sha256": digest.hexdigest()}


def _is_identified(found: dict[str, Any]) -> bool:
    """Say whether an entry of a note has what every input has."""
    return isinstance(found.get("name"), str) and isinstance(found.get("format", 0), str | None)


def check_identity(output: Path, before: JobIdentity, now: JobIdentity) -> None:
    """Raise a UsageError if an output was written by another job."""
    if before.version != now.version:
        what = f"it was written by crossbranch {before.version}, this is {now.version}"
        raise UsageError(f"cannot resume {output}: {what}")
    if before.model != now.model:
        raise UsageError(f"cannot resume {output}: it was written with another model")
    for name in sorted({*before.options, *now.options}):
        was, is_now = before.options.get(name), now.options.get(name)
        if was != is_now:
            message = "cannot resume {path}: the option {0} was {was} before, it is {now} now"
            raise OptionError(message, name, path=output, was=was, now=is_now)
    if difference := _difference(before.inputs, now.inputs):
        raise UsageError(f"cannot resume {output}: {difference}")


def _difference(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> str:
    """Return how the inputs differ, or an empty text if they are the same."""
    names, current = [one["name"] for one in before], [one["name"] for one in now]
    if names != current:
        return f"it was written from {', '.join(names)}, not from {', '.join(current)}"
    for one, other in zip(before, now, strict=True):
        was, is_now = (found["format"] or "a guessed format" for found in (one, other))
        if was != is_now:
            return f"{one['name']} was read as {was} before, it is read as {is_now} now"
    changed = [one["name"] for one, other in zip(before, now, strict=True) if one != other]
    return f"changed since the interruption: {', '.join(changed)}" if changed else ""
