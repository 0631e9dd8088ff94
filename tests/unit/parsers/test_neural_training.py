"""Training of neural transition parsers, and parsing with and without torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from trained_parsers import DEV, QUICK_SETTINGS, TEST, TRAIN

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch.config import merged  # noqa: E402
from crossbranch.errors import UsageError  # noqa: E402
from crossbranch.grammar.sampling import sample  # noqa: E402
from crossbranch.parsers import NeuralTransitionParser, load, train  # noqa: E402
from crossbranch.parsers.neural_shared.weights import unpack  # noqa: E402
from crossbranch.parsers.neural_transition.engine import CoreEngine  # noqa: E402
from crossbranch.parsers.neural_transition.torch_engine import TorchEngine  # noqa: E402
from crossbranch.training import Watcher  # noqa: E402
from crossbranch.tree import Sentence, Token, Tree  # noqa: E402

TINY = merged(
    QUICK_SETTINGS["neural-transition"],
    {
        "tags": "own",
        "functions": False,
        "lemmas": False,
        "encoder": {"words": 8, "spelling": 8, "hidden": 16},
        "scorer": {"hidden": 12},
    },
)
FEW = [tree for tree in TRAIN if len(tree.sentence) < 14][:24]
STRANGE: list[Sentence] = [
    (Token("Ünbekannt", "?"),),
    (Token("\U0001f600", ""), Token("z" * 300, "NEW"), Token("ж", "?")),
]


def make(preset: str = "stack-free", **values: Any) -> NeuralTransitionParser:
    parser = train(preset, **merged(TINY, {"train": FEW, "epochs": 2, **values}))
    assert isinstance(parser, NeuralTransitionParser)
    return parser


@cache
def plain() -> NeuralTransitionParser:
    return make(dev=DEV[:5], epochs=3)


def metrics(parser: NeuralTransitionParser, name: str) -> list[float]:
    return [epoch["metrics"][name] for epoch in parser.about["epochs"]]


@pytest.mark.parametrize(
    "values",
    [
        {"system": "stack-free", "encoder": {"characters": "conv"}, "scorer": {"gaps": 2}},
        {"system": "ml-gap", "encoder": {"residual": "gated", "project": True}},
        {"system": "ml-gap-lex", "tags": "gold", "encoder": {"tags": 6}},
        {"system": "ml-cgap", "encoder": {"layers": 3, "characters": "none"}, "tag_level": 2},
    ],
    ids=lambda values: values["system"],
)
def test_core_and_torch_find_the_same_after_training(values: dict[str, Any]) -> None:
    parser = make(**values)
    losses = metrics(parser, "loss")
    assert losses[1] < losses[0]
    sentences = [*STRANGE, *(tree.sentence for tree in TEST[:12])]
    for beam, k_best in ((1, 1), (4, 2)):
        trees, labels = CoreEngine(parser).parse(sentences, beam=beam, k_best=k_best)
        wanted, tags = TorchEngine(parser, "cpu").parse(sentences, beam=beam, k_best=k_best)
        assert {name: list(one) for name, one in labels.items()} == tags
        for found, expected in zip(trees, wanted, strict=True):
            assert [codes for _, codes in found] == [codes for _, codes in expected]
            scores = [score for score, _ in expected]
            assert [score for score, _ in found] == pytest.approx(scores, abs=1e-3)


def test_stored_weights_are_those_that_parse(tmp_path: Path) -> None:
    some: dict[str, Any] = {"train": FEW[:8], "epochs": 1, "encoder": {"hidden": 32}}
    sizes = []
    for storage in ("float32", "float16", "int8"):
        parser = make(**some, storage=storage)
        parser.save(tmp_path / storage)
        again = load(tmp_path / storage)
        assert isinstance(again, NeuralTransitionParser)
        assert again.weights == parser.weights
        sentences = [tree.sentence for tree in TEST[:6]]
        found = CoreEngine(again).parse(sentences, beam=2, k_best=1)[0]
        wanted = TorchEngine(parser, "cpu").parse(sentences, beam=2, k_best=1)[0]
        assert [trees[0][1] for trees in found] == [trees[0][1] for trees in wanted]
        sizes.append(len(parser.weights))
    assert sizes[0] > 1.7 * sizes[1] > 1.7 * 1.3 * sizes[2]


def test_exploring_begins_after_the_first_epoch() -> None:
    ways: list[dict[str, Any]] = [
        {"oracle": "static"},
        {"oracle": "dynamic", "explore": 0.0},
        {"oracle": "dynamic", "explore": 1.0},
        {"oracle": "dynamic", "explore": 1.0, "explore_steps": 0.3},
    ]
    some: dict[str, Any] = {"train": FEW[:8], "tags": "none", "encoder": {"characters": "none"}}
    first, second = ([make(**some, **way, epochs=n).weights for way in ways] for n in (1, 2))
    assert len(set(first)) == 1
    assert second[0] == second[1]
    assert len(set(second)) == 3


def test_the_seed_decides() -> None:
    some: dict[str, Any] = {"train": FEW[:8], "tags": "none", "epochs": 1}
    assert make(**some, seed=5).weights == make(**some, seed=5).weights
    assert make(**some, seed=5).weights != make(**some, seed=6).weights


class KilledError(Exception):
    pass


class MidwayKiller(Watcher):
    """Stops the training in the middle of its second epoch, after a checkpoint."""

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        if (epoch, sentences) == (2, 128):
            raise KilledError


@pytest.mark.parametrize(
    "values",
    [
        {"oracle": "dynamic", "explore": 0.5, "encoder": {"dropout": 0.3, "input_dropout": 0.1}},
        {
            "apart": True,
            "scorer": {"dropout": 0.2},
            "optimizer": {"method": "asgd", "rate": 0.1, "noise": 0.1},
        },
    ],
    ids=["adamw", "asgd"],
)
def test_a_killed_training_goes_on_in_the_same_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: dict[str, Any]
) -> None:
    monkeypatch.setattr("crossbranch.training.loop._INTERVAL", 0.0)  # a checkpoint at every look
    many = list(sample(140, seed=1, max_length=5))
    options: dict[str, Any] = {"train": many, "casing": False, **values}
    with pytest.raises(KilledError):
        make(out=tmp_path / "model", watcher=MidwayKiller(), **options)
    resumed, whole = make(out=tmp_path / "model", **options), make(**options)
    assert resumed.weights == whole.weights
    updates = [[epoch["updates"] for epoch in one.about["epochs"]] for one in (resumed, whole)]
    assert updates[0] == updates[1]
    assert metrics(resumed, "loss") == metrics(whole, "loss")


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None  # nobody can import it
import crossbranch
parser = crossbranch.load(sys.argv[1])
for text in sys.argv[2:]:
    print(parser.parse(text.split()))
    print(len(list(parser.parse_k_best([text.split()], 3))))
"""


