"""Structured logs: one JSON object for each request. They never have what users wrote.

    {"time": "2026-11-18T13:20:01.123Z", "event": "request", "id": "5f0c9e2a71d4", "method": "POST",
     "path": "/v1/parse", "status": 200, "ms": 8.1, "bytes_in": 31, "bytes_out": 911}

`path` is the path of the API, or "other" for a path that the server does not have: it could contain
anything. Messages of errors may quote the input, so only the code of an error is logged.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from crossbranch.server.encoding import to_json

Write = Callable[[str], object]


_DELAY = 0.05  # seconds; several lines are written at once


class Log:
    """Writes events as lines of JSON.

    While the event loop runs, lines wait a moment for others: writing lets other threads run, and
    a busy server would pay for it with every request.
    """

    def __init__(self, write: Write | None = None) -> None:
        """Write to a function; without one, to standard error."""
        self._write = write or _to_standard_error
        self._lines: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def event(self, event: str, **facts: Any) -> None:
        """Write one event."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._lines.append(to_json({"time": now, "event": event, **facts}).decode() + "\n")
        if self._timer is not None:
            return
        try:
            self._timer = asyncio.get_running_loop().call_later(_DELAY, self.flush)
        except RuntimeError:  # not in the thread of an event loop
            self.flush()

    def flush(self) -> None:
        """Write the lines that wait."""
        lines, self._lines = self._lines, []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if lines:
            self._write("".join(lines))

    def fault(self, error: BaseException, **facts: Any) -> None:
        """Write where an unexpected error was raised, without its message."""
        place, trace = "", error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            place = f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}"
            trace = trace.tb_next
        self.event("fault", error=type(error).__name__, place=place, **facts)


def _to_standard_error(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()


class LogHandler(logging.Handler):
    """Lets the warnings of the web server appear in the log."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a warning. Its arguments are left out: they could be parts of a request."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            self._log.fault(error, logger=record.name)
        else:
            self._log.event("warning", logger=record.name, message=str(record.msg))
