"""The worked derivations of the papers, step by step."""

from __future__ import annotations

import pytest

from crossbranch.transforms import pipeline
from crossbranch.transitions import (
    Derivation,
    TransitionSystem,
    build,
    derive,
    pipeline_for,
    steps,
)
from crossbranch.tree import Node, Token, Tree


def tree_of(words: str, root: Node, tags: str = "") -> Tree:
    names = words.split()
    pairs = zip(names, tags.split() or [""] * len(names), strict=True)
    return Tree([Token(word, tag) for word, tag in pairs], root)


def derivation_of(tree: Tree, system: str, oracle: str | None = None) -> Derivation:
    undone = pipeline_for(system)
    binary = undone.apply(tree)
    derivation = derive(binary, TransitionSystem.of([binary], name=system, oracle=oracle))
    assert build(derivation, undone).brackets == tree.brackets
    return derivation


def rows(derivation: Derivation) -> list[str]:
    """Each configuration and the transition that led to it, its parts between bars."""
    return [
        " | ".join([*(" ".join(part) for part in step.parts), step.transition])
        for step in steps(derivation)
    ]


# Coavoux & Crabbé (2017), figure 1. The table finds the heads of figure 2.
FIGURE_1 = tree_of(
    "Es bestünde somit hinreichender Spielraum",
    Node("S", [Node("NP", [0, Node("NP", [3, 4])]), 1, 2]),
    "PPER VVFIN PROAV ADJA NN",
)
GAP_EXAMPLE = pipeline("heads(negra-2017)").apply(FIGURE_1)


def test_the_heads_of_figure_2() -> None:
    assert [node.head for node in FIGURE_1.nodes] == [None, None, None]
    assert [node.head_token for node in GAP_EXAMPLE.nodes] == [1, 4, 4]  # bestünde, Spielraum


def test_the_sequence_of_figure_2() -> None:
    names = derivation_of(GAP_EXAMPLE, "gap").names
    assert " ".join(names) == "SH SH SH SH SH RR(NP) GAP GAP RR(NP) GAP RL(S:) RR(S)"


def test_table_1_row_by_row() -> None:
    assert rows(derivation_of(GAP_EXAMPLE, "gap")) == [
        " |  | Es bestünde somit hinreichender Spielraum | ",
        " | Es | bestünde somit hinreichender Spielraum | SH",
        "Es | bestünde | somit hinreichender Spielraum | SH",
        "Es bestünde | somit | hinreichender Spielraum | SH",
        "Es bestünde somit | hinreichender | Spielraum | SH",
        "Es bestünde somit hinreichender | Spielraum |  | SH",
        "Es bestünde somit | NP[Spielraum] |  | RR(NP)",
        "Es bestünde | somit NP[Spielraum] |  | GAP",
        "Es | bestünde somit NP[Spielraum] |  | GAP",
        "bestünde somit | NP[Spielraum] |  | RR(NP)",
        "bestünde | somit NP[Spielraum] |  | GAP",
        "somit | S:[bestünde] |  | RL(S:)",
        " | S[bestünde] |  | RR(S)",
    ]


def test_the_same_tree_with_compound_gaps() -> None:
    """Section 2.4: 4n-2 transitions, GAPs in a row as one."""
    names = derivation_of(GAP_EXAMPLE, "cgap").names
    assert names[:10] == ["SH", "GH"] * 5
    assert " ".join(names[10:]) == "GAP_0 RR(NP) GAP_2 RR(NP) GAP_1 RL(S:) GAP_0 RR(S)"


def nested(order: list[int]) -> Tree:
    """A binary tree over five tokens, which are joined one after the other."""
    node = Node("X", order[:2])
    for token in order[2:]:
        node = Node("X", [node, token])
    return tree_of("a b c d e", node.replace(label="ROOT"))


