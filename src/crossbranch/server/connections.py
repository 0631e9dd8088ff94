"""Connections of clients: slow, broken or hostile ones are closed, with an error if possible."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from crossbranch.server.errors import error_body
from crossbranch.server.limits import Limits

_PHRASES = {
    400: "Bad Request",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


REPLY = "crossbranch.reply"
"""The extension of ASGI with which an application can send a whole answer at once."""

Header = tuple[bytes, bytes]
Reply = Callable[[int, Iterable[Header], bytes], bool]
"""Sends status, headers and body; false: use the messages of ASGI instead."""


class GuardedConnection(HttpToolsProtocol):
    """A connection with limits for the head of a request, and for clients that do not read."""

    limits = Limits()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_in_head = True  # a head is being received, or the next one may come
        self._head_size = 0
        self._refusal = (400, "bad_http", "this is not a request of HTTP")
        self._head_timer: asyncio.TimerHandle | None = None
        self._reader_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, unless there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self._refuse(503, "overloaded", "the server has too many connections; try again later")
            return
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_head_timer()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some bytes."""
        if self._is_in_head:
            self._start_head_timer()
            self._head_size += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_size > self.limits.head:
            self._refuse(*self._too_large())

    def on_headers_complete(self) -> None:
        """Check the size of a head, and begin to answer the request."""
        self._stop_head_timer()
        self._is_in_head = False
        size = len(self.url) + sum([len(name) + len(value) + 4 for name, value in self.headers])
        if size > self.limits.head:
            self._refusal = self._too_large()
            raise ValueError("the head is too large")
        super().on_headers_complete()
        extensions: dict[str, Any] = {REPLY: partial(self._reply, self.cycle)}
        self.scope["extensions"] = extensions

    def on_message_complete(self) -> None:
        """Be ready for the next request."""
        super().on_message_complete()
        self._is_in_head, self._head_size = True, 0

    def send_400_response(self, msg: str) -> None:
        """Send an error in the shape that all errors have, and close the connection."""
        self._refuse(*self._refusal)

    def pause_writing(self) -> None:
        """Wait for a client that does not read, but not for ever."""
        super().pause_writing()
        if self._reader_timer is None:
            wait = self.limits.seconds
            self._reader_timer = self.loop.call_later(wait, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client reads."""
        super().resume_writing()
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None

    def _reply(
        self, cycle: RequestResponseCycle, status: int, headers: Iterable[Header], body: bytes
    ) -> bool:
        """Send a whole answer with one write; ASGI would need two messages, and so two writes."""
        if cycle.response_started or not cycle.keep_alive or self.flow.write_paused:
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        if not cycle.disconnected:
            every = (*self.server_state.default_headers, *headers)
            head = b"".join([b"%b: %b\r\n" % pair for pair in every])
            self.transport.write(b"%b%b\r\n%b" % (STATUS_LINE[status], head, body))
            cycle.on_response()
        return True

    def _too_large(self) -> tuple[int, str, str]:
        most = f"{self.limits.head:,}"
        return 431, "headers_too_large", f"the head of the request has more than {most} bytes"

    def _start_head_timer(self) -> None:
        if self._head_timer is None:
            wait = self.limits.receive_seconds
            self._head_timer = self.loop.call_later(wait, self._head_is_late)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_is_late(self) -> None:
        if not self._head_size:  # the client has said nothing
            self.transport.close()
            return
        wait = f"{self.limits.receive_seconds:g}"
        message = f"the head of the request did not arrive within {wait} seconds"
        self._refuse(408, "head_timeout", message)

    def _refuse(self, status: int, code: str, message: str) -> None:
        """Send an error, and close the connection."""
        self._stop_head_timer()
        if self.transport.is_closing():
            return
        body = error_body(code, message)
        head = (
            f"HTTP/1.1 {status} {_PHRASES[status]}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


def connection_class(limits: Limits) -> type[GuardedConnection]:
    """Return the class of connections with these limits."""
    return type("Connection", (GuardedConnection,), {"limits": limits})
