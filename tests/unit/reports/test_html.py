"""The page of an evaluation: complete, safe, and alive in a browser."""

from __future__ import annotations

import io
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import open_file
from playwright.sync_api import Page

from crossbranch import read
from crossbranch.errors import UsageError
from crossbranch.evaluation.pairs import Pair, matches
from crossbranch.evaluation.parameters import PARAMETERS, Parameters
from crossbranch.reports.charts import Plot, draw_bars
from crossbranch.reports.html import html_report
from crossbranch.reports.records import SentenceRecord
from crossbranch.reports.tables import FigureTable
from crossbranch.tree import ROOT, Bracket, Node, Token, Tree

EVIL = '</script><script>alert("1")</script><img src=x onerror=alert(2)>&amp;'
PROPER = PARAMETERS["proper"]
VOID = {"meta", "input"}


def sentence(text: str) -> list[Token]:
    return [Token(word, "." if word == "." else "X") for word in text.split()]


def pair(gold: Node, predicted: Node | None, text: str = "a b . c d") -> Pair:
    tokens = sentence(text)
    return Pair(
        Tree(tokens, gold, id="s1"), None if predicted is None else Tree(tokens, predicted), PROPER
    )


GOLD = Node(ROOT, [Node("S", [Node("VP", [0, 3]), 1, 4]), 2])
WRONG = Node(ROOT, [Node("S", [Node("VP", [0, 1]), Node("NP", [3, 4])]), 2])


def record(number: int = 1, predicted: Node | None = WRONG) -> SentenceRecord:
    return SentenceRecord.of(number, pair(GOLD, predicted))


def page(*records: SentenceRecord, title: str = "t") -> str:
    file = io.StringIO()
    html_report(file, title, sentences=records)
    return file.getvalue()


