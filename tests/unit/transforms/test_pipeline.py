import pytest

from crossbranch.errors import UsageError
from crossbranch.transforms import TRANSFORMS, Pipeline, Transform, pipeline
from crossbranch.transforms.binarize import Binarize
from crossbranch.transforms.functions import AddFunctions, Functions
from crossbranch.transforms.labels import Labels
from crossbranch.transforms.punctuation import Attach, Punctuation
from crossbranch.transforms.unaries import Unaries
from crossbranch.tree import Node, Token, Tree


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", []),
        ("  ", []),
        ("attach", [Attach()]),
        ("attach()", [Attach()]),
        ("attach | punctuation(move)", [Attach(), Punctuation("move")]),
        ("attach(nodes=no)|attach( nodes = YES )", [Attach(False), Attach(True)]),
        ("unaries(@, true)", [Unaries("@", True)]),
        ("unaries(terminals=true)", [Unaries("+", True)]),
        ('add-functions("|")', [AddFunctions("|")]),
        ('functions(keep, "SB,OA") | unaries', [Functions("keep", "SB,OA"), Unaries()]),
        ('labels("A=B|C") | attach', [Labels("A=B|C"), Attach()]),
        ("binarize(left, horizontal=-1)", [Binarize("left", horizontal=-1)]),
    ],
)
def test_descriptions(text: str, steps: list[Transform]) -> None:
    assert pipeline(text) == Pipeline(tuple(steps))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strip", "unknown transform 'strip'; expected one of add-functions, attach, "),
        ("| attach", "pipeline step ''"),
        ("attach functions", "pipeline step 'attach functions'"),
        ("attach(nodes", "pipeline step 'attach\\(nodes'"),
        ('labels("A=B)', "a quotation mark is not closed"),
        ("attach(nodes=perhaps)", "attach: nodes is 'perhaps', expected true or false"),
        ("binarize(vertical=two)", "binarize: vertical is 'two', expected a whole number"),
        ("unaries(+, true, true, x)", "unexpected option; its options: joiner, terminals, root"),
        ("unaries(glue=+)", "unexpected option; its options: joiner, terminals"),
        ("unaries(+, joiner=@)", "unexpected option"),
        ("punctuation", "punctuation needs the option action"),
        ("heads()", "heads needs the option table"),
    ],
)
def test_bad_descriptions(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        pipeline(text)


def test_steps_are_undone_in_reverse() -> None:
    tree = Tree(
        [Token("a", "A", edge_label="HD")],
        Node("ROOT", [Node("S", [Node("NP", [0], edge_label="SB")])]),
    )
    steps = pipeline("add-functions | unaries")
    applied = steps.apply(tree)
    assert str(applied.root) == "(ROOT (S+NP-SB 0))"
    assert steps.undo(applied) == tree


def test_a_pipeline_names_the_steps_that_cannot_be_undone() -> None:
    assert pipeline("unaries | attach | functions").without_inverse() == ["attach", "functions"]


def test_transforms_are_listed_by_their_names_in_order() -> None:
    assert list(TRANSFORMS) == sorted(TRANSFORMS)
    assert all(kind.name == name and kind.__doc__ for name, kind in TRANSFORMS.items())