def test_the_trees_of_figure_5_need_the_longest_derivations() -> None:
    """For n = 5: (n²+n)/2 = 15 transitions with GAP, n²-n+1 = 21 with SWAP."""
    # All is shifted; then the last token takes up the first, the second, ...
    longest_gap = nested([4, 0, 1, 2, 3])
    assert " ".join(derivation_of(longest_gap, "gap").names) == (
        "SH SH SH SH SH GAP GAP GAP RL(X) GAP GAP RR(X) GAP RR(X) RR(ROOT)"
    )
    # The first token takes up the last, then the last but one, ...
    longest_swap = nested([0, 4, 3, 2, 1])
    names = derivation_of(longest_swap, "swap").names
    assert names[-1] == "FINISH"
    assert len(names) - 1 == 21
    assert names.count("SINGLESWAP") == 3 + 2 + 1
    assert len(derivation_of(longest_swap, "cswap").names) - 1 == 18


# Maier (2015), figure 1: the head of S is "wollen", that of VP "umkehren".
SWAP_EXAMPLE = tree_of(
    "Das wollen wir umkehren", Node("S", [Node("VP", [0, 3], head=1), 1, 2], head=1)
)


def test_the_sequences_of_section_2_3() -> None:
    single = derivation_of(SWAP_EXAMPLE, "swap").names
    assert " ".join(single) == (
        "SHIFT SHIFT SHIFT SHIFT SINGLESWAP SINGLESWAP BINARY-VP-R SHIFT BINARY-@S-R SHIFT "
        "BINARY-S-L FINISH"
    )
    compound = derivation_of(SWAP_EXAMPLE, "cswap").names
    assert " ".join(compound) == (
        "SHIFT SHIFT SHIFT SHIFT COMPOUNDSWAP_2 BINARY-VP-R SHIFT BINARY-@S-R SHIFT "
        "BINARY-S-L FINISH"
    )


# What follows is from the thesis that surveys these oracles, section 3.2.4. Its figures have no
# heads; here every head is the left child, and transitions are written as in Maier (2015).


@pytest.mark.parametrize("oracle", ["strict", "eager", "lazy", "lazier"])
def test_figure_3_9(oracle: str) -> None:
    """With children ordered by first token, all oracles say the same: no swap at step 2."""
    inner = Node("VP", [0, 2], head=0)
    tree = tree_of(
        "Darüber muß nachgedacht werden",
        Node("S", [Node("VP", [inner, 3], head=0), 1], head=0),
    )
    assert rows(derivation_of(tree, "swap", oracle)) == [
        " | Darüber muß nachgedacht werden | ",
        "Darüber | muß nachgedacht werden | SHIFT",
        "Darüber muß | nachgedacht werden | SHIFT",
        "Darüber muß nachgedacht | werden | SHIFT",
        "Darüber nachgedacht | muß werden | SINGLESWAP",
        "VP[Darüber] | muß werden | BINARY-VP-L",
        "VP[Darüber] muß | werden | SHIFT",
        "VP[Darüber] muß werden |  | SHIFT",
        "VP[Darüber] werden | muß | SINGLESWAP",
        "VP[Darüber] | muß | BINARY-VP-L",
        "VP[Darüber] muß |  | SHIFT",
        "S[Darüber] |  | BINARY-S-L",
        " |  | FINISH",
    ]


def test_figure_3_12() -> None:
    """The strict oracle swaps three tokens, though B could be completed before."""
    inner = Node("B", [Node("A", [1, 2], head=0), 3], head=0)
    tree = tree_of("w1 w2 w3 w4 w5", Node("S", [Node("C", [0, 4], head=0), inner], head=0))
    found = rows(derivation_of(tree, "swap", "strict"))
    assert found[:10] == [
        " | w1 w2 w3 w4 w5 | ",
        "w1 | w2 w3 w4 w5 | SHIFT",
        "w1 w2 | w3 w4 w5 | SHIFT",
        "w1 w2 w3 | w4 w5 | SHIFT",
        "w1 w2 w3 w4 | w5 | SHIFT",
        "w1 w2 w3 w4 w5 |  | SHIFT",
        "w1 w2 w3 w5 | w4 | SINGLESWAP",
        "w1 w2 w5 | w3 w4 | SINGLESWAP",
        "w1 w5 | w2 w3 w4 | SINGLESWAP",
        "C[w1] | w2 w3 w4 | BINARY-C-L",
    ]
    eager = derivation_of(tree, "swap", "eager").names
    assert eager.count("SINGLESWAP") == 1  # of B, which is complete by then
    assert len(eager) < len(found) - 1


