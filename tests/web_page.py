"""The page of the server in a real browser."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from browser import visit
from playwright.sync_api import Page, expect

from crossbranch import Tree
from crossbranch.treebank import FORMATS

REFUSED = "Failed to load resource"
"""What browsers say about every answer with an error; tests that want one excuse it."""


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

    def __init__(self, tab: Page, address: str) -> None:
        self.tab, self.address = tab, address

    def open(self, *, width: int = 1200, height: int = 900, **state: object) -> None:
        """Open the page in a state that a link describes."""
        fragment = f"#{urlencode(state)}" if state else ""
        visit(self.tab, f"{self.address}{fragment}", width=width, height=height)
        self.ready()
        if state.get("text") and state.get("view", "tree") == "tree":
            self.drawn()

    def ready(self) -> None:
        """Wait until the page can be used."""
        self.tab.wait_for_selector("html[data-ready=true]")

    def drawn(self) -> None:
        """Wait until the tree of the state is drawn."""
        self.tab.wait_for_function(
            "({tree}) => {const forms = tree()?.tokens.length;"
            "const stage = document.getElementById('stage');"
            "return forms > 0 && !stage.classList.contains('busy') &&"
            " stage.querySelectorAll('.spot').length === forms + tree().nodes.length;}",
            arg=self.tab.evaluate_handle("import('/page/state.js')"),
        )

    def tree(self) -> Any:
        """The tree that is shown, as JSON."""
        return self.state("tree()")

    def state(self, expression: str) -> Any:
        """The value of something of the module state.js."""
        return self.tab.evaluate(f"import('/page/state.js').then((all) => all.{expression})")

    def text(self, selector: str) -> str:
        """The text of an element."""
        return self.tab.text_content(selector) or ""

    def wait_for(self, selector: str, text: str) -> None:
        """Wait until an element contains a text."""
        expect(self.tab.locator(selector)).to_contain_text(text)

    def offered(self, selector: str) -> list[str]:
        """The values that a field offers."""
        options = self.tab.locator(f"{selector} option")
        values: list[str] = options.evaluate_all("(found) => found.map((one) => one.value)")
        return values

    def set(self, selector: str, value: object) -> None:
        """Choose a value in a field."""
        self.tab.locator(selector).evaluate(
            "(field, value) => {field.value = value; for (const kind of ['input', 'change'])"
            " field.dispatchEvent(new Event(kind, {bubbles: true}));}",
            str(value),
        )

    def write(self, selector: str, text: str) -> None:
        """Write a text into a field, in place of what is there."""
        self.tab.fill(selector, text)

    def answer(self, text: str) -> None:
        """Answer the question of the dialog."""
        self.tab.wait_for_selector("#ask[open]")
        self.write("#ask-text", text)
        # The page hears of the answer a moment after the dialog is gone.
        self.tab.locator("#ask").evaluate(
            "(one) => {window.answered = false;"
            "one.addEventListener('close', () => {window.answered = true;}, {once: true});}"
        )
        self.tab.keyboard.press("Enter")
        self.tab.wait_for_function("() => window.answered")

    def vertex(self, name: str, turn: int = 0) -> int:
        """The vertex with this label or form; `turn`: which of them."""
        tree = self.tree()
        names = [one["form"] for one in tree["tokens"]] + [one["label"] for one in tree["nodes"]]
        return [place for place, one in enumerate(names) if one == name][turn]

    def spot(self, name: str, turn: int = 0) -> str:
        """The selector of the place of a vertex in the picture."""
        return f'#stage [data-spot="{self.vertex(name, turn)}"]'

    def drag(self, name: str, target: str) -> None:
        """Take a vertex with the mouse, and drop it on another one."""
        self.hold(name, over=target)
        self.tab.mouse.up()

    def hold(self, name: str, *, over: str) -> None:
        """Take a vertex with the mouse, bring it to another one, and do not let go."""
        start, end = self._middle(name), self._middle(over)
        self.tab.mouse.move(*start)
        self.tab.mouse.down()
        self.tab.mouse.move(*end, steps=5)

    def drag_by_touch(self, name: str, target: str) -> None:
        """Drag a vertex with a finger."""
        (left, top), (right, bottom) = self._middle(name), self._middle(target)
        finger = self.tab.context.new_cdp_session(self.tab)
        finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        for step in range(7):
            x, y = left + (right - left) * step / 6, top + (bottom - top) * step / 6
            kind = "touchMove" if step else "touchStart"
            finger.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            )
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        finger.detach()

    def _middle(self, name: str) -> tuple[float, float]:
        """Scroll to a vertex, and return where it is in the window."""
        spot = self.tab.locator(self.spot(name))
        spot.scroll_into_view_if_needed()
        box = spot.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def saved(self, path: Path) -> Path:
        """Save as the form says. The file must have the name of this path, and is put there."""
        with self.tab.expect_download() as coming:
            self.tab.click("#save button")
        assert coming.value.suggested_filename == path.name
        coming.value.save_as(path)
        return path

    def listen(self) -> None:
        """Take down all requests from now on: `window.sent`, pairs of path and body."""
        self.tab.evaluate(
            "(() => {window.sent = []; const real = window.fetch;"
            "window.fetch = (path, options) => {"
            "window.sent.push([path, options?.body ? JSON.parse(options.body) : null]);"
            "return real(path, options);};})()"
        )

    def sent(self, path: str) -> list[Any]:
        """The bodies that were sent to a path since `listen`."""
        found = self.tab.evaluate("window.sent")
        return [body for one, body in found if one == path]
