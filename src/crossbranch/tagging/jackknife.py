"""Jackknifing: tags for training sentences, from taggers that have not seen them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.features import Clusters
from crossbranch.ranges import require_positive
from crossbranch.tagging.dictionary import Dictionary
from crossbranch.tagging.tagger import Tagger
from crossbranch.tree import Sentence

_STRAIGHT = str.maketrans("’‘“”", "''\"\"")
_FINAL = frozenset(".?!")


@door
def jackknife(
    sentences: Sequence[Sentence],
    *,
    extra: Sequence[Sentence] = (),
    weights: Sequence[float] | None = None,
    sources: Sequence[str] | None = None,
    like: str = "",
    backward: bool = False,
    wide: bool = False,
    parts: Sequence[int] | None = None,
    folds: int = 5,
    epochs: int = 8,
    seed: int = 1,
    clusters: Clusters | None = None,
    dictionary: Dictionary | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Iterator[list[str]]:
    """Yield the tags of each sentence, from a tagger that learned from the other folds.

    A parser should learn with the same kind of tagging errors that it will see later. Gold tags
    have no errors, and a tagger makes too few on sentences that it learned from. All taggers learn
    from the extra sentences, too, except from those that have the same words as a sentence of the
    fold; case, quotes and a final mark do not count.

    Args:
        sentences: The sentences to tag, with the tags to learn from.
        extra: More sentences to learn from.
        weights: How often an epoch has each of the sentences, and then each of the extra ones; 0: a
            sentence is tagged, but no tagger learns from it. None: once.
        sources: The sources of the sentences, and then of the extra ones; see `Tagger.learn`.
        like: The source that the taggers follow.
        backward: Tag each sentence from its end to its beginning.
        wide: Look at three words together, and at words three places away, too.
        parts: The fold of each sentence; None: sentence i is in fold i % folds.
        folds: The number of folds, and of taggers.
        epochs: How often each tagger learns from its sentences.
        seed: The same seed gives the same tags.
        clusters: A table of word clusters.
        dictionary: What is known about words from elsewhere.
        threads: How many folds are learned at the same time; this does not change the tags.
        progress: Called with the number of finished epochs, out of `folds * epochs`.
    """
    if not 2 <= folds <= max(len(sentences), 2):
        raise UsageError(f"{folds} folds, expected 2 up to the number of sentences")
    require_positive(threads=threads)
    everything = [*sentences, *extra]
    for name, values in (("weights", weights), ("sources", sources)):
        if values is not None and len(values) != len(everything):
            raise UsageError(f"{len(values):,} {name}, expected {len(everything):,}")
    fold_of = [n % folds for n in range(len(sentences))] if parts is None else parts
    note = _Counter(progress)

    def tags_of(fold: int) -> list[list[str]]:
        held_out = [one for n, one in enumerate(sentences) if fold_of[n] == fold]
        others = [n for n in range(len(sentences)) if fold_of[n] != fold]
        words = set(map(_words, held_out)) if extra else set()
        others += [n for n, one in enumerate(extra, len(sentences)) if _words(one) not in words]
        if weights is not None:
            others = [n for n in others if weights[n]]
        tagger = Tagger.learn(
            [everything[n] for n in others],
            weights=None if weights is None else [weights[n] for n in others],
            sources=None if sources is None else [sources[n] for n in others],
            like=like,
            backward=backward,
            wide=wide,
            epochs=epochs,
            seed=seed,
            clusters=clusters,
            dictionary=dictionary,
            progress=note,
        )
        return tagger.tag(held_out)

    with ThreadPoolExecutor(threads) as executor:
        found = [iter(tags) for tags in executor.map(tags_of, range(folds))]
    return (next(found[fold]) for fold in fold_of)


def _words(sentence: Sentence) -> tuple[str, ...]:
    """Return the words of a sentence without what changed copies change."""
    words = tuple(token.form.lower().translate(_STRAIGHT) for token in sentence)
    return words[:-1] if words and words[-1] in _FINAL else words


class _Counter:
    """Counts the finished epochs of all folds."""

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self._progress = progress
        self._lock = Lock()
        self._done = 0

    def __call__(self, epoch: int) -> None:
        with self._lock:
            self._done += 1
            if self._progress is not None:
                self._progress(self._done)
