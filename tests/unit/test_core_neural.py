"""Networks in the core: the same numbers as torch, and errors that name what does not fit."""

from __future__ import annotations

import math
import struct
from array import array
from itertools import pairwise
from typing import Any

import pytest

from crossbranch import _core
from crossbranch.models.tensors import Tensor
from crossbranch.structure import NodeBuilder

WORD, CHARACTER, UNITS, HIDDEN = 6, 5, 7, 10
LENGTHS = array("i", [3, 1, 5])
STARTS = [0, 3, 4, 9]
WORDS = array("i", [1, 0, 2, 3, 3, 1, 2, 0, 4])
TAGS = array("i", [0, 1, 2, 1, 0, 1, 2, 1, 1])
FORMS = array("i", [0, 1, 2, 3, 3, 1, 4, 0, 1])
SPELLINGS = [[1, 3, 4, 2], [1, 5, 2], [1, 2], [1, 6, 6, 0, 3, 4, 2], [1, 3, 3, 3, 2]]
CHARACTERS = array("i", [character for spelling in SPELLINGS for character in spelling])
FORM_LENGTHS = array("i", map(len, SPELLINGS))


@pytest.fixture
def torch() -> Any:
    """Torch with a fixed seed, or a skip."""
    found = pytest.importorskip("torch", reason="torch is not installed")
    found.manual_seed(1)
    return found


def tensors_of(prefix: str, module: Any) -> dict[str, Tensor]:
    """The tensors of a torch module."""
    return {
        f"{prefix}{name}": Tensor(tuple(value.shape), value.detach().contiguous().numpy().tobytes())
        for name, value in module.state_dict().items()
    }


def floats(data: bytes, torch: Any, *, rows: int) -> Any:
    return torch.frombuffer(bytearray(data), dtype=torch.float32).reshape(rows, -1)


def bi_lstm(torch: Any, inputs: int, units: int) -> Any:
    return torch.nn.LSTM(inputs, units, bidirectional=True, batch_first=True)


def torch_form(torch: Any, embedding: Any, module: Any, token: int) -> Any:
    """The vector of a form, from a bi-LSTM or a convolution."""
    vectors = embedding(torch.tensor([SPELLINGS[FORMS[token]]]))
    if isinstance(module, torch.nn.LSTM):
        _, (last, _) = module(vectors)
        return torch.cat([last[0, 0], last[1, 0]])
    return torch.relu(module(vectors.transpose(1, 2)))[0].max(dim=1).values


@pytest.mark.parametrize("characters", ["lstm", "convolution"])
@pytest.mark.parametrize("residual", ["add", "gated"])
def test_an_encoder_gives_what_torch_gives(torch: Any, characters: str, residual: str) -> None:
    embedding = torch.nn.Embedding(7, CHARACTER)
    words, tags = torch.nn.Embedding(5, WORD), torch.nn.Embedding(3, 2)
    forms = (
        bi_lstm(torch, CHARACTER, 4)
        if characters == "lstm"
        else torch.nn.Conv1d(CHARACTER, 8, 3, padding=1)
    )
    projection = torch.nn.Linear(8 + WORD + 2 + 3, 2 * UNITS)
    layers = [bi_lstm(torch, 2 * UNITS, UNITS) for _ in range(2)]
    gate, task = torch.nn.Linear(4 * UNITS, 2 * UNITS), torch.nn.Linear(2 * UNITS, 5, bias=False)
    features = torch.randn(len(WORDS), 3)
    tensors: dict[str, Tensor] = {}
    for prefix, module in {
        "encoder.characters.embedding.": embedding,
        f"encoder.characters.{characters}.": forms,
        "encoder.words.": words,
        "encoder.tags.": tags,
        "encoder.projection.": projection,
        "encoder.levels.0.lstm.": layers[0],
        "encoder.levels.1.lstm.": layers[1],
        "encoder.levels.1.gate.": gate,
        "encoder.tasks.pos.": task,
    }.items():
        tensors |= tensors_of(prefix, module)
    encoder = _core.NeuralEncoder(
        _core.Tensors(tensors), prefix="encoder.", residuals=["none", residual], tasks=[("pos", 0)]
    )
    assert (encoder.outputs, encoder.feature_count) == (2 * UNITS, 3)
    encoded = encoder.encode(
        LENGTHS,
        words=WORDS,
        tags=TAGS,
        forms=FORMS,
        characters=CHARACTERS,
        form_lengths=FORM_LENGTHS,
        features=array("f", features.flatten().tolist()),
    )
    found = [floats(encoded.level(i), torch, rows=len(WORDS)) for i in range(2)]
    scores = floats(encoded.score_task("pos"), torch, rows=len(WORDS))
    best = struct.unpack(f"={len(WORDS)}I", encoded.best_classes("pos"))
    assert list(best) == scores.argmax(dim=1).tolist()
    with torch.no_grad():
        vectors = torch.stack([torch_form(torch, embedding, forms, i) for i in range(len(WORDS))])
        inputs = torch.cat(
            [vectors, words(torch.tensor(WORDS)), tags(torch.tensor(TAGS)), features], dim=1
        )
        for begin, end in pairwise(STARTS):
            first, _ = layers[0](projection(inputs[begin:end]).unsqueeze(0))
            second, _ = layers[1](first)
            ratio = torch.sigmoid(gate(torch.cat([second, first], dim=2)))
            second = second + (ratio * first if residual == "gated" else first)
            torch.testing.assert_close(found[0][begin:end], first[0], rtol=0, atol=1e-5)
            torch.testing.assert_close(found[1][begin:end], second[0], rtol=0, atol=1e-5)
            torch.testing.assert_close(scores[begin:end], task(first)[0], rtol=0, atol=1e-5)


