"""A headless Chromium that does what it is told: open pages, press keys, take pictures.

It is driven over a pair of pipes, in its own protocol, so that nothing has to be installed for it.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import NAMES

_OPTIONS = (
    "--headless --no-sandbox --disable-gpu --hide-scrollbars --disable-background-networking "
    "--no-first-run --remote-debugging-pipe --force-color-profile=srgb"
)
_CODES = {"Enter": 13, "Escape": 27, "Tab": 9, "Delete": 46, "Home": 36, "End": 35} | {
    f"Arrow{way}": code for code, way in enumerate(("Left", "Up", "Right", "Down"), 37)
}
_PATIENCE = 30.0  # seconds, on a busy machine


class BrowserError(AssertionError):
    """The browser could not do what it was told."""


class Browser:
    """One page, and what can be done with it."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._number, self._rest = 0, b""
        self._session = ""
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.call(f"{part}.enable")

    def call(self, method: str, **params: object) -> Any:
        """Send a command, and return what comes back."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], _PATIENCE)
            data = os.read(self._answers, 1 << 20) if ready else b""
            if not data:
                raise BrowserError("the browser is gone" if ready else "the browser is silent")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        answer = json.loads(line)
        if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.complaints.append(json.dumps(answer["params"]))
        return answer

    def open(self, path: Path, place: str = "", *, width: int = 1200, height: int = 900) -> None:
        """Open a file, and wait until it is there; `place` is what follows the `#`."""
        self.visit(f"{path.as_uri()}{place}", width=width, height=height)

    def visit(self, address: str, *, width: int = 1200, height: int = 900) -> None:
        """Open an address, and wait until it is there."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.call("Page.navigate", url="about:blank")  # or only the place would change
        self.call("Page.navigate", url=address)
        self.wait("location.protocol !== 'about:' && document.readyState === 'complete'")

    def ask(self, expression: str) -> Any:
        """Return the value of some JavaScript."""
        asked = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in asked, asked
        return asked["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until some JavaScript is true."""
        end = time.monotonic() + _PATIENCE
        while not self._is_true(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def _is_true(self, expression: str) -> bool:
        try:
            return bool(self.ask(expression))
        except BrowserError:  # the page went away while it was asked
            return False

    def press(self, key: str, *, control: bool = False) -> None:
        """Press a key, perhaps together with the control key."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = _CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                windowsVirtualKeyCode=code,
                modifiers=2 if control else 0,
                **({"text": text} if text and kind == "keyDown" and not control else {}),
            )

    def middle(self, selector: str) -> tuple[float, float]:
        """Scroll to an element, and return where its middle is in the window."""
        found = self.ask(
            f"(() => {{const one = document.querySelector({json.dumps(selector)});"
            "one.scrollIntoView({block: 'nearest', inline: 'nearest'});"
            "const box = one.getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2];})()"
        )
        return float(found[0]), float(found[1])

    def mouse(self, kind: str, place: tuple[float, float], **more: object) -> None:
        """Do something with the mouse: `mousePressed`, `mouseMoved` or `mouseReleased`."""
        x, y = place
        button = {} if kind == "mouseMoved" and not more else {"button": "left"}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button, **more)

    def click(self, selector: str, *, times: int = 1, control: bool = False) -> None:
        """Click on an element, as a reader does."""
        place = self.middle(selector)
        self.mouse("mouseMoved", place)
        more = {"modifiers": 2 if control else 0}
        for turn in range(1, times + 1):
            self.mouse("mousePressed", place, clickCount=turn, buttons=1, **more)
            self.mouse("mouseReleased", place, clickCount=turn, **more)

    def drag(self, source: str, target: str, *, drop: bool = True) -> None:
        """Take an element with the mouse, bring it to another one, and perhaps let go."""
        start, end = self.middle(source), self.middle(target)
        self.mouse("mouseMoved", start)
        self.mouse("mousePressed", start, clickCount=1, buttons=1)
        for step in range(1, 6):
            x, y = (a + (b - a) * step / 5 for a, b in zip(start, end, strict=True))
            self.mouse("mouseMoved", (x, y), buttons=1)
        if drop:
            self.mouse("mouseReleased", end, clickCount=1)

    def drag_by_touch(self, source: str, target: str) -> None:
        """Drag an element with a finger."""
        start, end = self.middle(source), self.middle(target)
        for step in range(7):
            x, y = (a + (b - a) * step / 6 for a, b in zip(start, end, strict=True))
            kind = "touchMove" if step else "touchStart"
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def choose_file(self, selector: str, path: Path) -> None:
        """Give a file to a field for files."""
        document = self.call("DOM.getDocument")["root"]["nodeId"]
        found = self.call("DOM.querySelector", nodeId=document, selector=selector)
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=found["nodeId"])

    def write(self, text: str) -> None:
        """Write a text where the cursor is."""
        self.call("Input.insertText", text=text)

    def prefer(self, scheme: str) -> None:
        """Choose light or dark pages."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def screenshot(self, target: Path) -> Path:
        """Take a picture of what is to be seen."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        target.write_bytes(b64decode(data))
        return target


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser, and end it."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None or os.name != "posix":
        pytest.skip("there is no Chromium to open the page with")
    from_us, to_browser = os.pipe()
    from_browser, to_us = os.pipe()
    # The browser reads its descriptor 3 and writes its 4: the shell puts the pipes there.
    script = f'exec "$@" 3<&{from_us} 4>&{to_us}'
    command = ["bash", "-c", script, "bash", program, *_OPTIONS.split()]
    process = subprocess.Popen(
        [*command, f"--user-data-dir={profile}"],
        pass_fds=(from_us, to_us),
        stderr=subprocess.DEVNULL,
    )
    os.close(from_us)
    os.close(to_us)
    try:
        yield Browser(to_browser, from_browser)
    finally:
        os.close(to_browser)
        os.close(from_browser)
        process.terminate()
        process.wait(timeout=30)
