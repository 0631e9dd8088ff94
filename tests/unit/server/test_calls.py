"""Work in threads: results, errors, and a time limit that really stops it."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from crossbranch.errors import InputError, TreeError
from crossbranch.server.calls import Calls
from crossbranch.server.errors import ApiError
from crossbranch.server.limits import Limits


def run(work: object, **limits: float) -> object:
    async def start() -> object:
        calls = Calls(Limits(**limits), threads=1)  # type: ignore[arg-type]
        try:
            return await calls.run(work)  # type: ignore[arg-type]
        finally:
            calls.close()

    return asyncio.run(start())


def test_results_and_errors_come_back() -> None:
    assert run(lambda: 7) == 7

    def fail(error: Exception) -> None:
        raise error

    with pytest.raises(ApiError) as info:
        run(lambda: fail(InputError("a", "b", line=3)))
    assert (info.value.status, info.value.code, info.value.details["line"]) == (422, "bad_input", 3)
    with pytest.raises(ApiError) as info:
        run(lambda: fail(TreeError("no tree", vertex=2)))
    assert (info.value.code, info.value.details) == ("bad_tree", {"vertex": 2})
    with pytest.raises(ZeroDivisionError):
        run(lambda: 1 // 0)


def test_work_without_end_is_stopped() -> None:
    stopped = threading.Event()

    def forever() -> None:
        try:
            while True:
                time.sleep(0.001)
        finally:
            stopped.set()

    with pytest.raises(ApiError) as info:
        run(forever, seconds=0.1)
    assert info.value.code == "timeout"
    assert stopped.wait(5)


def test_the_thread_of_stopped_work_can_be_used_again() -> None:
    async def start() -> list[int]:
        calls = Calls(Limits(seconds=0.1), threads=1)
        found = []
        for number in range(3):
            with pytest.raises(ApiError):
                await calls.run(lambda: sum(n for n in range(10**9)))
            found.append(await calls.run(lambda number=number: number))  # type: ignore[misc]
        calls.close()
        return found

    assert asyncio.run(start()) == [0, 1, 2]
