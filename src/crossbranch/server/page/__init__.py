"""The web page of the server: files without a build step, and the answers that carry them.

index.html     the page
page.css       how it looks; drawing.css and frames.css are those of pictures and derivations
main.js        the start; state.js what the page knows; link.js the state as a link; api.js requests
tree.js        trees and corrections, without anything of the page
tree_view.js   the tree: drawing.js and details.js show it, drag.js and edit.js correct it
text_view.js, file_view.js, pieces.js       where sentences come from
compare_view.js, steps_view.js, save.js     what can be done with them
dialogs.js, messages.js                     questions to readers, and errors

The policy of the page allows nothing from outside, and no script or style but these files.
"""

from __future__ import annotations

from importlib import resources

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from crossbranch.drawing.looks import style_sheet

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}
_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}
_SHARED = ("frames.css", "stepper.js")  # files of the player of derivations


def page_files() -> dict[str, str]:
    """Return all files of the page by their names."""
    folder = resources.files("crossbranch.server.page")
    names = [path.name for path in folder.iterdir() if path.name.rpartition(".")[2] in _TYPES]
    files = {name: (folder / name).read_text(encoding="utf-8") for name in sorted(names)}
    player = resources.files("crossbranch.derivations")
    files |= {name: (player / name).read_text(encoding="utf-8") for name in _SHARED}
    return files | {"drawing.css": _drawing_style()}


def _drawing_style() -> str:
    """The style of pictures. Readers can choose dark colours, whatever their system says."""
    light = style_sheet("light")
    dark = style_sheet("dark").removeprefix(light)
    by_system, by_choice = (
        dark.replace("svg.tree", f":root{which} svg.tree")
        for which in (":not([data-theme=light])", "[data-theme=dark]")
    )
    return f"{light}@media (prefers-color-scheme:dark){{\n{by_system}}}\n{by_choice}"


def add_page(app: FastAPI) -> None:
    """Add the page at `/`, and its files below `/page/`."""
    files = {name: _answer(name, text) for name, text in page_files().items()}
    index = files.pop("index.html")

    async def show_page(_: Request) -> Response:
        return index

    async def show_file(request: Request) -> Response:
        answer = files.get(request.path_params["name"])
        if answer is None:
            raise HTTPException(404)
        return answer

    app.add_route("/", show_page)
    app.add_route("/page/{name}", show_file)


def _answer(name: str, text: str) -> Response:
    kind = _TYPES[name.rpartition(".")[2]]
    return Response(text, headers=_HEADERS, media_type=kind)
