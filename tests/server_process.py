"""A parsing server in a process of its own, as users run it."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from commands import HEED_INTERRUPTS

START = HEED_INTERRUPTS + "from crossbranch.cli import main; main()"
JSON = "application/json"


class Server:
    """A running server. Its standard error goes to a file."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path, port: int) -> None:
        self.process, self.log, self.port = process, log, port
        self.url = f"http://127.0.0.1:{port}"

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        """Stop the server with a signal, and return its exit code."""
        self.process.send_signal(signal_number)
        return self.process.wait(timeout=30)

    def connect(self) -> socket.socket:
        """Return a plain connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=15)

    def send(self, data: bytes) -> tuple[int, dict[str, str], bytes]:
        """Send bytes as they are, and return status, headers and body of the answer."""
        with self.connect() as connection:
            with suppress(ConnectionError):  # the server may answer before it has read everything
                connection.sendall(data)
            return read_answer(connection)

    def post(self, path: str, body: bytes, *headers: str) -> tuple[int, dict[str, str], bytes]:
        """Send a body of JSON."""
        return self.send(request(path, body, *headers))

    def wait_for(self, requests: int, *headers: str) -> None:
        """Wait until the server has so many requests, besides the one that asks."""
        for _ in range(200):
            text = self.send(request("/metrics", b"", *headers, method="GET"))[2].decode()
            if int(text.split("\ncrossbranch_requests_in_progress ")[1].split()[0]) > requests:
                return
            time.sleep(0.02)
        raise AssertionError("the requests did not arrive")

    def events(self) -> list[dict[str, Any]]:
        """Return what was logged, without the lines for people."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if not line.startswith("crossbranch: ")]


def request(path: str, body: bytes, *headers: str, method: str = "POST") -> bytes:
    """Return a request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: test", f"Content-Length: {len(body)}"]
    if not any(header.lower().startswith("content-type") for header in headers):
        lines.append(f"Content-Type: {JSON}")
    return "\r\n".join([*lines, *headers, "Connection: close", "", ""]).encode() + body


def read_answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Read until the server closes the connection."""
    data = b""
    with suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            data += part
    return split_answer(data)


def split_answer(data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an answer; status 0 if there is none."""
    if not data:
        return 0, {}, b""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


@contextmanager
def running(folder: Path, *arguments: str, port: int = 0, token: str = "") -> Iterator[Server]:
    """Run a server until the end of the block."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 4096 <= hard:  # for a thousand connections at once
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, hard))
    log = folder / f"serve-{port}-{len(list(folder.iterdir()))}.log"
    command = [sys.executable, "-c", START, "serve", "en", "--port", str(port), *arguments]
    environment = os.environ | {"PYTHONUTF8": "1", "CROSSBRANCH_TOKEN": token}
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stderr=stream, cwd=folder, env=environment)
    try:
        yield Server(process, log, _wait(process, log))
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _wait(process: subprocess.Popen[bytes], log: Path) -> int:
    """Wait until the server listens, and return its port."""
    for _ in range(600):
        found = re.search(r"on http://\S+:(\d+)", log.read_text(encoding="utf-8"))
        if found is not None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", int(found[1])), 1):
                return int(found[1])
        assert process.poll() is None, log.read_text(encoding="utf-8")
        time.sleep(0.05)
    raise AssertionError("the server did not start within 30 seconds")
