"""The network of a parser with torch: on a GPU, and for training."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from crossbranch import _core
from crossbranch.errors import InputError
from crossbranch.neural.encoder import FeatureShape, TaskShape
from crossbranch.neural.network import NetworkShape, ParserNetwork
from crossbranch.neural.pretrained import Pretrained, PretrainedInput, PretrainedReader
from crossbranch.neural.subtokens import Windows
from crossbranch.neural.tokens import TokenBatch
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.neural_transition.devices import short_numbers
from crossbranch.parsers.neural_transition.engine import PRETRAINED, WEIGHTS, Found, task_level
from crossbranch.parsers.neural_transition.searching import ChoiceScorer, find_trees
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings, Precision
from crossbranch.parsers.neural_transition.weights import unpack
from crossbranch.text.detokenize import BRACKETS
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser

_AT_ONCE = 2  # threads that may use a network


def make_network(
    settings: NeuralTransitionSettings,
    vocabulary: Vocabulary,
    writer: _core.ChoiceWriter,
    tasks: Mapping[str, TaskShape],
    pretrained: PretrainedInput | None = None,
) -> ParserNetwork:
    """Return a network with random weights."""
    shape = NetworkShape(
        writer.items,
        writer.places,
        len(writer.moves),
        writer.output_count,
        tasks,
        _features(settings),
    )
    return ParserNetwork(settings.network, settings.scorer, vocabulary, shape, pretrained)


def _features(settings: NeuralTransitionSettings) -> FeatureShape | None:
    """Return the shape of the network that reads all distributions, whose widths are known."""
    found = list(settings.distribution.values())
    if not found:
        return None
    size = sum(one.size or one.width for one in found)
    return FeatureShape(sum(one.width for one in found), size, found[0].dropout)


class TorchEngine:
    """Finds trees and the labels of tasks with torch."""

    def __init__(
        self, parser: NeuralTransitionParser, device: str, precision: Precision = "float32"
    ) -> None:
        """Take the weights of a parser. Raises InputError if they do not fit."""
        settings = parser.settings
        tasks = {
            name: TaskShape(task_level(settings, name), len(labels))
            for name, labels in parser.task_labels.items()
        }
        where = parser.folder.where if parser.folder else "<{}>".format
        self._reader: PretrainedReader | None = None
        added: PretrainedInput | None = None
        if settings.pretrained is not None and parser.pretrained is not None:
            _, self._reader, added = Pretrained.to_parse(
                settings.pretrained,
                parser.pretrained,
                surfaces=BRACKETS,
                device=device,
                path=where(PRETRAINED),
            )
        network = make_network(settings, parser.words, parser.writer, tasks, added)
        _load(network, unpack(parser.weights, path=where(WEIGHTS)), where(WEIGHTS))
        self._network = network.to(device).eval()
        self._vocabulary = parser.words
        self._writer = parser.writer
        self._device = device
        self._is_short = precision == "bfloat16"
        self._tasks = list(tasks)
        # While a device works for one thread, another one can prepare; more would only wait.
        self._places = threading.BoundedSemaphore(_AT_ONCE)
        self._reading = threading.Lock()  # tokenizers of pretrained encoders serve one at a time

    @torch.inference_mode()
    def parse(
        self,
        sentences: Sequence[Sentence],
        *,
        beam: int,
        k_best: int,
        features: array[float] | None = None,
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens."""
        encoded = self._vocabulary.encode(sentences)
        with self._places, short_numbers(self._device, self._is_short):
            read = self._read(sentences)
            batch = TokenBatch.of(encoded, self._device, features, pretrained=read)
            levels = self._network.encode(batch)
            prepared = self._network.prepare(levels)
            scorer = ChoiceScorer(self._network, prepared, self._writer, self._device)
            found = find_trees(scorer, self._writer, encoded.lengths, beam=beam)
            scores = self._network.encoder.task_scores
            labels = {name: scores(name, levels).argmax(1).tolist() for name in self._tasks}
        return [_different(trees, k_best) for trees in found], labels

    def _read(self, sentences: Sequence[Sentence]) -> Tensor | Windows | None:
        if self._reader is None:
            return None
        with self._reading:
            return self._reader.read(sentences)


def _load(network: ParserNetwork, weights: Mapping[str, Tensor], where: str) -> None:
    """Give the network its weights. Tables that a pretrained encoder makes itself are not stored.

    Raises:
        InputError: Some do not fit, are missing, or are too many.
    """
    learned = {name for name, _ in network.named_parameters()}
    try:
        missing, others = network.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        raise InputError(str(error), "the weights of this network", path=where) from None
    if wrong := sorted(learned.intersection(missing)) + sorted(others):
        found = "other weights" if wrong[0] in others else "no weights"
        expected = f"the weights of this network ({len(wrong)} differ)"
        raise InputError(f"{found}: {wrong[0]}", expected, path=where)


def _different(
    trees: Sequence[tuple[float, list[int]]], count: int
) -> list[tuple[float, list[int]]]:
    """Return the first `count` trees that are different."""
    kept: dict[tuple[int, ...], tuple[float, list[int]]] = {}
    for score, codes in trees:
        if len(kept) < count:
            kept.setdefault(tuple(codes), (score, codes))
    return list(kept.values())
