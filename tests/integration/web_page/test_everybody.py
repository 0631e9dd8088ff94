"""Dark and light, on a phone, with keys only, with a screen reader, with a token."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from driven_browser import Browser
from server_process import running
from web_page import WebPage

LONG = "She thinks that the book which he gave to the old man yesterday is not his own."


def lightness(browser: Browser, selector: str, what: str) -> int:
    """The sum of red, green and blue of a colour."""
    found = browser.ask(f"getComputedStyle(document.querySelector('{selector}')).{what}")
    return sum(map(int, found.removeprefix("rgb(").removesuffix(")").split(",")[:3]))


def test_light_and_dark_by_system_and_by_choice(page: WebPage) -> None:
    def is_dark() -> list[bool]:
        return [
            lightness(page.browser, "body", "backgroundColor") < 200,
            lightness(page.browser, "body", "color") > 600,
            lightness(page.browser, "#stage .label text", "fill") > 600,
            lightness(page.browser, "#stage .word text", "fill") > 600,
        ]

    page.browser.prefer("dark")
    page.open(text="She sleeps.")
    assert all(is_dark())
    page.set("#theme", "light")
    assert not any(is_dark())
    page.browser.prefer("light")
    page.set("#theme", "auto")
    assert not any(is_dark())
    page.set("#theme", "dark")
    assert all(is_dark())


def test_a_phone_shows_every_view(page: WebPage) -> None:
    page.open(text=LONG, k=5, width=360, height=740)
    for tab in ("#tab-compare", "#tab-steps", "#tab-file", "#tab-text", "#tab-tree"):
        page.browser.click(tab)
        wanted = {"#tab-compare": "#compare-stage svg", "#tab-steps": "#steps-stage svg"}.get(tab)
        if wanted:
            page.browser.wait(f"!!document.querySelector('{wanted}')")
        assert page.browser.ask("document.documentElement.scrollWidth <= innerWidth"), tab
    page.drawn()
    assert page.browser.ask("document.querySelector('#stage').scrollWidth > 360")  # it scrolls
    page.set("#text", "She sleeps.")
    page.browser.wait("document.querySelectorAll('#stage .word text').length === 3")
    page.browser.click("#looks [name=panels]")
    page.drawn()
    page.browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        page.browser.drag_by_touch(page.spot("NP"), page.spot("NP"))  # a tap selects
        page.browser.wait("document.querySelectorAll('.spot[aria-selected=true]').length === 1")
        page.browser.drag_by_touch(page.spot("NP"), page.spot("VP"))
    finally:
        page.browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
    page.wait_for("#said", "NP attached to VP")
    page.browser.click("#show-keys")
    assert page.browser.ask("document.getElementById('keys').getBoundingClientRect().right <= 360")


def test_a_wide_tree_fits_the_width_if_asked(page: WebPage) -> None:
    page.open(text=LONG, width=600, height=900)
    assert page.browser.ask("document.querySelector('#stage').scrollWidth > 600")
    page.browser.click("#looks [name=panels]")
    page.browser.wait("document.querySelector('#stage').scrollWidth <= 600")
    page.drawn()
    page.browser.click("#looks [name=tags]")
    page.browser.wait("!document.querySelector('#stage .tag text')")
    page.browser.click("#looks [name=edge_labels]")
    page.browser.wait("!document.querySelector('#stage .edge text')")


def test_everything_is_reached_with_tab_and_has_a_visible_focus(page: WebPage) -> None:
    page.open(text="What should I do? She sleeps.", k=3)
    page.browser.click(page.spot("NP"))  # so that the buttons can be used
    page.browser.ask("(() => {document.activeElement.blur(); scrollTo(0, 0);})()")
    wanted = page.browser.ask(
        "[...document.querySelectorAll('button, input, select, textarea, summary, a')].filter("
        "(one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0).length"
    )
    reached: set[str] = set()
    for _ in range(wanted + 12):
        page.browser.press("Tab")
        found = page.browser.ask(
            "(() => {const one = document.activeElement; const look = getComputedStyle(one);"
            "return [one.tagName, one.id, one.name, one.textContent.slice(0, 20), one.dataset.spot,"
            "one === document.body || look.outlineStyle !== 'none' || look.stroke !== 'none'];})()"
        )
        assert found[-1], f"{found} has no visible focus"
        if found[0] != "BODY":
            reached.add(str(found))
    spots = [one for one in reached if "'rect'" in one]
    assert len(spots) == 1  # the tree is one stop; arrows go on from there
    assert len(reached) >= wanted + 1


def nodes_of(browser: Browser) -> list[Any]:
    """What a screen reader gets: (role, name, level)."""
    found = browser.call("Accessibility.getFullAXTree")["nodes"]
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {one["name"]: one["value"].get("value") for one in node.get("properties", [])},
        )
        for node in found
        if not node["ignored"]
    ]


def test_a_screen_reader_hears_the_tree(page: WebPage) -> None:
    page.open(text="What should I do?", k=3)
    found = nodes_of(page.browser)
    items = [(name, more["level"]) for role, name, more in found if role == "treeitem"]
    assert len(items) == 5 + 6
    described = dict(items)
    verb_phrase = next(name for name in described if name.startswith("VP, verb phrase"))
    assert "What … do; confidence 9" in verb_phrase
    assert described[verb_phrase] == 4
    assert any(name.startswith("NP, noun phrase") and "subject" in name for name in described)
    controls = (
        "button",
        "textbox",
        "searchbox",
        "combobox",
        "spinbutton",
        "checkbox",
        "tab",
        "radio",
    )
    nameless = [role for role, name, _ in found if role in controls and not name]
    assert nameless == []
    assert {"main", "banner", "tablist", "tabpanel", "toolbar"} <= {role for role, _, _ in found}
    assert page.text("#said").startswith("(ROOT (SBARQ")


def test_keys_are_listed(page: WebPage) -> None:
    page.open()
    page.browser.press("?")
    assert page.browser.ask("document.getElementById('keys').open")
    assert "raise" in page.text("#keys")
    page.browser.press("Escape")
    page.browser.wait("!document.getElementById('keys').open")


def test_a_token_is_asked_for(chromium: Browser, page: WebPage, tmp_path: Path) -> None:
    page.may_be_refused = True
    with running(tmp_path, token="secret") as server:
        guarded = WebPage(chromium, f"{server.url}/")
        chromium.visit(guarded.address)
        for token, remark in (("wrong", "did not accept"), ("secret", "")):
            chromium.wait("document.getElementById('ask').open")
            assert chromium.ask("document.getElementById('ask-text').type") == "password"
            guarded.write("#ask-text", token)
            chromium.press("Enter")
            if remark:
                guarded.wait_for("#ask-about", remark)
        chromium.wait("document.documentElement.dataset.ready === 'true'")
        guarded.open(text="She sleeps.")  # the token stays in this window
        assert not chromium.ask("document.getElementById('ask').open")
        assert "secret" not in chromium.ask("location.href + JSON.stringify({...localStorage})")


def test_a_server_that_is_gone_is_told(chromium: Browser, page: WebPage) -> None:
    page.may_be_refused = True
    page.open(text="She sleeps.")
    chromium.call("Network.enable")
    gone = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    try:
        chromium.call("Network.emulateNetworkConditions", **gone)
        page.write("#text", "He sleeps.")
        page.wait_for("#message", "cannot be reached")
    finally:
        chromium.call("Network.emulateNetworkConditions", **gone | {"offline": False})
        chromium.call("Network.disable")
    page.write("#text", "We sleep.")
    page.browser.wait("document.getElementById('message').hidden")


@pytest.mark.parametrize("path", ["page/nothing.js", "page/../schemas.py", "page/__init__.py"])
def test_only_the_files_of_the_page_are_served(address: str, path: str) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{address}{path}")
    with refused.value:
        assert refused.value.code == 404
