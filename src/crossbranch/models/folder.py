"""Models on disk: plain files, and a manifest with their sizes and checksums.

A model is a folder, or the same files in a .zip archive. A new model replaces an old one as a
whole, so that a model is complete at any moment (`crossbranch.disk`). Opening a model checks its
format version, sizes and checksums. Only regular files of these sizes are read. Loading a model
never runs code from it.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from crossbranch import json_texts
from crossbranch.disk import (
    LARGEST_FILE,
    beside,
    make_folders,
    open_file,
    read_file,
    replace_file,
    replace_folder,
    restore_folder,
)
from crossbranch.errors import InputError, UsageError, shown
from crossbranch.features import Clusters
from crossbranch.models.archive import ARCHIVE, pack_archive, unpack_archive

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
CLUSTERS = "clusters.json"
CHECKPOINT = "checkpoint"
_LONGEST_NAME = 200
_LARGEST_MANIFEST = 1 << 28  # bytes
_UNFINISHED = (CHECKPOINT, f"{CHECKPOINT}.new")


class FileEntry(msgspec.Struct, frozen=True):
    """The entry of a file in the manifest."""

    size: Annotated[int, Meta(ge=0, le=LARGEST_FILE)]
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest of a model: its files, labels and tags, and facts about it."""

    format: int
    crossbranch: str  # the version that wrote it
    files: dict[str, FileEntry]
    labels: tuple[str, ...] = ()  # of the treebank, sorted; old models do not list them
    tags: tuple[str, ...] = ()  # of the treebank, sorted; old models do not list them
    about: dict[str, Any] = {}  # where it comes from: data, scores, licence, date


class ModelFolder:
    """An opened model: its manifest, and its files by name."""

    def __init__(self, name: str, manifest: bytes, files: Path | Mapping[str, bytes]) -> None:
        """Open a model with this manifest. Messages name it `name`."""
        self.name = name
        self._files = files
        self.manifest = _manifest(manifest, self.where(MANIFEST))
        self.digest = hashlib.sha256(manifest).hexdigest()
        """A checksum that identifies the model."""

    @property
    def path(self) -> Path | None:
        """The folder; None if the model comes from an archive."""
        return self._files if isinstance(self._files, Path) else None

    def where(self, name: str) -> str:
        """Return the name of a file of the model, for messages."""
        return str(Path(self.name) / name)

    def data(self, name: str) -> bytes:
        """Return the content of a file."""
        if name not in self.manifest.files:
            raise InputError(f"no entry for {name}", "an entry", path=self.where(MANIFEST))
        if not isinstance(self._files, Path):
            return self._files[name]
        try:
            return read_file(self._files / name, most=self.manifest.files[name].size)
        except OSError as error:
            raise self._unreadable(name, error) from None

    def text(self, name: str) -> str:
        """Return the text of a file."""
        try:
            return self.data(name).decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"the byte 0x{error.object[error.start]:02x}"
            raise InputError(found, "UTF-8", path=self.where(name), byte=error.start) from None

    def json(self, name: str, kind: Any = object) -> Any:
        """Return the content of a JSON file."""
        return _decode(self.where(name), self.data(name), kind)

    @cached_property
    def clusters(self) -> Clusters | None:
        """The table of word clusters, which parser and tagger share; None if there is none."""
        if CLUSTERS not in self.manifest.files:
            return None
        return Clusters.from_json(self.data(CLUSTERS), path=self.where(CLUSTERS))

    def check(self) -> None:
        """Compare all files with the manifest. Raises InputError for the first wrong file."""
        for name, entry in self.manifest.files.items():
            if (
                name != Path(name).name
                or name in ("", "..")
                or not name.isprintable()
                or len(name) > _LONGEST_NAME
            ):
                found = f"the file name {shown(name)}"
                raise InputError(found, "a name without folders", path=self.where(MANIFEST))
            with self._opened(name) as file:
                size = file.seek(0, os.SEEK_END)
                if size != entry.size:
                    raise InputError(f"{size:,} bytes", f"{entry.size:,}", path=self.where(name))
                file.seek(0)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            if digest != entry.sha256:
                raise InputError(f"sha256 {digest}", entry.sha256, path=self.where(name))

    def _opened(self, name: str) -> io.BufferedReader | io.BytesIO:
        if not isinstance(self._files, Path):
            if name not in self._files:
                raise InputError("no such file", "a file of the model", path=self.where(name))
            return io.BytesIO(self._files[name])
        try:
            return open_file(self._files / name)
        except OSError as error:
            raise self._unreadable(name, error) from None

    def _unreadable(self, name: str, error: OSError) -> InputError:
        reason = (error.strerror or type(error).__name__).lower()
        return InputError(reason, "a file of the model", path=self.where(name))


def open_model(model: str | Path | bytes) -> ModelFolder:
    """Open a model and check its files: a folder, a .zip archive, or the bytes of an archive.

    Raises:
        UsageError: There is no such folder or archive.
        InputError: A file of the model is wrong.
    """
    opened = look_into(model)
    opened.check()
    return opened


