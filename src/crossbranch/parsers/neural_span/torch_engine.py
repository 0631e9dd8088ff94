"""The network of a parser with span charts, with torch: on a GPU, and for training."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from crossbranch.neural.biaffine import Padding
from crossbranch.neural.encoder import TaskShape
from crossbranch.neural.pretrained import PretrainedInput
from crossbranch.neural.span_network import SpanNetwork, SpanNetworkShape
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.neural_shared.settings import Precision
from crossbranch.parsers.neural_shared.torch_engine import NetworkEngine, feature_shape
from crossbranch.parsers.neural_span.engine import (
    Found,
    FoundTree,
    Search,
    SpanNumbers,
    make_charts,
)
from crossbranch.parsers.neural_span.labels import SpanLabels
from crossbranch.parsers.neural_span.settings import NeuralSpanSettings
from crossbranch.parsers.neural_span.spaces import space_numbers
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_span.parser import NeuralSpanParser

# What is scored together: each span has a number for each label, and each token has many of them.
_CELLS = 400_000
_TOKENS = 8192


def make_network(
    settings: NeuralSpanSettings,
    vocabulary: Vocabulary,
    labels: SpanLabels,
    tasks: Mapping[str, TaskShape],
    pretrained: PretrainedInput | None = None,
) -> SpanNetwork:
    """Return a network with random weights."""
    shape = SpanNetworkShape(
        labels.continuous_count, labels.discontinuous_count, tasks, feature_shape(settings)
    )
    return SpanNetwork(settings.network, settings.scorer, vocabulary, shape, pretrained)


def chart_threads(device: str, given: int = 1, processes: int = 1) -> int:
    """Return how many threads run charts: if a GPU computes the scores, one for each core.

    `given` is the number that the user wants at least; `processes` share the cores.
    """
    cores = 1 if device == "cpu" else (os.cpu_count() or 1) // processes
    return max(given, cores)


def flat(scores: Iterable[Tensor]) -> list[Any]:
    """Return scores as the core takes them; for mypy, tensors are no buffers."""
    return [one.detach().to("cpu", torch.float32).contiguous().view(-1) for one in scores]


class _Part(NamedTuple):
    """Some sentences of similar lengths, and the scores of their spans."""

    numbers: list[int]
    scores: list[Any]


class TorchEngine:
    """Finds trees and the labels of tasks with torch. Charts are always in the core."""

    def __init__(
        self, parser: NeuralSpanParser, device: str, precision: Precision = "float32"
    ) -> None:
        """Take the weights of a parser. Raises InputError if they do not fit."""

        def make(tasks: Mapping[str, TaskShape], added: PretrainedInput | None) -> SpanNetwork:
            return make_network(
                parser.settings, parser.words, parser.labels_by_number, tasks, added
            )

        self._engine = NetworkEngine(parser, make, device, precision)
        self._vocabulary = parser.words
        self._charts = make_charts(parser.labels_by_number, chart_threads(device))

    @torch.inference_mode()
    def parse(
        self, sentences: Sequence[Sentence], search: Search, features: array[float] | None = None
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens."""
        encoded = self._vocabulary.encode(sentences)
        engine = self._engine
        with engine.places, engine.precision():
            levels = engine.encode(encoded, sentences, features)
            parts = list(self._scored(levels, encoded.lengths)) if search.spaces else []
            classes = engine.task_classes(levels)
            if engine.device != "cpu":
                torch.cuda.synchronize(engine.device)
        trees: list[list[FoundTree]] = [[] for _ in sentences]
        for part in parts:
            found = self._charts.trees(
                array("i", [encoded.lengths[number] for number in part.numbers]),
                *part.scores,
                spaces=space_numbers(search.spaces[number] for number in part.numbers),
                k_best=search.k_best,
                probabilities=search.probabilities,
                minimum_risk=search.minimum_risk,
            )
            for number, one in zip(part.numbers, found, strict=True):
                trees[number] = one
        return trees, classes

    @torch.inference_mode()
    def score(self, sentence: Sentence, features: array[float] | None = None) -> SpanNumbers:
        """Return the scores of all spans of a sentence."""
        encoded = self._vocabulary.encode([sentence])
        engine = self._engine
        with engine.places, engine.precision():
            levels = engine.encode(encoded, [sentence], features)
            scores = engine.network.score(levels, padding_of(encoded.lengths, engine.device))
        continuous, outer, gap = (array("f", one.numpy().tobytes()) for one in flat(scores))
        return continuous, outer, gap

    def _scored(self, levels: list[Tensor], lengths: array[int]) -> Iterator[_Part]:
        starts = [0]
        for length in lengths:
            starts.append(starts[-1] + length)
        for numbers in _groups(lengths):
            padding = padding_of(
                [lengths[i] for i in numbers], self._engine.device, [starts[i] for i in numbers]
            )
            scores = self._engine.network.score(levels, padding)
            yield _Part(numbers, [_on_its_way(one) for one in scores])


def _on_its_way(scores: Tensor) -> Tensor:
    """Return scores in the memory of the CPU. They may still be coming; nothing waits for them."""
    if scores.device.type == "cpu":
        return scores.contiguous().view(-1)
    found = torch.empty(scores.numel(), dtype=torch.float32, pin_memory=True)
    return found.copy_(scores.reshape(-1), non_blocking=True)


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers of sentences of similar lengths, which have few enough spans."""
    group: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        padded = (len(group) + 1) * lengths[number]
        if group and (padded > _TOKENS or padded * lengths[number] > _CELLS):
            yield group
            group = []
        group.append(number)
    yield group


def padding_of(lengths: Sequence[int], device: str, starts: Sequence[int] | None = None) -> Padding:
    """Return how the tokens of some sentences become rows of equal length.

    Args:
        lengths: The number of tokens of each sentence.
        device: Where the tokens are.
        starts: The place of the first token of each sentence, if there are others between them.
    """
    counts = torch.tensor(lengths)
    places = torch.cumsum(counts, 0) - counts if starts is None else torch.tensor(starts)
    steps = torch.arange(max(lengths))
    exists = steps[None, :] < counts[:, None]
    found = torch.where(exists, places[:, None] + steps[None, :], 0)
    return Padding(found.to(device, non_blocking=True), exists.to(device, non_blocking=True))
