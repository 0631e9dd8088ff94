"""The page of an evaluation in a browser: figures lead to their sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from commands import crossbranch
from driven_browser import Browser, browser

from crossbranch import pipeline, sample, write
from crossbranch.tree import Tree

SHOWN = "[...document.querySelectorAll('#sentences details:not([hidden])')]"
ANALYSES = ["--by", "label,length", "--confusions", "--functions", "--errors"]


def changed(tree: Tree, **changes: Any) -> Tree:
    """Return a tree whose first token is changed."""
    return tree.replace(sentence=[tree.sentence[0]._replace(**changes), *tree.sentence[1:]])


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


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


def numbers(started: Browser) -> Any:
    return started.ask(f"{SHOWN}.map((sentence) => Number(sentence.dataset.number))")


def place(*names: str) -> str:
    return f"#figure={quote(' / '.join(names), safe='')}"


def test_every_figure_shows_exactly_its_sentences(
    chromium: Browser, folder: Path, figures: Any
) -> None:
    chromium.open(folder / "page.html")
    links = chromium.ask("document.querySelectorAll('section.summary a').length")
    assert links > 100
    for table, row, column in [
        ("scores", "recall", "discontinuous"),
        ("by label", "NP", "recall"),
        ("by length of the sentence", "11-20", "gold"),
        ("errors by type", "PP attachment", "errors"),
        ("phenomena", "topicalization", "sentences"),
    ]:
        address = place(table, row, column)
        chromium.ask(f"document.querySelector('a[href=\"{address}\"]').click()")
        chromium.wait(f"document.querySelector('#figure b').textContent.startsWith('{table} /')")
        assert numbers(chromium) == figures[table][row][column]
    assert chromium.complaints == []


def test_a_link_reproduces_the_view(chromium: Browser, folder: Path, figures: Any) -> None:
    chromium.open(folder / "page.html", place("by label", "NP", "recall") + "&order=worst")
    expected = figures["by label"]["NP"]["recall"]
    assert sorted(numbers(chromium)) == expected
    assert chromium.ask("document.querySelector('a[aria-current]').textContent")
    again = chromium.ask("location.hash")
    chromium.open(folder / "page.html", again)
    assert sorted(numbers(chromium)) == expected
    assert chromium.ask("document.querySelector('[name=order]').value") == "worst"
    chromium.ask("document.querySelector('#figure a').click()")
    chromium.wait("document.getElementById('figure').hidden")
    assert len(numbers(chromium)) == 40


def test_going_back_shows_the_figure_before(chromium: Browser, folder: Path, figures: Any) -> None:
    chromium.open(folder / "page.html", place("by label", "NP", "recall"))
    address = place("phenomena", "topicalization", "sentences")
    chromium.ask(f"document.querySelector('a[href=\"{address}\"]').click()")
    chromium.wait("document.querySelector('#figure b').textContent.startsWith('phenomena')")
    chromium.ask("history.back()")
    chromium.wait("document.querySelector('#figure b').textContent.startsWith('by label')")
    assert numbers(chromium) == figures["by label"]["NP"]["recall"]


def test_the_keyboard_is_enough(chromium: Browser, folder: Path, figures: Any) -> None:
    chromium.open(folder / "page.html")
    address = place("by label", "NP", "recall")
    chromium.ask(f"document.querySelector('a[href=\"{address}\"]').focus()")
    chromium.press("Enter")
    chromium.wait("document.activeElement.id === 'figure'")
    assert numbers(chromium) == figures["by label"]["NP"]["recall"]
    chromium.open(folder / "page.html")
    chromium.ask("document.querySelector('svg.bars a').focus()")
    chromium.press("Enter")
    chromium.wait("!document.getElementById('figure').hidden")
    assert 0 < len(numbers(chromium)) < 40


def test_errors_are_marked_and_in_words(chromium: Browser, folder: Path) -> None:
    chromium.open(folder / "page.html", place("scores", "tag accuracy", "all"))
    assert numbers(chromium) == [2]
    assert chromium.ask(f"{SHOWN}[0].open")
    assert chromium.ask(f"{SHOWN}[0].querySelectorAll('.gold rect.marked').length") >= 1
    assert "→ nonsense" in chromium.ask(f"{SHOWN}[0].querySelector('.differences').textContent")
    chromium.open(folder / "page.html", place("by function", "odd", "predicted"))
    assert numbers(chromium) == [3]
    assert "→ odd" in chromium.ask(f"{SHOWN}[0].querySelector('.differences').textContent")


def test_a_phone_needs_no_sideways_scrolling(chromium: Browser, folder: Path) -> None:
    for scheme in ("light", "dark"):
        chromium.prefer(scheme)
        chromium.open(folder / "page.html", place("by label", "NP", "recall"), width=390)
        assert chromium.ask("document.documentElement.scrollWidth") <= 390


def test_an_unknown_figure_shows_everything(chromium: Browser, folder: Path) -> None:
    chromium.open(folder / "page.html", "#figure=nothing")
    assert len(numbers(chromium)) == 40
    assert chromium.ask("document.getElementById('figure').hidden")
    assert chromium.complaints == []
