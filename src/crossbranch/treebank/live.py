"""Live streams: pipes, sockets and terminals, whose bytes are handed on as they come."""

from __future__ import annotations

import io
import os
import select
import stat
from collections.abc import Callable
from typing import IO, Any

QUIET = 0.1
"""Seconds without a byte after which a stream is quiet."""


class LiveStream(io.RawIOBase):
    """A stream that may pause; nobody waits for more bytes than have come."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read from a stream that has a file number."""
        self._number = stream.fileno()
        self._read_some: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        # A thread that waits inside sys.stdin would hold its lock, and Python could not exit.
        self._waits = self._number == 0
        self._head = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def is_quiet(self) -> bool:
        """Wait a moment for more bytes; return whether none have come and the stream is open."""
        return not self._head and not self._has_come(QUIET)

    def head(self, is_enough: Callable[[bytes], bool]) -> bytes:
        """Return the first bytes without using them up: as many as are enough, or all."""
        while not is_enough(self._head) and (more := self._next(io.DEFAULT_BUFFER_SIZE)):
            self._head += more
        return self._head

    def read1(self, size: int = -1) -> bytes:
        """Return the next bytes that come; none at the end."""
        size = io.DEFAULT_BUFFER_SIZE if size < 0 else size
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
            return data
        return self._next(size)

    def readinto(self, buffer: Any, /) -> int:
        """Put the next bytes that come into a buffer."""
        data = self.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _next(self, size: int) -> bytes:
        if self._waits:
            self._has_come(None)
        return self._read_some(size)

    def _has_come(self, seconds: float | None) -> bool:
        """Wait until there is something to read, be it the end."""
        try:
            return bool(select.select([self._number], [], [], seconds)[0])
        except (OSError, ValueError):  # Windows can only wait for sockets
            return True


def live_stream(stream: IO[bytes]) -> LiveStream | None:
    """Return a pipe, socket or terminal as a live stream, and None for every other stream."""
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (AttributeError, OSError, ValueError):  # it is not a file of the system
        return None
    is_live = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)
    return LiveStream(stream) if is_live else None
