"""Live streams: pipes, sockets and terminals. Their bytes are passed on as soon as they come."""

from __future__ import annotations

import io
import os
import select
import stat
from collections.abc import Callable
from typing import IO, Any

QUIET = 0.1
"""A stream is quiet after this many seconds without a byte."""


class LiveStream(io.RawIOBase):
    """A stream that may pause. Reading returns the bytes that have come, and waits for no more."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read from a stream that has a file descriptor."""
        self._number = stream.fileno()
        self._read_some: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        # A thread waiting inside sys.stdin would keep its lock, and Python could not exit.
        self._waits = self._number == 0
        self._head = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def is_quiet(self) -> bool:
        """Wait a moment for more bytes. Return whether none have come and the stream is open."""
        return not self._head and not self._has_come(QUIET)

    def head(self, is_enough: Callable[[bytes], bool]) -> bytes:
        """Return the first bytes, which can still be read: as many as are enough, or all."""
        while not is_enough(self._head) and (more := self._next(io.DEFAULT_BUFFER_SIZE)):
            self._head += more
        return self._head

    def read1(self, size: int = -1) -> bytes:
        """Return the next bytes that come. At the end of the stream, return none."""
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
        """Wait until there are bytes to read, or the stream ends."""
        try:
            return bool(select.select([self._number], [], [], seconds)[0])
        except (OSError, ValueError):  # Windows can only wait for sockets
            return True


def live_stream(stream: IO[bytes]) -> LiveStream | None:
    """Return a pipe, socket or terminal as a live stream. Return None for other streams."""
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (AttributeError, OSError, ValueError):  # it is not a file of the operating system
        return None
    is_live = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)
    return LiveStream(stream) if is_live else None
