"""Where pretrained encoders are, and which one a parser was trained with. No torch here.

An encoder is a folder in the format of the library transformers: `config.json`, weights as
safetensors files, and the files of a tokenizer. It may be inside an installed package. Nothing
here runs code from such a folder, and weights in the pickle format are refused, because reading
them could.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Self

import msgspec

from crossbranch.disk import open_file
from crossbranch.errors import InputError, UsageError

PLACE_VARIABLE = "CROSSBRANCH_PRETRAINED"
"""The environment variable that names the encoder if it is not where it was in training."""

NO_TRANSFORMERS = (
    "pretrained encoders need torch and transformers; install them with: crossbranch[pretrained]"
)
_PACKAGE = "package:"
_CONFIG = "config.json"
_WEIGHTS = "model.safetensors"
_INDEX = "model.safetensors.index.json"
_EXPECTED = f"the folder of a model of transformers, with {_CONFIG} and {_WEIGHTS}"


class StoredEncoder(msgspec.Struct, frozen=True, kw_only=True):
    """The pretrained encoder of a parser, as a model folder knows it."""

    place: str
    """A folder, or `package:NAME`."""
    sha256: str
    """The checksum of its weights, before they were fine-tuned."""
    files: Mapping[str, bytes] = {}
    """If it was fine-tuned: its configuration and tokenizer. The weights are with the others."""

    @classmethod
    def of(cls, place: str) -> Self:
        """Look at an encoder that is there. A folder is remembered by its full path."""
        folder = find_folder(place)
        full = place if place.startswith(_PACKAGE) else str(folder.resolve())
        return cls(place=full, sha256=checksum(folder))

    def find(self) -> Path:
        """Return the folder of the encoder: the place of training, or that of the variable.

        Raises:
            UsageError: It is at neither place.
            InputError: There is another encoder.
        """
        other = os.environ.get(PLACE_VARIABLE, "")
        found: dict[str, str] = {}
        for place in filter(None, (self.place, other)):
            try:
                folder = find_folder(place)
            except UsageError:
                continue
            found[place] = checksum(folder)
            if found[place] == self.sha256:
                return folder
        expected = f"the encoder {self.place} with sha256 {self.sha256}"
        if not found:
            raise UsageError(
                f"this model needs {expected}, which is not there; set the environment variable"
                f" {PLACE_VARIABLE} to its folder"
            )
        place, digest = list(found.items())[-1]
        raise InputError(f"an encoder with sha256 {digest}", expected, path=place)


def check_encoder(place: str) -> None:
    """Raise an error if the setting names no place, or if there is no encoder at the place."""
    if not place:
        raise UsageError(
            f"the setting pretrained.path is empty, expected {_EXPECTED}, or {_PACKAGE}NAME"
        )
    find_folder(place)


def find_folder(place: str) -> Path:
    """Return the folder of an encoder: a folder, or `package:NAME`.

    Raises:
        UsageError: There is no such folder or package.
        InputError: The folder is not that of an encoder with safe weights.
    """
    if place.startswith(_PACKAGE):
        return _in_package(place)
    folder = Path(place)
    if not folder.is_dir():
        raise UsageError(
            f"the pretrained encoder is {place!r}, but there is no such folder; expected"
            f" {_EXPECTED}, or {_PACKAGE}NAME"
        )
    _check(folder)
    return folder


def _in_package(place: str) -> Path:
    name = place.removeprefix(_PACKAGE)
    spec = find_spec(name) if name.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(
            f"the pretrained encoder is {place!r}, but there is no package {name!r}; install it"
            " with pip"
        )
    root = Path(next(iter(spec.submodule_search_locations)))
    folders = sorted({path.parent for path in root.rglob(_CONFIG)}, key=lambda one: len(one.parts))
    if not folders:
        raise InputError(f"no {_CONFIG} in the package {name}", _EXPECTED, path=str(root))
    _check(folders[0])
    return folders[0]


def _check(folder: Path) -> None:
    """Raise an InputError if a folder has no configuration or no safe weights."""
    if not (folder / _CONFIG).is_file():
        raise InputError(f"no {_CONFIG}", _EXPECTED, path=str(folder))
    if _weight_files(folder):
        return
    pickled = sorted(
        path.name for path in folder.iterdir() if path.suffix in (".bin", ".pt", ".pth", ".ckpt")
    )
    if pickled:
        raise InputError(
            f"weights only as {pickled[0]}, a format that can run code",
            f"{_WEIGHTS}; save the model with safe_serialization",
            path=str(folder),
        )
    raise InputError("no weights", _EXPECTED, path=str(folder))


def _weight_files(folder: Path) -> list[Path]:
    """Return the files of the weights; large encoders have several."""
    if (folder / _WEIGHTS).is_file():
        return [folder / _WEIGHTS]
    if (folder / _INDEX).is_file():
        return sorted(folder.glob("model-*.safetensors"))
    return []


def checksum(folder: Path) -> str:
    """Return the sha256 of the weights of an encoder; of several files, that of their sums."""
    sums = []
    for path in _weight_files(folder):
        with open_file(path) as file:
            sums.append(hashlib.file_digest(file, "sha256").hexdigest())
    return sums[0] if len(sums) == 1 else hashlib.sha256("".join(sums).encode()).hexdigest()