@pytest.mark.parametrize("outputs", [1, 6])
def test_a_span_scorer_gives_what_torch_gives(torch: Any, outputs: int) -> None:
    lstm, words = bi_lstm(torch, WORD, UNITS), torch.nn.Embedding(5, WORD)
    first = torch.nn.Linear(2 * 4 * 2 * UNITS, HIDDEN)
    second, last = torch.nn.Linear(HIDDEN, HIDDEN), torch.nn.Linear(HIDDEN, outputs, bias=False)
    absent = torch.randn(4, 2 * UNITS)
    tensors = {"scorer.absent": Tensor((4, 2 * UNITS), absent.numpy().tobytes())}
    for prefix, module in {
        "words.": words,
        "levels.0.lstm.": lstm,
        "scorer.layers.0.": first,
        "scorer.layers.1.": second,
        "scorer.output.": last,
    }.items():
        tensors |= tensors_of(prefix, module)
    named = _core.Tensors(tensors)
    encoded = _core.NeuralEncoder(named, residuals=["none"]).encode(LENGTHS, words=WORDS)
    scorer = _core.SpanScorer(named, prefix="scorer.", items=2, places=4, size=2 * UNITS)
    assert scorer.outputs == outputs
    rows = torch.randint(-1, len(WORDS), (130, 8), dtype=torch.int32)
    found = scorer.prepare(encoded).score(array("i", rows.flatten().tolist()))
    with torch.no_grad():
        table = torch.cat([floats(encoded.level(-1), torch, rows=len(WORDS)), absent])
        places = torch.arange(8) % 4 + len(WORDS)
        inputs = table[torch.where(rows < 0, places, rows.long())].flatten(1)
        expected = last(torch.tanh(second(torch.tanh(first(inputs)))))
    torch.testing.assert_close(floats(found, torch, rows=130), expected, rtol=0, atol=1e-5)


def small_tensors() -> dict[str, Tensor]:
    """One layer over words; all numbers are 0.5."""
    shapes: dict[str, tuple[int, ...]] = {"words.weight": (5, 2)}
    for suffix in ("_l0", "_l0_reverse"):
        shapes |= {
            f"levels.0.lstm.weight_ih{suffix}": (4, 2),
            f"levels.0.lstm.weight_hh{suffix}": (4, 1),
            f"levels.0.lstm.bias_ih{suffix}": (4,),
            f"levels.0.lstm.bias_hh{suffix}": (4,),
        }
    return {name: Tensor.of(shape, [0.5] * math.prod(shape)) for name, shape in shapes.items()}


def test_one_step_of_an_lstm_by_hand() -> None:
    encoder = _core.NeuralEncoder(_core.Tensors(small_tensors()), residuals=["none"])
    encoded = encoder.encode(array("i", [1]), words=array("i", [3]))
    gate = 0.5 * 0.5 + 0.5 * 0.5 + 0.5 + 0.5  # all four are equal
    opened = 1 / (1 + math.exp(-gate))
    expected = opened * math.tanh(opened * math.tanh(gate))
    assert struct.unpack("=2f", encoded.level(0)) == pytest.approx([expected] * 2, abs=1e-6)
    assert _core.kernel_name() in {"avx512", "avx2", "portable"}


def test_a_linear_map_multiplies_rows() -> None:
    tensors = {"map.weight": Tensor.of((1, 2), [2, 3]), "map.bias": Tensor.of((1,), [10])}
    linear = _core.LinearMap(_core.Tensors(tensors), "map")
    out = array("f", [0, 0])
    linear.multiply(array("f", [1, 2, 3, 4]), out)
    assert list(out) == [18, 28]
    assert (linear.inputs, linear.outputs) == (2, 1)
    with pytest.raises(ValueError, match="3 numbers and 2 results do not fit a map from 2 to 1"):
        linear.multiply(array("f", [1, 2, 3]), out)


