"""Slow and hostile clients: they get a clear error, and the others are served."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from server_process import Server, read_answer, request, running

from crossbranch.client import Client, RefusedError, UnavailableError

SECRET = "Geheimniskraemerei"
TOKEN = "correct-horse"
AUTHORIZED = f"Authorization: Bearer {TOKEN}"
LIMITS = {
    "body": 100_000,
    "bodies": 1_000_000,
    "receive_seconds": 1,
    "seconds": 2,
    "queue": 3,
    "sentences": 50,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = [part for name, value in LIMITS.items() for part in ("--limit", f"{name}={value}")]
    with running(tmp_path_factory.mktemp("strict"), *limits, token=TOKEN) as server:
        yield server
        assert is_served(server)
        assert server.stop() == 0


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, token=TOKEN, patience=0) as client:
        yield client


def is_served(server: Server) -> bool:
    """Return whether an ordinary client gets an answer."""
    with Client(server.url, token=TOKEN) as client:
        return bool(client.parse("Are others served?"))


def error_of(body: bytes) -> dict[str, Any]:
    """Return the error of an answer, which has the shape that all errors have."""
    answer = json.loads(body)
    assert list(answer) == ["error"]
    error: dict[str, Any] = answer["error"]
    assert {"code", "message"} <= set(error) <= {"code", "message", "details"}
    return error


def outcome(server: Server, data: bytes) -> tuple[int, str]:
    status, headers, body = server.send(data)
    assert headers["content-type"] == "application/json"
    return status, error_of(body)["code"]


def parse(body: bytes, *headers: str) -> bytes:
    return request("/v1/parse", body, AUTHORIZED, *headers)


HOSTILE = {
    "undecodable": (b'{"text": ', 400, "bad_json"),
    "empty": (b"", 400, "bad_json"),
    "not utf-8": (b'{"text": "\xff"}', 400, "bad_json"),
    "surrogate": (rb'{"text": "\ud800"}', 400, "bad_json"),
    "NaN": (b'{"text": "a", "k_best": NaN}', 400, "bad_json"),
    "Infinity": (b'{"text": "a", "options": {"beam": -Infinity}}', 400, "bad_json"),
    "too large a float": (b'{"text": "a", "options": {"beam": 1e999}}', 422, "wrong_type"),
    "deep lists": (b'{"tokens": ' + b"[" * 90_000, 422, "wrong_type"),
    "deep objects": (b'{"options": ' + b'{"a":' * 15_000, 422, "wrong_type"),
    "digits": (b'{"text": "a", "k_best": ' + b"9" * 5000 + b"}", 422, "wrong_type"),
    "wrong types": (b'{"tokens": [["a", 1]]}', 422, "wrong_type"),
    "a list": (b"[]", 422, "wrong_type"),
    "a number": (b"1", 422, "wrong_type"),
    "too large": (b'{"text": "' + b"a" * 100_000 + b'"}', 413, "body_too_large"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies(server: Server, name: str) -> None:
    body, status, code = HOSTILE[name]
    assert outcome(server, parse(body)) == (status, code)


def test_bodies_without_a_length_or_type(server: Server) -> None:
    chunk = b"%x\r\n%b\r\n" % (50_000, b"a" * 50_000)
    head = f"POST /v1/parse HTTP/1.1\r\nHost: a\r\n{AUTHORIZED}\r\nTransfer-Encoding: chunked\r\n"
    typed = head + "Content-Type: application/json\r\n\r\n"
    assert outcome(server, typed.encode() + 5 * chunk) == (413, "body_too_large")
    plain = parse(b'{"text": "a"}', "Content-Type: text/plain")
    assert outcome(server, plain) == (415, "unsupported_media_type")
    both = parse(b'{"text": "a"}', "Transfer-Encoding: chunked")
    assert server.send(both)[0] == 400  # a length and chunks: a trick against proxies


@pytest.mark.parametrize(
    "path",
    [
        "/v1/parse/",
        "//v1/parse",
        "/v1/../v1/parse",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/v1/parse%00",
        "/page/../../../etc/passwd",
        f"/{SECRET}",
    ],
)
def test_tricks_with_paths(server: Server, path: str) -> None:
    assert outcome(server, request(path, b"{}", AUTHORIZED)) == (404, "not_found")


def test_other_methods(server: Server) -> None:
    for method in ("GET", "PUT", "DELETE", "PATCH", "OPTIONS"):
        status, headers, body = server.send(request("/v1/parse", b"", AUTHORIZED, method=method))
        assert (status, headers["allow"]) == (405, "POST")
        assert error_of(body)["code"] == "method_not_allowed"


def test_what_is_not_http(server: Server) -> None:
    assert outcome(server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n") == (
        400,
        "bad_http",
    )
    assert outcome(server, b"GET \xff HTTP/1.1\r\n\r\n")[0] == 400


def test_large_heads(server: Server) -> None:
    large = "X-Large: " + 40_000 * "a"
    assert outcome(server, parse(b"{}", large)) == (431, "headers_too_large")
    many = [f"X-{n}: a" for n in range(5000)]
    assert outcome(server, parse(b"{}", *many)) == (431, "headers_too_large")
    endless = b"GET / HTTP/1.1\r\nX-Endless: " + 200_000 * b"a"
    assert outcome(server, endless) == (431, "headers_too_large")


def test_slow_clients(server: Server) -> None:
    data = parse(b'{"text": "I am slow."}')
    cuts = {"nothing": 0, "head_timeout": 40, "body_timeout": len(data) - 5}

    def dribble(cut: int) -> tuple[int, bytes, float]:
        start = time.monotonic()
        with server.connect() as connection:
            connection.sendall(data[:cut])
            for byte in range(cut, min(cut + 4, len(data) - 1)) if cut else ():
                time.sleep(0.2)  # something comes all the time, but it never ends
                connection.sendall(data[byte : byte + 1])
            status, _, body = read_answer(connection)
        return status, body, time.monotonic() - start

    with ThreadPoolExecutor(9) as threads:
        found = list(threads.map(dribble, [*cuts.values()] * 3))
        assert is_served(server)
    for (name, cut), (status, body, seconds) in zip([*cuts.items()] * 3, found, strict=True):
        assert seconds < 8, name
        if cut:
            assert (status, error_of(body)["code"]) == (408, name)
        else:
            assert status == 0


def test_a_client_that_does_not_read(server: Server) -> None:
    body = json.dumps({"text": "I see. " * 50, "format": "tigerxml"}).encode()
    with server.connect() as connection:
        for _ in range(3):
            connection.sendall(parse(body).replace(b"Connection: close\r\n", b""))
        assert is_served(server)


def test_many_bodies_of_unknown_size(server: Server) -> None:
    head = f"POST /v1/parse HTTP/1.1\r\nHost: a\r\n{AUTHORIZED}\r\nTransfer-Encoding: chunked\r\n"
    typed = f"{head}Content-Type: application/json\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(server.connect()).sendall(typed)
        server.wait_for(10, AUTHORIZED)
        assert outcome(server, parse(b'{"text": "one more"}')) == (503, "overloaded")
    time.sleep(0.3)
    assert is_served(server)


def test_tokens(server: Server) -> None:
    body = b'{"text": "a"}'
    for header in ("X-None: a", "Authorization: Bearer wrong", f"Authorization: Basic {TOKEN}"):
        status, headers, answer = server.post("/v1/parse", body, header)
        assert (status, headers["www-authenticate"]) == (401, "Bearer")
        assert error_of(answer)["code"] == "unauthorized"
    assert server.post("/v1/parse", body, AUTHORIZED, AUTHORIZED)[0] == 401  # which one counts?
    assert server.post("/v1/parse", body, AUTHORIZED)[0] == 200
    assert server.send(request("/metrics", b"", method="GET"))[0] == 401
    for path in ("/healthz", "/docs", "/openapi.json"):
        assert server.send(request(path, b"", method="GET"))[0] == 200
    expected = pytest.raises(RefusedError, match="expected Authorization")
    with Client(server.url, token="wrong") as client, expected:
        client.parse("a")


def test_a_search_without_end_is_stopped(client: Client) -> None:
    tree = client.parse(sentences=[["a"] * 120])[0]
    query = " before ".join(["[]"] * 8)
    start = time.monotonic()
    with pytest.raises(UnavailableError) as info:
        client.find(query, [tree] * 5)
    assert (info.value.status, info.value.code) == (504, "timeout")
    assert time.monotonic() - start < 10
    assert client.find("[]", client.parse("I see.")).matches  # its thread is free again


def test_too_many_requests_are_told_to_wait(server: Server) -> None:
    body = json.dumps({"tokens": [["a"] * 500] * 10, "options": {"beam": 64}}).encode()
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda _: server.send(parse(body)), range(16)))
    statuses = [status for status, _, _ in found]
    assert set(statuses) <= {200, 429, 504}
    assert 429 in statuses
    for status, headers, answer in found:
        if status == 429:
            assert headers["retry-after"] == "1"
            assert error_of(answer)["code"] == "queue_full"


def test_logs_have_no_texts(server: Server) -> None:
    tree = {"tokens": [{"form": SECRET}], "nodes": [{"label": SECRET, "children": [7]}]}
    for path, body in (
        ("/v1/parse", {"text": f"{SECRET} {SECRET}."}),
        ("/v1/parse", {"text": "a", "model": SECRET}),
        ("/v1/parse", {SECRET: SECRET}),
        ("/v1/find", {"query": f"{SECRET} >", "trees": []}),
        ("/v1/draw", {"tree": tree}),
        ("/v1/convert", {"content": f"({SECRET}", "to": "export"}),
        (f"/v1/{SECRET}?a={SECRET}", {}),
        (f"/page/{SECRET}", {}),
    ):
        server.post(path, json.dumps(body).encode(), AUTHORIZED, f"X-Secret: {SECRET}")
    server.send(f"{SECRET} nonsense\r\n\r\n".encode())
    time.sleep(0.2)  # lines are written a moment later
    events = server.events()
    assert SECRET not in server.log.read_text(encoding="utf-8")
    assert TOKEN not in server.log.read_text(encoding="utf-8")
    parsed = [one for one in events if one.get("path") == "/v1/parse" and one["status"] == 200]
    assert {"time", "event", "id", "method", "status", "ms", "bytes_in"} <= set(parsed[-1])
    assert any(one.get("path") == "other" for one in events)
    assert not [one for one in events if one["event"] == "fault"]
