"""What can go wrong when a client calls a server.

ClientError
├── RefusedError      the server refused a request: something in it is wrong
├── UnavailableError  the server cannot be reached, is busy, is stopping, or takes too long
└── ServerFaultError  the server has a fault, or is not a server of crossbranch
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crossbranch.errors import CrossbranchError


class ClientError(CrossbranchError):
    """A call of a server failed. `code` says why, for programs; `status` is 0 without an answer."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.details = status, code, dict(details or {})

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), str(self), self.status, self.code, self.details)


class RefusedError(ClientError):
    """The server refused a request: something in it is wrong."""


class UnavailableError(ClientError):
    """The server cannot be reached, is busy or stopping, or takes too long."""


class ServerFaultError(ClientError):
    """The server has a fault, or is not a server of crossbranch."""


def _restored(
    kind: type[ClientError], message: str, status: int, code: str, details: Mapping[str, Any]
) -> ClientError:
    return kind(message, status=status, code=code, details=details)
