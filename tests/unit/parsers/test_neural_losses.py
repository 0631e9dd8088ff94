"""The loss of choices and labels, compared with its definition; weights as files."""

from __future__ import annotations

from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch import _core  # noqa: E402
from crossbranch.errors import DamageError  # noqa: E402
from crossbranch.parsers.neural_shared.losses import task_loss  # noqa: E402
from crossbranch.parsers.neural_shared.weights import pack, unpack  # noqa: E402
from crossbranch.parsers.neural_transition.losses import ChoiceLoss, LabelMasks  # noqa: E402
from crossbranch.transitions import TransitionSystem, make_ready  # noqa: E402
from crossbranch.tree import Tree  # noqa: E402

TREES = [
    "(S (B 0=a 4=e) (A 1=b 2=c 3=d))",
    "(T (A 0=f 2=h) (S (B 1=g) (A 3=i)))",
    "(S (S 0=a 1=b) 2=c)",
]
"""S is the label of a root, and one inside; T is only the label of a root."""


class FixedScores:
    """Gives scores that were drawn before."""

    def __init__(self, at: Any, writer: Any) -> None:
        torch.manual_seed(5)
        moves = len(writer.moves)
        rows = at.structure_count if moves else len(at.transitions)
        self.structure_scores = torch.randn(rows, moves or 1, requires_grad=True)
        self.label_scores = torch.randn(at.label_count, writer.output_count, requires_grad=True)

    def structure(self, at: Any) -> Any:
        return self.structure_scores

    def labels(self, at: Any) -> Any:
        return self.label_scores


class Case:
    """Choices of some trees, with scores."""

    def __init__(self, name: str, smoothing: float = 0.0) -> None:
        trees = [make_ready(Tree.from_string(text), name) for text in TREES]
        self.system = TransitionSystem.open(trees, name=name)
        self.writer = _core.ChoiceWriter(self.system.core, gaps=1)
        oracles = [self.system.gold(tree).oracle() for tree in trees]
        self.at: Any = self.writer.derive(oracles, [[] for _ in trees])
        self.scores: Any = FixedScores(self.at, self.writer)
        masks = LabelMasks.of(self.system.labels, "cpu")
        self.loss = ChoiceLoss(masks, len(self.writer.moves), smoothing)

    def possible(self, choice: int) -> list[int]:
        """Return the outputs of a choice of labels that are possible."""
        is_root = bool(self.at.label_is_root[choice])
        kinds = [2 if is_root else 0]
        named = [i for i, kind in enumerate(self.system.labels.kinds, 1) if kind in kinds]
        return named if is_root else [0, *named]


@pytest.mark.parametrize("name", ["stack-free", "ml-cgap"])
def test_candidates_compete_with_those_of_their_choice(name: str) -> None:
    case = Case(name)
    at, scores = case.at, case.scores.structure_scores
    expected = torch.zeros(())
    owners = list(at.owners)
    for choice, target in enumerate(at.targets):
        mine = [row for row, owner in enumerate(owners) if owner == choice]
        expected -= torch.log_softmax(scores[mine, 0], 0)[mine.index(target)]
    assert case.loss.structure(case.scores, at, "cpu").item() == pytest.approx(expected.item())


@pytest.mark.parametrize("name", ["ml-gap", "ml-gap-lex"])
def test_moves_compete_if_they_are_legal(name: str) -> None:
    case = Case(name)
    at, scores = case.at, case.scores.structure_scores
    count = len(case.writer.moves)
    expected = torch.zeros(())
    for choice, target in enumerate(at.targets):
        legal = [i for i in range(count) if at.legal[choice * count + i]]
        expected -= torch.log_softmax(scores[choice, legal], 0)[legal.index(target)]
    found: Any = case.loss.structure(case.scores, at, "cpu")
    assert found.item() == pytest.approx(expected.item())
    found.backward()
    illegal = torch.tensor(list(at.legal)).view(-1, count) == 0
    assert illegal.any()
    assert not scores.grad[illegal].any()


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("name", ["stack-free", "ml-gap"])
def test_labels_compete_if_they_are_possible(name: str, smoothing: float) -> None:
    case = Case(name, smoothing)
    at, scores = case.at, case.scores.label_scores
    assert 1 in list(at.label_is_root)  # there are two labels of roots
    expected = torch.zeros(())
    for choice, target in enumerate(at.label_targets):
        possible = case.possible(choice)
        found = torch.log_softmax(scores[choice, possible], 0)
        expected -= (1 - smoothing) * found[possible.index(target)]
        expected -= smoothing * found.mean()
    loss: Any = case.loss.labels(case.scores, at, "cpu")
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)
    loss.backward()
    for choice in range(at.label_count):
        impossible = set(range(case.writer.output_count)) - set(case.possible(choice))
        assert impossible
        assert not scores.grad[choice, sorted(impossible)].any()
    assert torch.isfinite(scores.grad).all()


def test_masks() -> None:
    labels = Case("stack-free").system.labels
    inside, whole = LabelMasks.of(labels, "cpu").blocked.tolist()
    assert inside[0] == 0
    assert whole[0] == -torch.inf  # the whole sentence always has a label
    for number, kind in enumerate(labels.kinds, 1):
        assert (inside[number] == 0) == (kind == 0)
        assert (whole[number] == 0) == (kind == 2)


def test_tokens_without_a_label_do_not_count() -> None:
    scores = torch.tensor([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], requires_grad=True)
    loss: Any
    loss, right = task_loss(scores, torch.tensor([0, 0, -1]))
    assert right.item() == 1
    expected = -torch.log_softmax(scores[:2], 1)[:, 0].sum()
    assert loss.item() == pytest.approx(expected.item())
    loss.backward()
    assert not scores.grad[2].any()
    loss, right = task_loss(scores, torch.tensor([-1, -1, -1]))
    assert (loss.item(), right.item()) == (0.0, 0)


def test_weights_and_back() -> None:
    torch.manual_seed(1)
    weights = {
        "plain": torch.randn(3, 4),
        "turned": torch.randn(3, 4).T,
        "one": torch.tensor(2.5),
        "double": torch.tensor([0.1], dtype=torch.float64),
        "none": torch.empty(0, 3),
    }
    found = unpack(pack(weights))
    assert list(found) == list(weights)
    for name, one in found.items():
        assert one.dtype == torch.float32
        assert torch.equal(one, weights[name].float())
    found["plain"].zero_()  # it has memory of its own
    assert not torch.equal(found["plain"], weights["plain"])


def test_damaged_weights_are_named() -> None:
    content = pack({"plain": torch.randn(3, 4)})
    with pytest.raises(DamageError, match=r"^mine\.safetensors: "):
        unpack(content[:-4], path="mine.safetensors")
