"""What happens around every request: token, limits, headers, logs, metrics, faults."""

from __future__ import annotations

import hmac
import random
import time
from collections.abc import Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from crossbranch.server.bodies import too_large
from crossbranch.server.connections import REPLY, Header, Reply
from crossbranch.server.endpoints import Answer
from crossbranch.server.errors import ApiError
from crossbranch.server.state import ServerState

HEALTH = "/healthz"
OPEN = frozenset({"/", HEALTH, "/docs", "/openapi.json"})
"""The paths that need no token: pages, which browsers open without one, and the health."""

OPEN_BELOW = "/page/"
"""The files of the page need no token either."""

_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))


class Guard:
    """Wraps the application. It is an ASGI middleware without copies of bodies."""

    def __init__(
        self,
        app: ASGIApp,
        state: ServerState,
        answers: Mapping[tuple[str, str], Answer],
        name_of: Callable[[str], str],
    ) -> None:
        """Guard an application.

        Args:
            app: The application.
            state: The state of the server.
            answers: What answers the most usual requests, by method and path. They do not go
                through the layers of the application, which take as long as the rest.
            name_of: Returns the name of a path for logs and metrics. Clients can invent paths, so
                there are only some names.
        """
        self._app, self._state, self._name_of = app, state, name_of
        self._answers = answers
        self._token = state.token.encode("utf-8", "surrogateescape")
        state.metrics.gauge("requests_in_progress", lambda: state.in_progress)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state, start = self._state, time.perf_counter()
        reply = scope.get("extensions", {}).get(REPLY)
        sent = _Sent(send, reply, f"{random.getrandbits(48):012x}")
        length = self._length(scope)
        state.in_progress += 1
        state.bytes_in_progress += length
        try:
            error = self._refusal(scope, length)
            if error is not None:
                sent.closes = True  # the body is not read
                await error.response()(scope, receive, sent)
            elif (answer := self._answers.get((scope["method"], scope["path"]))) is not None:
                await _answer(answer, scope, receive, sent)
            else:
                await self._app(scope, receive, sent)
        except Exception as error:
            state.log.fault(error, id=sent.id)
            if sent.status:
                raise
            fault = ApiError(500, "fault", f"a fault of the server; its id is {sent.id}")
            await fault.response()(scope, receive, sent)
        finally:
            state.in_progress -= 1
            state.bytes_in_progress -= length
            self._note(scope, sent, time.perf_counter() - start, length)

    def _length(self, scope: Scope) -> int:
        """Return how many bytes a body has; if it is sent in chunks, the most that it may have."""
        if _header(scope, b"transfer-encoding"):
            return self._state.limits.body
        text = _header(scope, b"content-length")
        return int(text) if text.isdigit() and len(text) < 16 else 0

    def _refusal(self, scope: Scope, length: int) -> ApiError | None:
        """Return why a request is refused; None if it is not."""
        state, path = self._state, scope["path"]
        if self._token and path not in OPEN and not path.startswith(OPEN_BELOW):
            given = _header(scope, b"authorization")
            if not hmac.compare_digest(given, b"Bearer " + self._token):
                return ApiError(401, "unauthorized", "expected Authorization: Bearer TOKEN")
        if path == HEALTH:
            return None
        if state.is_stopping:
            return ApiError(503, "stopping", "the server is stopping; try again later")
        limits = state.limits
        if state.in_progress > limits.concurrency or state.bytes_in_progress > limits.bodies:
            return ApiError(503, "overloaded", "the server has too many requests; try again later")
        return too_large(limits) if length > limits.body else None

    def _note(self, scope: Scope, sent: _Sent, seconds: float, length: int) -> None:
        known, method = self._name_of(scope["path"]), scope["method"]
        method = method if method in _METHODS else "other"
        self._state.metrics.answered(known, method, sent.status, seconds)
        if known != HEALTH:
            self._state.log.event(
                "request",
                id=sent.id,
                method=method,
                path=known,
                status=sent.status,
                ms=round(1000 * seconds, 2),
                bytes_in=length,
                bytes_out=sent.size,
                **scope.get("state", {}).get("facts", {}),
            )


async def _answer(answer: Answer, scope: Scope, receive: Receive, sent: _Sent) -> None:
    try:
        response = await answer(Request(scope, receive, sent))
    except ApiError as error:
        response = error.response()
    if not sent.at_once(response):
        await response(scope, receive, sent)


_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class _Sent:
    """Passes an answer on, adds headers, and notes its status and size."""

    def __init__(self, send: Send, reply: Reply | None, id: str) -> None:
        self._send, self._reply, self.id = send, reply, id
        self.status = self.size = 0
        self.closes = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message = {**message, "headers": self._headers(self.status, message["headers"])}
        else:
            self.size += len(message.get("body", b""))
        await self._send(message)

    def at_once(self, response: Response) -> bool:
        """Send an answer in one piece, if it is a plain one and the connection can do that."""
        status, body = response.status_code, response.body
        if self._reply is None or type(response) is not Response or self._is_last(status):
            return False
        if not self._reply(status, self._headers(status, response.raw_headers), bytes(body)):
            return False
        self.status, self.size = status, len(body)
        return True

    def _is_last(self, status: int) -> bool:
        """Say whether the connection is closed after the answer: the body was not read."""
        return self.closes or status in (408, 413)

    def _headers(self, status: int, given: Sequence[Header]) -> list[Header]:
        headers = [*given, (b"x-request-id", self.id.encode())]
        names = {name for name, _ in headers}
        headers += [pair for pair in _HEADERS if pair[0] not in names]
        if self._is_last(status):
            headers.append((b"connection", b"close"))
        return headers


def _header(scope: Scope, name: bytes) -> bytes:
    values: list[bytes] = [value for key, value in scope["headers"] if key == name]
    return values[0] if len(values) == 1 else b""
