"""Dark and light, on a phone, with keys only, with a screen reader, with a token."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from browser import visit
from playwright.sync_api import Page, expect
from server_process import running
from web_page import REFUSED, WebPage

import crossbranch
from crossbranch.tree import ROOT, Node, Token, Tree

LONG = "She thinks that the book which he gave to the old man yesterday is not his own."


def lightness(tab: Page, selector: str, what: str) -> int:
    """The sum of red, green and blue of a colour."""
    found = tab.evaluate(f"getComputedStyle(document.querySelector('{selector}')).{what}")
    return sum(map(int, found.removeprefix("rgb(").removesuffix(")").split(",")[:3]))


def test_light_and_dark_by_system_and_by_choice(page: WebPage) -> None:
    def is_dark() -> list[bool]:
        return [
            lightness(page.tab, "body", "backgroundColor") < 200,
            lightness(page.tab, "body", "color") > 600,
            lightness(page.tab, "#stage .label text", "fill") > 600,
            lightness(page.tab, "#stage .word text", "fill") > 600,
        ]

    page.tab.emulate_media(color_scheme="dark")
    page.open(text="She sleeps.")
    assert all(is_dark())
    page.set("#theme", "light")
    assert not any(is_dark())
    page.tab.emulate_media(color_scheme="light")
    page.set("#theme", "auto")
    assert not any(is_dark())
    page.set("#theme", "dark")
    assert all(is_dark())


def test_a_phone_shows_every_view(page: WebPage) -> None:
    page.open(text=LONG, k=5, width=360, height=740)
    for view in ("#tab-compare", "#tab-steps", "#tab-file", "#tab-text", "#tab-tree"):
        page.tab.click(view)
        wanted = {"#tab-compare": "#compare-stage svg", "#tab-steps": "#steps-stage svg"}.get(view)
        if wanted:
            page.tab.wait_for_selector(wanted)
        assert page.tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
    page.drawn()
    assert page.tab.evaluate("document.querySelector('#stage').scrollWidth > 360")  # it scrolls
    page.set("#text", "She sleeps.")
    expect(page.tab.locator("#stage .word text")).to_have_count(3)
    page.tab.click("#looks [name=panels]")
    page.drawn()
    page.drag_by_touch("NP", "NP")  # a tap selects
    expect(page.tab.locator(".spot[aria-selected=true]")).to_have_count(1)
    page.drag_by_touch("NP", "VP")
    page.wait_for("#said", "NP attached to VP")
    page.tab.click("#show-keys")
    assert page.tab.evaluate("document.getElementById('keys').getBoundingClientRect().right <= 360")


def test_a_wide_tree_fits_the_width_if_asked(page: WebPage) -> None:
    page.open(text=LONG, width=600, height=900)
    assert page.tab.evaluate("document.querySelector('#stage').scrollWidth > 600")
    page.tab.click("#looks [name=panels]")
    page.tab.wait_for_function("() => document.querySelector('#stage').scrollWidth <= 600")
    page.drawn()
    page.tab.click("#looks [name=tags]")
    page.tab.wait_for_selector("#stage .tag text", state="detached")
    page.tab.click("#looks [name=edge_labels]")
    page.tab.wait_for_selector("#stage .edge text", state="detached")


def test_what_a_search_finds_is_in_sight(page: WebPage, tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(20)]
    tree = Tree([Token(word) for word in words], Node(ROOT, [*range(18), Node("NP", [18, 19])]))
    crossbranch.write([tree], tmp_path / "wide.export")
    page.open(source="file", width=360, height=1400)
    page.tab.set_input_files("#file-options input[type=file]", tmp_path / "wide.export")
    page.drawn()
    expect(page.tab.locator(page.spot("word0"))).to_be_in_viewport()
    page.write("#find [name=query]", "NP")
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_selector("#stage rect.marked")
    expect(page.tab.locator("#stage rect.marked")).to_be_in_viewport(ratio=1)


def test_everything_is_reached_with_tab_and_has_a_visible_focus(page: WebPage) -> None:
    page.open(text="What should I do? She sleeps.", k=3)
    page.tab.click(page.spot("NP"))  # so that the buttons can be used
    page.tab.evaluate("(() => {document.activeElement.blur(); scrollTo(0, 0);})()")
    wanted = page.tab.evaluate(
        "[...document.querySelectorAll('button, input, select, textarea, summary, a')].filter("
        "(one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0).length"
    )
    reached: set[str] = set()
    for _ in range(wanted + 12):
        page.tab.keyboard.press("Tab")
        found = page.tab.evaluate(
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


def nodes_of(tab: Page) -> list[Any]:
    """What a screen reader gets: (role, name, level)."""
    found = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
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
    found = nodes_of(page.tab)
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
    page.tab.keyboard.press("?")
    assert page.tab.is_visible("#keys")
    assert "raise" in page.text("#keys")
    page.tab.keyboard.press("Escape")
    page.tab.wait_for_selector("#keys", state="hidden")


def test_a_token_is_asked_for(tab: Page, excused: list[str], tmp_path: Path) -> None:
    excused.append(REFUSED)
    with running(tmp_path, token="secret") as server:
        guarded = WebPage(tab, f"{server.url}/")
        visit(tab, guarded.address)
        for token, remark in (("wrong", "did not accept"), ("secret", "")):
            tab.wait_for_selector("#ask[open]")
            assert tab.get_attribute("#ask-text", "type") == "password"
            guarded.write("#ask-text", token)
            tab.keyboard.press("Enter")
            if remark:
                guarded.wait_for("#ask-about", remark)
        tab.wait_for_selector("html[data-ready=true]")
        guarded.open(text="She sleeps.")  # the token stays in this window
        assert not tab.is_visible("#ask")
        assert "secret" not in tab.evaluate("location.href + JSON.stringify({...localStorage})")


def test_a_server_that_is_gone_is_told(page: WebPage, excused: list[str]) -> None:
    excused.append(REFUSED)
    page.open(text="She sleeps.")
    page.tab.context.set_offline(True)
    page.write("#text", "He sleeps.")
    page.wait_for("#message", "cannot be reached")
    page.tab.context.set_offline(False)
    page.write("#text", "We sleep.")
    page.tab.wait_for_selector("#message", state="hidden")


@pytest.mark.parametrize("path", ["page/nothing.js", "page/../schemas.py", "page/__init__.py"])
def test_only_the_files_of_the_page_are_served(address: str, path: str) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{address}{path}")
    with refused.value:
        assert refused.value.code == 404
