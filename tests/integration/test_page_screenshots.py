"""Pages of trees as people see them: in a browser, with keys pressed and pictures taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from driven_browser import Browser, browser
from matplotlib.image import imread

from crossbranch.drawing import draw_html
from crossbranch.grammar.sampling import sample
from crossbranch.tree import ROOT, Node, Token, Tree

QUESTION = (
    "What/WP should/MD I/PRP do/VB with/IN the/DT very/RB old/JJ bicycle/NN that/WDT my/PRP$ "
    "neighbour/NN left/VBD here/RB ?/."
)
TREE = Tree(
    [Token(form, tag) for form, tag in (word.split("/") for word in QUESTION.split())],
    Node(
        ROOT,
        [
            Node(
                "SBARQ",
                [
                    Node("VP", [Node("WHNP", [0]), 3, Node("PP", [4, Node("NP", range(5, 14))])]),
                    Node("SQ", [1, Node("NP", [2])]),
                ],
            ),
            14,
        ],
    ),
    id="bicycle",
)
SHORT = Tree([Token("It", "PRP"), Token("rains", "VBZ")], Node(ROOT, [Node("S", [0, 1])]), id="r/1")
OTHER = TREE.replace(
    root=Node(ROOT, [Node("SBARQ", [Node("WHNP", [0]), Node("SQ", range(1, 14))]), 14])
)


class Box(NamedTuple):
    """Where something stands in the window."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Say whether two texts run into each other; one point is the roundness of letters."""
        return (
            self.left + 1 < other.right
            and other.left + 1 < self.right
            and self.top + 1 < other.bottom
            and other.top + 1 < self.bottom
        )


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "trees.html"
    trees = [TREE, SHORT, *sample(40, seed=3)]
    path.write_text("".join(draw_html(trees, title="A page of trees")), encoding="utf-8")
    return path


def drawn(started: Browser) -> None:
    """Wait until what is in the window is drawn, and nobody complained."""
    started.wait(
        "[...document.querySelectorAll('details')].filter((one) => !one.hidden && one.open"
        " && one.getBoundingClientRect().top < innerHeight"
        " && one.getBoundingClientRect().bottom > 0).every((one) => !one.querySelector('script'))"
    )
    started.ask("new Promise(requestAnimationFrame)")
    assert started.complaints == []


def boxes(started: Browser, selector: str) -> list[Box]:
    found: list[list[Any]] = started.ask(
        f"[...document.querySelectorAll('{selector}')].map((one) => {{"
        "const box = one.getBoundingClientRect();"
        "return [one.textContent, box.left, box.top, box.right, box.bottom];})"
    )
    return [Box(*row) for row in found]


def shown(started: Browser) -> list[str]:
    found: list[str] = started.ask(
        "[...document.querySelectorAll('details')].filter((one) => !one.hidden)"
        ".map((one) => one.dataset.id)"
    )
    return found


def search(started: Browser, name: str, text: str) -> None:
    """Write into one of the boxes, as a reader would."""
    started.ask(f"document.querySelector('[name={name}]').focus()")
    started.ask(f"document.querySelector('[name={name}]').select()")
    started.write(text)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_has_a_tree_in_it(
    chromium: Browser, page: Path, tmp_path: Path, scheme: str
) -> None:
    chromium.prefer(scheme)
    chromium.open(page)
    drawn(chromium)
    picture = imread(chromium.screenshot(tmp_path / "page.png"))[:, :, :3]
    assert picture.shape == (900, 1200, 3)
    paper = picture[-1, 0]
    assert (paper.mean() > 0.9) == (scheme == "light")
    [tree] = boxes(chromium, "details:first-of-type svg")
    assert tree.left >= 0
    assert tree.top >= 0
    assert tree.bottom <= 900
    inside = picture[int(tree.top) : int(tree.bottom), int(tree.left) : int(tree.right)]
    ink = abs(inside - paper).max(axis=2) > 0.3
    assert 0.005 < ink.mean() < 0.5
    # Ink in every quarter of its width: the tree is spread over its words.
    for quarter in range(4):
        width = ink.shape[1] // 4
        assert ink[:, quarter * width : (quarter + 1) * width].any()
    coloured = (inside.max(axis=2) - inside.min(axis=2)) > 0.3
    assert coloured.any(), "the discontinuous node has a colour"
    chromium.prefer("light")


