"""crossbranch draw --chart: the probable constituents of a sentence."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import CROSSING, crossbranch
from trained_parsers import QUICK_SETTINGS, TRAIN

pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch.config import merged
from crossbranch.parsers import NeuralSpanParser, train
from crossbranch.parsers.neural_span.engine import CoreEngine
from crossbranch.parsers.neural_span.torch_engine import TorchEngine

WORDS = ["Das", "kleine", "Haus", "sah", "er", "."]


@cache
def parser() -> NeuralSpanParser:
    tiny = {
        "encoder": {"words": 8, "spelling": 8, "hidden": 16, "layers": 1},
        "scorer": {"label": 12, "span": 6},
        "space": "cubic",
        "loss": "likelihood",
    }
    few = [tree for tree in TRAIN if len(tree.sentence) < 14][:24]
    settings = merged(QUICK_SETTINGS["neural-span"], tiny)
    found = train("span", **merged(settings, {"train": few, "epochs": 2}))
    assert isinstance(found, NeuralSpanParser)
    return found


@pytest.fixture
def model(tmp_path: Path) -> Path:
    parser().save(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize("space", ["continuous", "cubic", "quintic"])
@pytest.mark.parametrize("decode", ["best", "minimum-risk"])
def test_a_chart_has_the_tree_of_the_parser(space: str, decode: str) -> None:
    words, constituents = parser().chart(WORDS, least=1e-9, space=space, decode=decode)
    tree = parser().parse(WORDS, space=space, decode=decode)
    assert list(words) == WORDS
    chosen = [one for one in constituents if one.in_tree]
    spans = {sum(1 << t for start, end in one.blocks for t in range(start, end)) for one in chosen}
    assert spans == {node.span for node in tree.nodes}
    labels = sorted(name for one in chosen for name in one.label.split("+"))
    assert labels == sorted(node.label for node in tree.nodes)
    found = [one.probability for one in constituents]
    assert found == sorted(found, reverse=True)
    whole = [one for one in constituents if one.blocks == ((0, len(WORDS)),)]
    assert sum(one.probability for one in whole) == pytest.approx(1, abs=1e-3)
    few = parser().chart(WORDS, least=0.9, space=space, decode=decode).constituents
    assert [one.label for one in few if one.in_tree] == [one.label for one in chosen]
    assert len(few) < len(constituents)
    assert all(one.in_tree or one.probability > 0.9 for one in few)
    gaps = [one for one in constituents if len(one.blocks) > 1]
    assert bool(gaps) == (space != "continuous")


def test_core_and_torch_score_alike() -> None:
    sentence = next(tree.sentence for tree in TRAIN if len(tree.sentence) == 6)
    pairs = zip(
        CoreEngine(parser()).score(sentence),
        TorchEngine(parser(), "cpu").score(sentence),
        strict=True,
    )
    for one, other in pairs:
        labels = len(one) // 36
        for first in range(6):
            start, end = (first * 6 + first) * labels, (first + 1) * 6 * labels
            assert one[start:end] == pytest.approx(other[start:end], abs=1e-3)


def test_a_chart_is_drawn(model: Path, tmp_path: Path) -> None:
    target = tmp_path / "chart.svg"
    text = " ".join(WORDS)
    crossbranch("draw", "--chart", model, text, "-o", target)
    root = ElementTree.parse(target).getroot()
    assert root.get("class") == "chart"
    shown = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [word for word in shown if word in WORDS] == WORDS
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) > 21
    stdout, _ = crossbranch("draw", "--chart", model, text)
    assert stdout.strip() == target.read_text().strip()
    picture = tmp_path / "chart.png"
    crossbranch("draw", "--chart", model, text, "-o", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wort " * 21], "the sentence has 21 words, expected 1 to 20"),
        ([""], "the sentence has 0 words, expected 1 to 20"),
        (["Das geht.", "-o", "chart.html"], "a chart is one svg or png file"),
        (["Das geht.", "--limit", "2"], "--limit is for trees; it cannot be used with --chart"),
    ],
)
def test_what_cannot_be_drawn(
    arguments: list[str], message: str, model: Path, tmp_path: Path
) -> None:
    _, stderr = crossbranch("draw", "--chart", model, *arguments, code=2, cwd=tmp_path)
    assert message in stderr
    assert not (tmp_path / "chart.html").exists()


def test_other_models_have_no_charts() -> None:
    _, stderr = crossbranch("draw", "--chart", "de", CROSSING, code=2)
    assert "de is a model of kind linear-transition, which has no charts" in stderr
