"""Both clients have the same methods; calls are repeated, but not for ever."""

from __future__ import annotations

import inspect
import pickle

import pytest

from crossbranch.client import AsyncClient, Client, ClientError, RefusedError, UnavailableError
from crossbranch.client.calls import error_of
from crossbranch.client.retrying import Answer, Patience
from crossbranch.errors import UsageError


def test_both_clients_have_the_same_methods() -> None:
    def signatures(kind: type) -> dict[str, list[str]]:
        methods = inspect.getmembers(kind, inspect.isfunction)
        return {
            name: list(inspect.signature(method).parameters)
            for name, method in methods
            if not name.startswith("_")
        }

    assert signatures(Client) == signatures(AsyncClient)


def test_patience_ends() -> None:
    patience = Patience(1000)
    waits = [patience.next_wait() for _ in range(12)]
    assert all(wait is not None and 0.05 <= wait <= 5 for wait in waits)
    assert waits[0] is not None
    assert waits[0] <= 0.1
    assert Patience(0).next_wait() is None
    assert Patience(1000).next_wait("100000") <= 5  # type: ignore[operator]
    assert Patience(1000).next_wait("nonsense") is not None


def test_answers_become_errors() -> None:
    body = b'{"error": {"code": "bad_query", "message": "no", "details": {"position": 4}}}'
    error = error_of(Answer(422, body))
    assert isinstance(error, RefusedError)
    assert (str(error), error.code, error.details) == ("no", "bad_query", {"position": 4})
    assert isinstance(error_of(Answer(503, body)), UnavailableError)
    strange = error_of(Answer(502, b"<html>"))
    assert "not as crossbranch does" in str(strange)
    restored = pickle.loads(pickle.dumps(error))
    assert isinstance(restored, ClientError)
    assert (restored.status, restored.details) == (422, {"position": 4})


def test_wrong_arguments() -> None:
    with pytest.raises(UsageError, match="expected http://"):
        Client("localhost:8000")
    with Client() as client:
        with pytest.raises(UsageError, match="either a text or sentences"):
            client.parse()
        with pytest.raises(UsageError, match="half of a surrogate pair"):
            client.parse("\ud800")
        with pytest.raises(UsageError, match="cannot be sent as JSON"):
            client.parse("a", beam=object())
