"""Model folders: plain files, and a manifest that vouches for them.

A folder is written beside its place and then moved there, so that there is a whole model at any
moment. Opening one checks format version, sizes and checksums; nothing in it can run code.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
CLUSTERS = "clusters.json"
CHECKPOINT = "checkpoint"
_UNFINISHED = (CHECKPOINT, f"{CHECKPOINT}.new")


class FileEntry(msgspec.Struct, frozen=True):
    """What the manifest says of a file."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a model says about itself."""

    format: int
    crossbranch: str  # the version that wrote it
    files: dict[str, FileEntry]
    about: dict[str, Any] = {}  # where it comes from: data, scores, licence, date


class ModelFolder:
    """An opened model: its manifest, and its files by name."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest

    def path_of(self, name: str) -> Path:
        """Return the path of a file of the model."""
        if name not in self.manifest.files:
            found = f"no entry for {name}"
            raise InputError(found, "one", path=str(self.path / MANIFEST))
        return self.path / name

    def text(self, name: str) -> str:
        """Return the text of a file."""
        path = self.path_of(name)
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            found = f"the byte 0x{error.object[error.start]:02x}"
            raise InputError(found, "UTF-8", path=str(path), byte=error.start) from None

    def json(self, name: str) -> Any:
        """Return what a JSON file holds."""
        path = self.path_of(name)
        return _decode(path, path.read_bytes(), object)

    @cached_property
    def clusters(self) -> Clusters | None:
        """The table of word clusters, if there is one; parser and tagger share it."""
        if CLUSTERS not in self.manifest.files:
            return None
        path = self.path_of(CLUSTERS)
        return Clusters.from_json(path.read_bytes(), path=str(path))


def write_folder(
    folder: str | Path, files: Mapping[str, bytes], about: Mapping[str, Any] | None = None
) -> None:
    """Write a model; one that is there is replaced, together with an unfinished training of it.

    Files of others in the folder of a model are kept; a folder of something else is refused.
    """
    place = Path(folder).resolve()
    restore(place)
    check_place(place)
    new, old = _beside(place, "new"), _beside(place, "old")
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.mkdir(parents=True)
    _keep_others(place, new, files)
    entries = {}
    for name, data in files.items():
        (new / name).write_bytes(data)
        entries[name] = FileEntry(len(data), hashlib.sha256(data).hexdigest())
    manifest = Manifest(
        format=FORMAT_VERSION,
        crossbranch=version("crossbranch"),
        files=entries,
        about=dict(about or {}),
    )
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    (new / MANIFEST).write_bytes(text + b"\n")
    if place.exists():
        place.rename(old)  # between these two lines, `restore` finds what was there
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def restore(folder: Path) -> None:
    """Put back what was there when somebody was killed while replacing it."""
    old = _beside(folder.resolve(), "old")
    if not folder.exists() and old.exists():
        old.rename(folder)


def open_folder(folder: str | Path) -> ModelFolder:
    """Open a model and check its files; InputError names the one that is wrong."""
    path = Path(folder)
    if not path.exists() and _beside(path.resolve(), "old").exists():
        path = _beside(path.resolve(), "old")
    if not path.is_dir():
        raise UsageError(f"cannot load {folder}: there is no such folder")
    manifest = _read_manifest(path)
    for name, entry in manifest.files.items():
        if Path(name).name != name:
            raise InputError(f"the file name {name!r}", "a plain one", path=str(path / MANIFEST))
        _check_file(path / name, entry)
    return ModelFolder(path, manifest)


def is_model(folder: Path) -> bool:
    """Say whether there is a finished model in a folder."""
    return (folder / MANIFEST).is_file()


def check_place(folder: Path) -> None:
    """Refuse a place where there is something else than a model."""
    if not folder.exists() or is_model(folder):
        return
    if not folder.is_dir():
        raise UsageError(f"cannot write a model to {folder}: it is a file")
    others = sorted(path.name for path in folder.iterdir() if path.name not in _UNFINISHED)
    if others:
        raise UsageError(f"cannot write a model to {folder}: it holds other files ({others[0]})")


def _beside(place: Path, what: str) -> Path:
    return place.with_name(f".{place.name}.{what}")


def _keep_others(place: Path, new: Path, files: Mapping[str, bytes]) -> None:
    if not is_model(place):
        return
    try:
        ours = set(_read_manifest(place).files)
    except InputError:  # damaged: only the names that are to be written are known to be a model's
        ours = set()
    for path in place.iterdir():
        if path.name in ours or path.name in files or path.name in (MANIFEST, *_UNFINISHED):
            continue
        if path.is_dir():
            shutil.copytree(path, new / path.name, symlinks=True)
        else:
            shutil.copy2(path, new / path.name, follow_symlinks=False)


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        state = "an unfinished training" if (folder / CHECKPOINT).exists() else f"no {MANIFEST}"
        raise InputError(state, "a finished model", path=str(folder)) from None
    found = _decode(path, data, dict[str, Any]).get("format")
    if isinstance(found, int) and found > FORMAT_VERSION:
        expected = f"{FORMAT_VERSION} at most: a newer crossbranch can read it"
        raise InputError(f"format version {found}", expected, path=str(path))
    manifest: Manifest = _decode(path, data, Manifest)
    return manifest


def _decode(path: Path, data: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise InputError(str(error), "the JSON of a model", path=str(path)) from None


def _check_file(path: Path, entry: FileEntry) -> None:
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if size != entry.size:
                raise InputError(f"{size:,} bytes", f"{entry.size:,}", path=str(path))
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InputError(reason, "a file of the model", path=str(path)) from None
    if digest != entry.sha256:
        raise InputError(f"sha256 {digest}", entry.sha256, path=str(path))
