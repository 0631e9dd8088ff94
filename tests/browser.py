"""A real browser for tests: the Chromium of this system, driven by Playwright.

A plugin of pytest (`tests/conftest.py` names it), so that every test can ask for a `tab`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_OPTIONS = ("--disable-gpu", "--disable-quic")  # Playwright adds what keeps it silent and alone

expect.set_options(timeout=30_000)  # as for everything else; machines can be busy


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("there is no Chromium to open the page with")
    return program


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser for one module: while it runs, no test can run an event loop of asyncio."""
    with sync_playwright() as playwright:
        kind = playwright.chromium
        with kind.launch(executable_path=chromium, args=_OPTIONS) as started:
            yield started


@pytest.fixture
def excused() -> list[str]:
    """Texts that a test adds, if it expects complaints of the browser which contain them."""
    return []


@pytest.fixture
def tab(browser: Browser, excused: list[str]) -> Iterator[Page]:
    """A tab that remembers nothing. It fails the test if the browser complains about anything.

    Such complaints are errors in scripts, what the security policy forbids, and missing files.
    """
    complaints: list[str] = []
    with browser.new_context() as context:
        opened = context.new_page()
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        yield opened
        opened.evaluate("0")  # its answer comes after all complaints
    assert [one for one in complaints if not any(text in one for text in excused)] == []


def visit(tab: Page, address: str, *, width: int = 1200, height: int = 900) -> None:
    """Open an address in a window of this size."""
    tab.set_viewport_size({"width": width, "height": height})
    if tab.url != "about:blank":
        tab.goto("about:blank")  # or another `#place` would not load the page again
    tab.goto(address)


def open_file(
    tab: Page, path: Path, place: str = "", *, width: int = 1200, height: int = 900
) -> None:
    """Open a file; `place` is what follows the `#`."""
    visit(tab, f"{path.as_uri()}{place}", width=width, height=height)