def test_no_labels_overlap(chromium: Browser, page: Path) -> None:
    chromium.open(page, height=6000)
    drawn(chromium)
    pictures = chromium.ask("document.querySelectorAll('svg').length")
    assert pictures > 10
    for number in range(pictures):
        chromium.ask(
            f"for (const one of document.querySelectorAll('svg')) one.classList.remove('here');"
            f"document.querySelectorAll('svg')[{number}].classList.add('here')"
        )
        texts = boxes(chromium, "svg.here text")
        [whole] = boxes(chromium, "svg.here")
        assert len(texts) > 3
        for one, other in combinations(texts, 2):
            assert not one.overlaps(other), (one, other)
        for text in texts:
            assert whole.left <= text.left
            assert text.right <= whole.right
            assert whole.top <= text.top
            assert text.bottom <= whole.bottom


def test_search_hides_what_does_not_match(chromium: Browser, page: Path, tmp_path: Path) -> None:
    chromium.open(page)
    everything = len(shown(chromium))
    assert everything == 42
    search(chromium, "text", "OLD bicycle")
    assert shown(chromium) == ["bicycle"]
    assert boxes(chromium, "output")[0].text == "1 of 42 sentences"
    drawn(chromium)
    assert [box.text for box in boxes(chromium, "text.hit")] == ["old", "bicycle"]
    search(chromium, "text", "OLD bic")
    assert [box.text for box in boxes(chromium, "text.hit")] == ["old", "bicycle"]
    search(chromium, "text", "icycl")
    assert [box.text for box in boxes(chromium, "text.hit")] == ["bicycle"]
    picture = imread(chromium.screenshot(tmp_path / "found.png"))[:, :, :3]
    [tree] = boxes(chromium, "details:first-of-type svg")
    below = picture[int(tree.bottom) + 40 :]
    assert (abs(below - picture[-1, 0]) < 0.05).all(), "nothing else is to be seen"
    search(chromium, "text", "nothing like that")
    assert shown(chromium) == []
    search(chromium, "text", "r/1")
    assert shown(chromium) == ["r/1"]


def test_search_by_label(chromium: Browser, page: Path) -> None:
    chromium.open(page)
    search(chromium, "label", "SBARQ")
    assert shown(chromium) == ["bicycle"]
    assert [box.text for box in boxes(chromium, "text.hit")] == ["SBARQ"]
    chromium.ask("document.querySelector('[name=discontinuous]').click()")
    assert shown(chromium) == []
    search(chromium, "label", "VP")
    assert "bicycle" in shown(chromium)
    search(chromium, "label", "WP")
    assert shown(chromium) == []  # a tag is never discontinuous
    assert chromium.ask("location.hash") == "#label=WP&discontinuous=on"
    assert "SBARQ" in chromium.ask(
        "[...document.querySelectorAll('#labels option')].map((one) => one.value)"
    )


def test_search_by_function(chromium: Browser, tmp_path: Path) -> None:
    words = [Token(form, "X", edge_label="HD") for form in ("What", "should", "I", "do")]
    crossing = Node("VP", [0, 3], edge_label="OC")
    trees = [
        Tree(words, Node(ROOT, [crossing, 1, Node("VP", [2], edge_label="OC")]), id="crossing"),
        Tree(words, Node(ROOT, [Node("VP", range(4), edge_label="OC")]), id="flat"),
    ]
    path = tmp_path / "functions.html"
    path.write_text("".join(draw_html(trees)), encoding="utf-8")
    chromium.open(path)
    drawn(chromium)
    search(chromium, "label", "OC")
    assert shown(chromium) == ["crossing", "flat"]
    assert [box.text for box in boxes(chromium, "text.hit")] == ["OC", "OC", "OC"]
    chromium.ask("document.querySelector('[name=discontinuous]').click()")
    assert shown(chromium) == ["crossing"]
    assert len(boxes(chromium, "details:first-of-type text.hit")) == 1
    search(chromium, "label", "HD")
    assert shown(chromium) == []


def test_a_view_is_a_place(chromium: Browser, page: Path) -> None:
    chromium.open(page, "#text=rains")
    assert shown(chromium) == ["r/1"]
    chromium.open(page, "#discontinuous=on&nonsense=1")
    assert "r/1" not in shown(chromium)
    assert "bicycle" in shown(chromium)


