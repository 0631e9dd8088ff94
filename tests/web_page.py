"""The page of the server in a real browser."""

from __future__ import annotations

import json
import time
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from driven_browser import Browser

from crossbranch import Tree
from crossbranch.treebank import FORMATS

_PATIENCE = 60.0  # seconds, on a busy machine


def packed(tree: Any) -> str:
    """Return a tree as links contain it."""
    packer = zlib.compressobj(wbits=-15)
    data = packer.compress(json.dumps(tree).encode()) + packer.flush()
    return urlsafe_b64encode(data).decode().rstrip("=")


def written(tree: Tree) -> str:
    """Return a tree as text with tags and the numbers of words."""
    return FORMATS["discbracket"].write_tree(tree, 1).strip()


class WebPage:
    """The page, and what readers do with it."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.may_be_refused = False
        """Whether a test expects answers with errors, which browsers write down."""

    def open(self, *, width: int = 1200, height: int = 900, **state: object) -> None:
        """Open the page in a state that a link describes."""
        fragment = f"#{urlencode(state)}" if state else ""
        self.browser.visit(f"{self.address}{fragment}", width=width, height=height)
        self.browser.wait("document.documentElement.dataset.ready === 'true'")
        if state.get("text") and state.get("view", "tree") == "tree":
            self.drawn()

    def drawn(self) -> None:
        """Wait until the tree of the state is drawn."""
        self.browser.wait(
            "import('/page/state.js').then(({tree}) => {"
            "const forms = tree()?.tokens.length; const stage = document.getElementById('stage');"
            "return forms > 0 && !stage.classList.contains('busy') &&"
            " stage.querySelectorAll('.spot').length === forms + tree().nodes.length;})"
        )

    def tree(self) -> Any:
        """The tree that is shown, as JSON."""
        return self.state("tree()")

    def state(self, expression: str) -> Any:
        """The value of something of the module state.js."""
        return self.browser.ask(f"import('/page/state.js').then((all) => all.{expression})")

    def text(self, selector: str) -> str:
        """The text of an element."""
        place = json.dumps(selector)
        return str(self.browser.ask(f"document.querySelector({place})?.textContent ?? ''"))

    def wait_for(self, selector: str, text: str) -> None:
        """Wait until an element contains a text."""
        place, wanted = json.dumps(selector), json.dumps(text)
        self.browser.wait(
            f"(document.querySelector({place})?.textContent ?? '').includes({wanted})"
        )

    def set(self, selector: str, value: object) -> None:
        """Choose a value in a field."""
        place, wanted = json.dumps(selector), json.dumps(str(value))
        self.browser.ask(
            f"(() => {{const field = document.querySelector({place}); field.value = {wanted};"
            "for (const kind of ['input', 'change'])"
            " field.dispatchEvent(new Event(kind, {bubbles: true}));})()"
        )

    def write(self, selector: str, text: str) -> None:
        """Write a text into a field, in place of what is there."""
        place = json.dumps(selector)
        self.browser.ask(
            f"(() => {{const one = document.querySelector({place}); one.focus();one.select();}})()"
        )
        self.browser.write(text)

    def vertex(self, name: str, turn: int = 0) -> int:
        """The vertex with this label or form; `turn`: which of them."""
        tree = self.tree()
        names = [one["form"] for one in tree["tokens"]] + [one["label"] for one in tree["nodes"]]
        return [place for place, one in enumerate(names) if one == name][turn]

    def spot(self, name: str, turn: int = 0) -> str:
        """The selector of the place of a vertex in the picture."""
        return f'#stage [data-spot="{self.vertex(name, turn)}"]'

    def saved(self, folder: Path, name: str) -> Path:
        """Wait until the browser has saved a file, and return its path."""
        end = time.monotonic() + _PATIENCE
        while not (folder / name).exists():
            assert time.monotonic() < end, f"{name} was not saved"
            time.sleep(0.02)
        return folder / name

    def listen(self) -> None:
        """Take down all requests from now on: `window.sent`, pairs of path and body."""
        self.browser.ask(
            "(() => {window.sent = []; const real = window.fetch;"
            "window.fetch = (path, options) => {"
            "window.sent.push([path, options?.body ? JSON.parse(options.body) : null]);"
            "return real(path, options);};})()"
        )

    def sent(self, path: str) -> list[Any]:
        """The bodies that were sent to a path since `listen`."""
        found = self.browser.ask("window.sent")
        return [body for one, body in found if one == path]
