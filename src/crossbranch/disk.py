"""Files on disk: only regular files are read, and whatever is replaced is replaced as a whole.

A pipe or a device in place of a file could block a program or fill its memory. So `open_file` and
`read_file` refuse everything but regular files, and never read more than is allowed.

`replacing` writes a file under another name, waits until the disk has it, and renames it. After a
power cut between any two steps, the old file or the new one is there, and it is complete.
`replace_folder` does the same with a folder; `restore_folder` repairs what was interrupted. All
steps go through `steps`, so that tests can record them and end the world after each.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

LARGEST_FILE = 1 << 32  # bytes
_CHUNK = 1 << 16
_KINDS = (
    (stat.S_ISDIR, "is a directory"),
    (stat.S_ISFIFO, "is a pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
)
_EXTRA: Final = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_BINARY"))
_READ: Final = os.O_RDONLY | _EXTRA | getattr(os, "O_NONBLOCK", 0)
_WRITE: Final = os.O_RDWR | os.O_CREAT | os.O_TRUNC | _EXTRA


class Steps:
    """The calls that change what is on a disk."""

    def create(self, path: Path) -> IO[bytes]:
        """Make an empty file, or empty the one that is there, and open it for writing."""
        return os.fdopen(os.open(path, _WRITE, 0o666), "w+b")

    def sync(self, file: IO[bytes]) -> None:
        """Wait until the disk has all of a file."""
        file.flush()
        os.fsync(file.fileno())

    def make_folder(self, path: Path) -> None:
        """Make a folder. There may be one already."""
        path.mkdir(exist_ok=True)

    def rename(self, path: Path, new: Path) -> None:
        """Rename a file or folder. A file with the new name is replaced."""
        path.replace(new)

    def remove(self, path: Path) -> None:
        """Delete a file."""
        path.unlink(missing_ok=True)

    def remove_folder(self, path: Path) -> None:
        """Delete a folder with everything in it, if there is one."""
        shutil.rmtree(path, ignore_errors=True)

    def copy(self, path: Path, new: Path) -> None:
        """Copy a file or folder as it is, links as links."""
        if path.is_dir() and not path.is_symlink():
            shutil.copytree(path, new, symlinks=True)
        else:
            shutil.copy2(path, new, follow_symlinks=False)

    def sync_folder(self, path: Path) -> None:
        """Wait until the disk knows the names in a folder."""
        with suppress(OSError):  # some systems and network drives cannot
            handle = os.open(path, os.O_RDONLY | _EXTRA)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


steps = Steps()
"""All changes go through this object."""


def open_file(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a regular file for reading, or a link to one.

    Raises:
        OSError: There is no such file, it may not be read, or it is not a regular file. Nothing is
            read from a pipe or a device.
    """
    try:
        _check_kind(path, Path(path).stat())
        handle = os.open(path, _READ)
    except ValueError:  # a NUL in the name
        raise OSError(errno.EINVAL, "not the name of a file", str(path)) from None
    try:
        _check_kind(path, os.fstat(handle))  # it may be another one by now
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _check_kind(path: str | os.PathLike[str], found: os.stat_result) -> None:
    for is_kind, name in _KINDS:
        if is_kind(found.st_mode):
            code = errno.EISDIR if is_kind is stat.S_ISDIR else errno.EINVAL
            raise OSError(code, name, str(path))


def read_file(path: str | os.PathLike[str], *, most: int = LARGEST_FILE) -> bytes:
    """Return the content of a regular file of at most so many bytes.

    Raises:
        OSError: As in `open_file`, or the file is larger.
    """
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        parts = []
        found = 0
        # No more memory than the file needs: `read` takes all that it is asked for at once.
        while max(size, found) <= most and (part := file.read(min(max(size, _CHUNK), most) + 1)):
            parts.append(part)
            found += len(part)
        data = b"".join(parts)
    if max(size, len(data)) > most:
        raise OSError(errno.EFBIG, f"has more than {most:,} bytes", str(path))
    return data


