"""Trees are corrected with the mouse and with keys, undone, and saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_page import WebPage, packed, written

import crossbranch
from crossbranch import Tree

QUESTION = (
    "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))"
)


@pytest.fixture
def question(page: WebPage) -> WebPage:
    """The page with a tree whose VP has a gap."""
    page.open(tree=packed(Tree.from_string(QUESTION).to_dict()))
    page.drawn()
    return page


def shown(page: WebPage) -> str:
    """The tree on the page, after it was drawn; its picture has the same words and labels."""
    page.drawn()
    tree = page.tree()
    texts = page.tab.locator("#stage .label text").all_text_contents()
    assert sorted(texts) == sorted(node["label"] for node in tree["nodes"])
    return written(Tree.from_dict(tree))


def text(tree: str) -> str:
    return written(Tree.from_string(tree))


def test_branches_can_be_dragged_undone_and_done_again(question: WebPage) -> None:
    page, before = question, shown(question)
    page.drag("NP", "VP")
    moved = text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (NP (PRP 2=I)) (VB 3=do)) (SQ (MD 1=should))) (. 4=?))"
    )
    assert shown(page) == moved
    page.wait_for("#said", "NP attached to VP")
    page.drag("?", "WHNP")  # a word, across everything
    crossed = text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What) (. 4=?)) (NP (PRP 2=I)) (VB 3=do)) (SQ (MD 1=should))))"
    )
    assert shown(page) == crossed
    page.tab.click("#edit-tools [name=undo]")
    assert shown(page) == moved
    page.tab.keyboard.press("Control+z")
    assert shown(page) == before
    assert page.tab.is_disabled("#edit-tools [name=undo]")
    page.tab.keyboard.press("Control+y")
    page.tab.click("#edit-tools [name=redo]")
    assert shown(page) == crossed


def test_what_cannot_be_dropped_is_refused(question: WebPage) -> None:
    page, before = question, shown(question)
    page.hold("SBARQ", over="VP")
    assert page.tab.locator(".spot.refused").count() == 1
    assert "VP is below SBARQ" in page.text("#details")
    page.tab.mouse.up()
    page.hold("NP", over="VP")
    assert page.tab.locator(".spot.target").count() == 1
    assert page.tab.locator(".rope").count() == 1
    page.tab.keyboard.press("Escape")
    page.tab.mouse.up()
    assert shown(page) == before
    assert page.tab.locator(".rope").count() == 0


def test_everything_can_be_done_with_keys(question: WebPage) -> None:
    page, tab = question, question.tab
    before = shown(page)
    tab.focus('#stage [tabindex="0"]')
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"):
        tab.keyboard.press(key)  # ROOT, SBARQ, VP, SQ, should, I
    tab.keyboard.press("ArrowUp")  # NP
    focused = "Number(document.activeElement.dataset.spot)"
    assert tab.evaluate(focused) == page.vertex("NP")
    tab.keyboard.press("x")
    assert tab.locator(".spot.cut").count() == 1
    for key in ("ArrowUp", "ArrowLeft"):
        tab.keyboard.press(key)  # SQ, VP
    tab.keyboard.press("v")
    moved = text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (NP (PRP 2=I)) (VB 3=do)) (SQ (MD 1=should))) (. 4=?))"
    )
    assert shown(page) == moved
    assert tab.evaluate(focused) == page.vertex("NP")  # the focus moves with the branch
    tab.keyboard.press("u")  # raise
    assert "(SBARQ" in shown(page)
    tab.keyboard.press("Control+z")
    assert shown(page) == moved
    tab.keyboard.press("Enter")
    page.answer("PP")
    assert "(PP (PRP 2=I))" in shown(page)
    tab.keyboard.press("f")
    page.answer("SBJ")
    assert page.tree()["nodes"][page.vertex("PP") - 5]["edge_label"] == "SBJ"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    page.answer("XX")
    assert "(PP (XX 2=I))" in shown(page)
    tab.keyboard.press(" ")
    for key in ("ArrowRight", " ", "i"):
        tab.keyboard.press(key)
    page.answer("NEW")
    assert "(NEW (XX 2=I) (VB 3=do))" in shown(page)
    tab.keyboard.press("Delete")
    assert "NEW" not in shown(page)
    for _ in range(6):
        tab.keyboard.press("Control+z")
    assert shown(page) == before
    tab.keyboard.press("Home")
    tab.keyboard.press("Delete")
    assert "root cannot be deleted" in page.text("#details")
    assert shown(page) == before


def test_buttons_and_clicks_do_the_same(question: WebPage) -> None:
    page, tab = question, question.tab
    tab.dblclick(page.spot("WHNP"))
    page.answer("NP")
    assert "(NP (WP 0=What))" in shown(page)
    known = tab.locator("#ask-known option").count()
    assert known > 10  # the labels of the model are offered
    tab.click(page.spot("should"))
    tab.click(page.spot("I"), modifiers=["Control"])
    assert tab.locator("[aria-selected=true].spot").count() == 2
    tab.click("#edit-tools [name=insert]")
    page.answer("X")
    assert "(X (MD 1=should) (PRP 2=I))" in shown(page)
    tab.click(page.spot("?"))
    tab.click("#edit-tools [name=cut]")
    tab.click(page.spot("X"))
    tab.click("#edit-tools [name=attach]")
    assert "(X (MD 1=should) (PRP 2=I) (. 4=?))" in shown(page)
    tab.click(page.spot("X"))
    tab.click("#edit-tools [name=function]")
    page.answer("FUN")
    assert page.tree()["nodes"][page.vertex("X") - 5]["edge_label"] == "FUN"
    tab.click("#edit-tools [name=remove]")
    assert "(X" not in shown(page)
    tab.click(page.spot("do"))
    tab.click("#edit-tools [name=rename]")
    tab.wait_for_selector("#ask[open]")
    tab.keyboard.press("Escape")  # nothing changes
    assert "(VB 3=do)" in shown(page)


def test_corrections_stay_while_other_trees_are_looked_at(page: WebPage) -> None:
    page.open(text="What should I do?", k=3)
    page.drag("NP", "VP")
    corrected = shown(page)
    page.tab.click("#k-best button:nth-child(2)")
    assert shown(page) != corrected
    page.tab.click("#k-best button:nth-child(1)")
    assert shown(page) == corrected
    page.write("#text", "What should I do? She sleeps.")
    page.wait_for("#sentence-pager", "1 of 2")
    assert shown(page) == corrected


def test_trees_are_saved_in_every_format(question: WebPage, tmp_path: Path) -> None:
    page = question
    page.drag("NP", "VP")
    tree = Tree.from_dict(page.tree())
    offered = page.offered("#save [name=format]")
    assert [name for name in offered if ":" not in name] == list(crossbranch.treebank.FORMATS)
    page.set("#save [name=format]", "export")
    (found,) = crossbranch.read(page.saved(tmp_path / "trees.export"))
    assert found.brackets == tree.brackets
    page.wait_for("#save-answer", "Nothing was lost")
    page.set("#save [name=format]", "tokens")
    assert page.saved(tmp_path / "trees.tok").read_text() == "What should I do ?\n"
    page.wait_for("#save-answer", "cannot hold: ")
    assert "tags" in page.text("#save-answer")
    page.set("#save [name=format]", "json")
    (same,) = crossbranch.read(page.saved(tmp_path / "trees.jsonl"))
    assert same == tree
    page.set("#save [name=format]", "draw:svg")
    assert "<svg" in page.saved(tmp_path / "trees.svg").read_text()
