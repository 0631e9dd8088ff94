"""K-best lists: the best trees, the oracle, and lists in files."""

from __future__ import annotations

import io
import json
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import structures

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation import KBestEvaluation, evaluate, evaluate_k_best, group_k_best
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import read, write

WORDS = tuple(Token(word, "X") for word in "abcd")
LIST_FORMATS = ["export", "export3", "tigerxml", "alpino", "json", "conllu", "discbracket"]


def tree(*nodes: Node | int, id: str = "1", words: tuple[Token, ...] = WORDS) -> Tree:
    return Tree(words, Node(ROOT, nodes), id=id)


GOLD = tree(Node("S", [Node("VP", [0, 3]), Node("NP", [1, 2])]))
HALF = tree(Node("S", [0, Node("NP", [1, 2]), 3]))  # F1 of 4/5
FLAT = tree(Node("S", [0, 1, 2, 3]))  # F1 of 1/2
WRONG = tree(Node("X", [0, 1]), 2, 3)


class Scored(NamedTuple):
    tree: Tree
    score: float


def test_the_best_and_the_oracle() -> None:
    lists = [[FLAT, WRONG, HALF, GOLD], [GOLD], [WRONG, FLAT]]
    found = evaluate_k_best([GOLD] * 3, lists)
    assert found.best == evaluate([GOLD] * 3, [FLAT, GOLD, WRONG])
    assert found.f1 == found.best.f1
    assert found.oracle(1) == found.best
    assert found.oracle(2) == evaluate([GOLD] * 3, [FLAT, GOLD, FLAT])
    assert found.oracle(3) == evaluate([GOLD] * 3, [HALF, GOLD, FLAT])
    assert found.oracle(9) == found.oracle() == evaluate([GOLD] * 3, [GOLD, GOLD, FLAT])
    assert [k for k, _ in found.by_k()] == [1, 2, 4]
    assert (found.trees, found.largest) == (7, 4)
    with pytest.raises(UsageError, match="k is 0"):
        found.oracle(0)


def test_of_several_trees_that_are_as_good_the_first_counts() -> None:
    other = tree(Node("S", [Node("VP", [0, 3]), 1, 2]))  # also 4/5, but with another bracket
    (row,) = evaluate_k_best([GOLD], [[HALF, other]]).lists
    assert [rank for rank, _ in row.steps] == [1]


def test_numbers_of_trees_that_are_shown() -> None:
    def shown(size: int) -> list[int]:
        return [k for k, _ in evaluate_k_best([GOLD], [[FLAT] * size]).by_k()]

    assert shown(1) == [1]
    assert shown(10) == [1, 2, 5, 10]
    assert shown(30) == [1, 2, 5, 10, 20, 30]
    assert shown(1000)[-2:] == [500, 1000]


def test_lists_as_parsers_give_them() -> None:
    lists = [[Scored(FLAT, 3.0), Scored(GOLD, 2.0)]]
    assert evaluate_k_best([GOLD], lists).oracle().f1 == 1


def test_sentences_without_a_parse() -> None:
    found = evaluate_k_best([GOLD, GOLD, GOLD], [None, [], [FLAT, GOLD]])
    assert found.best.scores.all.missing == 2
    assert [row.trees for row in found.lists] == [0, 0, 2]
    assert found.oracle().recall == 1 / 3
    assert evaluate_k_best([], []).to_dict()["lists"] == 0


def test_alignment() -> None:
    gold = [GOLD.replace(id="x"), FLAT.replace(id="y")]
    lists = [[FLAT.replace(id="y")], [FLAT.replace(id="x"), GOLD.replace(id="x")]]
    assert evaluate_k_best(gold, lists, align="id").oracle().f1 == 1
    with pytest.raises(UsageError, match="by order or id"):
        evaluate_k_best(gold, lists, align="text")


def test_other_words_in_a_list() -> None:
    other = tree(0, 1, words=WORDS[:2])
    with pytest.raises(InputError, match="other words in tree 2 of the list"):
        evaluate_k_best([GOLD], [[FLAT, other, GOLD]])
    problems: list[InputError] = []
    found = evaluate_k_best([GOLD], [[FLAT, other, GOLD]], report=problems.append)
    assert len(problems) == 1
    assert found.lists[0].oracle(9)[0] == 3  # ranks stay


def test_all_options_of_evaluate() -> None:
    seen: list[int] = []
    found = evaluate_k_best(
        [GOLD],
        [[WRONG, FLAT]],
        parameters="spmrl",
        labelled=False,
        leaf_ancestor=True,
        observe=lambda aligned, pair: seen.append(pair.predicted_brackets.total()),
    )
    assert seen == [1]
    assert found.parameters.name == "spmrl"
    assert not found.parameters.labelled
    assert found.oracle().scores.all.mean_leaf_ancestor > found.scores.all.mean_leaf_ancestor


def test_figures_for_people_and_programs() -> None:
    found = evaluate_k_best([GOLD, GOLD], [[FLAT, GOLD], [GOLD]])
    assert str(found).splitlines()[1].split() == ["1", "66.67", "100.00", "80.00", "50.00", "66.67"]
    assert repr(found) == "<KBestEvaluation of 2 sentences: f1=0.8000, oracle f1=1.0000>"
    figures = json.loads(json.dumps(found.to_dict()))
    assert (figures["lists"], figures["trees"], figures["largest"]) == (2, 3, 2)
    assert figures["oracle"]["1"]["f1"] == 80.0
    assert figures["oracle"]["2"]["f1_exact"] == 1
    continuous = evaluate_k_best([FLAT], [[WRONG, FLAT]]).to_dict()["oracle"]["2"]
    assert (continuous["f1"], continuous["discontinuous_f1"]) == (100.0, None)


