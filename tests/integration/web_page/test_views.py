"""Comparison, treebank files, search, derivations, links."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser import visit
from playwright.sync_api import Page, expect
from web_page import REFUSED, WebPage, packed

import crossbranch
from crossbranch import Tree
from crossbranch.grammar import sample
from crossbranch.treebank import FORMATS

QUERY = "VP[discontinuous]"


def click_drag(page: WebPage, source: str, target: str) -> None:
    page.drag(source, target)
    page.drawn()


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("treebank") / "german.export"
    crossbranch.write(list(sample(60, grammar="german", seed=1)), path)
    return path


def opened(page: WebPage, path: Path) -> list[Tree]:
    """Open a file on the page."""
    page.open(source="file")
    page.tab.set_input_files("#file-options input[type=file]", path)
    page.wait_for("#file-about", "sentences")
    page.drawn()
    return list(crossbranch.read(path))


def test_two_parsers_are_compared(page: WebPage) -> None:
    page.open(text="What should I do?", view="compare", first="model:en", second="model:nl")
    page.wait_for("#compare-stage", "nl, marked +")
    assert page.tab.locator("#compare-stage rect.first").count() > 2
    parts = [crossbranch.load(name) for name in ("en", "nl")]
    gold, other = (parser.parse(["What", "should", "I", "do", "?"]) for parser in parts)
    figures = crossbranch.evaluate([gold], [other])
    shown = page.tab.locator(".scores td").all_text_contents()
    assert shown[0] == f"{100 * figures.f1:.1f}"
    page.set("#compare [name=second]", "model:en")
    expect(page.tab.locator(".scores .f1").first).to_have_text("100.0")
    assert page.tab.locator("#compare-stage path.marked").count() == 0


def test_a_parser_is_compared_with_gold_and_a_tree_with_its_correction(page: WebPage) -> None:
    gold = Tree.from_string("(ROOT (S (NP (PRP 0=She)) (VP (VBZ 1=sleeps))) (. 2=.))")
    wrong = gold.to_dict()
    wrong["nodes"][1]["label"] = "FRAG"
    page.open(source="file", tree=packed(wrong), view="compare")
    page.wait_for("#compare-stage", "the tree shown, marked −: FRAG")
    assert page.tab.input_value("#compare [name=second]") == "model:en"
    page.tab.click("#tab-tree")
    page.drawn()
    click_drag(page, "sleeps", "FRAG")
    page.tab.click("#tab-compare")
    page.wait_for("#compare-stage", "the tree before corrections, marked +: VP")
    assert page.text(".scores .f1") != "100.0"


def test_a_treebank_is_opened_paged_and_searched(page: WebPage, treebank: Path) -> None:
    trees = opened(page, treebank)
    assert f"{len(trees)} sentences" in page.text("#file-about")
    assert Tree.from_dict(page.tree()) == trees[0]
    rows = page.tab.locator("#sentence-list button")
    expect(rows).to_have_count(20)
    page.tab.click("#list-pager [name=next]")
    assert page.text("#list-pager span") == "page 2 of 3"
    page.tab.click("#sentence-list li:nth-child(3) button")
    page.drawn()
    assert Tree.from_dict(page.tree()) == trees[22]
    page.tab.click("#sentence-pager [name=next]")
    page.drawn()
    assert Tree.from_dict(page.tree()) == trees[23]
    page.write("#find [name=query]", QUERY)
    page.tab.keyboard.press("Enter")
    matches = list(crossbranch.find(trees, QUERY))
    sentences = sorted({match.number for match in matches})
    page.wait_for("#find-answer", f"{len(matches)} matches in {len(sentences)} sentences")
    expect(rows).to_have_count(min(20, len(sentences)))
    page.drawn()
    assert Tree.from_dict(page.tree()) == trees[sentences[0] - 1]
    page.tab.wait_for_selector("#stage rect.marked")
    assert page.tab.locator("#sentence-list mark").count() > 0
    page.tab.click("#sentence-pager [name=next]")  # goes through what was found
    page.drawn()
    assert Tree.from_dict(page.tree()) == trees[sentences[1] - 1]
    assert page.text("#sentence-pager span") == f"sentence 2 of {len(sentences)} found"
    page.tab.click("#find [name=clear]")
    expect(rows).to_have_count(20)


def test_a_file_beyond_the_limit_is_read_searched_and_saved_in_pieces(
    page: WebPage, tmp_path: Path
) -> None:
    path = tmp_path / "large.dbr"
    trees = [one.replace(id="") for one in sample(700, grammar="german", seed=3)]
    text = "".join(FORMATS["discbracket"].write_tree(one, 1) for one in trees)
    assert len(text) > 100_000  # the limit of this server
    path.write_text(text, encoding="utf-8")
    found = opened(page, path)
    assert len(found) == len(trees)
    assert page.state("list().items.map((one) => one.trees[0].id)") == [one.id for one in found]
    page.write("#find [name=query]", QUERY)
    page.tab.keyboard.press("Enter")
    matches = list(crossbranch.find(found, QUERY))
    page.wait_for("#find-answer", f"{len(matches)} matches")
    last = max(match.number for match in matches)
    page.tab.evaluate(f"import('/page/state.js').then(({{goTo}}) => goTo({last - 1}))")
    page.drawn()
    page.tab.wait_for_selector("#stage rect.marked")
    page.set("#save [name=what]", "all")
    for name, ending in (("export", "export"), ("discbracket", "discbracket")):
        page.set("#save [name=format]", name)
        again = crossbranch.read(page.saved(tmp_path / f"large.{ending}"))
        page.wait_for("#save-answer", f"Saved large.{ending}")
        assert [one.brackets for one in again] == [one.brackets for one in trees]
    page.set("#save [name=format]", "tigerxml")
    page.tab.click("#save button")
    page.wait_for("#message", "crossbranch convert")


def test_a_wrong_query_points_at_the_place(
    page: WebPage, treebank: Path, excused: list[str]
) -> None:
    excused.append(REFUSED)
    opened(page, treebank)
    page.write("#find [name=query]", "VP > !!")
    page.tab.keyboard.press("Enter")
    page.wait_for("#find-answer", "expected")
    assert page.text("#find-answer mark") == "!"
    start = page.tab.evaluate("document.querySelector('#find [name=query]').selectionStart")
    assert start == "VP > !!".index("!")
    assert page.text("#find-answer pre") == "VP > !!"


def test_a_treebank_is_corrected_and_saved(page: WebPage, treebank: Path, tmp_path: Path) -> None:
    trees = opened(page, treebank)
    page.tab.click(page.spot("S"))
    page.tab.keyboard.press("Enter")
    page.answer("CLAUSE")
    page.drawn()
    expect(page.tab.locator("#sentence-list .name").first).to_contain_text("✎")
    page.set("#save [name=what]", "all")
    page.set("#save [name=format]", "export")
    found = list(crossbranch.read(page.saved(tmp_path / "corrected" / "german.export")))
    page.wait_for("#save-answer", "Saved german.export")
    assert [one.brackets == two.brackets for one, two in zip(found, trees, strict=True)] == [
        False,
        *[True] * (len(trees) - 1),
    ]
    assert "CLAUSE" in {node.label for node in found[0].nodes}


@pytest.mark.filterwarnings("ignore::crossbranch.errors.LossWarning")
def test_large_files_are_read_in_pieces(page: WebPage, tmp_path: Path) -> None:
    trees = list(sample(30, grammar="german", seed=2))
    page.open()
    for ending in (".export", ".tiger.xml", ".alpino.xml", ".dbr", ".jsonl"):
        path = tmp_path / f"trees{ending}"
        crossbranch.write(trees, path)
        whole = json.dumps(path.read_text(encoding="utf-8"))
        size = len(whole) // 4
        script = f"import('/page/pieces.js').then(({{pieces}}) => pieces({whole}, {size}))"
        found = page.tab.evaluate(script)
        assert len(found) > 2
        read = []
        for number, piece in enumerate(found):
            part = tmp_path / f"{number}{ending}"
            part.write_text(piece, encoding="utf-8")
            read += list(crossbranch.read(part))
        # Formats without ids have numbers, which begin again in each piece.
        assert [one.replace(id="") for one in read] == [
            one.replace(id="") for one in crossbranch.read(path)
        ]


def heading(tab: Page) -> str:
    return tab.inner_text("#steps-stage h2")


def test_a_derivation_is_gone_through(page: WebPage) -> None:
    tab = page.tab
    page.open(text="What should I do?", view="steps")
    tab.wait_for_selector("#steps-stage h2")
    assert heading(tab) == "0. start"
    tab.click("#steps-controls [name=next]")
    assert heading(tab) == "1. SH"
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("ArrowRight")
    assert heading(tab).startswith("2. ")
    tab.keyboard.press("ArrowLeft")
    tab.click("#steps-controls [name=previous]")
    assert heading(tab) == "0. start"
    page.set("#steps-controls [name=step]", 5)
    assert heading(tab).startswith("5. ")
    tab.click("#steps-controls [name=last]")
    last = heading(tab)
    assert tab.is_disabled("#steps-controls [name=next]")
    tab.click("#steps-controls [name=previous]")
    tab.click("#steps-controls [name=play]")
    expect(tab.locator("#steps-stage h2")).to_have_text(last)
    expect(tab.locator("#steps-controls [name=play]")).to_have_text("play")
    assert "verb phrase" in page.text("#steps-glossary")
    page.set("#steps-options [name=source]", "tree")
    page.set("#steps-options [name=system]", "stack-free")
    page.wait_for("#steps-options .about", "memory")
    assert heading(tab) == "0. start"


def state_of(page: WebPage) -> Any:
    """What readers see, wherever it comes from."""
    return page.tab.evaluate(
        "({view: document.querySelector('#views [aria-selected=true]').id,"
        "model: document.querySelector('[name=model]').value,"
        "text: document.getElementById('text').value,"
        "labels: [...document.querySelectorAll('.panel:not([hidden]) svg.tree .label text')].map("
        "(one) => one.textContent), theme: document.documentElement.dataset.theme ?? '',"
        "heading: document.querySelector('#panel-steps:not([hidden]) h2')?.textContent ?? ''})"
    )


def reopened(page: WebPage) -> Any:
    """Follow the link of the page, and return what is to be seen then."""
    before = state_of(page)
    page.tab.evaluate("document.getElementById('copy-link').click()")
    expect(page.tab.locator("#copy-link")).not_to_have_text("Copy link")
    link = page.tab.evaluate("location.href")
    visit(page.tab, link)
    page.tab.wait_for_selector("html[data-ready=true]")
    page.tab.wait_for_selector("[role=tabpanel]:not([hidden]) svg.tree .label")
    return before


def test_a_link_reproduces_the_state(page: WebPage, treebank: Path) -> None:
    page.open(text="What should I do?", k=3, theme="dark")
    page.tab.click("#k-best button:nth-child(2)")
    page.drawn()
    chosen = page.tree()
    assert reopened(page) == state_of(page)
    assert page.tree() == chosen
    click_drag(page, "NP", "SQ" if "SQ" in page.text("#stage") else "ROOT")
    page.tab.click("#tab-compare")
    page.tab.wait_for_selector("#compare-stage svg .label")
    corrected = page.tree()
    assert reopened(page) == state_of(page)
    assert page.tree() == corrected
    page.tab.click("#tab-steps")
    page.set("#steps-options [name=source]", "tree")
    page.tab.wait_for_selector("#steps-stage h2")
    page.set("#steps-controls [name=step]", 4)
    assert reopened(page) == state_of(page)
    trees = opened(page, treebank)
    assert reopened(page) == state_of(page)
    assert Tree.from_dict(page.tree()) == trees[0]


def test_a_damaged_link_says_so(page: WebPage) -> None:
    visit(page.tab, f"{page.address}#tree=AAAA")
    page.tab.wait_for_selector("#message")
    assert "link is damaged" in page.text("#message")