def is_file(path: str | os.PathLike[str]) -> bool:
    """Say whether there is a regular file of this name. No name is too odd for this question."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


@contextmanager
def replacing(
    path: str | os.PathLike[str], *, work: Path | None = None, keeps_part: bool = False
) -> Iterator[IO[bytes]]:
    """Open a file for writing. It gets its name when everything is written and on the disk.

    If the block raises an error, what was there before stays as it is. Pipes and devices cannot be
    replaced: they are written to.

    Args:
        path: The file. A link stays a link: the file behind it is replaced.
        work: The name until then (default: a hidden name beside the file).
        keeps_part: If there was no file before, an error leaves what was written before it.
    """
    place = Path(os.path.realpath(path))
    is_there = place.exists()
    if _is_written_to(Path(path)) or (keeps_part and not is_there):
        with Path(path).open("wb") as file:
            yield file
        return
    new = work or place.with_name(f".{place.name[:100]}.{os.getpid()}.new")
    try:
        with _created(new, place) as file:
            yield file
            steps.sync(file)
        if is_there:
            shutil.copymode(place, new)
        steps.rename(new, place)
    except BaseException:
        with suppress(OSError):
            steps.remove(new)
        raise
    steps.sync_folder(place.parent)


def _is_written_to(path: Path) -> bool:
    """Say whether a path is a pipe or a device, or a name of an open file, such as /dev/stdout."""
    return path.exists() and (not path.is_file() or path.absolute().parts[1:2] == ("dev",))


def _created(new: Path, place: Path) -> IO[bytes]:
    """Create a file. Messages about it name the place where it is to go."""
    try:
        return steps.create(new)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(place)) from None


def replace_file(path: str | os.PathLike[str], data: bytes, *, work: Path | None = None) -> None:
    """Write a file as a whole; see `replacing`."""
    with replacing(path, work=work) as file:
        file.write(data)


def put_in_place(work: Path, place: Path) -> None:
    """Give a finished file its name, once the disk has all of it."""
    with work.open("rb+") as file:
        steps.sync(file)
    steps.rename(work, place)
    steps.sync_folder(place.parent)


def make_folders(path: Path) -> None:
    """Make a folder and those above it, so that the disk knows them."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        steps.make_folder(folder)
        steps.sync_folder(folder.parent)
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def replace_folder(
    place: Path, files: Mapping[str, bytes], *, keeps: Callable[[Path], bool] = lambda _: False
) -> None:
    """Write a folder of files in place of another one.

    Args:
        place: The folder, without links in its path.
        files: The contents by name.
        keeps: Says which other files and folders of the old folder stay.
    """
    restore_folder(place)
    new, old = beside(place, "new"), beside(place, "old")
    for leftover in (new, old):
        steps.remove_folder(leftover)
    make_folders(place.parent)
    try:
        steps.make_folder(new)
        for other in sorted(filter(keeps, place.iterdir())) if place.exists() else ():
            steps.copy(other, new / other.name)
            _sync_all(new / other.name)
        for name, data in files.items():
            with steps.create(new / name) as file:
                file.write(data)
                steps.sync(file)
        steps.sync_folder(new)
        if place.exists():
            steps.rename(place, old)  # if the world ends here, `restore_folder` finds the old one
        steps.rename(new, place)
    except BaseException:
        restore_folder(place)
        steps.remove_folder(new)
        raise
    steps.sync_folder(place.parent)
    steps.remove_folder(old)


def _sync_all(path: Path) -> None:
    """Wait until the disk has a file, or everything in a folder."""
    if path.is_symlink():
        return
    for folder, _, names in os.walk(path):
        for name in names:
            _sync_all(Path(folder) / name)
        steps.sync_folder(Path(folder))
    if path.is_file():
        with suppress(PermissionError), path.open("rb+") as file:
            steps.sync(file)


def restore_folder(place: Path) -> None:
    """Put back the old folder if a program ended while it replaced it."""
    old = beside(Path(os.path.realpath(place)), "old")
    if not place.exists() and old.exists():
        steps.rename(old, place)


def beside(place: Path, what: str) -> Path:
    """Return the hidden name that a file or folder has while it is replaced."""
    return place.with_name(f".{place.name}.{what}")
