"""Endpoints: paths with what they take and return, for routing and for the OpenAPI page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from crossbranch.server.encoding import to_json

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A path of the API with one method."""

    path: str
    summary: str
    answer: Answer
    takes: type[msgspec.Struct] | None = None
    """The body of a request; None for GET."""

    returns: tuple[type[msgspec.Struct], ...] = ()
    """The bodies of answers; empty for plain text."""

    parameters: tuple[tuple[str, str], ...] = ()
    """The query parameters, with their meanings."""

    errors: tuple[int, ...] = ()
    """The status codes of errors besides those that all paths have."""

    @property
    def method(self) -> str:
        """POST if there is a body."""
        return "GET" if self.takes is None else "POST"


def json_response(value: object) -> Response:
    """Return a value as an answer."""
    return json_bytes(to_json(value))


def json_bytes(body: bytes) -> Response:
    """Return JSON as an answer."""
    return Response(body, media_type="application/json")
