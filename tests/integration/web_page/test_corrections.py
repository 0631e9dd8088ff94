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
    texts = page.browser.ask(
        "[...document.querySelectorAll('#stage .label text')].map((one) => one.textContent)"
    )
    assert sorted(texts) == sorted(node["label"] for node in tree["nodes"])
    return written(Tree.from_dict(tree))


def answer(page: WebPage, text: str) -> None:
    """Answer the question of a dialog."""
    page.browser.wait("document.getElementById('ask').open")
    page.write("#ask-text", text)
    page.browser.press("Enter")
    page.browser.wait("!document.getElementById('ask').open")


def text(tree: str) -> str:
    return written(Tree.from_string(tree))


def test_branches_can_be_dragged_undone_and_done_again(question: WebPage) -> None:
    page, before = question, shown(question)
    page.browser.drag(page.spot("NP"), page.spot("VP"))
    moved = text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (NP (PRP 2=I)) (VB 3=do)) (SQ (MD 1=should))) (. 4=?))"
    )
    assert shown(page) == moved
    page.wait_for("#said", "NP attached to VP")
    page.browser.drag(page.spot("?"), page.spot("WHNP"))  # a word, across everything
    crossed = text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What) (. 4=?)) (NP (PRP 2=I)) (VB 3=do)) (SQ (MD 1=should))))"
    )
    assert shown(page) == crossed
    page.browser.click("#edit-tools [name=undo]")
    assert shown(page) == moved
    page.browser.press("z", control=True)
    assert shown(page) == before
    assert page.browser.ask("document.querySelector('#edit-tools [name=undo]').disabled")
    page.browser.press("y", control=True)
    page.browser.click("#edit-tools [name=redo]")
    assert shown(page) == crossed


def test_what_cannot_be_dropped_is_refused(question: WebPage) -> None:
    page, before = question, shown(question)
    page.browser.drag(page.spot("SBARQ"), page.spot("VP"), drop=False)
    assert page.browser.ask("document.querySelectorAll('.spot.refused').length") == 1
    assert "VP is below SBARQ" in page.text("#details")
    page.browser.mouse("mouseReleased", page.browser.middle(page.spot("VP")))
    page.browser.drag(page.spot("NP"), page.spot("VP"), drop=False)
    assert page.browser.ask("document.querySelectorAll('.spot.target').length") == 1
    assert page.browser.ask("document.querySelectorAll('.rope').length") == 1
    page.browser.press("Escape")
    page.browser.mouse("mouseReleased", page.browser.middle(page.spot("VP")))
    assert shown(page) == before
    assert page.browser.ask("document.querySelectorAll('.rope').length") == 0


def test_everything_can_be_done_with_keys(question: WebPage) -> None:
    page, browser = question, question.browser
    before = shown(page)
    browser.ask("document.querySelector('#stage [tabindex=\"0\"]').focus()")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"):
        browser.press(key)  # ROOT, SBARQ, VP, SQ, should, I
    browser.press("ArrowUp")  # NP
    focused = "Number(document.activeElement.dataset.spot)"
    assert browser.ask(focused) == page.vertex("NP")
    browser.press("x")
    assert browser.ask("document.querySelectorAll('.spot.cut').length") == 1
    for key in ("ArrowUp", "ArrowLeft"):
        browser.press(key)  # SQ, VP
    browser.press("v")
    moved = text(
        "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (NP (PRP 2=I)) (VB 3=do)) (SQ (MD 1=should))) (. 4=?))"
    )
    assert shown(page) == moved
    assert browser.ask(focused) == page.vertex("NP")  # the focus moves with the branch
    browser.press("u")  # raise
    assert "(SBARQ" in shown(page)
    browser.press("z", control=True)
    assert shown(page) == moved
    browser.press("Enter")
    answer(page, "PP")
    assert "(PP (PRP 2=I))" in shown(page)
    browser.press("f")
    answer(page, "SBJ")
    assert page.tree()["nodes"][page.vertex("PP") - 5]["edge_label"] == "SBJ"
    browser.press("ArrowDown")
    browser.press("Enter")
    answer(page, "XX")
    assert "(PP (XX 2=I))" in shown(page)
    browser.press(" ")
    for key in ("ArrowRight", " ", "i"):
        browser.press(key)
    answer(page, "NEW")
    assert "(NEW (XX 2=I) (VB 3=do))" in shown(page)
    browser.press("Delete")
    assert "NEW" not in shown(page)
    for _ in range(6):
        browser.press("z", control=True)
    assert shown(page) == before
    browser.press("Home")
    browser.press("Delete")
    assert "root cannot be deleted" in page.text("#details")
    assert shown(page) == before