def test_rounded_products_are_nearly_the_same() -> None:
    tensors = {"map.weight": Tensor.of((3, 50), [math.sin(i) for i in range(150)])}
    rows = array("f", map(math.cos, range(100)))
    exact, rounded = array("f", bytes(24)), array("f", bytes(24))
    _core.LinearMap(_core.Tensors(tensors), "map").multiply(rows, exact)
    _core.LinearMap(_core.Tensors(tensors, precision="bfloat16"), "map").multiply(rows, rounded)
    assert list(rounded) == pytest.approx(list(exact), abs=0.05)
    with pytest.raises(ValueError, match="unknown precision int8, expected float32 or bfloat16"):
        _core.Tensors(tensors, precision="int8")


def test_tensors_that_do_not_fit_are_named() -> None:
    tensors = small_tensors()
    wrong = tensors | {"words.weight": Tensor.of((5,), [0] * 5)}
    with pytest.raises(
        ValueError, match=r"words.weight has the shape \[5\], expected \[any, any\]"
    ):
        _core.NeuralEncoder(_core.Tensors(wrong), residuals=["none"])
    with pytest.raises(ValueError, match="unknown residual connection more"):
        _core.NeuralEncoder(_core.Tensors(tensors), residuals=["more"])
    with pytest.raises(ValueError, match=r"x has the shape \[2, 2\] but 3 numbers"):
        _core.Tensors({"x": ((2, 2), bytes(12))})
    with pytest.raises(ValueError, match="3 bytes, expected a multiple of 4"):
        _core.Tensors({"x": ((1,), b"abc")})
    with pytest.raises(ValueError, match="x has numbers that are not finite"):
        _core.Tensors({"x": Tensor.of((2,), [1, math.nan])})
    encoded = _core.NeuralEncoder(_core.Tensors(tensors), residuals=["none"]).encode(
        array("i", [1]), words=array("i", [3])
    )
    with pytest.raises(ValueError, match="there is no task pos"):
        encoded.score_task("pos")
    with pytest.raises(ValueError, match="there is no level 1"):
        encoded.level(1)


def small_parser(*, gaps: int = 1) -> _core.NeuralParser:
    """A stack-free parser with two labels and different numbers everywhere; needs no torch."""
    shapes: dict[str, tuple[int, ...]] = {}
    for prefix, items, outputs in (("structure.", 2, 1), ("label.", 1, 3)):
        shapes |= {
            f"{prefix}absent": (4, 2),
            f"{prefix}layers.0.weight": (3, items * 8),
            f"{prefix}output.weight": (outputs, 3),
        }
    tensors = {f"encoder.{name}": tensor for name, tensor in small_tensors().items()}
    tensors["encoder.words.weight"] = Tensor.of((5, 2), [0.3 * i - 1 for i in range(10)])
    for name, shape in shapes.items():
        tensors[name] = Tensor.of(shape, [math.sin(3 * i) for i in range(math.prod(shape))])
    label = int(_core.Move.LABEL)
    system = _core.System("stack-free", [0, 2], [0, 1], [(label, 0), (label, 1)])
    writer = _core.ChoiceWriter(system, gaps=gaps)
    return _core.NeuralParser(_core.Tensors(tensors), writer, residuals=["none"])


def test_a_parser_gives_trees_that_fit_their_sentences() -> None:
    parser = small_parser()
    greedy, classes = parser.parse(LENGTHS, words=WORDS)
    assert classes == []
    for (begin, end), trees in zip(pairwise(STARTS), greedy, strict=True):
        ((score, codes),) = trees
        assert score <= 0
        root = NodeBuilder([("NP",), ("ROOT",)]).build(codes)
        assert (root.label, root.span) == ("ROOT", (1 << end - begin) - 1)
    assert parser.parse(LENGTHS, words=WORDS, threads=3) == (greedy, [])
    best, _ = parser.parse(LENGTHS, words=WORDS, beam=20, k_best=4)
    assert [len(trees) for trees in best] == [4, 1, 4]
    for trees, (first, *_) in zip(best, greedy, strict=True):
        scores = [score for score, _ in trees]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(codes) for _, codes in trees}) == len(trees)
        assert scores[0] >= first[0]


def test_a_parser_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"has the shape \[3, 16\], expected \[any, 24\]"):
        small_parser(gaps=2)
    with pytest.raises(ValueError, match="there are 2 words, expected 9"):
        small_parser().parse(LENGTHS, words=array("i", [1, 2]))
    with pytest.raises(ValueError, match="the length of a sentence is -1"):
        small_parser().parse(array("i", [-1]), words=array("i"))
    with pytest.raises(ValueError, match="there is no row 4294967295 for words"):
        small_parser().parse(array("i", [1]), words=array("i", [-1]))
