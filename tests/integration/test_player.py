"""The player of derivations in a browser: buttons, keys, slider, small and large windows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from driven_browser import Browser, browser

from crossbranch.derivations import draw_player, show, show_items
from crossbranch.grammar import Deduction, parse_text
from crossbranch.search.deduction_items import trace_deduction
from crossbranch.transitions import TransitionSystem, derive, make_ready
from crossbranch.tree import Token, Tree

QUESTION = Tree.from_string(
    "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shows = []
    for system in ("gap", "stack-free"):
        ready = make_ready(QUESTION, system, "ptb")
        shows.append(show(derive(ready, TransitionSystem.open([ready], name=system))))
    path = tmp_path_factory.mktemp("page") / "steps.html"
    path.write_text("".join(draw_player(shows)), encoding="utf-8")
    return path


def heading(started: Browser) -> Any:
    return started.ask("document.querySelector('#stage h2').textContent")


def click(started: Browser, name: str) -> None:
    started.ask(f"document.querySelector('button[name={name}]').click()")


def test_buttons_keys_and_the_slider(chromium: Browser, page: Path) -> None:
    chromium.open(page)
    assert heading(chromium) == "0. start"
    assert chromium.ask("document.querySelector('[name=previous]').disabled")
    click(chromium, "next")
    assert heading(chromium) == "1. SH"
    chromium.press("ArrowRight")
    assert heading(chromium) == "2. RU(WHNP)"
    chromium.press("ArrowLeft")
    click(chromium, "previous")
    assert heading(chromium) == "0. start"
    click(chromium, "last")
    assert heading(chromium) == "12. RL(ROOT)"
    assert chromium.ask("document.querySelector('[name=next]').disabled")
    chromium.ask(
        "(() => {const slider = document.querySelector('[name=step]'); slider.value = 8;"
        "slider.dispatchEvent(new Event('input'));})()"
    )
    assert heading(chromium) == "8. GAP"
    assert chromium.ask("location.hash") == "#1.8"
    assert chromium.complaints == []


def test_playing_goes_on_by_itself(chromium: Browser, page: Path) -> None:
    chromium.open(page, "#1.11")
    click(chromium, "play")
    assert chromium.ask("document.querySelector('[name=play]').textContent") == "stop"
    chromium.wait("document.querySelector('#stage h2').textContent == '12. RL(ROOT)'")
    assert chromium.ask("document.querySelector('[name=play]').textContent") == "play"


def test_another_sentence_can_be_chosen(chromium: Browser, page: Path) -> None:
    chromium.open(page, "#1.3")
    chromium.ask(
        "(() => {const chooser = document.querySelector('select'); chooser.selectedIndex = 1;"
        "chooser.dispatchEvent(new Event('change'));})()"
    )
    assert heading(chromium) == "0. start"
    chromium.press("ArrowRight")
    assert heading(chromium) == "1. SHIFT"
    about = chromium.ask("document.querySelector('.about').textContent")
    assert "stack-free" in about
    assert "COMBINE-n" in chromium.ask("document.querySelector('#abbreviations').textContent")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (1920, 1080)])
def test_words_stay_in_their_place_in_every_window(
    chromium: Browser, page: Path, width: int, height: int
) -> None:
    chromium.open(page, "#1.0", width=width, height=height)
    places = set()
    for _ in range(13):
        found = chromium.ask(
            "[...document.querySelectorAll('#stage .word text')].map((one) => {"
            "const box = one.getBoundingClientRect();"
            "return [one.textContent, Math.round(box.left)];})"
        )
        places.add(str(found))
        assert chromium.ask("document.documentElement.scrollWidth <= innerWidth")
        click(chromium, "next")
    assert len(places) == 1
    size = chromium.ask("parseFloat(getComputedStyle(document.querySelector('.told p')).fontSize)")
    assert size >= (22 if width == 1920 else 15)


def test_items_have_their_own_legend(chromium: Browser, tmp_path: Path) -> None:
    deduction = Deduction(parse_text('top S\n1 S -> A(x,y) : x "b" y\n1 A -> : "a" , "c"\n'))
    trace = trace_deduction(deduction, list("abc"))
    assert trace is not None
    ready = make_ready(QUESTION, "gap", "ptb")
    steps = show(derive(ready, TransitionSystem.open([ready], name="gap")))
    path = tmp_path / "items.html"
    items = show_items(trace, tuple(Token(word) for word in "abc"))
    path.write_text("".join(draw_player([steps, items])), encoding="utf-8")
    chromium.open(path)
    assert "stack or memory" in chromium.ask("document.querySelector('.legend').textContent")
    chromium.open(path, "#2.5")
    assert heading(chromium).startswith("5. ")
    assert "this item" in chromium.ask("document.querySelector('.legend').textContent")
    assert chromium.ask("document.querySelectorAll('#stage rect.focus').length") == 1
