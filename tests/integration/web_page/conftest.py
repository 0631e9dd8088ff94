"""One server for all tests of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from server_process import running
from web_page import WebPage


@pytest.fixture(scope="session")
def address(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server is. Without a browser, there is no need for one."""
    pytest.importorskip("fastapi", reason="the extra `server` is not installed")
    # So small a limit that files of some dozen sentences are read in pieces.
    limit = "body=100000"
    with running(tmp_path_factory.mktemp("server"), "nl", "--limit", limit) as server:
        yield f"{server.url}/"


@pytest.fixture
def page(tab: Page, address: str) -> WebPage:
    """The page in a tab."""
    return WebPage(tab, address)