def numbered(trees: list[Tree], sentence: str, first: float = 9.0) -> list[Tree]:
    """A list as `crossbranch parse --k-best` writes it."""
    return [
        one.replace(id=f"{sentence}.{rank}", comments=("seen", f"score {first - rank:g}"))
        for rank, one in enumerate(trees, 1)
    ]


@pytest.mark.filterwarnings("ignore::crossbranch.errors.LossWarning")
@pytest.mark.parametrize("format", LIST_FORMATS)
def test_lists_in_files(format: str) -> None:
    first, second = numbered([FLAT, GOLD, HALF], "1"), numbered([GOLD, FLAT], "2")
    other = [one.replace(sentence=WORDS[::-1]) for one in numbered([GOLD], "3")]
    stream = io.StringIO()
    write([*first, *second, *other], stream, format=format)
    trees = list(read(io.StringIO(stream.getvalue()), format=format))
    found = [one for one in group_k_best(trees) if one is not None]
    assert [len(one) for one in found] == [3, 2, 1]
    assert [{t.id for t in one} for one in found] == [{"1"}, {"2"}, {"3"}]
    assert [one.root.label for trees in found for one in trees] == [ROOT] * 6


def test_other_trees_are_lists_of_one() -> None:
    trees = [GOLD.replace(id="7.1"), GOLD.replace(id="7.2"), None, FLAT, None]
    found = list(group_k_best(trees))
    assert found == [[trees[0]], [trees[1]], None, [FLAT], None]
    assert list(group_k_best([None, None])) == [None, None]
    assert list(group_k_best([None, GOLD])) == [None, [GOLD]]


def test_a_list_of_one_has_no_rank_either() -> None:
    (found,) = group_k_best(numbered([GOLD], "s1.4"))
    assert found is not None
    assert [one.id for one in found] == ["s1.4"]


def test_the_same_sentence_twice() -> None:
    once = numbered([GOLD, FLAT], "1")
    twice = [*once, *numbered([GOLD, FLAT], "2")]
    assert [len(one or ()) for one in group_k_best(twice)] == [2, 2]
    bare = [one.replace(id=str(n)) for n, one in enumerate(twice, 1)]  # a format without ids
    assert [[t.id for t in one or ()] for one in group_k_best(bare)] == [["1", "1"], ["2", "2"]]
    alone = [one.replace(id=str(n)) for n, one in enumerate([once[0], once[0]], 1)]
    assert [len(one or ()) for one in group_k_best(alone)] == [1, 1]


def test_trees_that_could_not_be_read_shift_no_other() -> None:
    lists = [numbered([GOLD, FLAT, HALF], str(n)) for n in (1, 2, 4)]

    def sizes(*trees: Tree | None) -> list[int | None]:
        return [None if one is None else len(one) for one in group_k_best(trees)]

    one, two, four = lists
    assert sizes(*one[:2], None, *two) == [2, 3]
    assert sizes(one[0], None, one[2], *two) == [2, 3]
    assert sizes(*one, None, *two[1:]) == [3, 2]
    assert sizes(None, *one[1:]) == [2]
    assert sizes(*two, None, None, None, *four) == [3, None, 3]  # all trees of sentence 3
    assert sizes(*one, *two[:2], None) == [3, 2]
    single = [numbered([GOLD], str(n))[0] for n in (1, 3)]
    assert sizes(single[0], None, single[1], None) == [1, None, 1, None]
    named = [numbered([GOLD, FLAT], name) for name in "ab"]
    assert sizes(*named[0], None, *named[1][1:]) == [2, 1]


def test_a_tree_without_a_score_is_part_of_its_list() -> None:
    first = numbered([GOLD, FLAT], "1")
    last = HALF.replace(id="1.3", comments=("score none",))
    assert [len(one or ()) for one in group_k_best([*first, last])] == [3]


def test_a_sentence_without_a_parse_is_a_list_of_one() -> None:
    failed = FLAT.replace(id="2.1", comments=("no parse",))
    lists = list(group_k_best([*numbered([GOLD, FLAT], "1"), failed, *numbered([GOLD], "3")]))
    assert [[one.id for one in trees or ()] for trees in lists] == [["1", "1"], ["2"], ["3"]]
    bare = [failed.replace(id="1"), failed.replace(id="2")]  # a format without ids
    assert [len(trees or ()) for trees in group_k_best(bare)] == [1, 1]


@given(st.data())
def test_the_oracle_only_gets_better(data: st.DataObject) -> None:
    shapes = structures(4, rich=False)
    gold = [GOLD.replace(root=data.draw(shapes)) for _ in range(2)]
    lists = [
        [GOLD.replace(root=r) for r in data.draw(st.lists(shapes, min_size=1, max_size=6))]
        for _ in gold
    ]
    found: KBestEvaluation = evaluate_k_best(gold, lists)
    for row, one, trees in zip(found.lists, gold, lists, strict=True):
        f1 = [evaluate([one], [other]).f1 for other in trees]
        for k in range(1, 8):
            rank, scores = row.oracle(k)
            assert scores.column.f1 == max(f1[:k])
            assert rank == f1.index(max(f1[:k])) + 1
