"""Head rules over numbers, in the core: they find the heads that the tables find."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from crossbranch import _core
from crossbranch.tagging.templates import compile_templates
from crossbranch.transforms.head_rules import load_table, parse_table
from crossbranch.transforms.head_table import HeadItem

LABELS = ("ROOT", "S", "NP", "NP-SBJ-1", "VP", "PP", "CNP", "CONJ", "SMAIN", "INF", "WHNP", "nP")
TAGS = ("NN", "VVFIN", "CC", "IN", "ww", "vg", "APPR", "$,", "POS", "let")
PUNCTUATION = {"$,", "let"}
FUNCTIONS = ("", "HD", "hd", "SB", "CJ", "crd", "Hd")
NAMES = (*LABELS, *TAGS)

TABLE = parse_table(
    r"""
    NP      across  CC|vg/crd
    NP|S*   final   POS/HD|NN
    NP      initial /SB
    VP      last    NP/SB|NN/H* \$,
    CONJ/CJ first   vg
    CONJ    last-mark  \$, *
    S       first-mark */HD
    """
)


def random_item(random: Random, names: tuple[str, ...]) -> HeadItem:
    label = random.choice(names)
    return HeadItem(label, random.choice(FUNCTIONS), label in PUNCTUATION)


@pytest.mark.parametrize("name", ["negra", "negra-2017", "ptb", "alpino", "french", ""])
def test_the_core_finds_the_heads_of_the_table(name: str) -> None:
    table = load_table(name) if name else TABLE
    random = Random(1)
    rules = _core.HeadRules(
        table.numbered(NAMES, FUNCTIONS), label_count=len(NAMES), function_count=len(FUNCTIONS)
    )

    def numbers(item: HeadItem) -> tuple[int, int, bool]:
        return NAMES.index(item.label), FUNCTIONS.index(item.edge_label), item.is_punctuation

    for _ in range(1000):
        node = random_item(random, LABELS)
        children = [random_item(random, NAMES) for _ in range(random.randint(1, 5))]
        found = rules.find(numbers(node), list(map(numbers, children)))
        assert found == table.find(node, children), (node, children)


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="an entry for each label"):
        _core.HeadRules([([(b"\1", b"")], 0, [])], label_count=2, function_count=1)
    with pytest.raises(ValueError, match="first, last"):
        _core.HeadRules([([(b"\1", b"")], 9, [])], label_count=1, function_count=1)


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([0, ~0, 1], "not a tree"),  # a token is missing
        ([0, 0, ~0, 2], "not a tree"),
        ([0, 2, ~0, 2], "not a tree"),
        ([0, 1, ~0, 3], "not a tree"),
        ([0, 1, ~0], "not a tree"),
        ([0, 1, ~0, 0], "not a tree"),
        ([0, 1], "not a tree"),
        ([], "not a tree"),
        ([0, 1, ~7, 2], "a label that is not there"),
    ],
)
def test_numbers_that_are_no_tree_are_refused(codes: list[int], message: str) -> None:
    rules = _core.HeadRules([], label_count=2, function_count=1)
    columns = _core.child_columns()
    labeller = _core.FunctionLabeller(
        rules, compile_templates(["label"], columns), None, beam=1, of_tokens=True, empty=0
    )
    rows = array("I", [1, 0, 5, 5, 5, 5] * 2)
    functions, heads = labeller.label(array("i", [0, 1, ~0, 2]), [0, 4], rows, [0, 2])
    assert (functions, heads) == (bytes(6), array("i", [-1]).tobytes())
    with pytest.raises(ValueError, match=message):
        labeller.label(array("i", codes), [0, len(codes)], rows, [0, 2])
    with pytest.raises(ValueError, match="follow each other"):
        labeller.label(array("i", [0, 1, ~0, 2]), [0, 3], rows, [0, 2])
    with pytest.raises(ValueError, match="a tag that is not there"):
        labeller.label(array("i", [0, ~0, 1]), [0, 3], array("I", [2, 0, 0, 0, 0, 0]), [0, 1])
