"""Health and metrics."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from crossbranch.server.encoding import to_json
from crossbranch.server.endpoints import Endpoint
from crossbranch.server.schemas import Health
from crossbranch.server.state import state_of


async def health(request: Request) -> Response:
    """Say whether the server takes requests."""
    is_stopping = state_of(request).is_stopping
    body = to_json(Health("stopping" if is_stopping else "ok"))
    return Response(body, 503 if is_stopping else 200, media_type="application/json")


async def metrics(request: Request) -> Response:
    """Return counts and times."""
    return Response(state_of(request).metrics.text(), media_type="text/plain; version=0.0.4")


ENDPOINTS = (
    Endpoint(
        path="/healthz",
        summary="Say whether the server takes requests: 200, or 503 while it is stopping.",
        answer=health,
        returns=(Health,),
    ),
    Endpoint(path="/metrics", summary="Return metrics for Prometheus.", answer=metrics),
)
