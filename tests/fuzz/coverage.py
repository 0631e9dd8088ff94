"""Which lines of the package an input reaches. What reaches a new one is worth to be changed on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from fuzz.limits import PACKAGE


class Lines:
    """The lines that were reached so far."""

    def __init__(self) -> None:
        self.count = 0
        self._left: dict[CodeType, set[int]] = {}  # lines of our code that were not reached yet

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Count the lines that are reached for the first time."""
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        left = self._left.get(frame.f_code)
        if left is None:
            left = self._left[frame.f_code] = _lines(frame.f_code)
        if not left:
            return None

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line" and frame.f_lineno in left:
                left.discard(frame.f_lineno)
                self.count += 1
            return line if left else None

        return line


def _lines(code: CodeType) -> set[int]:
    if not code.co_filename.startswith(PACKAGE):
        return set()
    return {line for _, _, line in code.co_lines() if line is not None}
