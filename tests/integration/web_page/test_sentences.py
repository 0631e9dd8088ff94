"""Text to trees as the reader types: models, options, lists of trees, what a node means."""

from __future__ import annotations

from urllib.request import urlopen

import pytest
from playwright.sync_api import expect
from web_page import REFUSED, WebPage, packed

from crossbranch.transitions.systems import SYSTEMS

TWO = "What should I do? She gave him a book."


def test_the_tree_appears_while_somebody_types(page: WebPage) -> None:
    page.open()
    page.tab.click("#text")
    for letter in "What should I do":
        page.tab.keyboard.insert_text(letter)
    page.drawn()
    words = page.tab.locator("#stage .word text").all_text_contents()
    assert words == ["What", "should", "I", "do"]
    page.tab.keyboard.insert_text("?")
    expect(page.tab.locator("#stage .word text")).to_have_count(5)
    page.wait_for("#said", "(VP (WHNP (WP 0=What)) (VB 3=do))")
    page.wait_for("#as-text pre", "(VP (WHNP (WP 0=What)) (VB 3=do))")
    page.write("#text", " ")
    page.tab.wait_for_selector("#stage svg", state="detached")


def test_typing_fast_asks_seldom(page: WebPage) -> None:
    page.open()
    page.listen()
    page.tab.evaluate(
        "(() => {const field = document.getElementById('text');"
        "for (const letter of 'What should I do?') {field.value += letter;"
        "field.dispatchEvent(new Event('input'));}})()"
    )
    page.drawn()
    assert len(page.sent("v1/parse")) == 1


def test_older_answers_never_replace_newer_ones(page: WebPage) -> None:
    page.open()
    page.tab.evaluate(  # the first answer comes late, even if nobody wants it any more
        "(() => {const real = window.fetch; window.late = 0; window.fetch = (path, options) => {"
        "if (path !== 'v1/parse' || window.late) return real(path, options);"
        "window.late = 1; return real(path, {...options, signal: undefined}).then((answer) =>"
        "new Promise((done) => setTimeout(() => {window.late = 2; done(answer);}, 700)));};})()"
    )
    page.write("#text", "One two three four five.")
    page.tab.wait_for_function("() => window.late === 1")
    page.write("#text", "She sleeps.")
    page.drawn()
    assert [token["form"] for token in page.tree()["tokens"]] == ["She", "sleeps", "."]
    page.tab.wait_for_function("() => window.late === 2")
    page.tab.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert [token["form"] for token in page.tree()["tokens"]] == ["She", "sleeps", "."]
    assert "sleeps" in page.text("#stage")


def test_an_answer_that_breaks_off_is_not_an_answer(page: WebPage) -> None:
    page.open()
    names = page.tab.evaluate(
        "import('/page/api.js').then(async ({call}) => {"
        "const real = window.fetch; const names = [];"
        "for (const fault of [new DOMException('', 'AbortError'), new SyntaxError('')]) {"
        "window.fetch = async () => ({ok: true, status: 200, json: () => Promise.reject(fault)});"
        "names.push(await call('v1/draw', {}).catch((error) => error.name + error.message));}"
        "window.fetch = real; return names;})"
    )
    assert names == ["AbortError", "ErrorThe answer of the server is not JSON."]


def test_model_and_beam_can_be_chosen(page: WebPage) -> None:
    page.open(text="Dat boek heb ik gelezen.")
    page.listen()
    page.set("#parse-options [name=model]", "nl")
    page.tab.wait_for_function("() => window.sent.some(([path]) => path === 'v1/parse')")
    page.wait_for("#stage", "SMAIN")
    page.set("#parse-options [name=beam]", 7)
    page.tab.wait_for_function(
        "() => window.sent.filter(([path]) => path === 'v1/parse').length === 2"
    )
    first, second = page.sent("v1/parse")
    assert (first["model"], first["options"]) == ("nl", {})
    assert (second["model"], second["options"]) == ("nl", {"beam": 7})
    assert "Dutch" in page.text("#model-about")


