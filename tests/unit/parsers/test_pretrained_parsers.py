"""Neural parsers with a pretrained encoder: trained, saved, loaded, pickled, resumed."""

from __future__ import annotations

import pickle
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import crossbranch
from tiny_encoder import write_encoder
from trained_parsers import QUICK_SETTINGS, TEST, TRAIN

from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.models.tensors import read_tensors
from crossbranch.neural.encoder_files import PLACE_VARIABLE
from crossbranch.parsers import NeuralTransitionParser, load, train
from crossbranch.parsers.neural_shared.parser import Learned
from crossbranch.training import Epoch, Watcher
from crossbranch.tree import Sentence, Token

SENTENCES: list[Sentence] = [
    *(tree.sentence for tree in TEST[:8]),
    (Token("🦄"),),
    (Token("Ünbekannt"), Token("x" * 300), Token("."), Token("世")),
    tuple(Token("the") for _ in range(120)),
]


@pytest.fixture(scope="module")
def transformers() -> Any:
    return pytest.importorskip("transformers", reason="needs crossbranch[pretrained]")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory, transformers: Any) -> Path:
    return write_encoder(tmp_path_factory.mktemp("pretrained") / "encoder")


def quickly(encoder: Path, pretrained: dict[str, Any], **values: Any) -> NeuralTransitionParser:
    parser = train(
        "stack-free",
        train=TRAIN[:12],
        epochs=2,
        functions=False,
        storage="float32",
        **QUICK_SETTINGS["neural-transition"],
        pretrained={"path": str(encoder), **pretrained},
        **values,
    )
    assert isinstance(parser, NeuralTransitionParser)
    return parser


@cache
def trained(encoder: Path, **values: Any) -> NeuralTransitionParser:
    return quickly(encoder, values)


def texts(parser: Any) -> list[str]:
    found = list(parser.parse_many(SENTENCES))
    assert all(len(tree.sentence) == len(one) for tree, one in zip(found, SENTENCES, strict=True))
    return [str(tree) for tree in found]


@pytest.mark.parametrize(
    "values", [{}, {"layers": "mix", "pooling": "mean"}, {"tune": True, "layers": "mix"}], ids=str
)
def test_a_parser_is_saved_and_loaded(encoder: Path, tmp_path: Path, values: Any) -> None:
    parser = trained(encoder, **values)
    parser.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert texts(again) == texts(parser)
    assert texts(pickle.loads(pickle.dumps(again))) == texts(parser)
    assert texts(load(parser.to_bytes())) == texts(parser)
    facts = again.about["pretrained"]
    assert facts["place"] == str(encoder.resolve())
    assert len(facts["sha256"]) == 64


def test_a_frozen_encoder_is_not_copied(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    shutil.copytree(encoder, own)
    parser = trained(own)
    assert not [name for name in read_tensors(parser.weights, path="") if "pretrained" in name]
    parser.save(tmp_path / "model")
    own.rename(tmp_path / "moved")
    with pytest.raises(UsageError, match=PLACE_VARIABLE):
        load(tmp_path / "model")
    monkeypatch.setenv(PLACE_VARIABLE, str(tmp_path / "moved"))
    assert texts(load(tmp_path / "model")) == texts(parser)
    write_encoder(own, seed=5)
    monkeypatch.delenv(PLACE_VARIABLE)
    with pytest.raises(InputError, match=r"found an encoder with sha256 .* expected the encoder"):
        load(tmp_path / "model")


def test_a_fine_tuned_encoder_is_part_of_the_model(encoder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(encoder, own)
    parser = trained(own, tune=True, rate=0.01)
    parser.save(tmp_path / "model")
    shutil.rmtree(own)
    assert texts(load(tmp_path / "model")) == texts(parser)
    name = "encoder.layer.0.attention.self.query.weight"
    [before] = [
        one
        for found, one in read_tensors(
            (encoder / "model.safetensors").read_bytes(), path=""
        ).items()
        if found.endswith(name)
    ]
    after = read_tensors(parser.weights, path="")[f"encoder.pretrained.model.{name}"]
    largest = max(abs(a - b) for a, b in zip(before.numbers(), after.numbers(), strict=True))
    assert 0 < largest < 0.5
    still = read_tensors(trained(encoder, tune=True, rate=0.0).weights, path="")
    assert still[f"encoder.pretrained.model.{name}"] == before


def test_damaged_models_are_refused(encoder: Path) -> None:
    parser = trained(encoder, tune=True)
    for name, content in (
        ("pretrained.json", b"{}"),
        ("pretrained.config.json", b"["),
        ("pretrained.tokenizer.json", b"{"),
    ):
        assert name in parser.files()
        broken = changed(parser, name, content)
        with pytest.raises(CrossbranchError, match="pretrained"):
            load(broken.to_bytes())


class KilledError(Exception):
    """What ends a training, as if the process were killed."""


class Killer(Watcher):
    """Stops training in the second epoch, when there is a checkpoint of the first one."""

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        if epoch.number == 2:
            raise KilledError


@pytest.mark.parametrize("tune", [False, True])
def test_resumed_training_makes_the_same_parser(encoder: Path, tmp_path: Path, tune: bool) -> None:
    own = tmp_path / "own"
    shutil.copytree(encoder, own)
    vectors = tmp_path / "vectors"
    vectors.write_text("".join(f"{word} {'0.5 ' * 16}\n" for word in (*TRAIN[0].words, "zz")))
    values: dict[str, Any] = {"vectors": {"file": str(vectors), "tune": tune}}
    whole = quickly(own, {"tune": tune}, **values)
    with pytest.raises(KilledError):
        quickly(own, {"tune": tune}, **values, out=tmp_path / "model", watcher=Killer())
    write_encoder(own, seed=4)
    with pytest.raises(UsageError, match="different training run"):
        quickly(own, {"tune": tune}, **values, out=tmp_path / "model")
    shutil.copytree(encoder, own, dirs_exist_ok=True)
    resumed = quickly(own, {"tune": tune}, **values, out=tmp_path / "model")
    assert resumed.weights == whole.weights
    assert resumed.words.words[-1] == "zz"


def changed(parser: Any, name: str, content: bytes) -> Any:
    """A copy of a parser that writes another content for a file."""

    class Changed(NeuralTransitionParser):
        def files(self) -> dict[str, bytes]:
            return super().files() | {name: content}

    found = Changed(
        parser.settings,
        system=parser.system,
        learned=Learned(
            vocabulary=parser.words,
            tasks=parser.task_labels,
            weights=parser.weights,
            pretrained=parser.pretrained,
        ),
    )
    found.labels, found.tags = parser.labels, parser.tags
    return found


def test_settings_are_checked_before_training(tmp_path: Path) -> None:
    trees = tmp_path / "trees.discbracket"
    trees.write_text("(S (NN 0=a))\n")
    _, errors = crossbranch(
        "train", "stack-free", "--train", trees, "--out", tmp_path / "model",
        "--set", "pretrained.path=nowhere", code=2,
    )  # fmt: skip
    assert "the pretrained encoder is 'nowhere', but there is no such folder" in errors
    with pytest.raises(UsageError, match=r"pretrained\.pooling is 'last', expected one of first"):
        train("stack-free", train=TRAIN[:2], pretrained={"path": ".", "pooling": "last"})


def test_a_missing_library_is_found_before_training(
    encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = "crossbranch.parsers.neural_shared.checks.find_spec"
    monkeypatch.setattr(where, lambda name: None)
    with pytest.raises(UsageError, match=r"install them with: crossbranch\[pretrained\]"):
        quickly(encoder, {})
