"""Tagger: tags many sentences at once, in the core.

The files of a tagger in a model folder:

tagger-settings.json   tags, templates, beam, direction
tagger-lexicon.json    the known words, with the tags of each
tagger-weights.bin     the weights, packed by the core
tagger-clusters.json   the table of word clusters, if there is one
tagger-dictionary.json the dictionary, if there is one
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Protocol, Self

from crossbranch import _core
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters
from crossbranch.ranges import require_positive
from crossbranch.tagging.dictionary import Dictionary
from crossbranch.tagging.encoder import Encoder
from crossbranch.tagging.learning import learn
from crossbranch.tagging.lexicon import Lexicon
from crossbranch.tagging.settings import TaggerSettings
from crossbranch.tagging.templates import compile_templates, needs_clusters, needs_dictionary
from crossbranch.tree import Sentence, Token

SETTINGS = "tagger-settings.json"
LEXICON = "tagger-lexicon.json"
WEIGHTS = "tagger-weights.bin"
CLUSTERS = "tagger-clusters.json"
DICTIONARY = "tagger-dictionary.json"


class FolderLike(Protocol):
    """The folder of a model."""

    def data(self, name: str) -> bytes:
        """Return the content of a file of the model."""

    def where(self, name: str) -> str:
        """Return how messages name a file of the model."""


class Tagger:
    """Gives each token of a sentence its tag."""

    @door
    def __init__(self, settings: TaggerSettings, encoder: Encoder, weights: bytes) -> None:
        """Make a tagger from its parts; usually, use `learn` or `from_folder`.

        Raises:
            UsageError: The templates are wrong.
            ValueError: The weights are damaged, or are for other tags.
        """
        self.settings = settings
        self.encoder = encoder
        self._weights = weights
        self._core = _core.Tagger(
            compile_templates(settings.templates, encoder.columns),
            weights,
            tag_count=len(settings.tags),
            beam=settings.beam,
        )

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags, in the order of their numbers."""
        return self.settings.tags

    @classmethod
    @door
    def learn(
        cls,
        sentences: Sequence[Sentence],
        *,
        weights: Sequence[float] | None = None,
        sources: Sequence[str] | None = None,
        like: str = "",
        voters: int = 1,
        backward: bool = False,
        wide: bool = False,
        epochs: int = 8,
        seed: int = 1,
        clusters: Clusters | None = None,
        dictionary: Dictionary | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> Self:
        """Learn a tagger from sentences with tags; sentences with untagged tokens are left out.

        Args:
            sentences: The training data.
            weights: How often an epoch has each sentence; 0.3: in three of ten epochs. None: once.
            sources: The name of the source of each sentence.
            like: The source that the tagger follows where sources tag in different ways; without
                it, all sources count alike.
            voters: The number of taggers, with different seeds; the result is their mean.
            backward: Tag each sentence from its end to its beginning.
            wide: Look at three words together, and at words three places away, too.
            epochs: How often the tagger learns from all sentences.
            seed: The same seed gives the same tagger.
            clusters: A table of word clusters; the tagger keeps the frequent words, and those of
                the training data.
            dictionary: What is known about words from elsewhere.
            threads: The number of threads; it does not change the tagger.
            progress: Called with the number of each finished epoch.

        Raises:
            UsageError: There are no sentences with tags, or an option is out of range.
        """
        for name, values in (("weights", weights), ("sources", sources)):
            if values is not None and len(values) != len(sentences):
                raise UsageError(f"{len(values):,} {name}, expected {len(sentences):,}")
        learned = learn(
            sentences,
            epochs=epochs,
            seed=seed,
            clusters=clusters,
            dictionary=dictionary,
            threads=threads,
            progress=progress,
            weights=weights,
            sources=sources,
            like=like,
            voters=voters,
            backward=backward,
            wide=wide,
        )
        return cls(*learned)

    @partial(door, besides=("sentences",))
    def tag(self, sentences: Sequence[Sequence[Token]], *, threads: int = 1) -> list[list[str]]:
        """Return the tags of all tokens of some sentences; existing tags are ignored.

        The result does not depend on the number of threads. Other Python threads can run at the
        same time.
        """
        require_positive(threads=threads)
        step = -1 if self.settings.backward else 1
        rows, offsets = self.encoder.encode([one[::step] for one in sentences])
        numbers = memoryview(self._core.tag(rows, offsets, threads=threads)).cast("H")
        tags = list(map(self.tags.__getitem__, numbers))
        return [tags[start:end][::step] for start, end in pairwise(offsets)]

    def files(self) -> dict[str, bytes]:
        """Return the tagger as files for a model folder."""
        clusters, dictionary = self.encoder.clusters, self.encoder.dictionary
        return {
            SETTINGS: self.settings.to_json(),
            LEXICON: self.encoder.lexicon.to_json(),
            WEIGHTS: self._weights,
            **({} if clusters is None else {CLUSTERS: clusters.to_json()}),
            **({} if dictionary is None else {DICTIONARY: dictionary.to_json()}),
        }

    @classmethod
    def from_folder(cls, folder: FolderLike, *, clusters: Clusters | None = None) -> Self:
        """Load what `files` returned; an InputError names the wrong file.

        Args:
            folder: The model folder.
            clusters: The table of clusters, if it is loaded already: a parser that learned from
                the same sentences has the same table.
        """

        def read(name: str) -> tuple[bytes, str]:
            return folder.data(name), folder.where(name)

        data, path = read(SETTINGS)
        settings = TaggerSettings.from_json(data, path=path)
        data, words_path = read(LEXICON)
        lexicon = Lexicon.from_json(data, tag_count=len(settings.tags), path=words_path)
        if clusters is None and needs_clusters(settings.columns):
            data, clusters_path = read(CLUSTERS)
            clusters = Clusters.from_json(data, path=clusters_path)
        dictionary = None
        if needs_dictionary(settings.columns):
            data, dictionary_path = read(DICTIONARY)
            dictionary = Dictionary.from_json(data, path=dictionary_path)
        weights, weights_path = read(WEIGHTS)
        try:
            encoder = Encoder(settings.columns, lexicon, clusters=clusters, dictionary=dictionary)
            return cls(settings, encoder, weights)
        except UsageError as error:
            raise InputError(str(error), "the settings of a tagger", path=path) from None
        except ValueError as error:
            raise InputError(str(error), "the weights of a tagger", path=weights_path) from None


@door
def accuracy(tagger: Tagger, sentences: Sequence[Sentence], *, threads: int = 1) -> float:
    """Return the share of tokens that get their gold tag, among those that have one; or 0."""
    predicted = tagger.tag(sentences, threads=threads)
    pairs = [
        token.tag == tag
        for sentence, tags in zip(sentences, predicted, strict=True)
        for token, tag in zip(sentence, tags, strict=True)
        if token.tag
    ]
    return sum(pairs) / len(pairs) if pairs else 0.0
