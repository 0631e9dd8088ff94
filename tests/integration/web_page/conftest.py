"""One server and one browser for all tests of the page."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from driven_browser import Browser, browser
from server_process import running
from web_page import WebPage


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="session")
def address(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("fastapi", reason="the extra `server` is not installed")
    # So small a limit that files of some dozen sentences are read in pieces.
    limit = "body=100000"
    with running(tmp_path_factory.mktemp("server"), "nl", "--limit", limit) as server:
        yield f"{server.url}/"


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[WebPage]:
    """The page in a window. Errors, and whatever the security policy forbids, fail the test."""
    chromium.complaints.clear()
    chromium.prefer("light")
    opened = WebPage(chromium, address)
    yield opened
    complaints = [json.loads(one) for one in chromium.complaints]
    found = [one for one in complaints if not (opened.may_be_refused and _is_refusal(one))]
    assert found == []


def _is_refusal(complaint: dict[str, dict[str, str]]) -> bool:
    """Whether it is only an answer of the server with an error, which the test asked for."""
    return complaint.get("entry", {}).get("source") == "network"
