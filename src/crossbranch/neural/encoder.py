"""From tokens to vectors: words, characters and tags, then bi-LSTM layers, one level above another.

Tokens stand one after the other, all sentences in one list: [tokens, size].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from crossbranch.errors import UsageError
from crossbranch.neural.lstm import BiLSTM
from crossbranch.neural.pretrained import PretrainedInput
from crossbranch.neural.settings import EncoderSettings
from crossbranch.neural.tokens import Packing, TokenBatch
from crossbranch.neural.vocabulary import Vocabulary

_WIDTH = 3  # characters that a convolution sees at once


class TaskShape(NamedTuple):
    """Where a sequence-labelling task is in the network, and how many labels it has."""

    level: int  # counted from 1
    labels: int
    dropout: float = 0.5


class FeatureShape(NamedTuple):
    """How many numbers of other programs each token has, and how they are read."""

    inputs: int
    size: int
    dropout: float = 0.1


class WordTable(nn.Embedding):
    """The vectors of words. Some of them may be fixed while the others learn."""

    fixed: Tensor
    is_fixed: Tensor | None

    def __init__(self, count: int, size: int) -> None:
        super().__init__(count, size)
        self.register_buffer("is_fixed", None, persistent=False)

    def fix(self, is_fixed: Tensor) -> None:
        """Let these rows stay as they are now."""
        self.is_fixed = is_fixed
        self.register_buffer("fixed", self.weight.detach().clone(), persistent=False)

    def forward(self, words: Tensor) -> Tensor:
        """Return the vectors of words."""
        vectors = super().forward(words)
        if self.is_fixed is None:
            return vectors
        return torch.where(self.is_fixed[words][:, None], self.fixed[words], vectors)


class CharacterLSTM(nn.Module):
    """The spelling of a word: the last states of a bi-LSTM over its characters."""

    def __init__(self, count: int, character_size: int, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(count, character_size)
        self.lstm = BiLSTM(character_size, size)

    def forward(self, characters: Tensor, packing: Packing) -> Tensor:
        """Return a vector for each form."""
        return self.lstm.ends(self.embedding(characters), packing)


class CharacterConvolution(nn.Module):
    """The spelling of a word: for each filter, the place in the word where it fits best."""

    def __init__(self, count: int, character_size: int, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(count, character_size)
        self.convolution = nn.Conv1d(character_size, size, _WIDTH, padding=_WIDTH // 2)

    def forward(self, characters: Tensor, packing: Packing) -> Tensor:
        """Return a vector for each form. One product serves all places of all forms."""
        vectors = self.embedding(characters)
        ends = torch.cumsum(packing.lengths, 0)
        before = vectors.roll(1, 0).index_fill(0, ends - packing.lengths, 0.0)
        after = vectors.roll(-1, 0).index_fill(0, ends - 1, 0.0)
        weights = self.convolution.weight.transpose(1, 2).flatten(1)
        windows = torch.cat((before, vectors, after), dim=1)
        found = functional.linear(windows, weights, self.convolution.bias)
        numbers = torch.arange(len(packing.lengths), device=found.device)
        owners = torch.repeat_interleave(numbers, packing.lengths)[:, None].expand_as(found)
        lowest = found.new_full((len(numbers), found.shape[1]), -torch.inf)
        return torch.relu(lowest.scatter_reduce(0, owners, found, "amax"))


class FeatureNetwork(nn.Module):
    """Two layers over numbers of other programs, such as the distributions of a supertagger."""

    def __init__(self, count: int, size: int, dropout: float) -> None:
        super().__init__()
        self.first = nn.Linear(count, size)
        self.second = nn.Linear(size, size)
        self.dropout = dropout

    def forward(self, features: Tensor) -> Tensor:
        """Return a vector for each row of numbers."""
        hidden = functional.dropout(torch.tanh(self.first(features)), self.dropout, self.training)
        return self.second(hidden)  # type: ignore[no-any-return]


class Level(nn.Module):
    """A bi-LSTM layer, and what is done with its input."""

    def __init__(self, inputs: int, size: int, residual: str) -> None:
        super().__init__()
        self.lstm = BiLSTM(inputs, size)
        self.residual = residual
        if residual == "gated":
            self.gate = nn.Linear(2 * size, size)

    def forward(self, below: Tensor, seen: Tensor, packing: Packing) -> Tensor:
        """Return the output for each token. `seen` is the input, perhaps with dropout."""
        output = self.lstm.states(seen, packing)
        if self.residual == "add":
            return output + below
        if self.residual == "gated":
            return output + torch.sigmoid(self.gate(torch.cat((output, below), dim=1))) * below
        return output


class TaskLayers(nn.Module):
    """The last layer of each task. In contrast to nn.ModuleDict, tasks may have any name."""

    def __init__(self, size: int, tasks: Mapping[str, TaskShape]) -> None:
        super().__init__()
        for name, task in tasks.items():
            self._modules[name] = nn.Linear(size, task.labels, bias=False)

    def forward(self, name: str, vectors: Tensor) -> Tensor:
        """Return the scores of the labels of a task for each token."""
        layer = self._modules[name]
        assert layer is not None
        return layer(vectors)  # type: ignore[no-any-return]


class SentenceEncoder(nn.Module):
    """Vectors for tokens in their sentence, at several levels; and scores of tasks.

    The names of its parts are those that the core looks for.
    """

    def __init__(
        self,
        settings: EncoderSettings,
        vocabulary: Vocabulary,
        tasks: Mapping[str, TaskShape],
        features: FeatureShape | None = None,
        pretrained: PretrainedInput | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings
        inputs = self._add_inputs(settings, vocabulary, features)
        self.pretrained = pretrained
        inputs += pretrained.size if pretrained is not None else 0
        if not inputs:
            raise UsageError("the network reads neither words nor characters nor tags")
        size = settings.hidden
        self.projection = nn.Linear(inputs, size) if settings.project else None
        inputs = size if settings.project else inputs
        first = settings.residual if settings.project else "none"
        self.levels = nn.ModuleList(
            Level(size if number else inputs, size, settings.residual if number else first)
            for number in range(settings.layers)
        )
        self.tasks = TaskLayers(size, tasks)
        self._shapes = dict(tasks)

    def _add_inputs(
        self, settings: EncoderSettings, vocabulary: Vocabulary, features: FeatureShape | None
    ) -> int:
        """Make what reads single tokens; return the size of their vectors."""
        size = 0
        self.characters: nn.Module | None = None
        if settings.characters != "none":
            kind = CharacterLSTM if settings.characters == "lstm" else CharacterConvolution
            count = vocabulary.character_count
            self.characters = kind(count, settings.character_size, settings.spelling)
            size += settings.spelling
        self.words: WordTable | None = None
        if settings.words:
            self.words = WordTable(vocabulary.word_count, settings.words)
            size += settings.words
        self.tags: nn.Embedding | None = None
        if vocabulary.tags:
            self.tags = nn.Embedding(vocabulary.tag_count, settings.tags)
            size += settings.tags
        self.features: FeatureNetwork | None = None
        if features is not None:
            self.features = FeatureNetwork(features.inputs, features.size, features.dropout)
            size += features.size
        return size

    def forward(self, batch: TokenBatch, words: Tensor, count: int | None = None) -> list[Tensor]:
        """Return the vectors of all tokens at each level, or the lowest ones, the lowest first."""
        below = self._inputs(batch, words)
        if self.projection is not None:
            below = self.projection(below)
        levels: list[Tensor] = []
        for level in list(self.levels)[:count]:
            below = level(below, self._dropped(below, batch), batch.packing)
            levels.append(below)
        return levels

    def _inputs(self, batch: TokenBatch, words: Tensor) -> Tensor:
        parts = []
        if self.characters is not None:
            forms = self.characters(batch.characters, batch.form_packing)
            parts.append(self._hidden(forms[batch.forms]))
        if self.words is not None:
            parts.append(self._hidden(self.words(words)))
        if self.tags is not None:
            parts.append(self._hidden(self.tags(batch.tags)))
        if self.features is not None:
            parts.append(self.features(batch.features))
        if self.pretrained is not None:
            parts.append(self.pretrained(batch.pretrained))
        return torch.cat(parts, dim=1)

    def _hidden(self, vectors: Tensor) -> Tensor:
        """Hide the whole vector of some tokens, in training."""
        share = self.settings.input_dropout
        if not self.training or not share:
            return vectors
        return vectors * (torch.rand(len(vectors), 1, device=vectors.device) >= share)

    def _dropped(self, vectors: Tensor, batch: TokenBatch) -> Tensor:
        """Hide some numbers, the same ones in all tokens of a sentence, in training."""
        share = self.settings.dropout
        if not self.training or not share:
            return vectors
        shape = (batch.sentence_count, vectors.shape[1])
        kept = torch.rand(shape, device=vectors.device) >= share
        return vectors * (kept / (1 - share))[batch.sentences]

    def task_scores(self, name: str, levels: list[Tensor]) -> Tensor:
        """Return the scores of the labels of a task for each token."""
        shape = self._shapes[name]
        seen = functional.dropout(levels[shape.level - 1], shape.dropout, self.training)
        return self.tasks(name, seen)  # type: ignore[no-any-return]
