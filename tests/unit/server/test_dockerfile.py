"""The Dockerfile, as far as it can be tested without Docker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from crossbranch.cli.serve import serve

ROOT = Path(__file__).parents[3]
NOWHERE = "http://127.0.0.1:9"


def instructions(name: str) -> list[str]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    return re.findall(rf"^{name} (.*)$", text, re.MULTILINE)


@contextmanager
def answering(status: int) -> Iterator[int]:
    """Yield the port of a server that gives this status to a check of health, and 404 to others."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def is_healthy(port: int) -> bool:
    """Run the check of health as Docker does, but for another port."""
    (check,) = instructions("HEALTHCHECK")
    program, *arguments = json.loads(check.partition("CMD ")[2])
    assert program == "python"
    command = [sys.executable, *(word.replace(":8000/", f":{port}/") for word in arguments)]
    # Docker hands the proxies of its own settings on to containers.
    environment = {**os.environ, "http_proxy": NOWHERE, "no_proxy": ""}
    return not subprocess.run(command, env=environment, capture_output=True).returncode


def test_the_image_is_built_from_what_is_there_and_not_ignored() -> None:
    copied = [
        name
        for words in map(str.split, instructions("COPY"))
        for name in words[:-1]
        if not words[0].startswith("--from=")
    ]
    kept = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert sorted(copied) == sorted(kept)
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_every_builder_knows_the_instructions() -> None:
    assert [line for line in instructions("RUN") if line.startswith("--")] == []


def test_the_image_serves_on_the_port_that_it_exposes() -> None:
    (entry,), (command,) = instructions("ENTRYPOINT"), instructions("CMD")
    assert json.loads(entry) == ["crossbranch"]
    name, *arguments = json.loads(command)
    assert name == serve.name
    values = serve.make_context(name, arguments).params
    assert values["host"] == "0.0.0.0"
    assert instructions("EXPOSE") == [str(values["port"])]


def test_the_image_does_not_run_as_root() -> None:
    (user,) = instructions("USER")
    assert int(user) > 0  # Kubernetes does not know what a name stands for
    assert f"--uid {user} " in " ".join(instructions("RUN"))


def test_health_is_checked_without_a_proxy() -> None:
    with answering(200) as port:
        assert is_healthy(port)
    with answering(503) as port:
        assert not is_healthy(port)
    assert not is_healthy(port)  # nobody answers
