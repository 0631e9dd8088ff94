"""Errors on their way from a worker to the program that waits for it: as JSON, not as code."""

from __future__ import annotations

from typing import Any

import msgspec

from crossbranch.errors import CrossbranchError, InputError, UsageError


class _Failure(msgspec.Struct, omit_defaults=True):
    message: str
    place: dict[str, Any] | None = None
    """What an InputError is made of."""


def encode_error(error: Exception) -> bytes:
    """Return an error as bytes."""
    place = vars(error) if isinstance(error, InputError) else None
    return msgspec.json.encode(_Failure(str(error), place))


def decode_error(data: bytes) -> CrossbranchError:
    """Return an error with the same message."""
    failure = msgspec.json.decode(data, type=_Failure)
    return UsageError(failure.message) if failure.place is None else InputError(**failure.place)