def test_the_list_of_trees_can_be_flipped_through(page: WebPage) -> None:
    page.open(text="What should I do?", k=4)
    trees, scores = page.state("item().trees"), page.state("item().scores")
    assert len(trees) > 1
    assert scores == sorted(scores, reverse=True)
    chips = page.tab.locator("#k-best small").all_text_contents()
    assert [chip.split(" ")[0] for chip in chips] == [f"{score:.1f}" for score in scores]
    page.tab.click("#k-best button:nth-child(2)")
    page.drawn()
    assert page.tree() == trees[1]
    page.tab.keyboard.press("ArrowLeft")  # in the list
    page.drawn()
    assert page.tree() == trees[0]
    page.tab.click(page.spot("SQ"))
    page.tab.keyboard.press("]")
    page.drawn()
    assert page.tree() == trees[1]
    page.tab.keyboard.press("[")
    page.drawn()
    assert page.tree() == trees[0]


def test_several_sentences_have_a_pager(page: WebPage) -> None:
    page.open(text=TWO)
    assert page.text("#sentence-pager span") == "sentence 1 of 2"
    page.tab.click("#sentence-pager [name=next]")
    page.drawn()
    assert "gave" in page.text("#stage")
    page.tab.evaluate("document.activeElement.blur()")
    page.tab.keyboard.press("PageUp")
    page.drawn()
    assert "should" in page.text("#stage")


@pytest.mark.parametrize("way", ["hover", "focus"])
def test_a_node_says_what_it_is(page: WebPage, way: str) -> None:
    page.open(text="What should I do?")
    if way == "hover":
        page.tab.hover(page.spot("VP"))
    else:
        page.tab.focus('#stage [tabindex="0"]')
        for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
            page.tab.keyboard.press(key)
    details = page.text("#details")
    assert "VP" in details
    assert "verb phrase" in details
    assert "“What … do”" in details
    assert "discontinuous, 1 gap" in details
    confidence = float(page.tree()["nodes"][3]["features"]["confidence"])
    assert f"{int(100 * confidence + 0.5)} %" in details  # JavaScript rounds halves up
    page.tab.hover(page.spot("NP"))
    assert "subject" in page.text("#details")
    page.tab.hover(page.spot("should"))
    assert "MD" in page.text("#details")
    assert "modal" in page.text("#details")


def test_a_doubtful_tree_says_so(page: WebPage) -> None:
    page.open(text="Dat boek heb ik gisteren gelezen.")
    assert page.text("#doubts").endswith("unknown words, low confidence")
    page.open(text="What should I do?")
    assert page.text("#doubts") == ""


def test_a_fault_of_the_server_is_shown(page: WebPage, excused: list[str]) -> None:
    excused.append(REFUSED)
    page.open()
    page.write("#text", "word " * 600)
    page.tab.wait_for_selector("#message")
    assert page.text("#message")
    page.write("#text", "She sleeps.")
    page.drawn()
    assert page.tab.is_hidden("#message")


def test_nothing_comes_from_elsewhere(page: WebPage) -> None:
    page.open(text="What should I do?")
    places = page.tab.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert len(places) > 15
    assert all(place.startswith(page.address) for place in places)
    with urlopen(page.address) as answer:
        headers = answer.headers
    policy = dict(
        rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_words_and_labels_are_never_read_as_html(page: WebPage) -> None:
    evil = "<img src=x onerror=alert(1)>"
    tokens = [{"form": evil, "tag": evil, "edge_label": evil, "lemma": evil}, {"form": "b"}]
    page.open(tree=packed({"tokens": tokens, "nodes": [{"label": evil, "children": [0, 1]}]}))
    page.drawn()
    page.tab.hover('[data-spot="0"]')
    assert evil in page.text("#details")
    page.tab.click("#tab-compare")
    page.tab.wait_for_selector("#compare-stage svg")
    page.tab.click("#tab-steps")
    page.set("#steps-options [name=source]", "tree")
    page.tab.wait_for_selector("#steps-stage svg")
    assert page.tab.locator("main img").count() == 0


def test_the_page_knows_all_transition_systems(page: WebPage) -> None:
    page.open()
    assert page.offered("#steps-options [name=system]") == list(SYSTEMS)
