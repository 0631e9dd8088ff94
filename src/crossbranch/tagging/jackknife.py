"""Jackknifing: tags for training sentences, from taggers that have not seen them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from crossbranch.errors import UsageError
from crossbranch.features import Clusters
from crossbranch.tagging.tagger import Tagger
from crossbranch.tree import Sentence


def jackknife(
    sentences: Sequence[Sentence],
    *,
    folds: int = 5,
    epochs: int = 8,
    seed: int = 1,
    clusters: Clusters | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Iterator[list[str]]:
    """Yield the tags of each sentence, from a tagger that learned from the other folds.

    A parser that learns from gold tags would not be ready for the mistakes of a tagger, nor one
    that learns from tags of a tagger that knew the sentences. Sentence i is in fold i % folds.

    Args:
        sentences: The training data, in the order in which tags are wanted.
        folds: How many taggers there are.
        epochs: How often each learns from its sentences.
        seed: The same seed gives the same tags.
        clusters: A table of word clusters.
        threads: How many folds are learned at a time; tags are the same for any number.
        progress: Called with the number of epochs done, of `folds * epochs` in all.
    """
    if not 2 <= folds <= max(len(sentences), 2):
        raise UsageError(f"{folds} folds, expected 2 up to the number of sentences")
    if threads < 1:
        raise UsageError(f"threads is {threads}, expected at least 1")
    note = _Counter(progress)

    def tags_of(fold: int) -> list[list[str]]:
        others = [one for number, one in enumerate(sentences) if number % folds != fold]
        tagger = Tagger.learn(others, epochs=epochs, seed=seed, clusters=clusters, progress=note)
        return tagger.tag(sentences[fold::folds])

    with ThreadPoolExecutor(threads) as executor:
        found = [iter(tags) for tags in executor.map(tags_of, range(folds))]
    return (next(found[number % folds]) for number in range(len(sentences)))


class _Counter:
    """Counts the epochs of all folds, whichever comes first."""

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self._progress = progress
        self._lock = Lock()
        self._done = 0

    def __call__(self, epoch: int) -> None:
        with self._lock:
            self._done += 1
            if self._progress is not None:
                self._progress(self._done)
