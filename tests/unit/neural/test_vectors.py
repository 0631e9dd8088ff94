"""Static word vectors: files, and the word tables of networks."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path
from typing import Any

import pytest
from trained_parsers import QUICK_SETTINGS, TEST, TRAIN

from crossbranch.errors import InputError, UsageError
from crossbranch.models.tensors import Tensor, read_tensors
from crossbranch.neural.settings import VectorSettings
from crossbranch.neural.vectors import WordVectors, check_vectors
from crossbranch.parsers import NeuralTransitionParser, load, train
from crossbranch.tree import Token

GLOVE = "the 1 2\nof 3 4.5\na -1e-2 0\nrare 7 8\n"


def read(path: Path, *, words: Any = (), limit: int = 10) -> WordVectors:
    return WordVectors.read(VectorSettings(file=str(path), limit=limit), size=2, words=words)


@pytest.mark.parametrize("content", [GLOVE, "4 2\n" + GLOVE, GLOVE.replace("\n", " \r\n")])
def test_formats(tmp_path: Path, content: str) -> None:
    for name, data in (
        ("vectors.txt", content.encode()),
        ("vectors.txt.gz", gzip.compress(content.encode())),
        ("vectors.vec.xz", lzma.compress(content.encode())),
    ):
        (tmp_path / name).write_bytes(data)
        found = read(tmp_path / name)
        assert found.frequent == ("the", "of", "a", "rare")
        assert list(found.rows["of"]) == [3.0, 4.5]


def test_the_limit_keeps_words_of_the_training_data(tmp_path: Path) -> None:
    (tmp_path / "v").write_text(GLOVE + "the 9 9\n")
    found = read(tmp_path / "v", words=("Rare", "new"), limit=1)
    assert found.frequent == ("the",)
    assert sorted(found.rows) == ["rare", "the"]
    assert list(found.rows["the"]) == [1.0, 2.0]
    assert "Rare" in found
    assert "new" not in found


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GLOVE + "x 1\n", r":5: found 1 numbers, expected a word and 2 numbers"),
        (GLOVE + "x 1 y\n", r":5: found could not convert string to float: 'y'"),
        (GLOVE + "x 1 nan\n", r":5: found a number that is not finite"),
        (GLOVE + "x 1 1e99\n", r":5: found a number that is not finite"),
    ],
)
def test_wrong_lines(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "v").write_text(content)
    with pytest.raises(InputError, match=message):
        read(tmp_path / "v")


def test_wrong_files(tmp_path: Path) -> None:
    (tmp_path / "v").write_text(GLOVE)
    (tmp_path / "empty").write_text("")
    with pytest.raises(UsageError, match=r"have 2 numbers, but the setting encoder\.words is 64"):
        check_vectors(VectorSettings(file=str(tmp_path / "v")), size=64)
    with pytest.raises(UsageError, match="no word vectors"):
        check_vectors(VectorSettings(file=str(tmp_path / "empty")), size=2)
    with pytest.raises(UsageError, match="cannot read"):
        check_vectors(VectorSettings(file=str(tmp_path / "nowhere")), size=2)
    with pytest.raises(UsageError, match=r"vectors\.file is empty"):
        check_vectors(VectorSettings(), size=2)


WORDS = sorted({token.form for tree in TRAIN[:12] for token in tree.sentence})
KNOWN, EXTRA = WORDS[:10], ("zzunseen", "zzother")


def trained(file: Path, **values: Any) -> NeuralTransitionParser:
    pytest.importorskip("torch", reason="needs torch")
    size = QUICK_SETTINGS["neural-transition"]["encoder"]["words"]
    rows = [[(number + place) / 7 for place in range(size)] for number in range(20)]
    lines = [
        " ".join([word, *map(str, row)]) for word, row in zip([*KNOWN, *EXTRA], rows, strict=False)
    ]
    file.write_text("\n".join(lines) + "\n")
    parser = train(
        "stack-free",
        train=TRAIN[:12],
        epochs=2,
        functions=False,
        storage="float32",
        **QUICK_SETTINGS["neural-transition"],
        vectors={"file": str(file), **values},
    )
    assert isinstance(parser, NeuralTransitionParser)
    return parser


def rows_of(parser: NeuralTransitionParser) -> dict[str, tuple[float, ...]]:
    table: Tensor = read_tensors(parser.weights, path="")["encoder.words.weight"]
    size = table.shape[1]
    numbers = table.numbers()
    return {
        word: numbers[number * size : (number + 1) * size]
        for number, word in enumerate(parser.words.words, 1)
    }


@pytest.mark.parametrize("tune", [False, True])
def test_the_word_table_starts_from_the_vectors(tmp_path: Path, tune: bool) -> None:
    parser = trained(tmp_path / "v", tune=tune)
    assert parser.words.words[-2:] == EXTRA
    assert parser.words.extra == 2
    found = rows_of(parser)
    for number, word in enumerate(EXTRA, len(KNOWN)):
        assert found[word][0] == pytest.approx(number / 7)
    changed = [
        word
        for number, word in enumerate(KNOWN)
        if found[word][0] != pytest.approx(number / 7, abs=1e-6)
    ]
    assert bool(changed) == tune
    assert "zzunseen" in parser.words
    assert "Zzunseen" in parser.words
    assert "zznever" not in parser.words
    encoded = parser.words.encode([(Token("Zzunseen"), Token("zznever"))])
    assert list(encoded.words) == [len(WORDS) + 1, 0]


def test_core_and_torch_find_the_same_trees(tmp_path: Path) -> None:
    parser = trained(tmp_path / "v", limit=11)
    assert parser.words.words[-1:] == EXTRA[:1]
    from crossbranch.parsers.neural_transition.torch_engine import TorchEngine

    parser.save(tmp_path / "model")
    (tmp_path / "v").unlink()  # the model does not need it
    again = load(tmp_path / "model")
    assert isinstance(again, NeuralTransitionParser)
    sentences = [(Token("zzunseen"), Token("Zzunseen")), *(tree.sentence for tree in TEST[:5])]
    core, _ = again.engine().parse(sentences, beam=1, k_best=1)
    slow, _ = TorchEngine(again, "cpu").parse(sentences, beam=1, k_best=1)
    assert [one[0][1] for one in core] == [one[0][1] for one in slow]
    assert again.about["vectors"]["words"] == 11
