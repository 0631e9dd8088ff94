"""The web server: uvicorn, which stops without losing what it has accepted."""

from __future__ import annotations

import logging
import signal
import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from crossbranch.errors import UsageError
from crossbranch.server.connections import connection_class
from crossbranch.server.logs import LogHandler
from crossbranch.server.state import ServerState

INTERRUPTED = 130
"""The exit code after Ctrl-C, as for all commands."""


class GracefulServer(uvicorn.Server):
    """Stops in two steps. First, new requests get 503, and others are answered; then it ends."""

    def __init__(self, config: uvicorn.Config, state: ServerState) -> None:
        super().__init__(config)
        self._state = state
        self.exit_code = 0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop. The second signal stops at once."""
        if self._state.is_stopping:
            self.force_exit = self.should_exit = True
            return
        self._state.is_stopping = True
        self.exit_code = INTERRUPTED if sig == signal.SIGINT else 0
        self._state.log.event("stopping", in_progress=self._state.in_progress)
        self._state.log.flush()

    async def on_tick(self, counter: int) -> bool:
        """End when the last request is answered; uvicorn asks ten times a second."""
        if self._state.is_stopping and not self._state.in_progress:
            return True
        return await super().on_tick(counter)


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket for an address. Port 0 is any free port.

    Raises:
        UsageError: The address cannot be used.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(family, kind)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UsageError(f"cannot listen on {host}, port {port}: {reason}") from None
    return opened


def serve(app: FastAPI, opened: socket.socket) -> int:
    """Serve on a socket until a signal comes. Return the exit code."""
    state: ServerState = app.state.server
    handler = LogHandler(state.log)
    for name in ("uvicorn", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler] if name != "uvicorn.error" else [], True
        logger.setLevel(logging.WARNING)
    config = uvicorn.Config(
        app,
        http=connection_class(state.limits),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=2048,
        timeout_keep_alive=75,  # longer than proxies keep idle connections, so that none is lost
        timeout_graceful_shutdown=int(state.limits.seconds),
    )
    server = GracefulServer(config, state)
    server.run(sockets=[opened])
    state.log.flush()
    return server.exit_code
