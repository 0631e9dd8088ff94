"""Charts that a grammar prunes."""

from functools import cache
from pathlib import Path

import pytest
from trained_parsers import QUICK_SETTINGS, TRAIN

pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch.config import merged
from crossbranch.errors import InputError, UsageError
from crossbranch.grammar import Deduction, extract, parse_text, read, write
from crossbranch.parsers import NeuralSpanParser, train
from crossbranch.span import blocks, fan_out
from crossbranch.transforms import pipeline
from crossbranch.tree import Tree

FEW = [tree for tree in TRAIN if len(tree.sentence) < 14][:24]
SPLIT = pipeline("split(blocks=2)").apply


@cache
def parser() -> NeuralSpanParser:
    tiny = {
        "encoder": {"words": 8, "spelling": 8, "hidden": 16, "layers": 1},
        "scorer": {"label": 12, "span": 6},
        "tags": "gold",
    }
    settings = merged(QUICK_SETTINGS["neural-span"], tiny)
    found = train("span", **merged(settings, {"train": FEW, "epochs": 8}))
    assert isinstance(found, NeuralSpanParser)
    return found


@pytest.fixture
def grammar(tmp_path: Path) -> str:
    path = tmp_path / "few.lcfrs"
    write(extract(map(SPLIT, FEW)), path)
    return str(path)


def places(tree: Tree) -> set[tuple[str, int, int, int, int]]:
    """Return the blocks of all nodes but the root, as `Deduction.blocks` does."""
    return {
        (node.label, fan_out(node.span), number, *block)
        for node in SPLIT(tree).nodes[1:]
        for number, block in enumerate(blocks(node.span))
    }


def test_trees_have_only_constituents_that_the_grammar_allows(grammar: str) -> None:
    deduction = Deduction(read(grammar))
    changed = 0
    for tree in FEW:
        free = parser().parse(tree.sentence)
        found = parser().parse(tree.sentence, grammar=grammar, margin=5.0)
        allowed = set(deduction.blocks(free.words, free.tags, 5.0))
        for label, count, block, start, stop in places(found) if allowed else ():
            ways = {one[3:] for one in allowed if one[:3] == (label, count, block)}
            if count == 1:
                assert (start, stop) in ways
            else:  # its borders and its gap are possible, perhaps not together
                assert start in {one[0] for one in ways}
                assert stop in {one[1] for one in ways}
        changed += free != found
    assert changed


def test_a_wide_margin_keeps_the_trees_that_the_grammar_comes_from(grammar: str) -> None:
    deduction = Deduction(read(grammar))
    for tree in FEW:
        assert places(tree) <= set(deduction.blocks(tree.words, tree.tags, 1000.0))


def test_without_a_tree_nothing_is_pruned(tmp_path: Path) -> None:
    path = tmp_path / "other.lcfrs"
    label = FEW[0].root.label
    path.write_text(f"top {label}\n1 {label} -> NP\n1 NP -> ODD\n", encoding="utf-8")
    for tree in FEW[:4]:
        assert parser().parse(tree.sentence, grammar=str(path)) == parser().parse(tree.sentence)


def test_grammars_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "other.lcfrs"
    write(parse_text('top Q\n1 Q -> "q" "q"'), path)
    with pytest.raises(UsageError, match="has none of the labels of the model"):
        parser().parse(FEW[0].sentence, grammar=str(path))
    with pytest.raises(InputError, match=r"missing\.lcfrs"):
        parser().parse(FEW[0].sentence, grammar=str(tmp_path / "missing.lcfrs"))
