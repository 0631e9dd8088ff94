"""The network of a parser with span charts: an encoder, and scores of labelled spans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor

from crossbranch.neural.biaffine import ConstituentScorer, Padding, SpanTensors
from crossbranch.neural.encoder import FeatureShape, TaskShape
from crossbranch.neural.network import TokenNetwork
from crossbranch.neural.pretrained import PretrainedInput
from crossbranch.neural.settings import BiaffineSettings, EncoderSettings
from crossbranch.neural.vocabulary import Vocabulary


class SpanNetworkShape(NamedTuple):
    """The sizes that depend on the training data."""

    continuous_labels: int
    discontinuous_labels: int
    tasks: Mapping[str, TaskShape] = {}
    features: FeatureShape | None = None


class SpanNetwork(TokenNetwork):
    """An encoder, and scores of labelled spans. The names of its parts are those of the core."""

    def __init__(
        self,
        encoder: EncoderSettings,
        scorer: BiaffineSettings,
        vocabulary: Vocabulary,
        shape: SpanNetworkShape,
        pretrained: PretrainedInput | None = None,
    ) -> None:
        super().__init__(encoder, vocabulary, shape.tasks, shape.features, pretrained)
        self.scorer = ConstituentScorer(
            encoder.hidden,
            scorer,
            continuous_labels=shape.continuous_labels,
            discontinuous_labels=shape.discontinuous_labels,
        )
        self.start(encoder.initial, but="scorer.")
        self.scorer.start()

    def score(self, levels: list[Tensor], padding: Padding) -> SpanTensors:
        """Return the scores of all spans."""
        return self.scorer(levels[-1], padding)  # type: ignore[no-any-return]
