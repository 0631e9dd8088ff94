"""The files of the web page: whole, nothing inline, served with a strict policy."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("fastapi", reason="the extra `server` is not installed")

from fastapi import FastAPI
from fastapi.testclient import TestClient

from crossbranch.drawing.looks import style_sheet
from crossbranch.server.page import POLICY, add_page, page_files

FILES = page_files()
SCRIPTS = {name: text for name, text in FILES.items() if name.endswith(".js")}
INDEX = FILES["index.html"]


def test_nothing_is_inline_and_nothing_comes_from_elsewhere() -> None:
    assert not re.search(r"<style|\sstyle=|\son\w+=", INDEX)
    assert not re.search(r"<script(?![^>]*\ssrc=)", INDEX)
    for name, text in FILES.items():
        places = set(re.findall(r"https?://[^\s\"')]+", text))
        assert places <= {"http://www.w3.org/2000/svg"}, name
    assert not any("innerHTML" in text for text in SCRIPTS.values())


def test_all_parts_exist() -> None:
    for place in re.findall(r'(?:src|href)="page/([^"]+)"', INDEX):
        assert place in FILES
    for name, text in SCRIPTS.items():
        for other in re.findall(r'from "\./([^"]+)"', text):
            assert other in FILES, f"{name} imports {other}"
    ids = set(re.findall(r'\bid="([^"]+)"', INDEX))
    for name, text in SCRIPTS.items():
        used = set(re.findall(r'(?:getElementById|\bpart)\("([\w-]+)"', text))
        if name not in ("stepper.js", "details.js"):  # their parts are other things
            assert used <= ids, name
    for target in re.findall(
        r'(?:for|aria-controls|aria-labelledby|aria-describedby)="([^"]+)"', INDEX
    ):
        assert target in ids


def test_scripts_are_short() -> None:
    assert {name for name, text in FILES.items() if text.count("\n") > 400} == set()


def test_dark_colours_are_chosen_by_the_system_or_the_reader() -> None:
    style = FILES["drawing.css"]
    assert style.startswith(style_sheet("light"))
    dark = style_sheet("dark").removeprefix(style_sheet("light"))
    assert dark
    for rule in dark.splitlines():
        for which in (":not([data-theme=light])", "[data-theme=dark]"):
            assert rule.replace("svg.tree", f":root{which} svg.tree") in style


def test_files_have_their_types_and_the_policy() -> None:
    app = FastAPI()
    add_page(app)
    client = TestClient(app)
    for path, kind in (("/", "html"), ("/page/main.js", "javascript"), ("/page/icon.svg", "svg")):
        answer = client.get(path)
        assert answer.status_code == 200
        assert kind in answer.headers["content-type"]
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    for path in ("/page/index.html", "/page/__init__.py", "/page/../app.py", "/page/"):
        assert client.get(path).status_code == 404
