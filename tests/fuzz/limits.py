"""One input within its time and memory, and what went wrong with it."""

from __future__ import annotations

import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import crossbranch
from crossbranch.errors import CrossbranchError, LossWarning

PACKAGE = str(Path(crossbranch.__file__).parent)

SECONDS = 10.0
"""CPU time that one small input may take. The usual ones take some thousandths."""

MEMORY = 2 << 30
"""Bytes that a process may take besides those that it has at the start."""


class TooSlowError(BaseException):
    """An input took too long. Nothing that catches an Exception can hide it."""


class Finding(NamedTuple):
    """A mistake, and the place that tells it from others."""

    key: str
    text: str


def check(run: Callable[[bytes], None], data: bytes) -> Finding | None:
    """Run a target. Return what went wrong; nothing if all is well or the input is refused."""
    try:
        with warnings.catch_warnings(), _in_time(SECONDS):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", LossWarning)
            run(data)
    except CrossbranchError:
        return None
    except (Exception, TooSlowError) as error:
        return _finding(error)
    return None


def _finding(error: BaseException) -> Finding:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(PACKAGE)] or frames
    last = ours[-1]
    key = f"{type(error).__name__} {Path(last.filename).stem}.{last.name}"
    if isinstance(error, AssertionError) and error.args and isinstance(error.args[0], tuple):
        key += f" {error.args[0][0]}"  # the format in which something is lost
    if isinstance(error, TooSlowError | RecursionError):
        key = type(error).__name__  # the place is a matter of chance
    # The whole of a deep recursion helps nobody.
    text = "".join(traceback.format_exception(error, limit=-12))
    return Finding(key, text)


@contextmanager
def _in_time(seconds: float) -> Iterator[None]:
    """Raise TooSlowError after this much CPU time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory(size: int = MEMORY) -> None:
    """Let this process have only so many bytes more than now; a MemoryError is a finding."""
    if sys.platform != "linux":
        return
    import resource  # not on every system

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + size
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))


def reduced(data: bytes, still_fails: Callable[[bytes], bool], *, attempts: int = 2000) -> bytes:
    """Return a smaller input that still fails: blocks are removed, large ones first."""
    size = max(1, len(data) // 2)
    while size and attempts > 0:
        place = 0
        while place < len(data) and attempts > 0:
            attempts -= 1
            shorter = data[:place] + data[place + size :]
            if still_fails(shorter):
                data = shorter
            else:
                place += size
        size //= 2
    return data