def test_a_link_leads_to_its_sentence(chromium: Browser, page: Path) -> None:
    last = [tree.id for tree in sample(40, seed=3)][-1]
    chromium.open(page, f"#{last}")
    drawn(chromium)
    assert chromium.ask("document.querySelector('[aria-current]').dataset.id") == last
    [box] = boxes(chromium, "[aria-current] summary")
    [bar] = boxes(chromium, "form")
    assert bar.bottom <= box.top
    assert box.bottom < 900
    chromium.ask("document.querySelector('[data-id=\"r/1\"] a').click()")
    chromium.wait("location.hash === '#r%2F1'")
    chromium.wait("document.querySelector('[aria-current]').dataset.id === 'r/1'")
    assert len(shown(chromium)) == 42


def test_keys(chromium: Browser, page: Path) -> None:
    def current() -> str:
        found: str = chromium.ask("document.querySelector('[aria-current]').dataset.id")
        return found

    chromium.open(page)
    chromium.press("j")
    assert current() == "bicycle"
    chromium.press("j")
    assert current() == "r/1"
    chromium.press("k")
    assert current() == "bicycle"
    chromium.press("k")
    assert current() == "bicycle"
    chromium.press("Enter")
    assert chromium.ask("document.querySelector('[aria-current]').open") is False
    chromium.press("/")
    chromium.write("rains")
    assert chromium.ask("document.querySelector('[name=text]').value") == "rains"
    chromium.press("Enter")
    assert current() == "r/1"
    chromium.press("/")
    chromium.press("Escape")
    assert chromium.ask("document.activeElement === document.body")
    assert shown(chromium) == ["r/1"]


def test_wide_trees_scroll_in_their_box(chromium: Browser, page: Path) -> None:
    chromium.open(page, width=400)
    drawn(chromium)
    assert chromium.ask("document.documentElement.scrollWidth") <= 400
    assert chromium.ask(
        "(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)"
        "(document.querySelector('.scroll'))"
    )
    chromium.ask("document.querySelector('[name=fit]').click()")
    [tree] = boxes(chromium, "details:first-of-type svg")
    assert tree.right <= 400


def test_opening_and_closing(chromium: Browser, page: Path) -> None:
    chromium.open(page)
    chromium.ask("document.querySelector('[name=close]').click()")
    assert chromium.ask("document.querySelectorAll('details[open]').length") == 0
    assert len([box for box in boxes(chromium, "summary") if box.bottom < 900]) > 20
    chromium.ask("document.querySelector('[name=open]').click()")
    drawn(chromium)
    assert chromium.ask("document.querySelectorAll('details[open]').length") == 42


def test_trees_far_away_are_not_drawn(chromium: Browser, page: Path) -> None:
    chromium.open(page)
    drawn(chromium)
    assert 0 < chromium.ask("document.querySelectorAll('svg').length") < 20


def test_differences(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    parts = draw_html([TREE, SHORT], compare_with=[OTHER, SHORT], names=("hand", "machine"))
    path.write_text("".join(parts), encoding="utf-8")
    chromium.open(path)
    drawn(chromium)
    chromium.ask("document.querySelector('[name=different]').click()")
    assert shown(chromium) == ["bicycle"]
    first, second = boxes(chromium, "details:first-of-type svg")
    assert first.bottom <= second.top
    for tree in (first, second):
        assert 0 <= tree.left < tree.right <= 1200
    marked = boxes(chromium, "text.marked, .marked text")
    assert any(box.text == "−VP" for box in marked)
    assert any(box.text == "+SQ" for box in marked)
    for one, other in combinations(boxes(chromium, "details:first-of-type svg text"), 2):
        assert not one.overlaps(other), (one, other)


def test_hostile_trees_do_nothing(chromium: Browser, tmp_path: Path) -> None:
    evil = "</script><script>document.title='broken'</script><img src=x onerror=document.title=1>"
    tree = Tree([Token(evil, evil)], Node(evil, [0]), id=evil, comments=(evil,))
    path = tmp_path / "evil.html"
    path.write_text("".join(draw_html([tree], title=evil)), encoding="utf-8")
    chromium.open(path)
    drawn(chromium)
    assert chromium.ask("document.title") == evil
    assert chromium.ask("document.querySelectorAll('img').length") == 0
    assert boxes(chromium, "svg .label text")[0].text == evil
    search(chromium, "label", evil)
    assert shown(chromium) == [evil]
