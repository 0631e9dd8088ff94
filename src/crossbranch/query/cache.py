"""Indexes in the user's cache folder: found, checked, made and thrown away.

The name of an index has a check sum of its source's path and of how the source is read, and a check
sum of the index itself. An index says what its source was like when it was made. So an index that
is damaged or no longer fits is never used. Indexes are complete before they get their names, so
several processes can make the same one at the same time.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

from crossbranch.disk import open_file, put_in_place
from crossbranch.errors import InputError
from crossbranch.query.index import Index, IndexDamageError, write_index
from crossbranch.query.packing import LAYOUT
from crossbranch.tree import Tree
from crossbranch.treebank.files import files_of

_CHUNK = 1 << 20
_WHOLE = 64 << 20  # bytes; of larger files, only some parts are compared, and the times of change
_PARTS = 16
_UNUSED = 60 * 24 * 3600  # seconds after which an index is thrown away
_STALE_WORK = 24 * 3600

Open = Callable[[], Iterable[Tree]]


def cache_folder() -> Path:
    """Return the folder of indexes, by the XDG standard."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "crossbranch" / "find"


def find_index(source: Path, reading: str) -> Index | None:
    """Return the index of a file or folder, if there is one that fits.

    Args:
        source: The treebank.
        reading: How it is read: format, encoding and other options.
    """
    place = cache_folder() / _key(source, reading)
    fingerprint = fingerprint_of(source)
    for path in sorted(place.parent.glob(f"{place.name}-*.sqlite")):
        index = _open(path)
        if index is not None and index.facts.get("fingerprint") == fingerprint:
            with suppress(OSError):
                os.utime(path)  # it is in use
            return index
        if index is not None:
            index.close()
        with suppress(OSError):
            path.unlink()
    return None


def make_index(source: Path, reading: str, open_trees: Open) -> Index | None:
    """Make the index of a file or folder.

    Returns:
        None if no index can be made: the folder cannot be written, or the treebank has errors.
    """
    folder = cache_folder()
    work = ""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _tidy(folder)
        before = fingerprint_of(source)
        handle, work = tempfile.mkstemp(".tmp", dir=folder)
        os.close(handle)
        facts = {"source": str(source.resolve()), "fingerprint": before}
        write_index(Path(work), open_trees(), facts)
        if fingerprint_of(source) != before:
            return None  # the treebank was changed while it was read
        place = folder / f"{_key(source, reading)}-{_check_sum(Path(work)):08x}.sqlite"
        put_in_place(Path(work), place)
        return Index(place)
    except (OSError, sqlite3.Error, UnicodeError, InputError, IndexDamageError):
        return None
    finally:
        if work:
            with suppress(OSError):
                Path(work).unlink()


def fingerprint_of(source: Path) -> str:
    """Return what changes if a treebank changes: sizes and contents."""
    digest = blake2b(digest_size=16)
    paths = files_of(source) if source.is_dir() else [source]
    for path in paths:
        status = path.stat()
        digest.update(f"{path.relative_to(source)} {status.st_size}\n".encode("utf-8", "replace"))
        with path.open("rb") as file:
            if status.st_size > _WHOLE:
                digest.update(f"{status.st_mtime_ns} {status.st_ctime_ns}\n".encode())
                for part in range(_PARTS):
                    file.seek(part * (status.st_size - _CHUNK) // (_PARTS - 1))
                    digest.update(file.read(_CHUNK))
            else:
                for chunk in _chunks(path):
                    digest.update(chunk)
    return digest.hexdigest()


def _key(source: Path, reading: str) -> str:
    from importlib.metadata import version  # slow to load, and only indexes need it

    about = "\0".join([str(source.resolve()), reading, LAYOUT, version("crossbranch")])
    return blake2b(about.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def _open(path: Path) -> Index | None:
    """Open an index if it is not damaged."""
    try:
        if path.stem.rpartition("-")[2] != f"{_check_sum(path):08x}":
            return None
        return Index(path)
    except (OSError, IndexDamageError):
        return None


def _check_sum(path: Path) -> int:
    found = 0
    for chunk in _chunks(path):
        found = crc32(chunk, found)
    return found


def _chunks(path: Path) -> Iterator[bytes]:
    with open_file(path) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _tidy(folder: Path) -> None:
    """Throw away indexes that were not used for a long time, and what interrupted work left."""
    now = time.time()
    for path in folder.iterdir():
        with suppress(OSError):
            age = now - path.stat().st_mtime
            if (path.suffix == ".sqlite" and age > _UNUSED) or (
                path.suffix == ".tmp" and age > _STALE_WORK
            ):
                path.unlink()
