"""The bodies of requests: received within limits, and checked."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from crossbranch.server.errors import ApiError
from crossbranch.server.limits import Limits
from crossbranch.server.state import ServerState, state_of

T = TypeVar("T", bound=msgspec.Struct)

_JSON = "application/json"


async def receive(request: Request, kind: type[T]) -> T:
    """Return the body of a request as a value of this type.

    Raises:
        ApiError: It is too large, too slow, not JSON, or not of this type.
    """
    state = state_of(request)
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != _JSON:
        message = f"the content type is {media_type[:80]!r}, expected {_JSON}"
        raise ApiError(415, "unsupported_media_type", message)
    try:
        async with asyncio.timeout(state.limits.receive_seconds):
            data = await _body(request, state)
    except TimeoutError:
        message = f"the body did not arrive within {state.limits.receive_seconds:g} seconds"
        raise ApiError(408, "body_timeout", message) from None
    except ClientDisconnect:
        raise ApiError(400, "disconnected", "the client left before its request was sent") from None
    return decoded(data, kind)


async def _body(request: Request, state: ServerState) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > state.limits.body:
            raise too_large(state.limits)
        parts.append(part)
    return b"".join(parts)


def too_large(limits: Limits) -> ApiError:
    """Return the error for a body that is too large."""
    message = f"the body has more than {limits.body:,} bytes; send less at a time"
    return ApiError(413, "body_too_large", message)


def decoded(data: bytes, kind: type[T]) -> T:
    """Return the value of a JSON text.

    Raises:
        ApiError: It is not JSON, or not of this type.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise ApiError(422, "wrong_type", str(error)) from None
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise ApiError(400, "bad_json", f"the body is not JSON: {error}") from None
