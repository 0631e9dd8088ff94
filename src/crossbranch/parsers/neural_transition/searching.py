"""Search with torch: greedy or with a beam, many sentences at once."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from crossbranch import _core
from crossbranch.neural.network import Levels, ParserNetwork
from crossbranch.parsers.neural_shared.devices import numbers
from crossbranch.parsers.neural_transition.engine import ScoredCodes
from crossbranch.search import Trace


class ChoiceScorer:
    """Scores the choices of a batch of sentences, whose tokens are encoded once."""

    def __init__(
        self, network: ParserNetwork, levels: Levels, writer: _core.ChoiceWriter, device: str
    ) -> None:
        self._network = network
        self._levels = levels
        self._places = writer.places
        self._width = writer.items * writer.places
        self._device = device

    def structure(self, at: _core.Choices) -> Tensor:
        """Return a score for each candidate, or for each move of each choice."""
        return self._structure(numbers(at.rows, self._device))

    def labels(self, at: _core.Choices) -> Tensor:
        """Return a score for each label of each choice, that for no label first."""
        return self._labels(numbers(at.label_rows, self._device))

    def both(self, at: _core.Choices) -> tuple[Any, Any]:
        """Return the scores of structure and of labels in a form that the core takes.

        All rows go to the device at once, and it is waited for once.
        """
        rows, label_rows = numbers(at.rows), numbers(at.label_rows)
        moved = torch.cat((rows, label_rows)).to(self._device, non_blocking=True)
        structure = self._structure(moved[: len(rows)]).flatten()
        labels = self._labels(moved[len(rows) :]).flatten()
        together = torch.cat((structure, labels)).detach().to("cpu")
        return together[: len(structure)], together[len(structure) :]

    def _structure(self, rows: Tensor) -> Tensor:
        found = rows.view(-1, self._width)
        return self._network.structure.score(self._levels.structure, found).float()

    def _labels(self, rows: Tensor) -> Tensor:
        found = rows.view(-1, self._places)
        return self._network.label.score(self._levels.labels, found).float()


def find_trees(
    scorer: ChoiceScorer, writer: _core.ChoiceWriter, token_counts: array[int], *, beam: int
) -> list[list[ScoredCodes]]:
    """Return the best trees of sentences, as many as the beam has places."""
    return _finished(_core.ChoiceBeam(writer, token_counts, beam=beam), scorer).trees()


def find_traces(
    scorer: ChoiceScorer, writer: _core.ChoiceWriter, token_counts: array[int], *, beam: int
) -> list[Trace]:
    """Return how the best trees of sentences are found."""
    search = _core.ChoiceBeam(writer, token_counts, beam=beam, is_traced=True)
    _finished(search, scorer)
    pairs = zip(search.trees(), search.traces(), strict=True)
    return [Trace.of(trees[0][0], steps) for trees, steps in pairs]


def _finished(search: _core.ChoiceBeam, scorer: ChoiceScorer) -> _core.ChoiceBeam:
    """Search until all configurations are final."""
    while True:
        at = search.choices()
        if not at.structure_count and not at.label_count:
            return search
        search.advance(*scorer.both(at))


def explored(
    scorer: ChoiceScorer,
    writer: _core.ChoiceWriter,
    oracles: Sequence[_core.SpanOracle],
    token_counts: array[int],
    *,
    chance: float,
    seed: int,
) -> list[list[int]]:
    """Return transitions of sentences that the parser draws itself, at each step with a chance."""
    search = _core.ChoiceBeam(writer, token_counts)
    guides = list(oracles)
    step = 0
    while True:
        at = search.choices()
        if not at.structure_count and not at.label_count:
            return search.taken()
        search.explore(*scorer.both(at), guides, chance=chance, seed=seed + step)
        step += 1
