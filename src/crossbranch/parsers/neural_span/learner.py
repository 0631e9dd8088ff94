"""Training of parsers with span charts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor

from crossbranch.errors import InputError
from crossbranch.neural.biaffine import SpanTensors
from crossbranch.neural.encoder import TaskShape
from crossbranch.neural.span_network import SpanNetwork
from crossbranch.parsers.neural_shared.learner import NeuralLearner
from crossbranch.parsers.neural_shared.losses import Metrics
from crossbranch.parsers.neural_shared.parser import Learned
from crossbranch.parsers.neural_span.engine import make_charts
from crossbranch.parsers.neural_span.gold import GoldSpans, GoldTrees
from crossbranch.parsers.neural_span.losses import (
    Charts,
    GoldCells,
    LabelLoss,
    hinge_loss,
    likelihood_loss,
)
from crossbranch.parsers.neural_span.parser import NeuralSpanParser
from crossbranch.parsers.neural_span.settings import NeuralSpanSettings
from crossbranch.parsers.neural_span.spaces import Space, space_numbers
from crossbranch.parsers.neural_span.torch_engine import (
    chart_threads,
    make_network,
    padding_of,
)
from crossbranch.training import Example

_Kind = TypeVar("_Kind", bound=NeuralSpanParser)


class NeuralSpanLearner(NeuralLearner[_Kind, NeuralSpanSettings, SpanNetwork]):
    """Trains a parser with span charts; see `training.Learner` for the methods."""

    def _read_trees(
        self,
        settings: NeuralSpanSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
    ) -> list[int]:
        """Read the trees. If whole trees are learned, only what the search space has counts."""
        self._space = Space(settings.space, settings.ill_nested)
        self._learns_labels = settings.loss == "labels"
        gold = GoldTrees.read([example.tree for example in examples], report)
        self._longest = settings.longest
        self._gold = gold.distinct() if self._learns_labels else gold.within(self._space_of)
        threads = chart_threads(self._device, settings.threads, self._team.size)
        self._charts = make_charts(gold.labels, threads)
        self._label_loss = LabelLoss(len(gold.labels.names.inside), settings.negatives)
        return gold.kept

    def _space_of(self, tokens: int) -> Space:
        """Return the space that sentences of a length are learned in."""
        return self._space.for_learning(tokens, self._longest)

    def _tree_facts(self) -> Mapping[str, Any]:
        found: dict[str, Any] = {"loss": self._settings.loss}
        if not self._learns_labels:
            found["constituents_outside_the_space"] = self._gold.lost
        return found

    def _tree_identity(self) -> Iterator[bytes]:
        yield repr(self._gold.labels.names).encode()
        for spans in self._gold.spans:
            yield spans.to_bytes()

    def _make_network(self, tasks: Mapping[str, TaskShape]) -> SpanNetwork:
        return make_network(
            self._settings, self._vocabulary, self._gold.labels, tasks, self._inputs.network_input
        )

    def _make_parser(self, learned: Learned) -> _Kind:
        return self._kind(self._settings, labels=self._gold.labels, learned=learned)

    def _tree_loss(self, batch: list[int], levels: list[Tensor]) -> Tensor:
        lengths = array("i", [len(self._sentences[number]) for number in batch])
        padding = padding_of(lengths, self._device)
        scores = self._network.score(levels, padding)
        spans = [self._gold.spans[number] for number in batch]
        if self._learns_labels:
            return self._label_loss(scores, GoldCells.of(spans, self._device), padding)
        return self._structured_loss(scores, spans, lengths) / len(batch)

    def _structured_loss(
        self, scores: SpanTensors, gold: Sequence[GoldSpans], lengths: array[int]
    ) -> Tensor:
        charts = Charts(self._charts, lengths, space_numbers(map(self._space_of, lengths)))
        with torch.autocast(self._device.partition(":")[0], enabled=False):
            if self._settings.loss == "likelihood":
                return likelihood_loss(scores, GoldCells.of(gold, self._device), charts)
            return hinge_loss(scores, gold, charts)

    def _divisor(self, sentences: int, tokens: int) -> int:
        """The loss of labels is a mean over spans, so that of a task is a mean over tokens."""
        return tokens if self._learns_labels else sentences

    def _add_loss(self, metrics: Metrics, loss: Tensor, sentences: int, tokens: int) -> None:
        if self._learns_labels:
            metrics.add("loss", loss, 1)
        else:
            super()._add_loss(metrics, loss, sentences, tokens)
