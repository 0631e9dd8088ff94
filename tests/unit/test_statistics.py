"""Statistics: counted as defined, addable, and shown as JSON, tables and pictures."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from strategies import trees

from crossbranch.errors import UsageError
from crossbranch.punctuation import is_punctuation
from crossbranch.span import interleave
from crossbranch.statistics import DiscontinuityCounts, Statistics, plot, report
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree

WORDS = [("Das", "ART"), ("Buch", "NN"), (",", "$,"), ("glaube", "V"), ("ich", "P"), ("lese", "V")]
FRONTED = Tree(  # the VP has a gap with words in it, the NP one with nothing but a comma
    [Token(form, tag) for form, tag in WORDS],
    Node(
        ROOT,
        [
            Node("S", [Node("VP", [Node("NP", [0, 1]), 5]), 3, Node("NP", [4], edge_label="SB")]),
            2,
        ],
    ),
    secondary_edges=[SecondaryEdge("OA", 0, 7)],
)
COMMA_GAP = Tree(
    [Token("ja", "ITJ"), Token(",", "$,"), Token("nein", "ITJ")],
    Node(ROOT, [Node("S", [Node("X", [0]), 2]), Node("PUNC", [1])]),
)


def test_hand_counted() -> None:
    found = Statistics.of([FRONTED, COMMA_GAP])
    assert (found.sentences, found.tokens, found.types, found.punctuation) == (2, 9, 8, 2)
    assert (found.mean_length, found.max_length) == (4.5, 6)
    assert found.lengths == {6: 1, 3: 1}
    assert found.sizes == {4: 1, 3: 1}
    assert (found.constituents, found.max_constituents) == (7, 4)
    assert found.labels == {"S": 2, "VP": 1, "NP": 2, "X": 1, "PUNC": 1}
    assert found.tags == {"ART": 1, "NN": 1, "$,": 2, "V": 2, "P": 1, "ITJ": 2}
    assert found.edge_labels == {"SB": 1}
    assert found.secondary_edges == {"OA": 1}
    assert (found.unary_constituents, found.unary_chains) == (3, {1: 3})
    assert found.with_punctuation == DiscontinuityCounts(
        constituents=Counter({0: 4, 1: 3}),
        sentences=Counter({1: 2}),
        labels=Counter({"VP": 1, "S": 2}),
    )
    assert found.without_punctuation == DiscontinuityCounts(
        constituents=Counter({0: 5, 1: 1}),
        sentences=Counter({0: 1, 1: 1}),
        labels=Counter({"VP": 1}),
    )
    assert found.with_punctuation.fan_outs == {1: 4, 2: 3}
    assert found.with_punctuation.max_fan_out == 2


def test_ill_nested_trees_with_and_without_punctuation() -> None:
    words = [Token("a", "A"), Token("b", "B"), Token("c", "C"), Token("d", "D")]
    tree = Tree(words, Node(ROOT, [Node("X", [0, 2]), Node("Y", [1, 3])]))
    assert Statistics.of([tree]).with_punctuation.ill_nested == 1
    assert Statistics.of([tree]).without_punctuation.ill_nested == 1
    comma = tree.replace(sentence=[words[0], Token(",", ","), *words[2:]])
    assert Statistics.of([comma]).with_punctuation.ill_nested == 1
    assert Statistics.of([comma]).without_punctuation.ill_nested == 0


def test_unary_chains_are_counted_whole() -> None:
    chain = Node("A", [Node("B", [Node("C", [0])])])
    over_two = Node("D", [Node("E", [1, Node("F", [2])])])
    tree = Tree([Token("x")] * 3, Node(ROOT, [Node("S", [chain, over_two])]))
    found = Statistics.of([tree])
    assert found.unary_chains == {3: 1, 1: 2}
    assert found.unary_constituents == 5


def test_a_root_that_is_annotated_is_a_constituent() -> None:
    assert Statistics.of([Tree([Token("x")], Node("S", [0]))]).labels == {"S": 1}
    assert Statistics.of([Tree([Token("x")], Node(ROOT, [0]))]).labels == {}
    assert Statistics.of([Tree([], Node("S"))]).labels == {}


@given(trees())
def test_gaps_are_counted_as_defined(tree: Tree) -> None:
    found = Statistics.of([tree])
    assert found.with_punctuation == _by_definition(tree, set())
    deleted = {i for i, token in enumerate(tree.sentence) if is_punctuation(token)}
    assert found.without_punctuation == _by_definition(tree, deleted)
    assert found.punctuation == len(deleted)
    nodes = _constituents(tree)
    assert found.unary_constituents == sum(len(node.children) == 1 for node in nodes)
    assert found.constituents == len(nodes) == found.with_punctuation.constituents.total()


def _constituents(tree: Tree) -> list[Node]:
    nodes = list(tree.root.preorder())
    return nodes[1:] if tree.root.label == ROOT or not tree.sentence else nodes


def _by_definition(tree: Tree, deleted: set[int]) -> DiscontinuityCounts:
    """Count on lists of token numbers, the long way."""
    kept = [i for i in range(len(tree.sentence)) if i not in deleted]
    spans = []
    for node in _constituents(tree):
        tokens = [kept.index(i) for i in node.tokens if i in kept]
        if tokens:
            gaps = sum(two - one > 1 for one, two in pairwise(tokens))
            spans.append((node.label, gaps, sum(1 << i for i in tokens)))
    crossing = [label for label, gaps, _ in spans if gaps]
    pairs = [(one, two) for _, _, one in spans for _, _, two in spans if not one & two]
    return DiscontinuityCounts(
        constituents=Counter(gaps for _, gaps, _ in spans),
        sentences=Counter([max((gaps for _, gaps, _ in spans), default=0)]),
        labels=Counter(crossing),
        ill_nested=int(any(interleave(one, two) for one, two in pairs)),
    )


@given(st.lists(trees(), max_size=2), st.lists(trees(), max_size=2))
@settings(max_examples=30)
def test_statistics_add(some: list[Tree], others: list[Tree]) -> None:
    assert Statistics.of(some) + Statistics.of(others) == Statistics.of(some + others)
    assert Statistics.of(some) + Statistics() == Statistics.of(some)


def test_adding_changes_neither() -> None:
    one, other = Statistics.of([FRONTED]), Statistics.of([COMMA_GAP])
    assert one + other != one
    assert one == Statistics.of([FRONTED])
    assert other == Statistics.of([COMMA_GAP])


@given(trees())
@settings(max_examples=30)
def test_the_dict_is_ready_for_json(tree: Tree) -> None:
    found = Statistics.of([tree]).to_dict()
    assert json.loads(json.dumps(found)) == found


def test_the_keys_are_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    found = Statistics.of([FRONTED]).to_dict()
    for key in [*found, *found["with_punctuation"], *found["tokens_per_sentence"]]:
        assert f"`{key}`" in text


def test_dict_order() -> None:
    found = Statistics.of([FRONTED, COMMA_GAP]).to_dict()
    assert list(found["labels"]) == ["NP", "S", "PUNC", "VP", "X"]
    assert list(found["tokens_per_sentence"]["distribution"]) == ["3", "6"]
    assert found["tokens_per_sentence"]["mean"] == 4.5
    assert found["without_punctuation"]["sentences_by_gap_degree"] == {"0": 1, "1": 1}


def show(*named: tuple[str, Statistics], width: int = 100, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=stream, width=width).print(report(named, top=3))
    stream.seek(0)
    return stream.read()


def lines_of(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_report_of_one_treebank() -> None:
    lines = lines_of(show(("mine", Statistics.of([FRONTED, COMMA_GAP]))))
    assert ["discontinuous", "sentences", "(%)", "2", "(100.00)"] in lines
    assert ["without", "punctuation", "1", "(50.00)"] in lines
    assert ["1", "to", "10", "2", "100.00", "█" * 30] in lines
    assert ["2", "others", "2", "28.57", "█" * 30] in lines
    assert ["total"] not in lines


def test_report_side_by_side_with_total() -> None:
    text = show(("one", Statistics.of([FRONTED])), ("two", Statistics.of([COMMA_GAP])))
    lines = lines_of(text)
    assert ["one", "two", "total"] in lines
    assert ["tokens", "6", "3", "9"] in lines
    assert any(line[:2] == ["VP", "100.00"] for line in lines)


@pytest.mark.parametrize("width", [80, 100, 133])
def test_report_bars_can_be_compared_in_any_width(width: int) -> None:
    named = [(f"{name}.export.xz", Statistics.of([FRONTED])) for name in ("a", "bcd", "train")]
    lines = show(*named, width=width).splitlines()
    assert max(map(len, lines)) <= width
    bars = [line.count("█") for line in lines if line.split()[:2] == ["1", "100.00"]]
    assert bars
    assert all(count % 4 == 0 for count in bars)  # three treebanks and their total


def test_report_shows_lengths_in_tens() -> None:
    lengths = [0, 1, 10, 11, 100, 101, 300]
    flat = [Tree([Token("x")] * n, Node(ROOT, list(range(n)))) for n in lengths]
    lines = lines_of(show(("one", Statistics.of(flat))))
    start = lines.index(["%", "of", "sentences", "by", "length"])
    shown = [" ".join(line[:-2]) for line in lines[start + 1 : start + 6]]
    assert shown == ["0 1", "1 to 10 2", "11 to 20 1", "91 to 100 1", "over 100 2"]


def test_report_in_a_narrow_terminal() -> None:
    one = ("one", Statistics.of([FRONTED]))
    assert max(map(len, show(one, one, one, width=50).splitlines())) <= 50


def test_report_in_ascii() -> None:
    text = show(("one", Statistics.of([FRONTED])), encoding="ascii")
    assert text.isascii()
    assert "100.00 ####" in text


def test_report_of_nothing() -> None:
    assert ["sentences", "0"] in lines_of(show(("empty", Statistics())))


@pytest.mark.parametrize("count", [1, 3])
def test_plot(tmp_path: Path, count: int) -> None:
    named = [(f"treebank {i}", Statistics.of([FRONTED, COMMA_GAP])) for i in range(count)]
    plot(named, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    plot(named, str(tmp_path / "plot.svg"))
    svg = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    for text in ("Sentence lengths", "without punctuation", f"treebank {count - 1}", "PUNC"):
        assert f"<!-- {text} -->" in svg


def test_plot_of_nothing(tmp_path: Path) -> None:
    plot([("empty", Statistics())], tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size


def test_plot_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    one = ("one", Statistics.of([FRONTED]))
    with pytest.raises(
        UsageError, match=r"cannot save a plot as '.*plot\.doc'; the name must end in one of: .*png"
    ):
        plot([one], tmp_path / "plot.doc")
    with pytest.raises(UsageError, match="8 treebanks to plot, expected 1 to 7"):
        plot([one] * 8, tmp_path / "plot.png")
    with pytest.raises(UsageError, match="0 treebanks to plot"):
        plot([], tmp_path / "plot.png")


def test_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UsageError, match=r"pip install 'crossbranch\[plot\]'"):
        plot([("one", Statistics())], tmp_path / "plot.png")
