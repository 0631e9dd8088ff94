"""Drawings of trees, and of two trees that are compared."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from crossbranch.drawing.comparison import draw_comparison
from crossbranch.drawing.dispatch import draw
from crossbranch.drawing.page import draw_html
from crossbranch.errors import UsageError
from crossbranch.server.bodies import receive
from crossbranch.server.encoding import to_json
from crossbranch.server.endpoints import Endpoint, json_bytes
from crossbranch.server.schemas import DrawRequest, DrawResponse
from crossbranch.server.state import state_of
from crossbranch.server.treebanks import tree_in

_KINDS = {"svg": "svg", "text": "drawn", "tikz": "tikz", "html": "html"}


async def draw_tree(request: Request) -> Response:
    """Draw a tree."""
    wanted = await receive(request, DrawRequest)
    return json_bytes(await state_of(request).calls.run(lambda: to_json(_drawn(wanted))))


def _drawn(wanted: DrawRequest) -> DrawResponse:
    tree = tree_in(wanted.tree, "tree")
    kind = _KINDS[wanted.to]
    options = _options(wanted)
    if wanted.other is None:
        return DrawResponse(wanted.to, str(draw(tree, format=kind, **options)))
    other = tree_in(wanted.other, "other")
    if options.pop("marked", None) is not None:
        raise UsageError("two trees that are compared have marks of their own; leave out marked")
    if kind == "html":
        return DrawResponse(wanted.to, "".join(draw_html([tree], compare_with=[other], **options)))
    content = draw_comparison(tree, other, format=kind, **options)  # type: ignore[call-overload]
    return DrawResponse(wanted.to, content)


def _options(wanted: DrawRequest) -> dict[str, Any]:
    """Return the options that were given. Pictures for pages have the numbers of vertices."""
    given = wanted.options
    values = {name: getattr(given, name) for name in given.__struct_fields__}
    options = {name: value for name, value in values.items() if value is not None}
    if wanted.other is None and options.pop("names", None) is not None:
        raise UsageError("names are those of two trees that are compared; there is one tree")
    return {"vertices": True, **options} if wanted.to == "svg" else options


ENDPOINTS = (
    Endpoint(
        path="/v1/draw",
        summary="Draw a tree, or compare two trees.",
        answer=draw_tree,
        takes=DrawRequest,
        returns=(DrawResponse,),
        errors=(429, 504),
    ),
)
