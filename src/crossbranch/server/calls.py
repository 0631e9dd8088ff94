"""Work besides parsing: in threads, outside the event loop, and stopped when its time is over."""

from __future__ import annotations

import ctypes
from asyncio import get_running_loop, wait_for
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, get_ident
from typing import Generic, TypeVar

from crossbranch.errors import CrossbranchError
from crossbranch.server.errors import ApiError, of_library
from crossbranch.server.limits import Limits

T = TypeVar("T")


class _Overtime(BaseException):
    """Raised in a thread whose time is over. No `except Exception` stops it."""


class _Call(Generic[T]):
    """A call in a thread, which another thread can stop."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work, self._lock = work, Lock()
        self._thread: int | None = None
        self._is_stopped = False

    def __call__(self) -> T:
        with self._lock:
            if self._is_stopped:
                raise ApiError(504, "timeout", "the request took too long")
            self._thread = get_ident()
        try:
            try:
                return self._work()
            finally:
                with self._lock:
                    self._thread = None
                _let_exceptions_come()
        except _Overtime:
            raise ApiError(504, "timeout", "the request took too long") from None

    def stop(self) -> None:
        """Raise an exception in the thread, as soon as it runs Python code."""
        with self._lock:
            self._is_stopped = True
            if self._thread is not None:
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(ctypes.c_ulong(self._thread), ctypes.py_object(_Overtime))


def _let_exceptions_come() -> None:
    """Give Python the time to raise the exception here, and not in the next call of the thread."""
    for _ in range(100):
        pass


class Calls:
    """Runs functions in threads, only some at a time; the others wait."""

    def __init__(self, limits: Limits, *, threads: int) -> None:
        self._limits = limits
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._waiting = 0

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function, and return its result.

        Raises:
            ApiError: The arguments are wrong, it takes too long, or too many calls wait.
        """
        if self._waiting >= self._limits.queue:
            raise ApiError(429, "queue_full", "too many requests are waiting; try again later")
        call = _Call(work)
        self._waiting += 1
        future = get_running_loop().run_in_executor(self._executor, call)
        try:
            return await wait_for(future, self._limits.seconds)
        except CrossbranchError as error:
            raise of_library(error) from None
        except TimeoutError:
            raise ApiError(504, "timeout", "the request took too long") from None
        finally:
            self._waiting -= 1
            if not future.done() or future.cancelled():
                call.stop()

    def close(self) -> None:
        """Wait for what is running."""
        self._executor.shutdown(cancel_futures=True)
