"""Errors of the API: one JSON object for all of them, whatever went wrong.

    {"error": {"code": "text_too_long", "message": "the text has 300,000 characters, ..."}}

`code` is for programs, `message` for people. `details` has the place of a mistake, if there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from crossbranch.errors import (
    CrossbranchError,
    InputError,
    LossError,
    QueryError,
    TransformError,
    TreeError,
)
from crossbranch.server.encoding import to_json

MEANINGS = {
    400: "The body is not JSON.",
    401: "The token is missing or wrong.",
    404: "There is no such page or model.",
    405: "The path has other methods.",
    408: "The request came too slowly.",
    413: "The request is too large.",
    415: "The body does not have the type application/json.",
    422: "The values of the request are wrong.",
    429: "Too many requests are waiting. Try again later.",
    431: "The header fields are too large.",
    500: "A fault of the server.",
    503: "The server is stopping, or has too many requests. Try again later.",
    504: "The request took too long.",
}
"""The status codes of errors."""

_CODES = {404: "not_found", 405: "method_not_allowed"}
_RETRY_AFTER = {429: "1", 503: "1"}


class ApiError(Exception):
    """An error with a status code, for the client."""

    def __init__(self, status: int, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.details = {name: value for name, value in details.items() if value is not None}

    def response(self) -> Response:
        """Return the answer for the client."""
        return error_response(self.status, self.code, self.message, self.details)


def error_body(code: str, message: str, details: Mapping[str, Any] | None = None) -> bytes:
    """Return the JSON object of an error."""
    error: dict[str, Any] = {"code": code, "message": message}
    return to_json({"error": error | ({"details": dict(details)} if details else {})})


def error_response(
    status: int,
    code: str,
    message: str,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the answer with an error."""
    found = dict(headers or {})
    if status in _RETRY_AFTER:
        found["retry-after"] = _RETRY_AFTER[status]
    if status == 401:
        found["www-authenticate"] = "Bearer"
    body = error_body(code, message, details)
    return Response(body, status, found, media_type="application/json")


def http_error(status: int, headers: Mapping[str, str] | None) -> Response:
    """Return the answer for an error of routing: an unknown path or method."""
    code = _CODES.get(status, "http_error")
    return error_response(status, code, MEANINGS.get(status, "error"), headers=headers)


def of_library(error: CrossbranchError) -> ApiError:
    """Return an error of the library as one of the API: its input was wrong."""
    message = str(error)
    if isinstance(error, QueryError):
        return ApiError(422, "bad_query", message, position=error.position)
    if isinstance(error, InputError):
        return ApiError(422, "bad_input", message, **place_of(error))
    if isinstance(error, TreeError):
        return ApiError(422, "bad_tree", message, vertex=error.vertex)
    if isinstance(error, TransformError):
        return ApiError(422, "bad_tree", message)
    if isinstance(error, LossError):
        return ApiError(422, "loss", message)
    return ApiError(422, "bad_request", message)


def place_of(error: InputError) -> dict[str, Any]:
    """Return where the mistake is: the line, the column and the sentence, as far as known."""
    place = {
        "line": error.line,
        "column": error.column,
        "sentence": error.sentence or None,
        "found": error.found,
        "expected": error.expected,
    }
    return {name: value for name, value in place.items() if value is not None}