def test_parsing_needs_no_torch(tmp_path: Path) -> None:
    parser = make(out=tmp_path / "model")
    texts = [" ".join(tree.words) for tree in TEST[:3]]
    command = [sys.executable, "-X", "utf8", "-c", WITHOUT_TORCH, str(tmp_path / "model"), *texts]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    found = run.stdout.splitlines()
    assert found[::2] == [str(parser.parse(text.split())) for text in texts]


def test_training_and_gpus_need_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = plain()
    monkeypatch.setitem(sys.modules, "torch", None)
    message = r"needs torch; install it with: .*crossbranch\[neural\]"
    with pytest.raises(UsageError, match=message):
        make(train="nothing.export")  # before anything is read
    with pytest.raises(UsageError, match=message):
        parser.move_to("cuda")


def test_sentences_of_all_lengths() -> None:
    parser = plain()
    words = [token.form for tree in TRAIN for token in tree.sentence]
    for count in (1, 2, 1000):
        tree = parser.parse((words * 9)[:count])
        assert tree.words == (words * 9)[:count]
    assert parser.parse((words * 9)[:1000], beam=2).words == (words * 9)[:1000]


def test_what_is_unknown_gets_a_tree() -> None:
    parser = plain()
    tags = {token.tag for tree in FEW for token in tree.sentence}
    for sentence in STRANGE:
        tree = parser.parse([token.form for token in sentence])
        assert tree.words == [token.form for token in sentence]
        assert {token.tag for token in tree.sentence} <= tags  # its own ones


@pytest.mark.parametrize("preset", ["stack-free-2019", "ml-gap-2019"])
def test_the_presets_of_papers_train(preset: str) -> None:
    sizes = {"words": 4, "character_size": 4, "spelling": 4, "hidden": 8}
    values: dict[str, Any] = {"encoder": sizes, "scorer": {"hidden": 4}, "functions": False}
    parser = train(preset, train=FEW[:8], epochs=2, lemmas=False, **values)
    assert isinstance(parser, NeuralTransitionParser)
    settings = parser.settings
    assert (settings.batch, settings.apart) == (1, True)
    assert (settings.optimizer.method, settings.optimizer.noise) == ("asgd", 0.01)
    # An update for the tree of each sentence, and one for its tags.
    assert [epoch["updates"] for epoch in parser.about["epochs"]] == [16, 16]
    assert all(0 < loss < 10 for loss in metrics(parser, "loss"))
    assert all(bool(torch.isfinite(one).all()) for one in unpack(parser.weights).values())
    assert parser.parse(FEW[0].sentence).words == FEW[0].words


@pytest.mark.parametrize("values", [{"tags": "none"}, {"batch": 1, "apart": True}], ids=str)
def test_batches_without_a_choice_change_nothing(values: dict[str, Any]) -> None:
    """A tree of one word is simply built if there is only one label of a root."""
    words = [Tree.from_string(f"(ROOT (X 0=w{number}))") for number in range(9)]
    for method in ("adamw", "asgd"):
        parser = make(train=words, optimizer={"method": method}, **values)
        assert parser.parse(["w"]).root.label == "ROOT"


def test_trees_of_one_word_teach_their_label() -> None:
    trees = [Tree.from_string(f"({label} (X 0={word}))") for label, word in ("Aa", "Bb") * 6]
    parser = make(train=trees, epochs=12, tags="none")
    assert [parser.parse([word]).root.label for word in "ab"] == ["A", "B"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"device": "cuda"}, "the setting device is 'cuda', but torch finds no GPU"),
        ({"device": "gpu"}, "the setting device is 'gpu', expected auto, cpu, cuda, or"),
        ({"device": "cpu:0"}, "the setting device is 'cpu:0', expected"),
        ({"encoder": {"words": 0, "characters": "none"}}, "neither words nor characters"),
        ({"encoder": {"hiden": 4}}, "unknown setting 'encoder.hiden'"),
        ({"encoder": {"hidden": 0}}, "encoder.hidden"),
        ({"optimizer": {"method": "sgd"}}, "optimizer.method"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(values: dict[str, Any], message: str) -> None:
    if values.get("device") == "cuda" and torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(UsageError, match=message):
        make(**values)
