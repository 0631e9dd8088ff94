"""Training of a tagger: the averaged perceptron of the core, with beam search.

Several sources of sentences may tag in different ways. Then each source has weights of its own,
besides those that all share (Daumé 2007), and the tagger follows one of the sources.

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
from crossbranch.errors import UsageError
from crossbranch.features import Clusters
from crossbranch.ranges import require_positive
from crossbranch.tagging.dictionary import Dictionary
from crossbranch.tagging.encoder import Encoder
from crossbranch.tagging.lexicon import Lexicon
from crossbranch.tagging.settings import MOST_TAGS, TaggerSettings
from crossbranch.tagging.templates import (
    CASING_TEMPLATES,
    CLUSTER_TEMPLATES,
    PARTS_TEMPLATES,
    TEMPLATES,
    WIDE_CLUSTER_TEMPLATES,
    WIDE_TEMPLATES,
    compile_templates,
)
from crossbranch.training.sampling import draw
from crossbranch.tree import Sentence

BEAM = 4
MARGIN = 6
"""The margin by which the right tags must be ahead. An update changes a weight by 1."""
BYTES, BYTES_A_TAG, WIDE_BYTES = 500_000, 12_000, 1_000_000
"""The largest size of the weights in bytes; wide taggers may have more. If they are larger, the
smallest ones are left out."""
VOTER_SEEDS = 1000
"""The distance between the seeds of voters."""
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
    dictionary: Dictionary | None = None,
    weights: Sequence[float] | None = None,
    sources: Sequence[str] | None = None,
    like: str = "",
    voters: int = 1,
    backward: bool = False,
    wide: bool = False,
) -> TaggerParts:
    """Learn the parts of a tagger; see `Tagger.learn`."""
    require_positive(epochs=epochs, threads=threads, voters=voters)
    numbers = [n for n, sentence in enumerate(sentences) if all(token.tag for token in sentence)]
    tagged = [sentences[number][:: -1 if backward else 1] for number in numbers]
    tags = tuple(sorted({token.tag for sentence in tagged for token in sentence}))
    if not tags or len(tags) > MOST_TAGS:
        raise UsageError(f"sentences with {len(tags):,} tags, expected 1 to {MOST_TAGS:,}")
    # The words of all sentences are kept, so that a parser's table for them is the same.
    kept = clusters and clusters.keep(token.form for one in sentences for token in one)
    settings = TaggerSettings(
        tags=tags, templates=_templates(kept, dictionary, wide), beam=BEAM, backward=backward
    )
    lexicon = Lexicon.of(tagged, {tag: number for number, tag in enumerate(tags)})
    encoder = Encoder(settings.columns, lexicon, clusters=kept, dictionary=dictionary)
    lessons = _Lessons(
        tagged,
        None if weights is None else [weights[number] for number in numbers],
        _Followed.of([sources[number] for number in numbers] if sources and like else [], like),
    )
    schools = [
        _School(settings, encoder, lessons, seed + VOTER_SEEDS * number) for number in range(voters)
    ]
    for epoch in range(1, epochs + 1):
        for school in schools:
            school.train(epoch, threads)
        if progress is not None:
            progress(epoch)
    most = BYTES + BYTES_A_TAG * len(tags) + (WIDE_BYTES if wide else 0)
    return TaggerParts(settings, encoder, schools[0].weights(schools[1:], most))


def _templates(
    clusters: Clusters | None, dictionary: Dictionary | None, wide: bool
) -> tuple[str, ...]:
    """Return the templates for what there is."""
    return (
        *TEMPLATES,
        *(CLUSTER_TEMPLATES if clusters is not None else ()),
        *(CASING_TEMPLATES if dictionary and dictionary.casings else ()),
        *(PARTS_TEMPLATES if dictionary and dictionary.parts else ()),
        *(WIDE_TEMPLATES if wide else ()),
        *(WIDE_CLUSTER_TEMPLATES if wide and clusters is not None else ()),
    )


class _Followed(NamedTuple):
    """The source of each sentence, as a number, and the source that the tagger follows."""

    numbers: list[int]  # empty: no source has weights of its own
    source_count: int
    like: int

    @classmethod
    def of(cls, sources: Sequence[str], like: str) -> _Followed:
        """Number the sources. Raises a UsageError if no sentence is of the source `like`."""
        if not sources:
            return cls([], 0, 0)
        names = list(dict.fromkeys(sources))
        if like not in names:
            raise UsageError(
                f"no source of tags has the name {like!r}; there are {', '.join(names)}"
            )
        places = {name: place for place, name in enumerate(names)}
        return cls([places[name] for name in sources], len(names), places[like])


class _Lessons(NamedTuple):
    """What a tagger learns from."""

    sentences: list[Sentence]
    weights: Sequence[float] | None
    followed: _Followed


class RareWords:
    """Decides during training which words to hide: the rarer a word is, the more often."""

    def __init__(self, sentences: Iterable[Sentence], random: Random) -> None:
        self._counts = Counter(token.form for sentence in sentences for token in sentence)
        self._random = random

    def is_hidden(self, form: str) -> bool:
        """Return whether to hide a word this time."""
        count = self._counts[form]
        return count < _SELDOM and self._random.random() * (1 + count) < 1


def packed_weights(
    trainer: _core.TagTrainer,
    most_bytes: int,
    *,
    scale: int = _SCALE,
    source: int = 0,
    others: Sequence[_core.TagTrainer] = (),
) -> bytes:
    """Return the averaged weights, packed; if they are too large, without the smallest ones."""

    def packed(prune: float) -> bytes:
        return trainer.average(prune=prune, scale=scale, source=source, others=others)

    prune = 0.0
    while len(found := packed(prune)) > most_bytes:
        prune = max(1.1 * prune, 0.1)
    return found


class _School:
    """A tagger during training."""

    def __init__(
        self, settings: TaggerSettings, encoder: Encoder, lessons: _Lessons, seed: int
    ) -> None:
        self._encoder = encoder
        self._lessons = lessons
        self._numbers = {tag: number for number, tag in enumerate(settings.tags)}
        self._seed = seed
        self._random = Random(seed)
        self._rare_words = RareWords(lessons.sentences, self._random)
        self._trainer = _core.TagTrainer(
            compile_templates(settings.templates, encoder.columns),
            tag_count=len(settings.tags),
            beam=settings.beam,
            margin=MARGIN,
            sources=lessons.followed.source_count,
        )

    def train(self, epoch: int, threads: int) -> None:
        """Learn from all sentences once, or as often as their weights say, in a new order."""
        everything, weights, followed = self._lessons
        if weights is None:
            order = list(range(len(everything)))
        else:
            order = list(draw(weights, self._seed, epoch))
        self._random.shuffle(order)
        sentences = [everything[number] for number in order]
        rows: array[int] = array("I")
        for sentence in sentences:
            rows.frombytes(b"".join([self._row(token.form) for token in sentence]))
        offsets = list(accumulate(map(len, sentences), initial=0))
        tags = array("H", [self._numbers[token.tag] for one in sentences for token in one])
        sources = [followed.numbers[number] for number in order] if followed.source_count else []
        self._trainer.train(rows, offsets, tags, sources=sources, threads=threads)

    def _row(self, form: str) -> bytes:
        is_unknown = self._rare_words.is_hidden(form)
        return (self._encoder.unknown if is_unknown else self._encoder.known)[form]

    def weights(self, others: Sequence[_School], most_bytes: int) -> bytes:
        """Return the averaged weights, packed, up to a size; with others, the mean."""
        followed = self._lessons.followed
        return packed_weights(
            self._trainer,
            most_bytes,
            # The mean of shared and own weights is half their sum.
            scale=2 * _SCALE if followed.source_count else _SCALE,
            source=followed.like,
            others=[other._trainer for other in others],
        )
