"""The law of transforms: undo(apply(tree)) == tree, exactly, for each that has an inverse."""

import pickle

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.errors import TransformError
from crossbranch.transforms import TRANSFORMS, pipeline
from crossbranch.tree import Node, Token, Tree

SETTINGS = [
    "add-functions",
    'add-functions("|", tokens=true)',
    "binarize(left)",
    "binarize(right, mark=@, horizontal=2, vertical=2)",
    "binarize(optimal)",
    "boyd",
    "boyd(rest)",
    "heads(alpino)",
    "heads(french)",
    "heads(negra)",
    "heads(ptb)",
    "reorder",
    "reorder(head)",
    "split",
    "split(blocks=2)",
    "split-functions",
    "tags(comment)",
    "tags(lemma)",
    "preposition-to",
    "tags(morphology)",
    "unaries",
    "unaries(@)",
    "unaries(terminals=true)",
    "unaries(joiner=-, terminals=true)",
    "unaries(root=true)",
    "unaries(@, terminals=true, root=true)",
    # in a row, as parsers use them
    "heads(negra) | binarize",
    "heads(negra) | binarize | unaries(root=true)",
    "heads(negra) | unaries(terminals=true) | binarize | split",
    "split-functions | add-functions(:) | unaries | heads(ptb)",
    "unaries | unaries(@, terminals=true) | unaries",
    "unaries(root=true) | unaries(root=true) | unaries",
]
"""Pipelines of transforms that have an inverse; a new one adds a line for each way to use it."""


PIPELINES = [(text, pipeline(text)) for text in SETTINGS]

# Drawing a tree takes longer than transforming it, so that each is put through all pipelines.


@given(trees(rich=True))
def test_undo_restores_the_tree(tree: Tree) -> None:
    for text, transform in PIPELINES:
        assert transform.undo(transform.apply(tree)) == tree, text


@given(trees(rich=True))
def test_twice_applied_is_twice_undone(tree: Tree) -> None:
    for text, transform in PIPELINES:
        twice = transform.apply(transform.apply(tree))
        assert transform.undo(transform.undo(twice)) == tree, text


@given(trees(rich=False, labels=["S", "NP+X", "NP-SBJ", "@S", "S:", "X*1", "&#x2b;", "-", ""]))
def test_undo_takes_trees_that_never_saw_apply(tree: Tree) -> None:
    for text, transform in PIPELINES:
        forms = sorted(token.form for token in transform.undo(tree).sentence)
        assert forms == sorted(token.form for token in tree.sentence), text


@pytest.mark.parametrize("settings", SETTINGS)
def test_deep_trees_are_transformed_without_recursion(settings: str) -> None:
    node = Node("S", [0, 1], head=0)
    for token in range(2, 400):
        node = Node("S", [Node("VP", [node]), token], head=0)
    for _ in range(3000):
        node = Node("NP", [node])
    tree = Tree([Token("w", "X")] * 400, Node("ROOT", [node]))
    transform = pipeline(settings)
    assert transform.undo(transform.apply(tree)) == tree


@pytest.mark.parametrize("settings", SETTINGS)
def test_transforms_travel_to_other_processes(settings: str) -> None:
    assert pickle.loads(pickle.dumps(pipeline(settings))) == pipeline(settings)


def test_every_transform_is_tested_or_says_that_it_has_no_inverse() -> None:
    named = {step.name for _, transform in PIPELINES for step in transform.steps}
    with_inverse = {name for name, kind in TRANSFORMS.items() if kind.has_inverse}
    assert with_inverse <= named
    assert not [text for text, transform in PIPELINES if transform.without_inverse()]


WITHOUT_INVERSE = [
    "attach",
    "functions(strip)",
    'labels("S=X")',
    "punctuation(root)",
    "raise",
    "traces",
]


@pytest.mark.parametrize("settings", WITHOUT_INVERSE)
def test_those_without_an_inverse_say_so(settings: str) -> None:
    transform = pipeline(settings)
    assert transform.without_inverse() == [transform.steps[0].name]
    with pytest.raises(TransformError, match=f"{transform.steps[0].name} has no inverse"):
        transform.undo(Tree([], Node("ROOT")))


def test_all_without_an_inverse_are_listed() -> None:
    named = {pipeline(settings).steps[0].name for settings in WITHOUT_INVERSE}
    assert named == {name for name, kind in TRANSFORMS.items() if not kind.has_inverse}
