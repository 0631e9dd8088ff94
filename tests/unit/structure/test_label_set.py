import json

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.structure import PLAIN, ROOT_LABEL, TEMPORARY, LabelSet
from crossbranch.transitions import pipeline_for
from crossbranch.tree import Node, Token, Tree


def binary_of(root: Node, size: int, system: str = "gap") -> Tree:
    return pipeline_for(system).apply(Tree([Token("w")] * size, root))


def labels_of(*trees: Tree, mark: str = ":", joiner: str = "+") -> LabelSet:
    return LabelSet.of(trees, mark=mark, joiner=joiner)


def test_labels_are_read_off_by_kind() -> None:
    labels = labels_of(binary_of(Node("S", [Node("S", [0, 1, 2]), 3]), 4))
    assert labels.labels == ((PLAIN, "S"), (TEMPORARY, "S:"), (ROOT_LABEL, "S"))
    assert labels.kinds == [PLAIN, TEMPORARY, ROOT_LABEL]
    assert labels.bases == [0, 0, 0]
    assert [labels.id_of("S", PLAIN), labels.id_of("S", ROOT_LABEL)] == [0, 2]
    assert (labels.name(1), labels.kind(1), labels.base(1)) == ("S:", TEMPORARY, 0)


def test_what_a_temporary_label_stands_for_is_a_label() -> None:
    chain = Node("ROOT", [Node("S", [0, 1, 2])])
    labels = labels_of(binary_of(chain, 3))
    assert labels.labels == ((PLAIN, "S"), (TEMPORARY, "S:"), (ROOT_LABEL, "ROOT+S"))
    flat = labels_of(binary_of(Node("ROOT", [0, 1, 2]), 3))
    assert flat.labels == ((PLAIN, "ROOT"), (TEMPORARY, "ROOT:"), (ROOT_LABEL, "ROOT"))
    inner = labels_of(binary_of(Node("ROOT", [Node("S", [0, 1]), 2, 3]), 4))
    root = inner.id_of("ROOT", ROOT_LABEL)
    assert inner.base(inner.id_of("ROOT:", TEMPORARY)) == root == inner.base(root)


def test_there_is_always_a_plain_label() -> None:
    assert labels_of(binary_of(Node("S", [0, 1]), 2)).labels == ((PLAIN, "S"), (ROOT_LABEL, "S"))
    chain = Node("ROOT", [Node("S", [0, 1])])
    assert labels_of(binary_of(chain, 2)).labels == ((PLAIN, "S"), (ROOT_LABEL, "ROOT+S"))


def test_chains_are_what_the_treebank_has() -> None:
    awkward = Node("A+B", [Node("S:", [Node("@S", [0, 1, 2])]), 3])
    labels = labels_of(binary_of(awkward, 4))
    found = {labels.name(n): labels.chain(n) for n in range(len(labels))}
    assert found["S&#x26;#x3a;+@S"] == ("S:", "@S")
    assert found["A&#x2b;B"] == ("A+B",)
    assert found["@S:"] == ()
    swap = labels_of(binary_of(awkward, 4, "swap"), mark="@", joiner="")
    found = {swap.name(n): swap.chain(n) for n in range(len(swap))}
    assert found["&#x40;S"] == ("@S",)
    assert found["A+B"] == ("A+B",)
    assert found["@&#x40;S"] == ()
    assert swap.base(swap.id_of("@&#x40;S", TEMPORARY)) == swap.id_of("&#x40;S", PLAIN)


def test_trees_without_tokens_have_no_labels() -> None:
    empty = Tree([], Node("ROOT"))
    with pytest.raises(UsageError, match="no tree with tokens"):
        labels_of(empty)
    assert labels_of(empty, binary_of(Node("S", [0]), 1)).labels[-1] == (ROOT_LABEL, "S")


def test_unknown_labels() -> None:
    labels = labels_of(binary_of(Node("S", [0, 1]), 2))
    assert labels.find("X", PLAIN) is None
    with pytest.raises(UsageError, match="no label 'X'"):
        labels.id_of("X", PLAIN)


def test_json_and_back() -> None:
    labels = labels_of(binary_of(Node("S", [Node("NP", [0, 1, 2]), 3]), 4))
    text = json.dumps(labels.to_json())
    assert LabelSet.from_json(json.loads(text)) == labels


GOOD = {"names": ["S", "S:", "S"], "kinds": [0, 1, 2], "mark": ":", "joiner": "+"}


@pytest.mark.parametrize(
    "change",
    [
        {"kinds": [0, 1]},
        {"kinds": [0, 1, 1]},
        {"kinds": [0, 1, 3]},
        {"kinds": [2, 1, 2]},
        {"kinds": None},
        {"names": ["S", "S:", 7]},
        {"names": ["S", "NP:", "S"]},
        {"mark": "?"},
        {"mark": []},
        {"joiner": None},
    ],
)
def test_damaged_json_is_an_error_that_names_the_file(change: dict[str, object]) -> None:
    assert len(LabelSet.from_json(GOOD)) == 3
    with pytest.raises(InputError, match=r"labels\.json: found labels"):
        LabelSet.from_json(GOOD | change, path="labels.json")
    with pytest.raises(InputError, match="found labels"):
        LabelSet.from_json({})
