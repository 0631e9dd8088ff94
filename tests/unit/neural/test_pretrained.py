"""Vectors of a pretrained encoder: a tiny one that the test makes."""

from __future__ import annotations

import logging
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tiny_encoder import LAYERS, SIZE, WINDOW, write_encoder

from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.neural.encoder_files import (
    PLACE_VARIABLE,
    StoredEncoder,
    check_encoder,
    find_folder,
)
from crossbranch.neural.settings import PretrainedSettings
from crossbranch.tree import Sentence, Token

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch", reason="needs torch")
pytest.importorskip("transformers", reason="needs transformers: crossbranch[pretrained]")

from crossbranch.neural.encoder_loading import (  # noqa: E402
    LoadedEncoder,
    load_encoder,
    rebuild_encoder,
)
from crossbranch.neural.pretrained import Pretrained, PretrainedReader  # noqa: E402
from crossbranch.neural.subtokens import Windows, best_windows, cut  # noqa: E402


def sentence(text: str) -> Sentence:
    return tuple(Token(form) for form in text.split(" "))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("pretrained") / "encoder")


def reader(folder: Path, **values: object) -> PretrainedReader:
    settings = PretrainedSettings.of({"path": str(folder), **values})
    return Pretrained.to_train(settings, surfaces={"-LRB-": "("}, device="cpu").reader


def vectors(folder: Path, *texts: str, **values: object) -> Tensor:
    found = reader(folder, **values).read([sentence(text) for text in texts])
    assert not isinstance(found, Windows)
    return found


@cache
def loaded(folder: Path) -> LoadedEncoder:
    return load_encoder(folder)


def states(folder: Path, numbers: list[int]) -> list[Tensor]:
    """What the model gives for these sub-tokens, at each layer."""
    model = loaded(folder).model.eval()
    with torch.no_grad():
        found = model(input_ids=torch.tensor([numbers]), output_hidden_states=True)
    return [layer[0] for layer in found.hidden_states]


def numbers(folder: Path, word: str) -> list[int]:
    tokenizer = loaded(folder).tokenizer
    return tokenizer.convert_tokens_to_ids(tokenizer.tokenize(word))  # type: ignore[no-any-return]


def test_the_first_sub_token_or_the_mean_of_all(folder: Path) -> None:
    cls, sep = 2, 3
    words = [numbers(folder, word) for word in ("the", "going", "a")]
    assert [len(word) for word in words] == [1, 3, 1]
    last = states(folder, [cls, *(one for word in words for one in word), sep])[-1]
    first = vectors(folder, "the going a")
    assert torch.allclose(first[:, 0], last[[1, 2, 5]], atol=2e-3)
    mean = vectors(folder, "the going a", pooling="mean")
    assert torch.allclose(mean[1, 0], last[2:5].mean(0), atol=2e-3)
    assert torch.allclose(mean[[0, 2], 0], last[[1, 5]], atol=2e-3)


def test_all_layers_are_mixed_with_learned_weights(folder: Path) -> None:
    settings = PretrainedSettings(path=str(folder), layers="mix", dropout=0.0)
    found = Pretrained.to_train(settings, surfaces={}, device="cpu")
    given = found.reader.read([sentence("the a")])
    assert isinstance(given, torch.Tensor)
    assert given.shape == (2, LAYERS + 1, SIZE)
    assert torch.allclose(found.input(given), given.mean(1), atol=1e-5)
    with torch.no_grad():
        assert found.input.mix is not None
        found.input.mix[0] = 100.0
    assert torch.allclose(found.input(given), given[:, 0], atol=1e-4)


def test_long_sentences_are_read_in_windows(folder: Path) -> None:
    words = ["the", "going", "a", "xyz"] * 20
    counts = [len(numbers(folder, word)) for word in words]
    windows = cut(counts, WINDOW - 2)
    best = best_windows(counts, windows)
    found = vectors(folder, " ".join(words), pooling="mean")
    assert found.shape == (80, 1, SIZE)
    for place in (0, 5, 40, 79):
        start, end = windows[best[place]]
        alone = vectors(folder, " ".join(words[start:end]), pooling="mean")
        assert torch.allclose(found[place], alone[place - start], atol=2e-3)
        assert start < place < end - 1 or place in (0, 79)


def test_batches_do_not_change_vectors(folder: Path) -> None:
    texts = ["the", "a going the", " ".join(["xyz"] * 30)]
    together = vectors(folder, *texts, layers="mix")
    alone = torch.cat([vectors(folder, text, layers="mix") for text in texts])
    assert torch.allclose(together, alone, atol=2e-3)


@pytest.mark.parametrize("form", ["", "🦄", "世", "\u200b", "\x00", "\ud800", "x" * 500, "-LRB-"])
def test_every_word_has_a_vector(folder: Path, form: str) -> None:
    found = reader(folder).read([(Token(form),), (Token("a"), Token(form), Token("b"))])
    assert isinstance(found, torch.Tensor)
    assert found.shape == (4, 1, SIZE)
    assert found.isfinite().all()


