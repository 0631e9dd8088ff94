"""Models as .zip archives: the files of a model folder in one file, or as bytes."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from crossbranch.errors import InputError

ARCHIVE = ".zip"
_MOST = 1 << 32  # bytes; a protection against harmful archives
_TIME = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same files give the same bytes


def pack_archive(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def unpack_archive(name: str, data: bytes) -> dict[str, bytes]:
    """Return the files of an archive by name. Folders inside the archive are ignored.

    Raises:
        InputError: It is not an archive, or it is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if sum(entry.file_size for entry in entries) > _MOST:
                raise InputError("more than 4 GB", "a model of at most 4 GB", path=name)
            return {entry.filename.rpartition("/")[2]: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError) as error:
        reason = str(error) or type(error).__name__
        raise InputError(reason[:1].lower() + reason[1:], "a .zip archive", path=name) from None