def test_equations_3_8_and_3_9() -> None:
    """The eager oracle swaps w2 into A; the lazy one completes A first."""
    whole = Node("B", [0, Node("A", [2, 3], head=0)], head=0)
    tree = tree_of("w1 w2 w3 w4", Node("S", [whole, 1], head=0))
    eager = rows(derivation_of(tree, "swap", "eager"))
    assert [row.rpartition(" | ")[0] for row in eager[:9]] == [
        " | w1 w2 w3 w4",
        "w1 | w2 w3 w4",
        "w1 w2 | w3 w4",
        "w1 w2 w3 | w4",
        "w1 w3 | w2 w4",
        "w1 w3 w2 | w4",
        "w1 w3 w2 w4 | ",
        "w1 w3 w4 | w2",
        "w1 A[w3] | w2",
    ]
    lazy = rows(derivation_of(tree, "swap", "lazy"))
    assert [row.rpartition(" | ")[0] for row in lazy[:7]] == [
        " | w1 w2 w3 w4",
        "w1 | w2 w3 w4",
        "w1 w2 | w3 w4",
        "w1 w2 w3 | w4",
        "w1 w2 w3 w4 | ",
        "w1 w2 A[w3] | ",
        "w1 A[w3] | w2",
    ]


def figure_3_16() -> Tree:
    inner = Node("B", [Node("A", [2, 4], head=0), 3], head=0)
    return tree_of("w1 w2 w3 w4 w5", Node("S", [Node("C", [0, inner], head=0), 1], head=0))


def test_figure_3_17() -> None:
    assert rows(derivation_of(figure_3_16(), "swap", "lazier")) == [
        " | w1 w2 w3 w4 w5 | ",
        "w1 | w2 w3 w4 w5 | SHIFT",
        "w1 w2 | w3 w4 w5 | SHIFT",
        "w1 w2 w3 | w4 w5 | SHIFT",
        "w1 w2 w3 w4 | w5 | SHIFT",
        "w1 w2 w3 w4 w5 |  | SHIFT",
        "w1 w2 w3 w5 | w4 | SINGLESWAP",
        "w1 w2 A[w3] | w4 | BINARY-A-L",
        "w1 w2 A[w3] w4 |  | SHIFT",
        "w1 w2 B[w3] |  | BINARY-B-L",
        "w1 B[w3] | w2 | SINGLESWAP",
        "C[w1] | w2 | BINARY-C-L",
        "C[w1] w2 |  | SHIFT",
        "S[w1] |  | BINARY-S-L",
        " |  | FINISH",
    ]


def test_the_lazy_oracle_swaps_earlier_in_figure_3_16() -> None:
    """Example 3.37: only tokens are maximal there, so that w2 is swapped with w3 at once."""
    found = rows(derivation_of(figure_3_16(), "swap", "lazy"))
    assert found[4] == "w1 w3 | w2 w4 w5 | SINGLESWAP"


# Mielczarek (2023), figures 3.24 and 4.3: B covers the first and the last of five tokens.
NARY_EXAMPLE = tree_of("1 2 3 4 5", Node("S", [Node("B", [0, 4]), Node("A", [1, 2, 3])]))


def test_figure_3_24_row_by_row() -> None:
    assert rows(derivation_of(NARY_EXAMPLE, "ml-gap")) == [
        " |  | 1 2 3 4 5 | ",
        " | 1 | 2 3 4 5 | SHIFT",
        " | 1 | 2 3 4 5 | NO-LABEL",
        "1 | 2 | 3 4 5 | SHIFT",
        "1 | 2 | 3 4 5 | NO-LABEL",
        "1 2 | 3 | 4 5 | SHIFT",
        "1 2 | 3 | 4 5 | NO-LABEL",
        "1 | {2 3} | 4 5 | MERGE",
        "1 | {2 3} | 4 5 | NO-LABEL",
        "1 {2 3} | 4 | 5 | SHIFT",
        "1 {2 3} | 4 | 5 | NO-LABEL",
        "1 | {2 3 4} | 5 | MERGE",
        "1 | A{2 3 4} | 5 | LABEL-A",
        "1 A{2 3 4} | 5 |  | SHIFT",
        "1 A{2 3 4} | 5 |  | NO-LABEL",
        "1 | A{2 3 4} 5 |  | GAP",
        "A{2 3 4} | {1 5} |  | MERGE",
        "A{2 3 4} | B{1 5} |  | LABEL-B",
        " | {1 2 3 4 5} |  | MERGE",
        " | S{1 2 3 4 5} |  | LABEL-S",
    ]


