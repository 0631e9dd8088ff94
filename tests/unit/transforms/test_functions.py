import pytest

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.functions import AddFunctions, Functions, SplitFunctions
from crossbranch.tree import Node, SecondaryEdge, Token, Tree, feature

SENTENCE = [Token("Das", "PDS", edge_label="OA"), Token("will", "VMFIN", edge_label="HD")]


def clause(*, noun: str = "NP", function: str = "OA") -> Tree:
    np = Node(noun, [0], edge_label=function)
    return Tree(
        SENTENCE,
        Node("ROOT", [Node("S", [np, 1], head=1)]),
        secondary_edges=[SecondaryEdge("SB", 0, 3)],
    )


def functions(tree: Tree) -> list[str]:
    vertices: list[Token | Node] = [*tree.sentence, *tree.nodes]
    return [v.edge_label for v in vertices]


@pytest.mark.parametrize(
    ("step", "left"),
    [
        ("functions", ["", "", "", "", ""]),
        ("functions(strip)", ["", "", "", "", ""]),
        ("functions(strip, HD)", ["OA", "", "", "", "OA"]),
        ("functions(keep, HD)", ["", "HD", "", "", ""]),
        ('functions(keep, "HD, OA")', ["OA", "HD", "", "", "OA"]),
    ],
)
def test_strip_and_keep(step: str, left: list[str]) -> None:
    tree = clause()
    stripped = pipeline(step).apply(tree)
    assert functions(stripped) == left
    assert stripped.secondary_edges == tree.secondary_edges
    assert stripped.nodes[1].head == 1
    assert functions(tree) == ["OA", "HD", "", "", "OA"]


def test_strip_has_no_inverse() -> None:
    with pytest.raises(TransformError, match="functions has no inverse"):
        Functions().undo(clause())


@pytest.mark.parametrize(("action", "which"), [("add", ""), ("keep", "")])
def test_bad_actions(action: str, which: str) -> None:
    with pytest.raises(UsageError, match="functions: "):
        Functions(action, which)


def test_add_puts_functions_into_labels() -> None:
    added = AddFunctions().apply(clause())
    assert str(added.root) == "(ROOT (S (NP-OA 0) 1))"
    assert [t.tag for t in added.sentence] == ["PDS", "VMFIN"]
    assert [t.edge_label for t in added.sentence] == ["OA", "HD"]
    assert AddFunctions().undo(added) == clause()


def test_add_can_put_functions_into_tags() -> None:
    added = AddFunctions("/", tokens=True).apply(clause())
    assert [t.tag for t in added.sentence] == ["PDS/OA", "VMFIN/HD"]
    assert added.nodes[2].label == "NP/OA"


@pytest.mark.parametrize("label", ["NP-SBJ", "-", "", "-LRB-", "&#x2d;", "A-&#x2d;"])
@pytest.mark.parametrize("function", ["", "OA", "OA-MO", "-"])
def test_add_keeps_separators_apart(label: str, function: str) -> None:
    tree = clause(noun=label, function=function)
    added = AddFunctions().apply(tree)
    assert added.nodes[2].label.count("-") == (function != "")
    assert AddFunctions().undo(added) == tree


def test_a_parsers_labels_come_apart_at_the_first_separator() -> None:
    parsed = Tree([Token("a")], Node("ROOT", [Node("NP-SBJ-1", [0])]))
    assert str(AddFunctions().undo(parsed).root) == "(ROOT (NP/SBJ-1 0))"


@pytest.mark.parametrize("separator", ["", "--", "&", ";", "a", "7"])
def test_bad_separators(separator: str) -> None:
    with pytest.raises(UsageError, match="add-functions: separator is"):
        AddFunctions(separator)


@pytest.mark.parametrize(
    ("label", "category", "function"),
    [
        ("NP-SBJ", "NP", "SBJ"),
        ("NP-SBJ-1", "NP", "SBJ"),
        ("NP-LOC-PRD", "NP", "LOC-PRD"),
        ("NP-1-SBJ", "NP", "SBJ"),
        ("NP=2", "NP", ""),
        ("S-TPC=2", "S", "TPC"),
        ("WHNP-1", "WHNP", ""),
        ("-LRB-", "-LRB-", ""),
        ("-NONE-", "-NONE-", ""),
        ("NP", "NP", ""),
        ("NP-", "NP-", ""),
        ("ADVP|PRT", "ADVP|PRT", ""),
        ("", "", ""),
    ],
)
def test_split_takes_functions_out_of_labels(label: str, category: str, function: str) -> None:
    tree = clause(noun=label, function="")
    parted = SplitFunctions().apply(tree)
    assert (parted.nodes[2].label, parted.nodes[2].edge_label) == (category, function)
    assert SplitFunctions().undo(parted) == tree


def test_split_remembers_only_what_labels_do_not_tell() -> None:
    memory = "split-functions.before"
    plain = SplitFunctions().apply(clause(noun="NP-SBJ", function=""))
    assert plain.nodes[2].features == ()
    indexed = SplitFunctions().apply(clause(noun="NP-SBJ-1", function=""))
    assert feature(indexed.nodes[2].features, memory) == '[["NP-SBJ-1",""]]'


def test_a_label_without_function_keeps_its_edge_label() -> None:
    parted = SplitFunctions().apply(clause())
    assert parted.nodes[2].edge_label == "OA"
    assert SplitFunctions().undo(parted) == clause()


def test_split_is_undone_by_labels_alone() -> None:
    parsed = Tree([Token("a")], Node("ROOT", [Node("NP", [0], edge_label="SBJ")]))
    assert str(SplitFunctions().undo(parsed).root) == "(ROOT (NP-SBJ 0))"
