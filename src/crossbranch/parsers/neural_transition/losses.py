"""The loss of a batch: how improbable the right choices and labels are for the network."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from crossbranch import _core
from crossbranch.neural.scorer import segment_log_softmax
from crossbranch.parsers.neural_shared.devices import numbers
from crossbranch.parsers.neural_transition.searching import ChoiceScorer
from crossbranch.structure import ROOT_LABEL, LabelSet


class LabelMasks(NamedTuple):
    """Which labels are possible: row 0 for a part of a sentence, row 1 for the whole."""

    blocked: Tensor  # 0, or minus infinity where a label is not possible

    @classmethod
    def of(cls, labels: LabelSet, device: str) -> LabelMasks:
        """Make the masks. The first output is that for no label."""
        is_root = [kind == ROOT_LABEL for kind in labels.kinds]
        possible = torch.tensor([[True, *[not root for root in is_root]], [False, *is_root]])
        blocked = torch.zeros(possible.shape).masked_fill(~possible, -torch.inf)
        return cls(blocked.to(device))


class ChoiceLoss:
    """Computes the loss of structural choices and of labels, each a sum over all choices."""

    def __init__(self, masks: LabelMasks, moves: int, smoothing: float) -> None:
        self._masks = masks
        self._moves = moves
        self._smoothing = smoothing

    def structure(self, scorer: ChoiceScorer, at: _core.Choices, device: str) -> Tensor:
        """Return the loss of structural choices."""
        targets = numbers(at.targets, device).long()
        scores = scorer.structure(at)
        if self._moves:
            legal = numbers(at.legal, device, torch.uint8).view(-1, self._moves) > 0
            scores = scores.masked_fill(~legal, -torch.inf)
            return functional.cross_entropy(scores, targets, reduction="sum")
        owners = numbers(at.owners, device).long()
        found = segment_log_softmax(scores[:, 0], owners, at.structure_count)
        return -found[targets].sum()

    def labels(self, scorer: ChoiceScorer, at: _core.Choices, device: str) -> Tensor:
        """Return the loss of labels."""
        targets = numbers(at.label_targets, device).long()
        is_root = numbers(at.label_is_root, device, torch.uint8).long()
        blocked = self._masks.blocked[is_root]
        probabilities = functional.log_softmax(scorer.labels(at) + blocked, dim=1)
        loss = -probabilities.gather(1, targets[:, None]).sum()
        if not self._smoothing:
            return loss
        possible = torch.isfinite(blocked)
        spread = torch.where(possible, probabilities, 0.0).sum(1) / possible.sum(1)
        return (1 - self._smoothing) * loss - self._smoothing * spread.sum()
