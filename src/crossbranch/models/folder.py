"""Models on disk: plain files, and a manifest with their sizes and checksums.

A model is a folder, or the same files in a .zip archive. A new folder is first written under
another name and then renamed, so that the model is complete at any moment. Opening a model checks
its format version, sizes and checksums. Loading a model never runs code from it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters
from crossbranch.models.archive import ARCHIVE, pack_archive, unpack_archive

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
CLUSTERS = "clusters.json"
CHECKPOINT = "checkpoint"
_UNFINISHED = (CHECKPOINT, f"{CHECKPOINT}.new")


class FileEntry(msgspec.Struct, frozen=True):
    """The entry of a file in the manifest."""

    size: int
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
            return (self._files / name).read_bytes()
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
            if Path(name).name != name:
                found = f"the file name {name!r}"
                raise InputError(found, "a name without folders", path=self.where(MANIFEST))
            size, digest = self._measured(name)
            if size != entry.size:
                raise InputError(f"{size:,} bytes", f"{entry.size:,}", path=self.where(name))
            if digest != entry.sha256:
                raise InputError(f"sha256 {digest}", entry.sha256, path=self.where(name))

    def _measured(self, name: str) -> tuple[int, str]:
        if not isinstance(self._files, Path):
            if name not in self._files:
                raise InputError("no such file", "a file of the model", path=self.where(name))
            return len(self._files[name]), hashlib.sha256(self._files[name]).hexdigest()
        try:
            with (self._files / name).open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                return file.tell(), digest
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
    if not path.exists() and _beside(path.resolve(), "old").exists():
        path = _beside(path.resolve(), "old")
    if path.is_file() and path.suffix.lower() == ARCHIVE:
        return _opened_archive(str(path), path.read_bytes())
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
        new = _beside(path, "new")
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(parts.archive())
        new.replace(path)
    else:
        _write_folder(path, parts)


def _write_folder(place: Path, parts: ModelParts) -> None:
    restore(place)
    check_place(place)
    new, old = _beside(place, "new"), _beside(place, "old")
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.mkdir(parents=True)
    _keep_others(place, new, parts.files)
    for name, data in parts.files.items():
        (new / name).write_bytes(data)
    (new / MANIFEST).write_bytes(parts.manifest())
    if place.exists():
        place.rename(old)  # if the process is killed here, `restore` finds the old model
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def restore(folder: Path) -> None:
    """Put back the old model if a process was killed while it replaced the model."""
    old = _beside(folder.resolve(), "old")
    if not folder.exists() and old.exists():
        old.rename(folder)


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


def _beside(place: Path, what: str) -> Path:
    return place.with_name(f".{place.name}.{what}")


def _keep_others(place: Path, new: Path, files: Mapping[str, bytes]) -> None:
    if not is_model(place):
        return
    try:
        ours = set(look_into(place).manifest.files)
    except InputError:  # damaged: replace only the files that the new model has
        ours = set()
    for path in place.iterdir():
        if path.name in ours or path.name in files or path.name in (MANIFEST, *_UNFINISHED):
            continue
        if path.is_dir():
            shutil.copytree(path, new / path.name, symlinks=True)
        else:
            shutil.copy2(path, new / path.name, follow_symlinks=False)


def _read_manifest(folder: Path) -> bytes:
    try:
        return (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        state = "an unfinished training" if (folder / CHECKPOINT).exists() else f"no {MANIFEST}"
        raise InputError(state, "a finished model", path=str(folder)) from None


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
