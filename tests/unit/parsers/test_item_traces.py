"""How parsers with grammars and charts find their trees: the items of the search."""

from __future__ import annotations

from typing import Any

import pytest
from trained_parsers import TEST, trained_with

from crossbranch.derivations import draw_player, show_items
from crossbranch.errors import UsageError
from crossbranch.parsers import ItemParser, ItemsOfParse, Parser
from crossbranch.transforms.continuous import Split

SENTENCES = [tree for tree in TEST if 3 <= len(tree.sentence) <= 14][:8]


def parser_of(preset: str) -> ItemParser:
    parser = trained_with(preset, tags="gold")
    assert isinstance(parser, ItemParser)
    return parser


def check(parser: Parser, one: ItemsOfParse, **options: Any) -> None:
    """The last item is the tree of the parser, with its score; children come before parents."""
    ((scored,),) = parser.parse_k_best([one.tree], 1, **options)
    assert one.trace.score == pytest.approx(scored.score, abs=1e-4)
    assert one.trace.items[-1].in_tree
    assert one.trace.items[-1].score == pytest.approx(one.trace.score)
    known = {item.number: item for item in one.trace.items}
    for item in one.trace.items:
        assert all(child in known and child < item.number for child in item.children)
        if item.in_tree:
            assert all(known[child].in_tree for child in item.children)
    last = show_items(one.trace, one.tree.sentence, id=one.tree.id).frames[-1]
    whole = last.forest.replace(root=last.forest.root.children[0])
    assert _brackets(Split(blocks=2).undo(whole)) == _brackets(one.tree)


def _brackets(tree: Any) -> list[tuple[str, int]]:
    return sorted((node.label, node.span) for node in tree.nodes)


@pytest.mark.parametrize("estimates", ["none", "lengths", "blocks"])
def test_grammars(estimates: str) -> None:
    parser = parser_of("plcfrs")
    found = list(parser.parse_items(SENTENCES, estimates=estimates))
    assert len(found) == len(SENTENCES)
    for one in found:
        check(parser, one, estimates=estimates)


@pytest.mark.parametrize("space", ["continuous", "cubic", "quintic"])
def test_charts(space: str) -> None:
    pytest.importorskip("torch")
    parser = parser_of("span")
    found = list(parser.parse_items(SENTENCES, space=space))
    assert len(found) == len(SENTENCES)
    for one in found:
        check(parser, one, space=space)


def test_more_or_fewer_items() -> None:
    parser = parser_of("plcfrs")
    few, every = (
        next(parser.parse_items(SENTENCES[:1], others=others, estimates="none")).trace
        for others in (0, 100_000)
    )
    assert all(item.in_tree for item in few.shown)
    assert few.total == every.total == len(every.shown) > len(few.shown)


def test_a_page_of_items() -> None:
    one = next(parser_of("plcfrs").parse_items(SENTENCES[:1], estimates="none", others=2))
    shown = show_items(one.trace, one.tree.sentence)
    page = "".join(draw_player([shown]))
    assert page.count("<template>") == len(shown.frames) + 2
    assert "the best tree so far</span>" in page
    assert "Items of the same words" in page
    assert "items are not shown." in page
    assert "Legal moves" not in page


def test_sentences_that_are_too_long_have_no_items() -> None:
    assert list(parser_of("plcfrs").parse_items(SENTENCES[:1], tokens=2)) == []


def test_charts_of_other_trees_are_refused() -> None:
    pytest.importorskip("torch")
    parser = parser_of("span")
    with pytest.raises(UsageError, match="expected decode = best to look at the items"):
        list(parser.parse_items(SENTENCES[:1], decode="minimum-risk"))
