"""FunctionLabeller: what it learns, its laws, how it is saved and loaded, what it refuses."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters
from crossbranch.functions import FunctionLabeller, accuracy
from crossbranch.functions.labeller import SETTINGS, WEIGHTS, Bare
from crossbranch.grammar.sampling import sample
from crossbranch.transforms.functions import Functions
from crossbranch.transforms.heads import Heads
from crossbranch.tree import Node, Token, Tree

TRAIN = [tree for tree in sample(150, seed=1, max_length=25) if tree.sentence]
DEV = [tree for tree in sample(60, seed=2, max_length=25) if tree.sentence]
NO_TOKENS = [
    tree.replace(sentence=[token._replace(edge_label="") for token in tree.sentence])
    for tree in TRAIN
]
TABLE = Clusters({"the": "01", "dog": "110", "sleeps": "111"}, name="toy")


class Folder:
    """What a model's folder gives."""

    def __init__(self, path: Path, files: dict[str, bytes]) -> None:
        self.path = path
        for name, data in files.items():
            (path / name).write_bytes(data)

    def data(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def where(self, name: str) -> str:
        return str(self.path / name)


@pytest.fixture(scope="module")
def labeller() -> FunctionLabeller:
    return FunctionLabeller.learn(TRAIN, head_table="negra", epochs=4)


def functions_of(tree: Tree) -> set[str]:
    """The functions of all nodes and tokens, without the empty one."""
    found = {node.edge_label for node in tree.nodes}
    return (found | {token.edge_label for token in tree.sentence}) - {""}


def bare(tree: Tree) -> Tree:
    """The tree without functions and heads."""
    return Functions().apply(Heads("negra").undo(Heads("negra").apply(tree)))


def test_functions_are_learned(labeller: FunctionLabeller) -> None:
    assert accuracy(labeller, DEV) > 0.95
    assert labeller.settings.of_tokens
    assert set(labeller.functions) == set().union(*map(functions_of, TRAIN))


def test_only_functions_and_heads_change(labeller: FunctionLabeller) -> None:
    for tree in DEV:
        made = labeller.apply(tree)
        assert [node.label for node in made.nodes] == [node.label for node in tree.nodes]
        assert made.brackets == tree.brackets
        assert made.parents == tree.parents
        stripped = [token._replace(edge_label="") for token in made.sentence]
        assert stripped == [token._replace(edge_label="") for token in tree.sentence]


def test_every_function_is_one_of_the_training_trees(labeller: FunctionLabeller) -> None:
    others = [tree.replace(sentence=[Token("?", "??") for _ in tree.sentence]) for tree in DEV]
    for tree in (*DEV, *others):
        assert functions_of(labeller.apply(tree)) <= set(labeller.functions)


def test_roots_have_no_function(labeller: FunctionLabeller) -> None:
    assert {labeller.apply(tree).root.edge_label for tree in DEV} == {""}


def test_functions_and_heads_of_the_input_are_ignored(labeller: FunctionLabeller) -> None:
    for tree in DEV[:20]:
        assert labeller.apply(tree) == labeller.apply(bare(tree))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_for_any_number_of_threads(labeller: FunctionLabeller, threads: int) -> None:
    trees = [Bare(tree.sentence, tree.root) for tree in DEV]
    assert list(labeller.label(trees, threads=threads)) == list(labeller.label(trees))


def test_new_nodes_are_completed(labeller: FunctionLabeller) -> None:
    for tree in DEV[:20]:
        (right,) = labeller.label([Bare(tree.sentence, tree.root)])
        root = pickle.loads(pickle.dumps(bare(tree).root))
        (found,) = labeller.label([Bare(tree.sentence, root)], are_new=True)
        assert found == right
        assert found.root is root


def test_the_same_seed_gives_the_same_labeller() -> None:
    first, second, other = (
        FunctionLabeller.learn(TRAIN[:40], head_table="ptb", epochs=2, seed=seed, threads=threads)
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    )
    assert first.files() == second.files() != other.files()


def test_heads_are_those_of_the_table(labeller: FunctionLabeller) -> None:
    for tree in map(labeller.apply, DEV):
        marked = Heads("negra").apply(tree)
        assert [node.head for node in tree.nodes] == [node.head for node in marked.nodes]


@pytest.mark.parametrize("trees", [TRAIN, NO_TOKENS, [bare(tree) for tree in TRAIN]])
def test_heads_are_those_of_a_file_of_disco_dop(trees: list[Tree], tmp_path: Path) -> None:
    """The core has only nearly the same rules: there, CC is before NN in spite of the comma."""
    path = tmp_path / "mine.headrules"
    lines = ["np right nn ne np", "s leftdis vvfin np", "vp right $, vvpp", "root left $. $,"]
    path.write_text("\n".join(lines))
    coordinated = Tree(
        [Token("a", "NN"), Token("b", "CC"), Token(",", "$,"), Token("c", "NN")],
        Node("NP", [0, 1, 2, 3]),
    )
    labeller = FunctionLabeller.learn(trees, others=[coordinated], head_table=str(path), epochs=1)
    heads = Heads(str(path))
    for tree in (*DEV, coordinated):
        made = labeller.apply(tree)
        assert [node.head for node in heads.apply(made).nodes] == [n.head for n in made.nodes]
    given = coordinated.tags
    untagged = [token._replace(tag="") for token in coordinated.sentence]
    (found,) = labeller.label([Bare(tuple(untagged), coordinated.root, given)])
    assert found.root.head == 3


def test_trees_without_functions_get_heads_only() -> None:
    plain = list(map(Functions().apply, TRAIN))
    found = FunctionLabeller.learn(plain, head_table="ptb")
    assert found.functions == ()
    assert list(found.files()) == [SETTINGS]
    made = found.apply(DEV[0])
    assert not functions_of(made)
    assert [node.head for node in made.nodes] == [
        node.head for node in Heads("ptb").apply(Functions().apply(DEV[0])).nodes
    ]


def test_tokens_without_functions_in_training_get_none() -> None:
    found = FunctionLabeller.learn(NO_TOKENS, head_table="negra", epochs=2)
    assert not found.settings.of_tokens
    for tree in map(found.apply, DEV):
        assert not any(token.edge_label for token in tree.sentence)
    assert any(functions_of(found.apply(tree)) for tree in DEV)
    (labelled,) = found.label([Bare(DEV[0].sentence, DEV[0].root)])
    assert labelled.functions is None


def test_other_trees_teach_labels_but_no_functions() -> None:
    other = Tree([Token("x", "XY")], Node("ROOT", [Node("ZZ", [0], edge_label="FOREIGN")]))
    found = FunctionLabeller.learn(TRAIN[:40], others=[other], head_table="negra", epochs=1)
    assert "ZZ" in found.settings.labels
    assert "XY" in found.settings.tags
    assert "FOREIGN" not in found.functions


def test_an_empty_sentence_stays_as_it_is(labeller: FunctionLabeller) -> None:
    empty = Tree([], Node("ROOT"))
    assert labeller.apply(empty) is empty
    assert list(labeller.label([])) == []


def test_deep_trees(labeller: FunctionLabeller) -> None:
    node = Node("NP", [0])
    for _ in range(3000):
        node = Node("S", [node])
    made = labeller.apply(Tree([Token("dog", "NN")], node))
    assert len(made.nodes) == 3001


def test_tags_that_a_parser_found_are_used(labeller: FunctionLabeller) -> None:
    tree = DEV[0]
    untagged = tuple(token._replace(tag="") for token in tree.sentence)
    (seen,) = labeller.label([Bare(untagged, tree.root, tree.tags)])
    (right,) = labeller.label([Bare(tree.sentence, tree.root)])
    assert seen == right


@pytest.mark.parametrize("clusters", [None, TABLE])
def test_a_folder_holds_the_labeller(tmp_path: Path, clusters: Clusters | None) -> None:
    made = FunctionLabeller.learn(TRAIN[:60], head_table="alpino", epochs=2, clusters=clusters)
    folder = Folder(tmp_path, made.files())
    read = FunctionLabeller.from_folder(folder, clusters=clusters)
    assert read.files() == made.files()
    assert [read.apply(tree) for tree in DEV] == [made.apply(tree) for tree in DEV]
    if clusters is not None:
        with pytest.raises(InputError, match="expected a table of clusters"):
            FunctionLabeller.from_folder(folder)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (SETTINGS, lambda data: data[:40], "the settings of a labeller"),
        (SETTINGS, lambda data: data.replace(b'"tag-1"', b'"tag-9"'), "tag-9"),
        (SETTINGS, lambda data: data.replace(b'"word"', b'"nothing"'), "unknown column nothing"),
        (SETTINGS, lambda data: data.replace(b'"beam": 2', b'"beam": 0'), "beam is 0"),
        (SETTINGS, lambda data: data.replace(b"first   /HD", b"middle  /HD"), "'middle'"),
        (SETTINGS, lambda data: data.replace(b'"",', b'"---",', 1), "lack the empty one"),
        (SETTINGS, lambda data: data.replace(b'"",', b'"", "",', 1), "is listed twice"),
        (WEIGHTS, lambda data: data[:40], "the weights of a labeller"),
    ],
)
def test_damaged_files_are_refused(
    labeller: FunctionLabeller,
    tmp_path: Path,
    name: str,
    change: Callable[[bytes], bytes],
    message: str,
) -> None:
    files = labeller.files()
    damaged = change(files[name])
    assert damaged != files[name]
    folder = Folder(tmp_path, {**files, name: damaged})
    with pytest.raises(InputError, match=message) as error:
        FunctionLabeller.from_folder(folder)
    assert error.value.path == str(tmp_path / name)


@pytest.mark.parametrize("option", ["epochs", "threads"])
def test_options_out_of_range_are_refused(option: str) -> None:
    with pytest.raises(UsageError, match=f"{option} is 0"):
        FunctionLabeller.learn(TRAIN[:1], head_table="negra", **{option: 0})  # type: ignore[arg-type]


def test_an_unknown_head_table_is_refused() -> None:
    with pytest.raises(UsageError, match="the head tables without a path are alpino"):
        FunctionLabeller.learn(TRAIN[:1], head_table="nowhere")


def test_labelling_refuses_no_threads(labeller: FunctionLabeller) -> None:
    with pytest.raises(UsageError, match="threads is 0"):
        labeller.label([], threads=0)
