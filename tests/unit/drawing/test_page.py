"""Pages of trees: complete, safe, and made piece by piece."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest

from crossbranch.drawing import draw_html, draw_svg
from crossbranch.drawing.compared import pair_up
from crossbranch.errors import UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.tree import ROOT, Node, Token, Tree

EVIL = '</script><script>alert("1")</script><!--<script><img src=x onerror=alert(2)>&amp;\t\x00'
VOID = {"meta", "input"}


def tree(root: Node, id: str = "", words: str = "a b c d", text: str = "") -> Tree:
    return Tree([Token(word, "X") for word in words.split()], root, id=id, text=text)


CROSSING = Node(ROOT, [Node("VP", [0, 3]), Node("NP", [1, 2])])
FLAT = Node(ROOT, [Node("VP", [0, 1]), Node("NP", [2, 3])])


def page(*trees: Tree, **options: object) -> str:
    return "".join(draw_html(trees, **options))  # type: ignore[arg-type]


class Elements(HTMLParser):
    """Sees that every element is closed where it should be, and keeps what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


def elements(text: str) -> Elements:
    found = Elements()
    found.feed(text)
    found.close()
    assert not found.open
    return found


def pictures(text: str) -> list[str]:
    return re.findall(r'<script type="image/svg\+xml">(.*?)</script>', text, re.DOTALL)


def test_a_page_has_each_tree_once_as_it_is_drawn() -> None:
    trees = list(sample(5))
    text = page(*trees, title="Gäste & 漢字")
    assert pictures(text) == [draw_svg(one, style=False) for one in trees]
    assert "<title>Gäste &amp; 漢字</title>" in text
    found = elements(text)
    assert [one["data-id"] for one in found.named("details")] == [one.id for one in trees]


def test_options_are_those_of_the_pictures() -> None:
    token = Token("a", "N", morphology="sg", edge_label="HD")
    one = Tree([token], Node(ROOT, [Node("NP", [0], edge_label="SB")]))
    choices: list[dict[str, Any]] = [
        {"tags": False},
        {"edge_labels": False},
        {"morphology": True},
        {"width": 200},
    ]
    for options in choices:
        assert pictures(page(one, **options)) == [draw_svg(one, style=False, **options)]
    assert pictures(page(one)) != pictures(page(one, morphology=True))


def test_sentences_say_what_they_can_be_found_by() -> None:
    found = elements(page(tree(CROSSING, "s 1/ü"), tree(FLAT))).named("details")
    assert found[0]["data-labels"] == "NP\tROOT\tVP"
    assert found[0]["data-tags"] == "X"
    assert found[0]["data-discontinuous"] == "VP"
    assert "data-discontinuous" not in found[1]
    assert [one["data-id"] for one in found] == ["s 1/ü", "2"]


def test_a_link_leads_to_the_id() -> None:
    text = page(tree(CROSSING, "s 1/ü#"))
    [link] = elements(text).named("a")
    assert link["href"] is not None
    assert link["href"].startswith("#")
    assert unquote(link["href"][1:]) == "s 1/ü#"


def test_the_text_is_shown_as_it_was_written() -> None:
    assert '<span class="words" dir="auto">a b c d</span>' in page(tree(FLAT))
    assert '<span class="words" dir="auto">ab (cd)</span>' in page(tree(FLAT, text="ab\n(cd)"))


def test_comments_are_shown() -> None:
    one = Tree([Token("a")], Node(ROOT, [0]), comments=("from p. 3",))
    assert '<span class="note" dir="auto">from p. 3</span>' in page(one)


def test_text_cannot_become_markup() -> None:
    tokens = [Token(EVIL, EVIL, morphology=EVIL, edge_label=EVIL), Token("b\ud800")]
    evil = Tree(
        tokens, Node(EVIL, [0, 1], edge_label=EVIL), id=EVIL, comments=(EVIL,), text=EVIL + " b"
    )
    other = evil.replace(root=Node(EVIL, [Node(EVIL, [0]), 1]))
    text = page(evil, title=EVIL, compare_with=[other], names=(EVIL, EVIL), morphology=True)
    text.encode("utf-8")
    found = elements(text)
    kinds = [script.get("type") for script in found.named("script")]
    assert kinds == ["image/svg+xml", "image/svg+xml", None]
    assert not found.named("img")
    for tag, attributes in found.seen:
        assert not {"src", "style"} & set(attributes), tag
        assert not any(name.startswith("on") for name in attributes), tag
        assert (attributes.get("href") or "#").startswith("#")
    for picture in pictures(text):
        assert not elements(picture).named("img")
        assert picture.count("<svg") == 1


