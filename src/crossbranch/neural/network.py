"""The networks of parsers: an encoder with tasks, and what scores trees."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn

from crossbranch.neural.encoder import FeatureShape, SentenceEncoder, TaskShape
from crossbranch.neural.pretrained import PretrainedInput
from crossbranch.neural.scorer import Prepared, SpanScorer, SpanSizes
from crossbranch.neural.settings import EncoderSettings, Initial, ScorerSettings
from crossbranch.neural.tokens import TokenBatch
from crossbranch.neural.vocabulary import UNKNOWN, Vocabulary

_TABLES = re.compile(
    r"encoder\.(characters\.embedding|words|tags)\.weight|(structure|label)\.absent"
)
"""The names of tables, whose rows are vectors."""
PRETRAINED = "encoder.pretrained."
"""The beginning of the names of weights that do not start at random."""


class NetworkShape(NamedTuple):
    """The sizes of a transition parser's network that depend on training data and system."""

    items: int
    """The constituents that a row of a structural choice names."""
    places: int
    """The tokens that name a constituent."""
    moves: int
    """The number of structural moves; 0 if each candidate has a row and a score of its own."""
    labels: int
    """The number of labels, with that for no label."""
    tasks: Mapping[str, TaskShape] = {}
    features: FeatureShape | None = None


class Levels(NamedTuple):
    """What the network computes for the tokens of a batch."""

    levels: list[Tensor]
    structure: Prepared
    labels: Prepared


class TokenNetwork(nn.Module):
    """What the networks of all kinds of parsers have: an encoder with the layers of tasks."""

    def __init__(
        self,
        settings: EncoderSettings,
        vocabulary: Vocabulary,
        tasks: Mapping[str, TaskShape],
        features: FeatureShape | None = None,
        pretrained: PretrainedInput | None = None,
    ) -> None:
        super().__init__()
        self.encoder = SentenceEncoder(settings, vocabulary, tasks, features, pretrained)
        self.rare = round((1 - settings.rare) * vocabulary.learned_count) + 1
        self.unknown = settings.unknown

    def start(self, initial: Initial, *, but: str = PRETRAINED) -> None:
        """Give random values to all weights but the pretrained ones and those called `but`..."""
        for name, parameter in self.named_parameters():
            if name.startswith((PRETRAINED, but)):
                continue
            limit = math.sqrt(6 / sum(parameter.shape))
            if _TABLES.fullmatch(name):
                limit = 0.1
            elif parameter.dim() == 1 and initial != "all":
                limit = 0.0
            elif parameter.dim() == 2 and initial == "orthogonal":
                nn.init.orthogonal_(parameter)
                continue
            nn.init.uniform_(parameter, -limit, limit)

    def learn_by_rows(self, is_wanted: bool) -> None:
        """Let only the vectors of words that occur have a gradient; the others would have zeros."""
        if self.encoder.words is not None:
            self.encoder.words.sparse = is_wanted

    def hidden_words(self, words: Tensor) -> Tensor:
        """Return word numbers, with some of the rare ones replaced by that of unknown words."""
        chance = torch.rand(words.shape, device=words.device)
        return words.masked_fill((words >= self.rare) & (chance < self.unknown), UNKNOWN)

    def encode(self, batch: TokenBatch, *, count: int | None = None) -> list[Tensor]:
        """Return the vectors of all tokens at each level, or at the lowest `count` levels."""
        words = self.hidden_words(batch.words) if self.training else batch.words
        return self.encoder(batch, words, count)  # type: ignore[no-any-return]


class ParserNetwork(TokenNetwork):
    """The network of a transition parser: it scores structure and labels."""

    def __init__(
        self,
        encoder: EncoderSettings,
        scorer: ScorerSettings,
        vocabulary: Vocabulary,
        shape: NetworkShape,
        pretrained: PretrainedInput | None = None,
    ) -> None:
        super().__init__(encoder, vocabulary, shape.tasks, shape.features, pretrained)
        sizes = SpanSizes(encoder.hidden, shape.places, scorer.hidden)
        self.structure = SpanScorer(
            sizes, items=shape.items, outputs=max(shape.moves, 1), dropout=scorer.dropout
        )
        self.label = SpanScorer(sizes, items=1, outputs=shape.labels, dropout=scorer.dropout)
        self.start(encoder.initial)

    def prepare(self, levels: list[Tensor]) -> Levels:
        """Compute what the scorers need, once for each token."""
        top = levels[-1]
        return Levels(levels, self.structure.prepare(top), self.label.prepare(top))
