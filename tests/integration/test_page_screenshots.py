"""Pages of trees as people see them: in a browser, with keys pressed and pictures taken."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from browser import open_file
from matplotlib.image import imread
from playwright.sync_api import Page

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
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "trees.html"
    trees = [TREE, SHORT, *sample(40, seed=3)]
    path.write_text("".join(draw_html(trees, title="A page of trees")), encoding="utf-8")
    return path


def drawn(tab: Page) -> None:
    """Wait until what is in the window is drawn, and nobody complained."""
    tab.wait_for_function(
        "() => [...document.querySelectorAll('details')].filter((one) => !one.hidden && one.open"
        " && one.getBoundingClientRect().top < innerHeight"
        " && one.getBoundingClientRect().bottom > 0).every((one) => !one.querySelector('script'))"
    )
    tab.evaluate("new Promise(requestAnimationFrame)")


def boxes(tab: Page, selector: str) -> list[Box]:
    found: list[list[Any]] = tab.locator(selector).evaluate_all(
        "(found) => found.map((one) => {const box = one.getBoundingClientRect();"
        "return [one.textContent, box.left, box.top, box.right, box.bottom];})"
    )
    return [Box(*row) for row in found]


def picture_of(tab: Page) -> Any:
    """What is to be seen: rows of pixels."""
    return imread(BytesIO(tab.screenshot()))


def shown(tab: Page) -> list[str]:
    found: list[str] = tab.locator("details:not([hidden])").evaluate_all(
        "(found) => found.map((one) => one.dataset.id)"
    )
    return found


def search(tab: Page, name: str, text: str) -> None:
    """Write into one of the boxes, as a reader would."""
    tab.fill(f"[name={name}]", text)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_has_a_tree_in_it(
    tab: Page, page: Path, scheme: Literal["light", "dark"]
) -> None:
    tab.emulate_media(color_scheme=scheme)
    open_file(tab, page)
    drawn(tab)
    picture = picture_of(tab)[:, :, :3]
    assert picture.shape == (900, 1200, 3)
    paper = picture[-1, 0]
    assert (paper.mean() > 0.9) == (scheme == "light")
    [tree] = boxes(tab, "details:first-of-type svg")
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


def test_no_labels_overlap(tab: Page, page: Path) -> None:
    open_file(tab, page, height=6000)
    drawn(tab)
    pictures = tab.locator("svg").count()
    assert pictures > 10
    for number in range(pictures):
        texts = boxes(tab, f"svg >> nth={number} >> text")
        [whole] = boxes(tab, f"svg >> nth={number}")
        assert len(texts) > 3
        for one, other in combinations(texts, 2):
            assert not one.overlaps(other), (one, other)
        for text in texts:
            assert whole.left <= text.left
            assert text.right <= whole.right
            assert whole.top <= text.top
            assert text.bottom <= whole.bottom


def test_search_hides_what_does_not_match(tab: Page, page: Path) -> None:
    open_file(tab, page)
    everything = len(shown(tab))
    assert everything == 42
    search(tab, "text", "OLD bicycle")
    assert shown(tab) == ["bicycle"]
    assert boxes(tab, "output")[0].text == "1 of 42 sentences"
    drawn(tab)
    assert [box.text for box in boxes(tab, "text.hit")] == ["old", "bicycle"]
    search(tab, "text", "OLD bic")
    assert [box.text for box in boxes(tab, "text.hit")] == ["old", "bicycle"]
    search(tab, "text", "icycl")
    assert [box.text for box in boxes(tab, "text.hit")] == ["bicycle"]
    picture = picture_of(tab)[:, :, :3]
    [tree] = boxes(tab, "details:first-of-type svg")
    below = picture[int(tree.bottom) + 40 :]
    assert (abs(below - picture[-1, 0]) < 0.05).all(), "nothing else is to be seen"
    search(tab, "text", "nothing like that")
    assert shown(tab) == []
    search(tab, "text", "r/1")
    assert shown(tab) == ["r/1"]


def test_search_by_label(tab: Page, page: Path) -> None:
    open_file(tab, page)
    search(tab, "label", "SBARQ")
    assert shown(tab) == ["bicycle"]
    assert [box.text for box in boxes(tab, "text.hit")] == ["SBARQ"]
    tab.click("[name=discontinuous]")
    assert shown(tab) == []
    search(tab, "label", "VP")
    assert "bicycle" in shown(tab)
    search(tab, "label", "WP")
    assert shown(tab) == []  # a tag is never discontinuous
    assert tab.evaluate("location.hash") == "#label=WP&discontinuous=on"
    assert tab.locator("#labels option[value=SBARQ]").count() == 1


def test_search_by_function(tab: Page, tmp_path: Path) -> None:
    words = [Token(form, "X", edge_label="HD") for form in ("What", "should", "I", "do")]
    crossing = Node("VP", [0, 3], edge_label="OC")
    trees = [
        Tree(words, Node(ROOT, [crossing, 1, Node("VP", [2], edge_label="OC")]), id="crossing"),
        Tree(words, Node(ROOT, [Node("VP", range(4), edge_label="OC")]), id="flat"),
    ]
    path = tmp_path / "functions.html"
    path.write_text("".join(draw_html(trees)), encoding="utf-8")
    open_file(tab, path)
    drawn(tab)
    search(tab, "label", "OC")
    assert shown(tab) == ["crossing", "flat"]
    assert [box.text for box in boxes(tab, "text.hit")] == ["OC", "OC", "OC"]
    tab.click("[name=discontinuous]")
    assert shown(tab) == ["crossing"]
    assert len(boxes(tab, "details:first-of-type text.hit")) == 1
    search(tab, "label", "HD")
    assert shown(tab) == []


def test_a_view_is_a_place(tab: Page, page: Path) -> None:
    open_file(tab, page, "#text=rains")
    assert shown(tab) == ["r/1"]
    open_file(tab, page, "#discontinuous=on&nonsense=1")
    assert "r/1" not in shown(tab)
    assert "bicycle" in shown(tab)


def test_a_link_leads_to_its_sentence(tab: Page, page: Path) -> None:
    last = [tree.id for tree in sample(40, seed=3)][-1]
    open_file(tab, page, f"#{last}")
    drawn(tab)
    assert tab.get_attribute("[aria-current]", "data-id") == last
    [box] = boxes(tab, "[aria-current] summary")
    [bar] = boxes(tab, "form")
    assert bar.bottom <= box.top
    assert box.bottom < 900
    tab.click('[data-id="r/1"] a')
    tab.wait_for_url("**#r%2F1")
    tab.wait_for_selector("[aria-current][data-id='r/1']")
    assert len(shown(tab)) == 42


def test_keys(tab: Page, page: Path) -> None:
    def current() -> str | None:
        return tab.get_attribute("[aria-current]", "data-id")

    open_file(tab, page)
    tab.keyboard.press("j")
    assert current() == "bicycle"
    tab.keyboard.press("j")
    assert current() == "r/1"
    tab.keyboard.press("k")
    assert current() == "bicycle"
    tab.keyboard.press("k")
    assert current() == "bicycle"
    tab.keyboard.press("Enter")
    assert tab.locator("[aria-current][open]").count() == 0
    tab.keyboard.press("/")
    tab.keyboard.insert_text("rains")
    assert tab.input_value("[name=text]") == "rains"
    tab.keyboard.press("Enter")
    assert current() == "r/1"
    tab.keyboard.press("/")
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement === document.body")
    assert shown(tab) == ["r/1"]


def test_wide_trees_scroll_in_their_box(tab: Page, page: Path) -> None:
    open_file(tab, page, width=400)
    drawn(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert tab.evaluate(
        "(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)"
        "(document.querySelector('.scroll'))"
    )
    tab.click("[name=fit]")
    [tree] = boxes(tab, "details:first-of-type svg")
    assert tree.right <= 400


def test_opening_and_closing(tab: Page, page: Path) -> None:
    open_file(tab, page)
    tab.click("[name=close]")
    assert tab.locator("details[open]").count() == 0
    assert (
        len([box for box in boxes(tab, "summary") if box.bottom < 900]) > 15
    )  # as many as the font lets in
    tab.click("[name=open]")
    drawn(tab)
    assert tab.locator("details[open]").count() == 42


def test_trees_far_away_are_not_drawn(tab: Page, page: Path) -> None:
    open_file(tab, page)
    drawn(tab)
    assert 0 < tab.locator("svg").count() < 20


def test_differences(tab: Page, tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    parts = draw_html([TREE, SHORT], compare_with=[OTHER, SHORT], names=("hand", "machine"))
    path.write_text("".join(parts), encoding="utf-8")
    open_file(tab, path)
    drawn(tab)
    tab.click("[name=different]")
    assert shown(tab) == ["bicycle"]
    first, second = boxes(tab, "details:first-of-type svg")
    assert first.bottom <= second.top
    for tree in (first, second):
        assert 0 <= tree.left < tree.right <= 1200
    marked = boxes(tab, "text.marked, .marked text")
    assert any(box.text == "−VP" for box in marked)
    assert any(box.text == "+SQ" for box in marked)
    for one, other in combinations(boxes(tab, "details:first-of-type svg text"), 2):
        assert not one.overlaps(other), (one, other)


def test_hostile_trees_do_nothing(tab: Page, tmp_path: Path) -> None:
    evil = "</script><script>document.title='broken'</script><img src=x onerror=document.title=1>"
    tree = Tree([Token(evil, evil)], Node(evil, [0]), id=evil, comments=(evil,))
    path = tmp_path / "evil.html"
    path.write_text("".join(draw_html([tree], title=evil)), encoding="utf-8")
    open_file(tab, path)
    drawn(tab)
    assert tab.evaluate("document.title") == evil
    assert tab.locator("img").count() == 0
    assert boxes(tab, "svg .label text")[0].text == evil
    search(tab, "label", evil)
    assert shown(tab) == [evil]