def test_the_policy_lets_in_nothing_but_the_page_itself() -> None:
    text = page(tree(CROSSING))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    for element in ("style", "script"):
        content = re.search(f"<{element}>(.*?)</{element}>", text, re.DOTALL)
        assert content
        digest = b64encode(sha256(content[1].encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none';")
    assert set(re.findall(r"https?://[^\"\s]*", text)) == {"http://www.w3.org/2000/svg"}


def test_pieces_come_as_the_trees_do() -> None:
    taken = []

    def trees() -> Iterator[Tree]:
        for number in range(3):
            taken.append(number)
            yield tree(FLAT)

    pieces = draw_html(trees())
    next(pieces)
    assert taken == []
    assert next(pieces).startswith("<details")
    assert taken == [0]
    assert len(list(pieces)) == 3


def test_an_empty_page_is_a_page() -> None:
    assert not elements(page()).named("details")


def test_an_empty_sentence_has_its_place() -> None:
    assert len(pictures(page(Tree([], Node(ROOT))))) == 1


def test_differences_are_marked_and_named() -> None:
    text = page(
        tree(CROSSING, "s1"),
        tree(FLAT, "s2"),
        compare_with=[tree(FLAT), tree(FLAT)],
        names=("hand", "machine"),
    )
    found = elements(text).named("details")
    assert ["data-different" in one for one in found] == [True, False]
    first, second = text.split("<details")[1].split('<figure class="second"')
    assert "only here (−): <bdi>VP, NP</bdi>" in first
    assert "only here (+): <bdi>VP, NP</bdi>" in second
    assert [part.count('<rect class="marked') for part in pictures(text)] == [2, 2, 0, 0]
    assert [part.count('<rect class="marked first"') for part in pictures(text)] == [2, 0, 0, 0]
    assert "<bdi>hand</bdi>" in first
    assert "<bdi>machine</bdi>" in second
    assert 'name="different"' in text
    assert 'name="different"' not in page(tree(FLAT))


def test_functions_can_be_found() -> None:
    crossing = Node("VP", [0, 2], edge_label="OC")
    words = [Token("a", "X", edge_label="HD"), Token("b", "X"), Token("c", "X")]
    text = page(Tree(words, Node(ROOT, [crossing, Node("NP", [1], edge_label="SB")])))
    [found] = elements(text).named("details")
    assert (found["data-functions"] or "").split("\t") == ["HD", "OC", "SB"]
    assert (found["data-discontinuous"] or "").split("\t") == ["OC", "VP"]
    assert '<text class="crossing" ' in text
    assert "data-functions" not in page(tree(FLAT)).partition("<details")[2]


def test_labels_of_both_trees_can_be_found() -> None:
    other = Node(ROOT, [Node("PP", [0, 2]), 1, 3])
    [found] = elements(page(tree(FLAT), compare_with=[tree(other)])).named("details")
    assert unescape(found["data-labels"] or "") == "NP\tPP\tROOT\tVP"
    assert found["data-discontinuous"] == "PP"


def test_only_trees_of_the_same_sentences_are_compared() -> None:
    one, other = tree(FLAT, "s1"), tree(FLAT, words="a b x d")
    with pytest.raises(UsageError, match=r"sentence s1: its words differ, 'c' and 'x'"):
        list(pair_up([one], [other]))
    with pytest.raises(UsageError, match="the second trees end before sentence 2"):
        list(pair_up([one, one], [one]))
    with pytest.raises(UsageError, match="the first trees end before sentence 1"):
        list(pair_up([], [one]))
    shorter = Tree([Token("a")], Node(ROOT, [0]))
    with pytest.raises(UsageError, match="'b' and ''"):
        list(pair_up([one], [shorter]))
