"""Networks with torch, compared with what their definitions say, one token after the other."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from torch.nn.utils import rnn  # noqa: E402

from crossbranch.errors import UsageError  # noqa: E402
from crossbranch.neural.encoder import (  # noqa: E402
    CharacterConvolution,
    CharacterLSTM,
    FeatureNetwork,
    FeatureShape,
    Level,
    SentenceEncoder,
    TaskShape,
)
from crossbranch.neural.network import NetworkShape, ParserNetwork  # noqa: E402
from crossbranch.neural.scorer import SpanScorer, SpanSizes, segment_log_softmax  # noqa: E402
from crossbranch.neural.settings import EncoderSettings, ScorerSettings  # noqa: E402
from crossbranch.neural.tokens import Packing, TokenBatch, tensor  # noqa: E402
from crossbranch.neural.vocabulary import UNKNOWN, Vocabulary  # noqa: E402
from crossbranch.tree import Token  # noqa: E402

LENGTHS = [2, 5, 1, 5, 3]


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(3)


def randomized(network: Any) -> Any:
    """Give every weight of a network a random value."""
    for weight in network.parameters():
        torch.nn.init.uniform_(weight, -0.7, 0.7)
    return network.eval()


def same(one: Any, other: Any, *, within: float = 1e-5) -> bool:
    """Say whether two tensors have the same shape and about the same numbers."""
    return one.shape == other.shape and bool(torch.allclose(one, other, atol=within))


def packing(lengths: list[int]) -> Packing:
    return Packing.of(torch.tensor(lengths), "cpu")


def test_packing_does_what_torch_does() -> None:
    flat = torch.randn(sum(LENGTHS), 3)
    padded = rnn.pad_sequence(flat.split(LENGTHS))
    expected = rnn.pack_padded_sequence(padded, torch.tensor(LENGTHS), enforce_sorted=False)
    found = packing(LENGTHS).pack(flat)
    assert torch.equal(found.batch_sizes, expected.batch_sizes)
    assert packing(LENGTHS).order.tolist() == [1, 3, 4, 0, 2]  # of equal ones, the first
    lstm = torch.nn.LSTM(3, 4, bidirectional=True)
    outputs, (states, _) = lstm(expected)
    rows, _ = rnn.pad_packed_sequence(outputs)
    flat_rows = torch.cat([rows[:length, i] for i, length in enumerate(LENGTHS)])
    packed_outputs, (packed_states, _) = lstm(found)
    assert same(packing(LENGTHS).unpack(packed_outputs), flat_rows)
    assert same(packing(LENGTHS).unsort(packed_states[0]), states[0])


@pytest.mark.parametrize("lengths", [[1], [4], [1, 1, 1], [1, 7]], ids=str)
def test_packing_and_back(lengths: list[int]) -> None:
    flat = torch.arange(sum(lengths))
    some = packing(lengths)
    assert torch.equal(some.unpack(some.pack(flat)), flat)


def test_the_character_convolution_fits_each_filter_to_each_word() -> None:
    network = randomized(CharacterConvolution(9, 3, 5))
    characters = torch.randint(0, 9, (sum(LENGTHS),))
    found = network(characters, packing(LENGTHS))
    for number, word in enumerate(characters.split(LENGTHS)):
        vectors = network.embedding(word).T[None]
        best = torch.relu(network.convolution(vectors)[0].max(1).values)
        assert same(found[number], best)


def test_the_character_lstm_reads_each_word_from_both_ends() -> None:
    network = randomized(CharacterLSTM(9, 3, 6))
    characters = torch.randint(0, 9, (sum(LENGTHS),))
    found = network(characters, packing(LENGTHS))
    for number, word in enumerate(characters.split(LENGTHS)):
        outputs, _ = network.lstm(network.embedding(word)[:, None])
        ends = torch.cat((outputs[-1, 0, :3], outputs[0, 0, 3:]))
        assert same(found[number], ends)


@pytest.mark.parametrize("residual", ["none", "add", "gated"])
def test_residuals(residual: str) -> None:
    level = randomized(Level(6, 6, residual))
    below = torch.randn(sum(LENGTHS), 6)
    seen = below * 0.5  # as if there were dropout
    found = level(below, seen, packing(LENGTHS))
    rows = [level.lstm(one[:, None])[0][:, 0] for one in seen.split(LENGTHS)]
    output = torch.cat(rows)
    if residual == "add":
        output = output + below
    elif residual == "gated":  # definition 6.1
        weight, bias = level.gate.weight, level.gate.bias
        gate = torch.sigmoid(output @ weight[:, :6].T + below @ weight[:, 6:].T + bias)
        output = output + gate * below
    assert same(found, output)


def test_two_layers_read_the_numbers_of_other_programs() -> None:
    network = randomized(FeatureNetwork(4, 3, 0.5))
    rows = torch.randn(5, 4)
    assert same(network(rows), network.second(torch.tanh(network.first(rows))))


VOCABULARY = Vocabulary(words=("de", "het", "een", "rare"), characters="adehnrt", tags=("X", "Y"))
UNTAGGED = Vocabulary(words=("de", "het", "rare"), characters="adehrt")
SENTENCES = [
    (Token("de", "X"), Token("nieuwe", "Z")),
    (Token("het", "Y"), Token("de", "Y"), Token("rare", "X")),
]
SMALL = EncoderSettings(
    words=4, character_size=3, spelling=6, tags=5, hidden=8, layers=2, residual="gated"
)
TASKS = {"tag": TaskShape(1, 3), "chunk": TaskShape(2, 4)}


def batch() -> TokenBatch:
    return TokenBatch.of(VOCABULARY.encode(SENTENCES))


def test_levels_stand_above_another() -> None:
    network = randomized(SentenceEncoder(SMALL, VOCABULARY, TASKS))
    tokens = batch()
    levels = network(tokens, tokens.words)
    assert [tuple(level.shape) for level in levels] == [(5, 8), (5, 8)]
    spelled = network.characters(tokens.characters, tokens.form_packing)[tokens.forms]
    inputs = torch.cat((spelled, network.words(tokens.words), network.tags(tokens.tags)), dim=1)
    first = network.levels[0](inputs, inputs, tokens.packing)
    assert network.levels[0].residual == "none"  # its input has another size
    assert network.levels[1].residual == "gated"
    assert same(levels[0], first)
    assert same(levels[1], network.levels[1](first, first, tokens.packing))
    weights = dict(network.named_parameters())
    for name, task in TASKS.items():
        expected = levels[task.level - 1] @ weights[f"tasks.{name}.weight"].T
        assert same(network.task_scores(name, levels), expected)


def test_the_lowest_levels_alone() -> None:
    network = randomized(SentenceEncoder(SMALL, VOCABULARY, TASKS))
    tokens = batch()
    both = network(tokens, tokens.words)
    for count in (1, 2, None):
        some = network(tokens, tokens.words, count)
        assert len(some) == (count or 2)
        assert all(map(torch.equal, some, both))


def test_sentences_do_not_see_each_other() -> None:
    network = randomized(SentenceEncoder(SMALL, VOCABULARY, {}))
    tokens = batch()
    together = network(tokens, tokens.words)[-1]
    alone = []
    for sentence in SENTENCES:
        one = TokenBatch.of(VOCABULARY.encode([sentence]))
        alone.append(network(one, one.words)[-1])
    assert same(together, torch.cat(alone))


def test_a_projection_gives_the_first_layer_a_residual() -> None:
    settings = EncoderSettings(
        words=4, characters="none", hidden=6, layers=1, residual="add", project=True
    )
    network = randomized(SentenceEncoder(settings, UNTAGGED, {}))
    tokens = TokenBatch.of(UNTAGGED.encode(SENTENCES))
    below = network.projection(network.words(tokens.words))
    assert same(network(tokens, tokens.words)[0], network.levels[0](below, below, tokens.packing))
    assert network.levels[0].residual == "add"


def test_features_are_read_besides_words() -> None:
    settings = EncoderSettings(words=4, characters="none", hidden=6, layers=1)
    network = randomized(SentenceEncoder(settings, UNTAGGED, {}, FeatureShape(2, 3)))
    assert network.levels[0].lstm.input_size == 4 + 3
    rows = array("f", [number for i in range(5) for number in (i, -i)])
    tokens = TokenBatch.of(UNTAGGED.encode(SENTENCES), features=rows)
    assert tokens.features is not None
    assert tokens.features[3].tolist() == [3.0, -3.0]
    other = tokens._replace(features=tokens.features + 1)
    assert not same(network(tokens, tokens.words)[0], network(other, tokens.words)[0])


def test_a_network_without_input_is_refused() -> None:
    settings = EncoderSettings(words=0, characters="none")
    with pytest.raises(UsageError, match="reads neither words nor characters nor tags"):
        SentenceEncoder(settings, Vocabulary(words=(), characters=""), {})


def test_dropout_is_the_same_in_a_whole_sentence() -> None:
    settings = EncoderSettings(words=4, characters="none", hidden=8, dropout=0.5)
    network = SentenceEncoder(settings, VOCABULARY, {}).train()
    tokens = TokenBatch.of(VOCABULARY.encode(SENTENCES))
    found = network._dropped(torch.ones(5, 400), tokens)
    assert set(found.flatten().tolist()) == {0.0, 2.0}
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[2], found[4])
    assert not torch.equal(found[1], found[2])
    assert torch.equal(network.eval()._dropped(torch.ones(5, 4), tokens), torch.ones(5, 4))


def test_whole_vectors_are_hidden() -> None:
    settings = EncoderSettings(words=4, input_dropout=0.25)
    network = SentenceEncoder(settings, VOCABULARY, {}).train()
    found = network._hidden(torch.ones(4000, 2))
    assert torch.equal(found[:, 0], found[:, 1])
    assert 0.22 < 1 - float(found.mean()) < 0.28


def test_rare_words_are_hidden_in_training() -> None:
    settings = EncoderSettings(words=4, unknown=0.5, rare=0.5, hidden=4)
    shape = NetworkShape(items=2, places=4, moves=0, labels=3)
    network = ParserNetwork(settings, ScorerSettings(hidden=4), VOCABULARY, shape)
    words = torch.tensor([1, 2, 3, 4]).repeat(1000)
    hidden = network.hidden_words(words) == UNKNOWN
    assert not hidden.view(-1, 4)[:, :2].any()
    assert 0.45 < float(hidden.view(-1, 4)[:, 2:].float().mean()) < 0.55


@pytest.mark.parametrize("is_wanted", [True, False])
def test_words_that_do_not_occur_need_no_gradient(*, is_wanted: bool) -> None:
    shape = NetworkShape(items=2, places=4, moves=0, labels=3)
    network: Any = ParserNetwork(SMALL, ScorerSettings(hidden=4), VOCABULARY, shape)
    network.learn_by_rows(is_wanted)
    network.encode(batch())[-1].sum().backward()
    gradient = network.encoder.words.weight.grad
    assert gradient.is_sparse == is_wanted
    assert gradient.to_dense().shape == network.encoder.words.weight.shape
    without = EncoderSettings(words=0, hidden=8)
    ParserNetwork(without, ScorerSettings(), VOCABULARY, shape).learn_by_rows(is_wanted)


@pytest.mark.parametrize("initial", ["weights", "all"])
def test_first_weights(initial: str) -> None:
    settings = EncoderSettings.of({"words": 4, "hidden": 8, "initial": initial})
    shape = NetworkShape(items=2, places=4, moves=3, labels=5, tasks=TASKS)
    network = ParserNetwork(settings, ScorerSettings(hidden=6), VOCABULARY, shape)
    for name, weight in network.named_parameters():
        assert bool(weight.any()) == (weight.dim() > 1 or initial == "all"), name
        if name in ("encoder.words.weight", "structure.absent"):
            assert float(weight.detach().abs().max()) <= 0.1
    assert network.structure.output.out_features == 3
    assert network.label.output.out_features == 5


def test_rows_are_scored_as_if_their_vectors_stood_side_by_side() -> None:
    scorer = randomized(SpanScorer(SpanSizes(3, 4, 5), items=2, outputs=6, dropout=0.5))
    tokens = torch.randn(7, 3)
    rows = torch.tensor([[0, 6, -1, -1, 2, 2, -1, -1], [1, 5, 2, 4, -1, -1, -1, -1], [3] * 8])
    found = scorer.score(scorer.prepare(tokens), rows)
    for row, scores in zip(rows.tolist(), found, strict=True):
        vectors = [
            scorer.absent[place % 4] if token < 0 else tokens[token]
            for place, token in enumerate(row)
        ]
        hidden = torch.tanh(scorer.layers[0](torch.cat(vectors)))
        hidden = torch.tanh(scorer.layers[1](hidden))
        assert same(scores, scorer.output(hidden))
    assert scorer.score(scorer.prepare(tokens), rows[:0]).shape == (0, 6)


def test_log_probabilities_of_segments() -> None:
    scores = torch.tensor([1.0, 2.0, 500.0, 0.0, 3.0, -1000.0], requires_grad=True)
    segments = torch.tensor([0, 0, 2, 1, 1, 2])
    found = segment_log_softmax(scores, segments, 3)
    for segment in range(3):
        mine = segments == segment
        assert same(found[mine], torch.log_softmax(scores[mine], 0))
    (gradient,) = torch.autograd.grad(found[1], scores)
    expected = torch.zeros(6)
    expected[:2] = torch.tensor([0.0, 1.0]) - torch.softmax(scores[:2].detach(), 0)
    assert same(gradient, expected)


def test_arrays_become_tensors() -> None:
    assert tensor(array("i")).tolist() == []
    assert tensor(array("i", [3, -1])).tolist() == [3, -1]