class Balance(HTMLParser):
    """Sees that every element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), "no handlers in the page"
            assert name not in {"src", "style"}
            assert name != "href" or str(value).startswith("#"), "links stay on the page"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def balanced(text: str) -> Balance:
    balance = Balance()
    balance.feed(text)
    balance.close()
    assert not balance.open
    return balance


def test_records_count_what_evaluation_counts() -> None:
    found = record()
    # The full stop does not count, but the brackets are those of the trees as drawn.
    assert found.missing == [Bracket("VP", 0b01001)]
    assert found.extra == [Bracket("VP", 0b00011), Bracket("NP", 0b11000)]
    assert found.f1 == pytest.approx(2 / 5)
    assert found.is_discontinuous
    assert (found.number, found.id) == (1, "s1")


def test_a_gap_of_punctuation_is_no_gap() -> None:
    gold = Node(ROOT, [Node("S", [0, 1, 3, 4]), 2])
    found = SentenceRecord.of(1, pair(gold, gold))
    assert not found.is_discontinuous
    assert (found.missing, found.extra, found.f1) == ([], [], 1)


def test_unary_chains_are_marked_as_often_as_they_differ() -> None:
    one = Node(ROOT, [Node("NP", [0, 1])])
    three = Node(ROOT, [Node("NP", [Node("NP", [Node("NP", [0, 1])])])])
    found = SentenceRecord.of(1, pair(three, one, "a b"))
    assert found.missing == [Bracket("NP", 0b11)] * 2
    assert page(found).count('<rect class="marked"') == 2
    counted = found._replace(missing=Counter(found.missing))
    assert page(counted) == page(found)


def test_unlabelled_differences_and_equal_labels_keep_the_labels_of_the_tree() -> None:
    tokens = sentence("a b c")
    gold = Tree(tokens, Node(ROOT, [Node("PRT", [0, 1]), 2]))
    other = Tree(tokens, Node(ROOT, [0, Node("ADVP", [1, 2])]))
    same = Tree(tokens, Node(ROOT, [Node("ADVP", [0, 1]), 2]))
    assert SentenceRecord.of(1, Pair(gold, same, PROPER)).missing == []
    assert SentenceRecord.of(1, Pair(gold, other, PROPER)).missing == [Bracket("PRT", 0b011)]
    plain = Parameters(labelled=False, deleted_labels=frozenset({ROOT}))
    assert SentenceRecord.of(1, Pair(gold, other, plain)).extra == [Bracket("ADVP", 0b110)]


def test_no_parse() -> None:
    found = record(predicted=None)
    assert (found.f1, found.extra) == (0, [])
    text = page(found)
    assert "no parse" in text
    assert text.count("<svg") == 1
    assert "data-wrong" in text.split("<details")[1].split(">")[0]


def test_differences_are_marked_in_their_trees() -> None:
    gold, predicted = page(record()).split('<figure class="gold">')[1].split('class="predicted"')
    assert gold.count('<rect class="marked"') == 1
    assert predicted.count('<rect class="marked"') == 2
    assert "missing: <bdi>VP</bdi>" in gold
    assert "not in gold: <bdi>VP, NP</bdi>" in predicted


def test_the_page_is_well_formed() -> None:
    tables = [FigureTable("All", ["", "F1", "count"], [["a & b", 81.256, 3], ["c", None, 0]])]
    plots = [Plot("By length", ["all", "disc."], [("1-10", (90.0, None)), ("> 10", (80.5, 4.0))])]
    file = io.StringIO()
    html_report(file, "Gäste & 漢字", summary=tables, plots=plots, sentences=[record()])
    text = file.getvalue()
    balance = balanced(text)
    assert (balance.seen.count("table"), balance.seen.count("svg")) == (1, 3)
    for expected in ("Gäste &amp; 漢字", ">a &amp; b<", ">81.26<", ">3<", ">--<", ">80.50<"):
        assert expected in text


def test_an_empty_report_is_a_page() -> None:
    assert "section" not in balanced(page()).seen


def test_text_cannot_become_markup() -> None:
    tree = Tree([Token(EVIL, EVIL), Token("b\x00\ud800")], Node(EVIL, [0, 1]), id=EVIL)
    evil = SentenceRecord(1, EVIL, tree, tree, [Bracket(EVIL, 0b11)], [], 0.5, False)
    file = io.StringIO()
    html_report(
        file,
        EVIL,
        summary=[FigureTable(EVIL, [EVIL, EVIL], [[EVIL, 1]], sentences=[[[1]]])],
        plots=[Plot(EVIL, [EVIL, EVIL], [(EVIL, (1, 2))], sentences=[[1]])],
        sentences=[evil],
    )
    balance = balanced(file.getvalue())
    assert balance.seen.count("script") == 2  # the script, and the sentences of figures
    assert "img" not in balance.seen
    file.getvalue().encode("utf-8")


def test_the_policy_lets_in_nothing_but_the_page_itself() -> None:
    text = page(record())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    for element in ("style", "script"):
        content = re.search(f"<{element}>(.*?)</{element}>", text, re.DOTALL)
        assert content
        digest = b64encode(sha256(content[1].encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none';")
    assert set(re.findall(r"https?://[^\"\s]*", text)) == {"http://www.w3.org/2000/svg"}


def test_sentences_are_written_as_they_come() -> None:
    file = io.StringIO()
    lengths = []

    def records() -> Iterator[SentenceRecord]:
        for number in range(1, 5):
            lengths.append(len(file.getvalue()))
            yield record(number)

    html_report(file, "t", sentences=records())
    assert len(set(lengths)) == 4


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        html_report(tmp_path / "absent" / "report.html", "t")


def test_bars() -> None:
    bars = draw_bars(Plot("h", ["x"], [("one", (50.0,)), ("two", (200.0,)), ("", (None,))], 100))
    assert re.findall(r'<rect class="s0" [^>]* width="([\d.]+)"', bars) == ["160.0", "320.0"]
    assert ">--</text>" in bars
    scaled = draw_bars(Plot("h", ["x"], [("one", (5,)), ("two", (20,))]))
    assert re.findall(r'<rect class="s0" [^>]* width="([\d.]+)"', scaled) == ["80.0", "320.0"]
    assert draw_bars(Plot("h", [], [])).endswith("</svg>")
    with pytest.raises(UsageError, match="1 values for 'one'"):
        draw_bars(Plot("h", ["x", "y"], [("one", (5,))]))
    with pytest.raises(UsageError, match="at most 5"):
        draw_bars(Plot("h", list("abcdef"), [("one", [1] * 6)]))


def test_marks_agree_with_the_scores(shared: Path) -> None:
    folder = shared / "golden" / "evaluation"
    golds, others = read(folder / "gold-120.discbracket"), read(folder / "weak-120.discbracket")
    for number, (gold, predicted) in enumerate(zip(golds, others, strict=True), 1):
        both = Pair(gold, predicted, PROPER)
        found = SentenceRecord.of(number, both)
        matched = matches(both.gold_brackets, both.predicted_brackets)
        wrong = both.gold_brackets.total() + both.predicted_brackets.total() - 2 * matched
        assert page(found).count('<rect class="marked"') == wrong


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    right = Node(ROOT, [Node("S", [0, 1, 3, 4]), 2])
    half = Node(ROOT, [Node("S", [Node("VP", [0, 3]), 1, Node("NP", [4])]), 2])
    words = "Alpha b . c d"
    path = tmp_path_factory.mktemp("report") / "report.html"
    records = [
        SentenceRecord.of(1, pair(right, right, words)),
        SentenceRecord.of(2, pair(GOLD, WRONG)),
        SentenceRecord.of(3, pair(GOLD, half)),
        SentenceRecord.of(4, pair(right, None)),
        SentenceRecord.of(5, pair(GOLD, GOLD)),
    ]
    html_report(path, EVIL, sentences=records)
    return path


@pytest.mark.parametrize(
    ("place", "numbers"),
    [
        ("", [1, 2, 3, 4, 5]),
        ("#wrong=on", [2, 3, 4]),
        ("#discontinuous=on", [2, 3, 5]),
        ("#wrong=on&discontinuous=on", [2, 3]),
        ("#text=ALPHA", [1]),
        ("#text=nothing", []),
        ("#order=worst", [4, 2, 3, 1, 5]),
        ("#order=best&wrong=on", [3, 2, 4]),
        ("#order=nonsense&other=1", [1, 2, 3, 4, 5]),
    ],
)
def test_filter_and_order_in_a_browser(
    tab: Page, report: Path, place: str, numbers: list[int]
) -> None:
    open_file(tab, report, place)
    found = tab.locator("details[data-number]:not([hidden])")
    assert found.evaluate_all("(all) => all.map((one) => Number(one.dataset.number))") == numbers
    assert tab.get_by_text(f"{len(numbers)} of 5 sentences").is_visible()


def test_the_policy_holds_in_a_browser(
    tab: Page, excused: list[str], report: Path, tmp_path: Path
) -> None:
    text = report.read_text(encoding="utf-8")
    changed = tmp_path / "changed.html"
    script = "<script>document.title = 'broken'</script>"
    changed.write_text(text.replace("</main>", f"{script}</main>"), encoding="utf-8")
    excused.append("Content Security Policy")
    with tab.expect_console_message(lambda message: excused[0] in message.text):
        open_file(tab, changed)
    assert tab.title() != "broken"
    assert tab.get_by_text("5 of 5 sentences").is_visible()
