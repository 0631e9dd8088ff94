"""The player of derivations in a browser: buttons, keys, slider, small and large windows."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import open_file
from playwright.sync_api import Page, expect

from crossbranch.derivations import draw_player, show, show_items
from crossbranch.grammar import Deduction, parse_text
from crossbranch.search.deduction_items import trace_deduction
from crossbranch.transitions import TransitionSystem, derive, make_ready
from crossbranch.tree import Token, Tree

QUESTION = Tree.from_string(
    "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shows = []
    for system in ("gap", "stack-free"):
        ready = make_ready(QUESTION, system, "ptb")
        shows.append(show(derive(ready, TransitionSystem.open([ready], name=system))))
    path = tmp_path_factory.mktemp("page") / "steps.html"
    path.write_text("".join(draw_player(shows)), encoding="utf-8")
    return path


def heading(tab: Page) -> str:
    return tab.inner_text("#stage h2")


def click(tab: Page, name: str) -> None:
    tab.click(f"button[name={name}]")


def test_buttons_keys_and_the_slider(tab: Page, page: Path) -> None:
    open_file(tab, page)
    assert heading(tab) == "0. start"
    assert tab.is_disabled("[name=previous]")
    click(tab, "next")
    assert heading(tab) == "1. SH"
    tab.keyboard.press("ArrowRight")
    assert heading(tab) == "2. RU(WHNP)"
    tab.keyboard.press("ArrowLeft")
    click(tab, "previous")
    assert heading(tab) == "0. start"
    click(tab, "last")
    assert heading(tab) == "12. RL(ROOT)"
    assert tab.is_disabled("[name=next]")
    tab.fill("[name=step]", "8")
    assert heading(tab) == "8. GAP"
    assert tab.evaluate("location.hash") == "#1.8"


def test_playing_goes_on_by_itself(tab: Page, page: Path) -> None:
    open_file(tab, page, "#1.11")
    click(tab, "play")
    assert tab.inner_text("[name=play]") == "stop"
    expect(tab.locator("#stage h2")).to_have_text("12. RL(ROOT)")
    assert tab.inner_text("[name=play]") == "play"


def test_another_sentence_can_be_chosen(tab: Page, page: Path) -> None:
    open_file(tab, page, "#1.3")
    tab.select_option("select", index=1)
    assert heading(tab) == "0. start"
    tab.keyboard.press("ArrowRight")
    assert heading(tab) == "1. SHIFT"
    about = tab.inner_text(".about")
    assert "stack-free" in about
    expect(tab.locator("#abbreviations")).to_contain_text("COMBINE-n")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (1920, 1080)])
def test_words_stay_in_their_place_in_every_window(
    tab: Page, page: Path, width: int, height: int
) -> None:
    open_file(tab, page, "#1.0", width=width, height=height)
    places = set()
    for _ in range(13):
        found = tab.evaluate(
            "[...document.querySelectorAll('#stage .word text')].map((one) => {"
            "const box = one.getBoundingClientRect();"
            "return [one.textContent, Math.round(box.left)];})"
        )
        places.add(str(found))
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        tab.keyboard.press("ArrowRight")
    assert len(places) == 1
    size = tab.evaluate("parseFloat(getComputedStyle(document.querySelector('.told p')).fontSize)")
    assert size >= (22 if width == 1920 else 15)


def test_items_have_their_own_legend(tab: Page, tmp_path: Path) -> None:
    deduction = Deduction(parse_text('top S\n1 S -> A(x,y) : x "b" y\n1 A -> : "a" , "c"\n'))
    trace = trace_deduction(deduction, list("abc"))
    assert trace is not None
    ready = make_ready(QUESTION, "gap", "ptb")
    steps = show(derive(ready, TransitionSystem.open([ready], name="gap")))
    path = tmp_path / "items.html"
    items = show_items(trace, tuple(Token(word) for word in "abc"))
    path.write_text("".join(draw_player([steps, items])), encoding="utf-8")
    open_file(tab, path)
    assert "stack or memory" in tab.inner_text(".legend")
    open_file(tab, path, "#2.5")
    assert heading(tab).startswith("5. ")
    assert "this item" in tab.inner_text(".legend")
    assert tab.locator("#stage rect.focus").count() == 1