def look_into(model: str | Path | bytes) -> ModelFolder:
    """Open a model without checking its files, for example to read its manifest."""
    if isinstance(model, bytes):
        return _opened_archive("<archive>", model)
    if not _can_be_a_name(model):
        raise UsageError(f"cannot load {str(model)[:40]!r}...: it cannot be the name of a folder")
    path = Path(model)
    if not path.exists() and beside(path.resolve(), "old").exists():
        path = beside(path.resolve(), "old")
    if path.is_file() and path.suffix.lower() == ARCHIVE:
        return _opened_archive(str(path), _read(path, "a .zip archive", LARGEST_FILE))
    if not path.is_dir():
        raise UsageError(f"cannot load {model}: there is no such folder or .zip archive")
    return ModelFolder(str(path), _read_manifest(path), path)


def _can_be_a_name(model: str | Path) -> bool:
    """Say whether there could be a file of this name: it is not too long, and has no NUL."""
    try:
        Path(model).exists()
    except (OSError, ValueError):
        return False
    return True


def _opened_archive(name: str, data: bytes) -> ModelFolder:
    files = unpack_archive(name, data)
    if MANIFEST not in files:
        raise InputError(f"no {MANIFEST}", "a model", path=name)
    return ModelFolder(name, files[MANIFEST], files)


class ModelParts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is written to a model folder."""

    files: Mapping[str, bytes]
    about: Mapping[str, Any] = {}
    labels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def manifest(self) -> bytes:
        """Return the manifest, as JSON."""
        from importlib.metadata import version  # slow to load, and readers do not need it

        found = Manifest(
            format=FORMAT_VERSION,
            crossbranch=version("crossbranch"),
            files={
                name: FileEntry(len(data), hashlib.sha256(data).hexdigest())
                for name, data in self.files.items()
            },
            labels=self.labels,
            tags=self.tags,
            about=dict(self.about),
        )
        return json_texts.encode(found, is_indented=True) + b"\n"

    def archive(self) -> bytes:
        """Return the model as one .zip archive; the same model gives the same bytes."""
        return pack_archive({**self.files, MANIFEST: self.manifest()})


def write_model(place: str | Path, parts: ModelParts) -> None:
    """Write a model to a folder, or to a file if the name ends in .zip.

    A model that is already there is replaced; its checkpoint is removed. Other files in a model
    folder are kept. A folder that is not a model is refused.
    """
    path = Path(place).resolve()
    if path.suffix.lower() == ARCHIVE:
        make_folders(path.parent)
        replace_file(path, parts.archive(), work=beside(path, "new"))
    else:
        restore_folder(path)
        check_place(path)
        files = {**parts.files, MANIFEST: parts.manifest()}
        replace_folder(path, files, keeps=_others(path, files))


def is_model(folder: Path) -> bool:
    """Return whether there is a finished model in a folder."""
    return (folder / MANIFEST).is_file()


def check_place(folder: Path) -> None:
    """Refuse a place that contains something other than a model."""
    if not folder.exists() or is_model(folder):
        return
    if not folder.is_dir():
        raise UsageError(f"cannot write a model to {folder}: it is a file")
    others = sorted(path.name for path in folder.iterdir() if path.name not in _UNFINISHED)
    if others:
        raise UsageError(f"cannot write a model to {folder}: it has other files ({others[0]})")


def _others(place: Path, files: Mapping[str, bytes]) -> Callable[[Path], bool]:
    """Return what says whether a file in an old model folder is of its user, and stays."""
    if not is_model(place):
        return lambda _: False
    try:
        ours = set(look_into(place).manifest.files)
    except InputError:  # damaged: replace only the files that the new model has
        ours = set()
    ours |= {*files, MANIFEST, *_UNFINISHED}
    return lambda path: path.name not in ours


def _read_manifest(folder: Path) -> bytes:
    if not (folder / MANIFEST).exists():
        state = "an unfinished training" if (folder / CHECKPOINT).exists() else f"no {MANIFEST}"
        raise InputError(state, "a finished model", path=str(folder))
    return _read(folder / MANIFEST, "the manifest of a model", _LARGEST_MANIFEST)


def _read(path: Path, expected: str, most: int) -> bytes:
    try:
        return read_file(path, most=most)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InputError(reason, expected, path=str(path)) from None


def _manifest(data: bytes, path: str) -> Manifest:
    found = _decode(path, data, dict[str, Any]).get("format")
    if isinstance(found, int) and found > FORMAT_VERSION:
        expected = f"at most {FORMAT_VERSION}; use a newer version of crossbranch"
        raise InputError(f"format version {found}", expected, path=path)
    manifest: Manifest = _decode(path, data, Manifest)
    return manifest


def _decode(path: str, data: bytes, kind: Any) -> Any:
    try:
        return json_texts.decode(data, kind)
    except (ValueError, RecursionError) as error:  # errors of msgspec and UTF-8 are ValueErrors
        raise InputError(str(error), "a JSON file of a model", path=path) from None
