"""The trees in the figures of the papers, and what becomes of them."""

from collections.abc import Iterable

import pytest

from crossbranch.transforms import pipeline
from crossbranch.tree import Node, Token, Tree


def tree(words: str, tags: str, root: Node) -> Tree:
    sentence: Iterable[tuple[str, str]] = zip(words.split(), tags.split(), strict=True)
    return Tree([Token(form, tag) for form, tag in sentence], root, id="1")


@pytest.fixture
def coavoux_crabbe_2017() -> Tree:
    """Figure 1, with the heads of figure 2."""
    inner = Node("NP", [3, 4], head=1)
    return tree(
        "Es bestünde somit hinreichender Spielraum",
        "PPER VVFIN ADV ADJA NN",
        Node("S", [Node("NP", [0, inner], head=1), 1, 2], head=1),
    )


@pytest.fixture
def maier_2015() -> Tree:
    """Figure 1; the transitions of section 2.3 give the heads."""
    return tree(
        "Das wollen wir umkehren",
        "PDS VMFIN PPER VVINF",
        Node("S", [Node("VP", [0, 3], head=1), 1, 2], head=1),
    )


def test_coavoux_crabbe_2017_figure_2(coavoux_crabbe_2017: Tree) -> None:
    binary = pipeline("binarize(head-outward, :)").apply(coavoux_crabbe_2017)
    assert str(binary.root) == "(S (S: (NP 0 (NP 3 4)) 1) 2)"
    temporary = binary.nodes[1]
    assert temporary.blocks == [(0, 2), (3, 5)]  # from the first to the fifth token, says 2.3
    # The reductions of the derivation in 2.3, bottom up: RR(NP) RR(NP) RL(S:) RR(S). They say which
    # item has the head: s0 and d0 are verb and NP for S:, adverb and S: for S.
    heads = {node.label: node.head_token for node in binary.nodes}
    assert heads == {"S": 1, "S:": 1, "NP": 4}


def test_maier_2015_figure_2(maier_2015: Tree) -> None:
    binary = pipeline("binarize(head-outward, @)").apply(maier_2015)
    assert str(binary.root) == "(S (@S (VP 0 3) 1) 2)"
    # BINARY-VP-R, BINARY-@S-R, BINARY-S-L
    assert {node.label: node.head for node in binary.nodes} == {"VP": 1, "@S": 1, "S": 0}


def test_maier_2015_negra_cf(maier_2015: Tree) -> None:
    """Section 3.1: one node per block, then only those with the head stay."""
    split = pipeline("boyd").apply(maier_2015)
    assert str(split.root) == "(S (VP* 0) 1 2 (VP* 3))"
    raised = pipeline("raise").apply(maier_2015)
    assert str(raised.root) == "(S 0 1 2 (VP 3))"


def test_coavoux_crabbe_2017_figure_1_made_continuous(coavoux_crabbe_2017: Tree) -> None:
    applied = {
        text: str(pipeline(text).apply(coavoux_crabbe_2017).root)
        for text in ("split", "boyd(rest)", "raise")
    }
    assert applied == {
        "split": "(S (NP*1 0) 1 2 (NP*2 (NP 3 4)))",
        "boyd(rest)": "(S (NP* 0) 1 2 (NP (NP 3 4)))",
        "raise": "(S 0 1 2 (NP (NP 3 4)))",
    }


def test_left_branching_as_merge_builds_it() -> None:
    """Mielczarek 2023, 3.2: a node with four children under eager merging."""
    four = tree("a b c d", "A B C D", Node("S", range(4)))
    assert str(pipeline("binarize(left)").apply(four).root) == "(S (S: (S: 0 1) 2) 3)"


@pytest.mark.parametrize("text", ["binarize", "binarize(mark=@)", "split", "boyd", "reorder"])
def test_the_figures_come_back(text: str, coavoux_crabbe_2017: Tree, maier_2015: Tree) -> None:
    for figure in (coavoux_crabbe_2017, maier_2015):
        assert pipeline(text).undo(pipeline(text).apply(figure)) == figure