@pytest.mark.parametrize("oracle", ["static", "dynamic", "dynamic-eager"])
def test_figure_4_3_row_by_row(oracle: str) -> None:
    assert rows(derivation_of(NARY_EXAMPLE, "stack-free", oracle)) == [
        " |  | 1 2 3 4 5 | ",
        " | 1 | 2 3 4 5 | SHIFT",
        " | 1 | 2 3 4 5 | NO-LABEL",
        "1 | 2 | 3 4 5 | SHIFT",
        "1 | 2 | 3 4 5 | NO-LABEL",
        "1 2 | 3 | 4 5 | SHIFT",
        "1 2 | 3 | 4 5 | NO-LABEL",
        "1 | {2 3} | 4 5 | COMBINE-0",
        "1 | {2 3} | 4 5 | NO-LABEL",
        "1 {2 3} | 4 | 5 | SHIFT",
        "1 {2 3} | 4 | 5 | NO-LABEL",
        "1 | {2 3 4} | 5 | COMBINE-0",
        "1 | A{2 3 4} | 5 | LABEL-A",
        "1 A{2 3 4} | 5 |  | SHIFT",
        "1 A{2 3 4} | 5 |  | NO-LABEL",
        "A{2 3 4} | {1 5} |  | COMBINE-1",
        "A{2 3 4} | B{1 5} |  | LABEL-B",
        " | {1 2 3 4 5} |  | COMBINE-0",
        " | S{1 2 3 4 5} |  | LABEL-S",
    ]


def test_the_same_tree_with_compound_gaps_before_merges() -> None:
    """Section 3.2.5: 5n-3 transitions, a COMPOUNDGAP before every MERGE."""
    names = derivation_of(NARY_EXAMPLE, "ml-cgap").names
    assert len(names) == 5 * 5 - 3
    assert [name for name in names if name.startswith("COMPOUNDGAP")] == [
        "COMPOUNDGAP_0",
        "COMPOUNDGAP_0",
        "COMPOUNDGAP_1",
        "COMPOUNDGAP_0",
    ]


def test_lexicalised_merges_wait_for_the_head() -> None:
    """Section 3.2.6: the head of A is its last token, that of B its first."""
    root = Node("S", [Node("B", [0, 4], head=0), Node("A", [1, 2, 3], head=2)], head=1)
    found = rows(derivation_of(tree_of("1 2 3 4 5", root), "ml-gap-lex"))
    assert found[8:] == [
        "1 2 3 | 4 | 5 | NO-LABEL",
        "1 2 | {3 4} | 5 | MERGE-RIGHT",
        "1 2 | {3 4} | 5 | NO-LABEL",
        "1 | {2 3 4} | 5 | MERGE-RIGHT",
        "1 | A[4] | 5 | LABEL-A",
        "1 A[4] | 5 |  | SHIFT",
        "1 A[4] | 5 |  | NO-LABEL",
        "1 | A[4] 5 |  | GAP",
        "A[4] | {1 5} |  | MERGE-LEFT",
        "A[4] | B[1] |  | LABEL-B",
        " | {1 2 3 4 5} |  | MERGE-LEFT",
        " | S[4] |  | LABEL-S",
    ]


@pytest.mark.parametrize("size", [3, 5, 9])
def test_the_longest_derivations_of_ml_gap(size: int) -> None:
    """Figure 3.25: the first and the last token have a common parent, and so on upwards."""
    node = Node("X", [0, size - 1])
    for token in range(1, size - 1):
        node = Node("X", [node, token])
    tree = tree_of("w " * size, node)
    names = derivation_of(tree, "ml-gap").names
    assert len(names) == (size * size + 5 * size - 2) // 2
    assert names.count("GAP") == (size - 2) * (size - 1) // 2