def test_nothing_is_logged(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    records: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    logger, handler = logging.getLogger("transformers"), Handler()
    logger.addHandler(handler)
    try:
        encoder = load_encoder(folder)
        tokenizer = encoder.sub_tokenizer({})
        tokenizer.windows([sentence("x" * 90), sentence(" ".join(["the"] * 99))])
        rebuild_encoder(encoder.files(), path="here")
    finally:
        logger.removeHandler(handler)
    assert not records
    assert capfd.readouterr() == ("", "")


def test_remembered_vectors_are_the_same(folder: Path) -> None:
    texts = [sentence(text) for text in ("the going", "a", "the going", "xyz a b c")]
    fresh, remembering = reader(folder, layers="mix"), reader(folder, layers="mix")
    remembering.remember(texts)
    assert len(remembering._remembered) == 3
    assert torch.allclose(fresh.read(texts), remembering.read(texts), atol=1e-3)
    some = reader(folder)
    some.remember(texts, limit=3 * SIZE * 2)
    assert sorted(some._remembered) == [("a",), ("the", "going")]
    assert torch.allclose(some.read(texts), reader(folder).read(texts), atol=1e-3)


def test_frozen_encoders_get_no_gradients(folder: Path) -> None:
    settings = PretrainedSettings(path=str(folder))
    found = Pretrained.to_train(settings, surfaces={}, device="cpu")
    assert not list(found.input.parameters())
    assert not found.stored.files
    settings = PretrainedSettings(path=str(folder), tune=True)
    tuned = Pretrained.to_train(settings, surfaces={}, device="cpu")
    tuned.input(tuned.reader.read([sentence("the going a")])).sum().backward()
    gradients = [one.grad for one in tuned.input.parameters()]
    assert any(one is not None and one.abs().sum() > 0 for one in gradients)


def test_a_fine_tuned_encoder_is_made_again_from_its_files(folder: Path) -> None:
    again = rebuild_encoder(loaded(folder).files(), path="here")
    assert again.size == SIZE
    assert again.layers == LAYERS + 1
    assert again.tokenizer("going", add_special_tokens=False)["input_ids"] == numbers(
        folder, "going"
    )
    names = {name: one.shape for name, one in loaded(folder).model.named_parameters()}
    assert {name: one.shape for name, one in again.model.named_parameters()} == names


def damaged(folder: Path, place: Path, without: str = "", /, **contents: bytes) -> Path:
    place.mkdir()
    for path in folder.iterdir():
        if path.name != without:
            (place / path.name).write_bytes(path.read_bytes())
    for name, content in contents.items():
        (place / name.replace("__", ".")).write_bytes(content)
    return place


def test_folders_that_are_no_encoders_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no such folder; expected the folder of a model of"):
        find_folder(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match=r"no config\.json"):
        find_folder(str(damaged(folder, tmp_path / "1", "config.json")))
    with pytest.raises(InputError, match="found no weights"):
        find_folder(str(damaged(folder, tmp_path / "2", "model.safetensors")))
    pickled = damaged(folder, tmp_path / "3", "model.safetensors", pytorch_model__bin=b"\x80\x04.")
    with pytest.raises(InputError, match=r"weights only as pytorch_model\.bin, a format that can"):
        find_folder(str(pickled))
    with pytest.raises(UsageError, match=r"pretrained\.path is empty"):
        check_encoder("")
    with pytest.raises(UsageError, match="there is no package 'no_such_package'"):
        find_folder("package:no_such_package")
    with pytest.raises(UsageError, match="there is no package"):
        find_folder("package:os.path")


def test_damaged_encoders_are_named(folder: Path, tmp_path: Path) -> None:
    for number, contents in enumerate(
        (
            {"model__safetensors": b"nonsense"},
            {"config__json": b"{"},
            {"config__json": b'{"model_type": "no-such-model"}'},
        )
    ):
        place = damaged(folder, tmp_path / str(number), **contents)
        with pytest.raises(CrossbranchError, match=str(place)):
            load_encoder(place)
    other = write_encoder(tmp_path / "other", num_labels=2)
    safetensors = pytest.importorskip("safetensors.torch", reason="safetensors is not installed")
    weights = safetensors.load_file(other / "model.safetensors")
    name = next(name for name in weights if name.endswith("layer.1.output.dense.weight"))
    del weights[name]
    safetensors.save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"no weights encoder\.layer\.1\.output\.dense\.weight"):
        load_encoder(other)


def test_an_encoder_in_a_package(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "some_encoder_package" / "model"
    inside.parent.mkdir()
    damaged(folder, inside)
    (inside.parent / "__init__.py").write_text("raise RuntimeError('this is never run')")
    (inside / "1_Pooling").mkdir()
    (inside / "1_Pooling" / "config.json").write_text("{}")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_folder("package:some_encoder_package") == inside
    stored = StoredEncoder.of("package:some_encoder_package")
    assert stored.place == "package:some_encoder_package"
    assert stored.sha256 == StoredEncoder.of(str(folder)).sha256
    assert stored.find() == inside


def test_the_encoder_of_training_is_found_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PLACE_VARIABLE, raising=False)
    stored = StoredEncoder.of(str(folder))
    assert stored.find() == folder
    moved = StoredEncoder(place=str(tmp_path / "old"), sha256=stored.sha256)
    with pytest.raises(UsageError, match=f"needs the encoder .*old with sha256 {stored.sha256}"):
        moved.find()
    monkeypatch.setenv(PLACE_VARIABLE, str(folder))
    assert moved.find() == folder
    other = write_encoder(tmp_path / "other", seed=2)
    monkeypatch.setenv(PLACE_VARIABLE, str(other))
    digest = StoredEncoder.of(str(other)).sha256
    with pytest.raises(
        InputError, match=f"{other}: found an encoder with sha256 {digest}"
    ) as found:
        moved.find()
    assert f"expected the encoder {moved.place} with sha256 {stored.sha256}" in str(found.value)


def test_without_transformers_the_message_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UsageError, match=r"install them with: crossbranch\[pretrained\]"):
        load_encoder(folder)
