"""What the parts of a server share."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from crossbranch.server.calls import Calls
from crossbranch.server.engine import Engine
from crossbranch.server.limits import Limits
from crossbranch.server.logs import Log
from crossbranch.server.metrics import Metrics
from crossbranch.server.models import LoadedModels


@dataclass(eq=False, kw_only=True)
class ServerState:
    """The models of a server, what does the work, and what is known of it."""

    models: LoadedModels
    limits: Limits
    engine: Engine
    calls: Calls
    metrics: Metrics
    log: Log
    token: str = ""
    is_stopping: bool = False
    in_progress: int = 0
    """Requests that are being received or answered."""

    bytes_in_progress: int = 0
    """The bytes of their bodies."""


def state_of(request: Request) -> ServerState:
    """Return the state of the server that got a request."""
    state: ServerState = request.app.state.server
    return state
