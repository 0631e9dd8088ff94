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
        rows = numbers(at.rows, self._device).view(-1, self._width)
        return self._network.structure.score(self._levels.structure, rows).float()

    def labels(self, at: _core.Choices) -> Tensor:
        """Return a score for each label of each choice, that for no label first."""
        rows = numbers(at.label_rows, self._device).view(-1, self._places)
        return self._network.label.score(self._levels.labels, rows).float()

    def both(self, at: _core.Choices) -> tuple[Any, Any]:
        """Return the scores of structure and of labels in a form that the core takes.

        A device is asked for both and waited for once.
        """
        parts = [self.structure(at).flatten(), self.labels(at).flatten()]
        together = torch.cat(parts).detach().to("cpu")
        return together[: len(parts[0])], together[len(parts[0]) :]


def find_trees(
    scorer: ChoiceScorer, writer: _core.ChoiceWriter, token_counts: array[int], *, beam: int
) -> list[list[ScoredCodes]]:
    """Return the best trees of sentences, as many as the beam has places."""
    search = _core.ChoiceBeam(writer, token_counts, beam=beam)
    while True:
        at = search.choices()
        if not at.structure_count and not at.label_count:
            return search.trees()
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
