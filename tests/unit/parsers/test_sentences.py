"""What is parsed: tokens from whatever is given, in batches."""

from __future__ import annotations

from collections.abc import Iterator

from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import request_for
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree


def test_nothing_of_the_gold_tree_is_passed_on() -> None:
    token = Token("Haus", "NN", "haus", "Neut", "HD", (("comment", "x"),))
    edge = SecondaryEdge("SB", 0, 1)
    tree = Tree([token], Node(ROOT, [0]), id="3", comments=["c"], secondary_edges=[edge])
    request = request_for(tree)
    assert request.sentence == (token._replace(edge_label=""),)
    assert (request.id, request.comments) == ("3", ("c",))


def test_words_pairs_and_tokens() -> None:
    expected = (Token("a", "X"), Token("b"), Token("c", "Y", "lemma"))
    assert request_for([("a", "X"), "b", Token("c", "Y", "lemma")]).sentence == expected  # type: ignore[list-item]


def test_batches_are_not_too_large_and_come_early() -> None:
    taken = 0
    batches = FrontEnd().requests

    def sentences() -> Iterator[list[str]]:
        nonlocal taken
        for _ in range(3000):
            taken += 1
            yield ["w"] * 100

    found = batches(sentences())
    first = next(found)
    assert 1 < len(first) == taken < 200
    assert len(first) + sum(map(len, found)) == 3000
    assert [len(batch) for batch in batches([[]] * 2000)] == [1024, 976]
    assert len(list(batches([["w"] * 100_000] * 3))) == 3