def test_buttons_and_clicks_do_the_same(question: WebPage) -> None:
    page, browser = question, question.browser
    browser.click(page.spot("WHNP"), times=2)
    answer(page, "NP")
    assert "(NP (WP 0=What))" in shown(page)
    known = browser.ask("document.querySelectorAll('#ask-known option').length")
    assert known > 10  # the labels of the model are offered
    browser.click(page.spot("should"))
    browser.click(page.spot("I"), control=True)
    assert browser.ask("document.querySelectorAll('[aria-selected=true].spot').length") == 2
    browser.click("#edit-tools [name=insert]")
    answer(page, "X")
    assert "(X (MD 1=should) (PRP 2=I))" in shown(page)
    browser.click(page.spot("?"))
    browser.click("#edit-tools [name=cut]")
    browser.click(page.spot("X"))
    browser.click("#edit-tools [name=attach]")
    assert "(X (MD 1=should) (PRP 2=I) (. 4=?))" in shown(page)
    browser.click(page.spot("X"))
    browser.click("#edit-tools [name=function]")
    answer(page, "FUN")
    assert page.tree()["nodes"][page.vertex("X") - 5]["edge_label"] == "FUN"
    browser.click("#edit-tools [name=remove]")
    assert "(X" not in shown(page)
    browser.click(page.spot("do"))
    browser.click("#edit-tools [name=rename]")
    browser.wait("document.getElementById('ask').open")
    browser.press("Escape")  # nothing changes
    assert "(VB 3=do)" in shown(page)


def test_corrections_stay_while_other_trees_are_looked_at(page: WebPage) -> None:
    page.open(text="What should I do?", k=3)
    page.browser.drag(page.spot("NP"), page.spot("VP"))
    corrected = shown(page)
    page.browser.click("#k-best button:nth-child(2)")
    assert shown(page) != corrected
    page.browser.click("#k-best button:nth-child(1)")
    assert shown(page) == corrected
    page.write("#text", "What should I do? She sleeps.")
    page.wait_for("#sentence-pager", "1 of 2")
    assert shown(page) == corrected


def test_trees_are_saved_in_every_format(question: WebPage, tmp_path: Path) -> None:
    page, browser = question, question.browser
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.drag(page.spot("NP"), page.spot("VP"))
    tree = Tree.from_dict(page.tree())
    offered = browser.ask(
        "[...document.querySelectorAll('#save [name=format] option')].map((o) => o.value)"
    )
    assert [name for name in offered if ":" not in name] == list(crossbranch.treebank.FORMATS)
    page.set("#save [name=format]", "export")
    browser.click("#save button")
    (found,) = crossbranch.read(page.saved(tmp_path, "trees.export"))
    assert found.brackets == tree.brackets
    page.wait_for("#save-answer", "Nothing was lost")
    page.set("#save [name=format]", "tokens")
    browser.click("#save button")
    assert page.saved(tmp_path, "trees.tok").read_text() == "What should I do ?\n"
    page.wait_for("#save-answer", "cannot hold: ")
    assert "tags" in page.text("#save-answer")
    page.set("#save [name=format]", "json")
    browser.click("#save button")
    (same,) = crossbranch.read(page.saved(tmp_path, "trees.jsonl"))
    assert same == tree
    page.set("#save [name=format]", "draw:svg")
    browser.click("#save button")
    assert "<svg" in page.saved(tmp_path, "trees.svg").read_text()
