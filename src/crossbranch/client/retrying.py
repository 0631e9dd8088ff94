"""When a call is repeated, and how long to wait before.

All calls can be repeated without harm: a server keeps nothing. A busy or stopping server answers
429 or 503, and a server that was stopped refuses connections. A client then waits, each time twice
as long, and gives up when its patience is over.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import NamedTuple

BUSY = (429, 503)
_FIRST, _MOST = 0.1, 5.0  # seconds


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes
    retry_after: str = ""


class Patience:
    """Says how long to wait before the next try; not at all when the time is over."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._wait = _FIRST

    def next_wait(self, retry_after: str = "") -> float | None:
        """Return how many seconds to wait; None: give up.

        Args:
            retry_after: What the server says, in seconds.
        """
        wait = self._wait * random.uniform(0.5, 1.0)  # clients should not all come back at once
        with suppress(ValueError):
            wait = max(wait, min(float(retry_after), _MOST) * random.uniform(0.5, 1.0))
        self._wait = min(2 * self._wait, _MOST)
        return wait if time.monotonic() + wait < self._end else None
