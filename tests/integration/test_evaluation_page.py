"""The page of an evaluation in a browser: figures lead to their sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser import open_file
from commands import crossbranch
from playwright.sync_api import Page, expect

from crossbranch import pipeline, sample, write
from crossbranch.tree import Tree

SHOWN = "[...document.querySelectorAll('#sentences details:not([hidden])')]"
ANALYSES = ["--by", "label,length", "--confusions", "--functions", "--errors"]


def changed(tree: Tree, **changes: Any) -> Tree:
    """Return a tree whose first token is changed."""
    return tree.replace(sentence=[tree.sentence[0]._replace(**changes), *tree.sentence[1:]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Crossing branches are raised; the second sentence has another tag, the third a function."""
    folder = tmp_path_factory.mktemp("evaluation")
    gold = list(sample(40, grammar="dutch", seed=1))
    predicted = [pipeline("raise").apply(tree) for tree in gold]
    predicted[1] = changed(predicted[1], tag="nonsense")
    predicted[2] = changed(predicted[2], edge_label="odd")
    write(gold, folder / "gold.export")
    write(predicted, folder / "predicted.export")
    outputs: list[str | Path] = [
        "--phenomena",
        "auto",
        "--html",
        folder / "page.html",
        "--json",
        folder / "figures.json",
    ]
    crossbranch("evaluate", "gold.export", "predicted.export", *ANALYSES, *outputs, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def figures(folder: Path) -> Any:
    found = json.loads((folder / "figures.json").read_text())["predictions"]["predicted.export"]
    return found["sentences"]


def numbers(tab: Page) -> Any:
    return tab.evaluate(f"{SHOWN}.map((sentence) => Number(sentence.dataset.number))")


def place(*names: str) -> str:
    return f"#figure={quote(' / '.join(names), safe='')}"


def test_every_figure_shows_exactly_its_sentences(tab: Page, folder: Path, figures: Any) -> None:
    open_file(tab, folder / "page.html")
    links = tab.locator("section.summary a").count()
    assert links > 100
    for table, row, column in [
        ("scores", "recall", "discontinuous"),
        ("by label", "NP", "recall"),
        ("by length of the sentence", "11-20", "gold"),
        ("errors by type", "PP attachment", "errors"),
        ("phenomena", "topicalization", "sentences"),
    ]:
        address = place(table, row, column)
        tab.click(f'a[href="{address}"]')
        expect(tab.locator("#figure b")).to_contain_text(f"{table} /")
        assert numbers(tab) == figures[table][row][column]


def test_a_link_reproduces_the_view(tab: Page, folder: Path, figures: Any) -> None:
    open_file(tab, folder / "page.html", place("by label", "NP", "recall") + "&order=worst")
    expected = figures["by label"]["NP"]["recall"]
    assert sorted(numbers(tab)) == expected
    assert tab.text_content("a[aria-current]")
    again = tab.evaluate("location.hash")
    open_file(tab, folder / "page.html", again)
    assert sorted(numbers(tab)) == expected
    assert tab.input_value("[name=order]") == "worst"
    tab.click("#figure a")
    tab.wait_for_selector("#figure", state="hidden")
    assert len(numbers(tab)) == 40


def test_going_back_shows_the_figure_before(tab: Page, folder: Path, figures: Any) -> None:
    open_file(tab, folder / "page.html", place("by label", "NP", "recall"))
    address = place("phenomena", "topicalization", "sentences")
    tab.click(f'a[href="{address}"]')
    expect(tab.locator("#figure b")).to_contain_text("phenomena /")
    tab.go_back()
    expect(tab.locator("#figure b")).to_contain_text("by label /")
    assert numbers(tab) == figures["by label"]["NP"]["recall"]


def test_the_keyboard_is_enough(tab: Page, folder: Path, figures: Any) -> None:
    open_file(tab, folder / "page.html")
    address = place("by label", "NP", "recall")
    tab.focus(f'a[href="{address}"]')
    tab.keyboard.press("Enter")
    expect(tab.locator("#figure")).to_be_focused()
    assert numbers(tab) == figures["by label"]["NP"]["recall"]
    open_file(tab, folder / "page.html")
    tab.focus("svg.bars a")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#figure")
    assert 0 < len(numbers(tab)) < 40


def test_errors_are_marked_and_in_words(tab: Page, folder: Path) -> None:
    open_file(tab, folder / "page.html", place("scores", "tag accuracy", "all"))
    assert numbers(tab) == [2]
    assert tab.evaluate(f"{SHOWN}[0].open")
    assert tab.evaluate(f"{SHOWN}[0].querySelectorAll('.gold rect.marked').length") >= 1
    assert "→ nonsense" in tab.evaluate(f"{SHOWN}[0].querySelector('.differences').textContent")
    open_file(tab, folder / "page.html", place("by function", "odd", "predicted"))
    assert numbers(tab) == [3]
    assert "→ odd" in tab.evaluate(f"{SHOWN}[0].querySelector('.differences').textContent")


def test_a_phone_needs_no_sideways_scrolling(tab: Page, folder: Path) -> None:
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        open_file(tab, folder / "page.html", place("by label", "NP", "recall"), width=390)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_unknown_figure_shows_everything(tab: Page, folder: Path) -> None:
    open_file(tab, folder / "page.html", "#figure=nothing")
    assert len(numbers(tab)) == 40
    assert tab.is_hidden("#figure")
