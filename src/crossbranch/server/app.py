"""The application: models and settings in, an ASGI application out."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from crossbranch.server.calls import Calls
from crossbranch.server.docs import docs_page
from crossbranch.server.endpoints import Endpoint, json_response
from crossbranch.server.engine import Engine
from crossbranch.server.errors import ApiError, http_error
from crossbranch.server.guard import OPEN_BELOW, Guard
from crossbranch.server.limits import Limits
from crossbranch.server.logs import Log
from crossbranch.server.metrics import Metrics
from crossbranch.server.models import LoadedModels
from crossbranch.server.openapi import openapi
from crossbranch.server.page import add_page
from crossbranch.server.routes import about, derive, draw, parse, status, trees
from crossbranch.server.state import ServerState

ENDPOINTS: tuple[Endpoint, ...] = (
    *parse.ENDPOINTS,
    *about.ENDPOINTS,
    *draw.ENDPOINTS,
    *trees.ENDPOINTS,
    *derive.ENDPOINTS,
    *status.ENDPOINTS,
)


def create_app(
    models: Sequence[str],
    *,
    limits: Limits | None = None,
    token: str = "",
    threads: int = 1,
    device: str = "cpu",
    log: Log | None = None,
) -> FastAPI:
    """Load models, and return an application that serves them.

    Args:
        models: Names of shipped models, or model folders. The first one is the default.
        limits: What clients may send.
        token: If it is not empty, clients must send it.
        threads: The number of cores to use for parsing.
        device: The device to run on, for kinds of parsers that support several.
        log: Where events are written; default: standard error.

    Raises:
        UsageError: There is no such model, or it cannot be served.
        InputError: A model is damaged.
    """
    limits, metrics = limits or Limits(), Metrics()
    state = ServerState(
        models=LoadedModels.load(models, limits, device=device),
        limits=limits,
        engine=Engine(limits, metrics, threads=threads),
        calls=Calls(limits, threads=threads),
        metrics=metrics,
        log=log or Log(),
        token=token,
    )
    app = _GuardedApp(
        title="crossbranch",
        version=version("crossbranch"),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        exception_handlers={HTTPException: _refused, ApiError: _failed},
    )
    app.state.server = state
    _add_paths(app, state)
    return app


class _GuardedApp(FastAPI):
    """An application with a guard around all of its layers."""

    name_of: Callable[[str], str]

    def build_middleware_stack(self) -> ASGIApp:
        """Put the guard outside: each layer around it would take time for every request."""
        return Guard(
            super().build_middleware_stack(),
            state=self.state.server,
            answers={(one.method, one.path): one.answer for one in ENDPOINTS},
            name_of=self.name_of,
        )


def _add_paths(app: _GuardedApp, state: ServerState) -> None:
    for endpoint in ENDPOINTS:
        app.add_route(endpoint.path, endpoint.answer, methods=[endpoint.method])
    schema = openapi(ENDPOINTS, state.models, needs_token=bool(state.token))
    page = docs_page(schema)

    async def describe(_: Request) -> Response:
        return json_response(schema)

    async def show_docs(_: Request) -> Response:
        return page

    app.openapi = lambda: schema  # type: ignore[method-assign]
    app.add_route("/openapi.json", describe)
    app.add_route("/docs", show_docs)
    add_page(app)
    known = {"/", "/docs", "/openapi.json", *(endpoint.path for endpoint in ENDPOINTS)}

    def name_of(path: str) -> str:
        if path.startswith(OPEN_BELOW):
            return OPEN_BELOW
        return path if path in known else "other"

    app.name_of = name_of


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    state: ServerState = app.state.server
    state.engine.start()
    gc.collect()
    gc.freeze()  # the models stay in memory: scanning them for garbage would take time
    yield
    state.engine.close()
    state.calls.close()
    state.log.flush()
    gc.unfreeze()


async def _refused(_: Request, error: Any) -> Response:
    return http_error(error.status_code, error.headers)


async def _failed(_: Request, error: Any) -> Response:
    response: Response = error.response()
    return response
