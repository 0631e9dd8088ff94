"""The network of a parser with torch: on a GPU, and for training."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch

from crossbranch import _core
from crossbranch.errors import InputError
from crossbranch.neural.encoder import TaskShape
from crossbranch.neural.network import NetworkShape, ParserNetwork
from crossbranch.neural.tokens import TokenBatch
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.neural_transition.engine import WEIGHTS, Found, task_level
from crossbranch.parsers.neural_transition.searching import ChoiceScorer, find_trees
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings
from crossbranch.parsers.neural_transition.weights import unpack
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser


def make_network(
    settings: NeuralTransitionSettings,
    vocabulary: Vocabulary,
    writer: _core.ChoiceWriter,
    tasks: Mapping[str, TaskShape],
) -> ParserNetwork:
    """Return a network with random weights."""
    shape = NetworkShape(writer.items, writer.places, len(writer.moves), writer.output_count, tasks)
    return ParserNetwork(settings.network, settings.scorer, vocabulary, shape)


class TorchEngine:
    """Finds trees and the labels of tasks with torch."""

    def __init__(self, parser: NeuralTransitionParser, device: str) -> None:
        """Take the weights of a parser. Raises InputError if they do not fit."""
        settings = parser.settings
        tasks = {
            name: TaskShape(task_level(settings, name), len(labels))
            for name, labels in parser.task_labels.items()
        }
        network = make_network(settings, parser.words, parser.writer, tasks)
        where = parser.folder.where(WEIGHTS) if parser.folder else "<weights>"
        try:
            network.load_state_dict(unpack(parser.weights, path=where))
        except RuntimeError as error:
            raise InputError(str(error), "the weights of this network", path=where) from None
        self._network = network.to(device).eval()
        self._vocabulary = parser.words
        self._writer = parser.writer
        self._device = device
        self._tasks = list(tasks)
        self._lock = threading.Lock()  # several threads would only slow each other down

    @torch.inference_mode()
    def parse(self, sentences: Sequence[Sentence], *, beam: int, k_best: int) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens."""
        encoded = self._vocabulary.encode(sentences)
        with self._lock:
            levels = self._network.encode(TokenBatch.of(encoded, self._device))
            prepared = self._network.prepare(levels)
            scorer = ChoiceScorer(self._network, prepared, self._writer, self._device)
            found = find_trees(scorer, self._writer, encoded.lengths, beam=beam)
            scores = self._network.encoder.task_scores
            labels = {name: scores(name, levels).argmax(1).tolist() for name in self._tasks}
        return [_different(trees, k_best) for trees in found], labels


def _different(
    trees: Sequence[tuple[float, list[int]]], count: int
) -> list[tuple[float, list[int]]]:
    """Return the first `count` trees that are different."""
    kept: dict[tuple[int, ...], tuple[float, list[int]]] = {}
    for score, codes in trees:
        if len(kept) < count:
            kept.setdefault(tuple(codes), (score, codes))
    return list(kept.values())
