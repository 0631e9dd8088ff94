"""What is parsed: tokens from whatever is given, in batches."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from queue import Queue

import pytest

from crossbranch import _core
from crossbranch.parsers.batches import LiveBatches, full_batches
from crossbranch.parsers.contract import BatchSize
from crossbranch.parsers.sentences import (
    Request,
    request_for,
    with_functions,
    with_lemmas,
    with_tags,
)
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import FORMATS, read


def test_nothing_of_the_gold_tree_is_passed_on() -> None:
    token = Token("Haus", "NN", "haus", "Neut", "HD", (("comment", "x"),))
    edge = SecondaryEdge("SB", 0, 1)
    tree = Tree([token], Node(ROOT, [0]), id="3", comments=["c"], secondary_edges=[edge])
    request = request_for(tree)
    assert request.sentence == (token._replace(edge_label=""),)
    assert (request.id, request.comments) == ("3", ("c",))


def with_given_heads() -> Request:
    """Two tokens as from a CoNLL-U file with dependencies."""
    first = Token(
        "wirklich", "ADV", features=(("deprel", "advmod"), ("head", "2"), ("upos", "ADV"))
    )
    second = Token("gut", "ADJD", features=(("deprel", "root"), ("head", "0")))
    return Request((first, second))


def test_a_tree_without_constituents_does_not_repeat_the_given_dependencies() -> None:
    request = with_given_heads()
    for tree in (request.fallback(), request.parsed(Node(ROOT, [0, 1]))):
        assert [arc.head for arc in tree.dependencies()] == [None, 0]
        assert [token.features for token in tree.sentence] == [(("upos", "ADV"),), ()]
        (read_again,) = read(StringIO(FORMATS["conllu"].write_tree(tree, 1)), format="conllu")
        assert read_again.root.label == ROOT
        assert [arc.head for arc in read_again.dependencies()] == [None, 0]


def test_a_tree_with_constituents_keeps_the_given_dependencies_as_features() -> None:
    request = with_given_heads()
    tree = request.parsed(Node(ROOT, [Node("AP", [0, 1], head=1)]))
    assert tree.sentence == request.sentence
    assert [arc.relation for arc in tree.dependencies()] == ["dep", "root"]


def test_words_pairs_and_tokens() -> None:
    expected = (Token("a", "X"), Token("b"), Token("c", "Y", "lemma"))
    assert request_for([("a", "X"), "b", Token("c", "Y", "lemma")]).sentence == expected


def test_tokens_get_tags_lemmas_and_functions() -> None:
    old = (Token("a", "", "b", "m", "", (("x", "y"),), 3, 4), Token("c", "T", start=5, end=6))
    tagged = with_tags(old, ("U", "V"))
    assert tagged == (old[0]._replace(tag="U"), old[1]._replace(tag="V"))
    assert {type(token) for token in tagged} == {Token}
    assert with_tags(old, ["U", "V"], keep=True) == (old[0]._replace(tag="U"), old[1])
    assert with_lemmas(old, ["l", "m"]) == (old[0]._replace(lemma="l"), old[1]._replace(lemma="m"))
    assert with_lemmas(old, ["l", "m"], keep=True) == (old[0], old[1]._replace(lemma="m"))
    found = with_functions(old, ["", "SB"])
    assert found == (old[0], old[1]._replace(edge_label="SB"))
    assert found[0] is old[0]
    assert with_tags((), []) == ()
    assert old == (
        Token("a", "", "b", "m", "", (("x", "y"),), 3, 4),
        Token("c", "T", "", "", "", (), 5, 6),
    )


@pytest.mark.parametrize(
    ("tokens", "field"), [((Token("a"), ("b",)), 1), ((Token("a"), 3), 0), ((Token("a"),) * 2, -1)]
)
def test_what_is_not_a_token_has_no_fields(tokens: tuple[object, ...], field: int) -> None:
    with pytest.raises(ValueError, match="a token has no field"):
        _core.with_fields(tokens, field, ["x", "y"])


def test_each_token_gets_one_tag() -> None:
    with pytest.raises(ValueError, match="2 values for 1 tokens"):
        with_tags((Token("a"),), ["T", "U"])


def test_tokens_and_nodes_are_not_lost_or_kept_too_long() -> None:
    form, tag = "".join(["fo", "rm"]), "".join(["ta", "g"])
    before = sys.getrefcount(form), sys.getrefcount(tag)
    for _ in range(3):
        with_tags((Token(form),), [tag], keep=True)
    assert (sys.getrefcount(form), sys.getrefcount(tag)) == before


def test_batches_are_not_too_large_and_come_early() -> None:
    taken = 0

    def batches(given: Iterable[list[str]]) -> Iterator[list[Request]]:
        return full_batches(given, request_for, BatchSize())

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


def test_a_live_source_is_answered_when_it_pauses() -> None:
    waiting: Queue[list[str] | None] = Queue()
    live = LiveBatches(iter(waiting.get, None), request_for, BatchSize())
    for count in (1, 3, 2):
        for _ in range(count):
            waiting.put(["w"] * 5)
        got: list[Request] = []
        while len(got) < count:  # a slow machine may see pauses where there are none
            batch = live.take()
            assert batch is not None
            got += batch
        assert len(got) == count
        assert live.is_waiting()
    waiting.put(None)
    assert live.take() is None


def test_a_live_source_with_plenty_gives_full_batches() -> None:
    plenty = [["w"] * 10] * 1000
    sizes = [len(batch) for batch in LiveBatches(iter(plenty), request_for, BatchSize(500, 1024))]
    assert sum(sizes) == 1000
    assert max(sizes) == 50


def test_a_live_source_is_read_only_one_batch_ahead() -> None:
    taken = 0

    def sentences() -> Iterator[list[str]]:
        nonlocal taken
        while True:
            taken += 1
            yield ["w"] * 10

    batches = iter(LiveBatches(sentences(), request_for, BatchSize(100, 1024)))
    assert sum(len(next(batches)) for _ in range(3)) <= 30
    assert taken <= 41
