"""Parsers with span charts: training, parsing with and without torch, long sentences."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from trained_parsers import DEV, QUICK_SETTINGS, TEST, TRAIN

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch.config import merged  # noqa: E402
from crossbranch.errors import InputError, UsageError  # noqa: E402
from crossbranch.evaluation import evaluate  # noqa: E402
from crossbranch.grammar.sampling import sample  # noqa: E402
from crossbranch.models.tensors import read_tensors  # noqa: E402
from crossbranch.parsers import NeuralSpanParser, load, train  # noqa: E402
from crossbranch.parsers.neural_span.engine import CoreEngine, Search  # noqa: E402
from crossbranch.parsers.neural_span.spaces import LONGEST, Space  # noqa: E402
from crossbranch.parsers.neural_span.torch_engine import TorchEngine, chart_threads  # noqa: E402
from crossbranch.parsers.sentences import has_parse  # noqa: E402
from crossbranch.span import fan_out  # noqa: E402
from crossbranch.training import Epoch, Watcher  # noqa: E402
from crossbranch.tree import Sentence, Token, Tree, feature  # noqa: E402

TINY = merged(
    QUICK_SETTINGS["neural-span"],
    {
        "space": "cubic",
        "loss": "likelihood",
        "tags": "own",
        "functions": False,
        "lemmas": False,
        "encoder": {"words": 8, "spelling": 8, "hidden": 16, "layers": 1},
        "scorer": {"label": 12, "span": 6},
    },
)
FEW = [tree for tree in TRAIN if len(tree.sentence) < 14][:24]
STRANGE: list[Sentence] = [
    (Token("Ünbekannt", "?"),),
    (Token("\U0001f600", ""), Token("z" * 300, "NEW"), Token("ж", "?")),
]


def make(**values: Any) -> NeuralSpanParser:
    parser = train("span", **merged(TINY, {"train": FEW, "epochs": 3, **values}))
    assert isinstance(parser, NeuralSpanParser)
    return parser


@cache
def plain() -> NeuralSpanParser:
    return make(dev=DEV[:5])


@pytest.mark.parametrize(
    "values",
    [
        {"loss": "hinge", "encoder": {"characters": "lstm", "layers": 2}},
        {"loss": "likelihood", "space": "quintic", "ill_nested": True},
        {
            "loss": "labels",
            "negatives": 0.3,
            "tags": "gold",
            "encoder": {"tags": 6},
            "precision": "bfloat16",
        },
    ],
    ids=["hinge", "likelihood", "negatives"],
)
def test_core_and_torch_find_the_same_after_training(values: dict[str, Any]) -> None:
    parser = make(**values)
    losses = [epoch["metrics"]["loss"] for epoch in parser.about["epochs"]]
    assert losses[-1] < losses[0]
    sentences = [*STRANGE, *(tree.sentence for tree in TEST[:12])]
    spaces = [Space("sextic", True), Space("continuous"), *[Space("cubic")] * 12]
    for k_best, sure, safest in ((1, False, False), (3, True, False), (1, True, True)):
        search = Search(spaces, k_best, sure, safest)
        trees, labels = CoreEngine(parser).parse(sentences, search)
        wanted, tags = TorchEngine(parser, "cpu").parse(sentences, search)
        assert {name: list(one) for name, one in labels.items()} == tags
        for found, expected in zip(trees, wanted, strict=True):
            assert [one[1] for one in found] == [one[1] for one in expected]
            for one, other in zip(found, expected, strict=True):
                assert one[0] == pytest.approx(other[0], abs=1e-3)
                assert one[2] == pytest.approx(other[2], abs=1e-3)
                assert one[3] == pytest.approx(other[3], abs=1e-3)
                assert len(one[3]) == (sum(code < 0 for code in one[1]) if sure else 0)


@pytest.mark.no_cover
def test_it_learns_a_small_treebank() -> None:
    trees = list(sample(160, grammar="german", seed=5, max_length=14))
    parser = make(
        train=trees,
        epochs=14,
        batch=8,
        encoder={"words": 24, "spelling": 24, "hidden": 64},
        scorer={"label": 32, "span": 16},
        optimizer={"rate": 0.01},
    )
    score = evaluate(trees, parser.parse_many(trees))
    assert score.f1 > 0.9
    assert score.discontinuous_f1 > 0.5


def test_probabilities_of_trees_add_up() -> None:
    parser = plain()
    tree = next(tree for tree in TEST if 4 <= len(tree.sentence) <= 6)
    (found,) = parser.search([tree.sentence], parser.options({}), k_best=3000, probabilities=True)
    stated = [one.probability for one in found if one.probability is not None]
    assert len(stated) == len(found)
    total = sum(stated)
    assert 0.5 < total <= 1.0001
    best = found[0].probabilities
    assert best is not None
    for bracket, probability in best.items():
        others = [one for one in found if bracket in (one.probabilities or {})]
        share = sum(one.probability or 0.0 for one in others)
        assert share - 1e-4 < probability < share + 1 - total + 1e-4


def test_long_sentences_are_parsed_in_a_smaller_space() -> None:
    parser = plain()
    words = [token for tree in TEST for token in tree.sentence]
    for wanted, length, used in (
        ("sextic", LONGEST["sextic"], ""),
        ("sextic", LONGEST["sextic"] + 1, "quintic"),
        ("quartic", LONGEST["quartic"] + 1, "cubic"),
        ("cubic", LONGEST["cubic"] + 1, "continuous"),
        ("continuous", 2 * LONGEST["cubic"], ""),
    ):
        tree = parser.parse((words * 9)[:length], space=wanted)
        assert feature(tree.features, "search-space") == used
        assert has_parse(tree)
        if used == "continuous":
            assert not tree.is_discontinuous
    endless, short = parser.parse_many([(words * 9)[: LONGEST["continuous"] + 1], words[:3]])
    assert not has_parse(endless)
    assert has_parse(short)


def test_the_score_of_a_minimum_risk_tree_is_its_expected_f1() -> None:
    parser = plain()
    sentences = [tree.sentence for tree in TEST[:12]]
    best = parser.search(sentences, parser.options({}), probabilities=True)
    options = parser.options({"decode": "minimum-risk"})
    safest = parser.search(sentences, options, probabilities=True)
    plainly = parser.search(sentences, options)
    for (one,), (other,), (same,) in zip(best, safest, plainly, strict=True):
        assert same.root == other.root
        assert same.probabilities is None
        assert same.score == other.score
        assert 0 < same.score <= 1
        assert 0 < (other.probability or 0) <= 1
        assert other.probabilities
        assert set(other.probabilities) == {(n.label, n.span) for n in other.root.preorder()}
        assert one.score != other.score  # of the best tree; it is no expected F1
    with pytest.raises(UsageError, match="decode = minimum-risk finds one tree for each sentence"):
        list(parser.parse_k_best(sentences, 2, decode="minimum-risk"))
    safe = make(epochs=1, decode="minimum-risk")
    assert safe.options({}).decode == "minimum-risk"
    lists = safe.parse_k_best(sentences, 2, decode="best")
    assert list(safe.parse_k_best(sentences, 2)) == list(lists)


def test_a_gpu_leaves_all_cores_to_the_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 16)
    assert chart_threads("cpu") == 1
    assert chart_threads("cpu", 3) == 3
    assert chart_threads("cuda:0") == 16
    assert chart_threads("cuda", 2, processes=4) == 4


def test_only_some_spaces_are_ill_nested() -> None:
    message = "the space cubic has no ill-nested trees; expected ill_nested = false"
    with pytest.raises(UsageError, match=message):
        make(ill_nested=True)
    with pytest.raises(UsageError, match=message):
        plain().parse("Das geht.", ill_nested=True)
    assert Space("sextic", True).for_length(200) == Space("cubic", False)
    assert Space("sextic", True).for_length(61) == Space("quintic", True)


def test_long_sentences_are_learned_in_a_smaller_space() -> None:
    assert Space("quintic", True).for_learning(40, 40) == Space("quintic", True)
    assert Space("quintic", True).for_learning(41, 40) == Space("cubic")
    assert Space("continuous").for_learning(41, 40) == Space("continuous")
    assert Space("quintic").for_learning(401, 1000) == Space("continuous")


def test_constituents_of_three_blocks_come_back() -> None:
    trees = [
        Tree.from_string(text)
        for text in (
            "(S (VP (V 0=a) (V 2=c) (V 4=e)) (NP (N 1=b)) (N 3=d))",
            "(S (NP (N 0=b) (N 1=d)) (VP (V 2=a) (V 3=c)))",
            "(S (VP (V 0=a)) (NP (N 1=b)))",
            "(S (VP (V 0=a) (NP (N 1=b) (N 3=d)) (V 2=c)))",
        )
    ]
    assert max(fan_out(node.span) for node in trees[0].nodes) == 3
    parser = make(train=trees * 4, epochs=60, loss="labels", encoder={"unknown": 0.0})
    assert {"VP*1", "VP*2"} <= set(parser.labels_by_number.names.discontinuous) | set(
        parser.labels_by_number.names.inside
    )
    found = list(parser.parse_many(trees, confidence=True))
    assert [tree.brackets for tree in found] == [tree.brackets for tree in trees]
    (vp,) = [node for node in found[0].nodes if node.label == "VP"]
    assert 0.2 < float(feature(vp.features, "confidence")) <= 1
    for scored in parser.parse_k_best(trees, 4):
        assert len({one.tree for one in scored}) == len(scored)
        assert not any("*" in node.label for one in scored for node in one.tree.nodes)


def test_trees_without_gaps_need_no_gap_scores() -> None:
    flat = [Tree.from_string("(S (X 0=a) (X 1=b) (X 2=c))"), Tree.from_string("(S (X 0=a))")]
    parser = make(train=flat, epochs=2)
    assert not any(name.startswith("scorer.gap") for name in read_tensors(parser.weights, path=""))
    for space in ("cubic", "sextic"):
        found = parser.parse_many(flat, space=space)
        assert [tree.brackets for tree in found] == [tree.brackets for tree in flat]


def test_labels_of_tasks_need_no_trees() -> None:
    words = [[token.form for token in tree.sentence] for tree in TEST[:4]]
    labelled = list(plain().label(words, task="tag"))
    trees = plain().parse_many(words, tags="predict")
    assert [one.labels for one in labelled] == [tuple(tree.tags) for tree in trees]


@pytest.mark.parametrize(
    "labels",
    [
        b"[]",
        b'{"inside": ["A"], "roots": [], "discontinuous": []}',
        b'{"inside": ["A", "A"], "roots": ["S"], "discontinuous": []}',
        b'{"inside": ["A"], "roots": ["S"], "discontinuous": [3]}',
        b'{"inside": ["A"], "roots": ["S"], "discontinuous": []}',
    ],
)
def test_labels_that_do_not_fit_are_refused(labels: bytes, tmp_path: Path) -> None:
    class Changed(NeuralSpanParser):
        def files(self) -> dict[str, bytes]:
            return super().files() | {"labels.json": labels}

    parser = plain()
    changed = Changed(parser.settings, labels=parser.labels_by_number, learned=parser.learned)
    changed.save(tmp_path / "model")
    with pytest.raises(InputError):
        load(tmp_path / "model")


class KilledError(Exception):
    """Training was stopped."""


class Killer(Watcher):
    """Stops training at the end of the second epoch."""

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        if epoch.number == 2:
            raise KilledError


@pytest.mark.parametrize("loss", ["labels", "likelihood"])
def test_interrupted_training_gives_the_same_model(loss: str, tmp_path: Path) -> None:
    values: dict[str, Any] = {
        "train": FEW[:8], "loss": loss, "negatives": 0.5, "scorer": {"dropout": 0.3}
    }  # fmt: skip
    whole = make(**values)
    with pytest.raises(KilledError):
        make(**values, out=tmp_path / "model", watcher=Killer())
    resumed = make(**values, out=tmp_path / "model")
    assert resumed.weights == whole.weights
    assert whole.weights != make(**values, seed=2).weights
