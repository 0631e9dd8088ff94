"""Training of a tagger: the averaged perceptron of the core, with beam search.

Rare words are sometimes treated as unknown during training, the rarer they are the more often. So
the tagger learns about unknown words from words that are like them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from crossbranch import _core
from crossbranch.errors import UsageError, require_positive
from crossbranch.features import Clusters
from crossbranch.tagging.encoder import Encoder
from crossbranch.tagging.lexicon import Lexicon
from crossbranch.tagging.settings import MOST_TAGS, TaggerSettings
from crossbranch.tagging.templates import (
    CLUSTER_TEMPLATES,
    TEMPLATES,
    columns_of,
    compile_templates,
)
from crossbranch.training.sampling import draw
from crossbranch.tree import Sentence

BEAM = 4
MARGIN = 6
"""The margin by which the right tags must be ahead. An update changes a weight by 1."""
BYTES, BYTES_A_TAG = 500_000, 12_000
"""The largest size of the weights in bytes. If they are larger, the smallest ones are left out."""
_SCALE = 8  # weights are kept as multiples of an eighth
_SELDOM = 30  # words that occur more often are never hidden


class TaggerParts(NamedTuple):
    """The parts of a tagger."""

    settings: TaggerSettings
    encoder: Encoder
    weights: bytes


def learn(
    sentences: Sequence[Sentence],
    *,
    epochs: int,
    seed: int,
    clusters: Clusters | None,
    threads: int,
    progress: Callable[[int], None] | None,
    weights: Sequence[float] | None = None,
) -> TaggerParts:
    """Learn the parts of a tagger; see `Tagger.learn`."""
    require_positive(epochs=epochs, threads=threads)
    numbers = [n for n, sentence in enumerate(sentences) if all(token.tag for token in sentence)]
    tagged = [sentences[number] for number in numbers]
    tags = tuple(sorted({token.tag for sentence in tagged for token in sentence}))
    if not tags or len(tags) > MOST_TAGS:
        raise UsageError(f"sentences with {len(tags):,} tags, expected 1 to {MOST_TAGS:,}")
    # The words of all sentences are kept, so that a parser's table for them is the same.
    kept = clusters and clusters.keep(token.form for one in sentences for token in one)
    school = _School(tagged, tags, seed, kept)
    shares = None if weights is None else [weights[number] for number in numbers]
    for epoch in range(1, epochs + 1):
        school.train(epoch, shares, threads)
        if progress is not None:
            progress(epoch)
    return TaggerParts(school.settings, school.encoder, school.weights())


class RareWords:
    """Decides during training which words to hide: the rarer a word is, the more often."""

    def __init__(self, sentences: Iterable[Sentence], random: Random) -> None:
        self._counts = Counter(token.form for sentence in sentences for token in sentence)
        self._random = random

    def is_hidden(self, form: str) -> bool:
        """Return whether to hide a word this time."""
        count = self._counts[form]
        return count < _SELDOM and self._random.random() * (1 + count) < 1


def packed_weights(trainer: _core.TagTrainer, most_bytes: int) -> bytes:
    """Return the averaged weights, packed; if they are too large, without the smallest ones."""
    prune = 0.0
    while len(packed := trainer.average(prune=prune, scale=_SCALE)) > most_bytes:
        prune = max(1.25 * prune, 0.25)
    return packed


class _School:
    """A tagger during training."""

    def __init__(
        self,
        sentences: list[Sentence],
        tags: tuple[str, ...],
        seed: int,
        clusters: Clusters | None,
    ) -> None:
        self._sentences = sentences
        self._numbers = {tag: number for number, tag in enumerate(tags)}
        self._seed = seed
        self._random = Random(seed)
        self._rare_words = RareWords(sentences, self._random)
        templates = TEMPLATES if clusters is None else (*TEMPLATES, *CLUSTER_TEMPLATES)
        self.settings = TaggerSettings(tags=tags, templates=templates, beam=BEAM)
        self.encoder = Encoder(
            columns_of(templates),
            Lexicon.of(sentences, self._numbers),
            clusters=clusters,
        )
        self._trainer = _core.TagTrainer(
            compile_templates(templates, self.encoder.columns),
            tag_count=len(tags),
            beam=BEAM,
            margin=MARGIN,
        )

    def train(self, epoch: int, weights: Sequence[float] | None, threads: int) -> None:
        """Learn from all sentences once, or as often as their weights say, in a new order."""
        sentences = self._sentences
        if weights is not None:
            sentences = [sentences[number] for number in draw(weights, self._seed, epoch)]
        self._random.shuffle(sentences)
        rows: array[int] = array("I")
        for sentence in sentences:
            rows.frombytes(b"".join([self._row(token.form) for token in sentence]))
        offsets = list(accumulate(map(len, sentences), initial=0))
        numbers = self._numbers
        tags = array("H", [numbers[token.tag] for one in sentences for token in one])
        self._trainer.train(rows, offsets, tags, threads=threads)

    def _row(self, form: str) -> bytes:
        is_unknown = self._rare_words.is_hidden(form)
        return (self.encoder.unknown if is_unknown else self.encoder.known)[form]

    def weights(self) -> bytes:
        """Return the averaged weights, packed, up to the size limit."""
        return packed_weights(self._trainer, BYTES + BYTES_A_TAG * len(self.settings.tags))
