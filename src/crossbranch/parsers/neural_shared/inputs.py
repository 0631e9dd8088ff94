"""What the network of a parser knows of tokens in training: vocabulary, vectors, encoder."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from torch import Tensor

from crossbranch.neural.encoder_files import StoredEncoder
from crossbranch.neural.network import PRETRAINED, TokenNetwork
from crossbranch.neural.pretrained import Pretrained, PretrainedInput
from crossbranch.neural.tokens import TokenBatch
from crossbranch.neural.vectors import WordVectors
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.neural_shared.settings import NeuralSettings
from crossbranch.text.detokenize import BRACKETS
from crossbranch.tree import Sentence

_Network = TypeVar("_Network", bound=TokenNetwork)
_WORDS = "encoder.words.weight"


class Inputs:
    """Makes the input of the network from sentences, in training."""

    def __init__(
        self, settings: NeuralSettings, sentences: Sequence[Sentence], device: str
    ) -> None:
        """Collect the vocabulary; read word vectors and load the encoder, if there are any.

        Args:
            settings: The settings of the parser.
            sentences: The training sentences.
            device: Where the network is.
        """
        self._settings = settings
        self._device = device
        self._vectors: WordVectors | None = None
        if settings.vectors is not None:
            words = {token.form for sentence in sentences for token in sentence}
            size = settings.encoder.words
            self._vectors = WordVectors.read(settings.vectors, size=size, words=words)
        self.vocabulary = Vocabulary.of(
            sentences,
            min_count=settings.encoder.min_count,
            has_tags=settings.encoder.tags > 0 and settings.tags in ("predicted", "gold"),
            known=self._vectors or (),
        )
        """The words of the training sentences, which are those of the network in training."""
        self._pretrained: Pretrained | None = None
        if settings.pretrained is not None:
            self._pretrained = Pretrained.to_train(
                settings.pretrained, surfaces=BRACKETS, device=device
            )
            self._pretrained.reader.remember(sentences)

    @property
    def network_input(self) -> PretrainedInput | None:
        """The part of the network that reads the pretrained encoder."""
        return None if self._pretrained is None else self._pretrained.input

    @property
    def stored(self) -> StoredEncoder | None:
        """The pretrained encoder, as the model knows it."""
        return None if self._pretrained is None else self._pretrained.stored

    @property
    def rates(self) -> dict[str, float]:
        """The learning rate of the pretrained encoder, by the beginning of the names of weights."""
        settings = self._settings.pretrained
        return {} if settings is None else {f"{PRETRAINED}model.": settings.rate}

    @property
    def facts(self) -> Mapping[str, Any]:
        """Facts for the manifest: which encoder and which vectors the parser has learned with."""
        found: dict[str, Any] = {}
        if (stored := self.stored) is not None:
            found["pretrained"] = {"place": stored.place, "sha256": stored.sha256}
        if self._vectors is not None and self._settings.vectors is not None:
            found["vectors"] = {
                "file": self._settings.vectors.file,
                "words": len(self._vectors.rows),
                "sha256": self._vectors.sha256,
            }
        return found

    @property
    def identity(self) -> bytes:
        """What must be the same when training is resumed."""
        sums = [one["sha256"] for one in self.facts.values()]
        return " ".join(sums).encode()

    @cached_property
    def final_vocabulary(self) -> Vocabulary:
        """The vocabulary of the model, with the frequent words of the word vectors."""
        if self._vectors is None:
            return self.vocabulary
        return self.vocabulary.with_words(self._vectors.extra(self.vocabulary))

    def start(self, network: _Network) -> _Network:
        """Let the word table of a network start from the word vectors."""
        if self._vectors is not None and network.encoder.words is not None:
            self._vectors.start(network.encoder.words, self.vocabulary)
        return network

    def completed(self, weights: dict[str, Tensor], network: TokenNetwork) -> dict[str, Tensor]:
        """Return weights with the word vectors that do not change in training."""
        table = network.encoder.words
        if self._vectors is None or table is None:
            return weights
        return weights | {_WORDS: self._vectors.completed(weights[_WORDS], table, self.vocabulary)}

    def batch(
        self, sentences: Sequence[Sentence], features: array[float] | None = None
    ) -> TokenBatch:
        """Return the input of the network for sentences; `features` has a row for each token."""
        encoded = self.vocabulary.encode(sentences)
        read = None if self._pretrained is None else self._pretrained.reader.read(sentences)
        return TokenBatch.of(encoded, self._device, features, pretrained=read)
