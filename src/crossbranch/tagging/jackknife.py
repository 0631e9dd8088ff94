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

    A parser should learn with the same kind of tagging errors that it will see later. Gold tags
    have no errors, and a tagger makes too few on sentences that it learned from. Sentence i is in
    fold i % folds.

    Args:
        sentences: The training data.
        folds: The number of folds, and of taggers.
        epochs: How often each tagger learns from its sentences.
        seed: The same seed gives the same tags.
        clusters: A table of word clusters.
        threads: How many folds are learned at the same time; this does not change the tags.
        progress: Called with the number of finished epochs, out of `folds * epochs`.
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
