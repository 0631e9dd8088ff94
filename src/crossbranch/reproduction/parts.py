"""The parts of a corpus as trees: all of them are read and checked before the first training."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from crossbranch.errors import DamageError, InputError
from crossbranch.parsers.data import TrainingTrees
from crossbranch.reproduction.corpora import Corpus
from crossbranch.transforms import Pipeline
from crossbranch.transforms.head_choice import choose_head_table


@dataclass(frozen=True)
class CorpusTrees:
    """The trees of a corpus."""

    corpus: Corpus
    parts: Mapping[str, TrainingTrees]
    heads: str
    """The head table."""

    @classmethod
    def read(
        cls,
        corpus: Corpus,
        *,
        heads: str = "auto",
        tagged: Collection[str] = (),
        warn: Callable[[str], None],
    ) -> CorpusTrees:
        """Read all parts.

        Args:
            corpus: The corpus.
            heads: The head table; auto: the one that fits train best, which parsers use, too.
            tagged: The parts whose tags come from another tagger.
            warn: Called with a message for each file that has sentences that cannot be read.

        Raises:
            UsageError: A file cannot be read.
            InputError: A part has no trees, or a file with tags has other sentences.
        """
        parts = {part: _read(corpus, part, part in tagged, warn) for part in corpus.parts}
        if heads in ("auto", "none"):  # also if parsers use no heads, something else may need them
            heads = choose_head_table(parts["train"].trees)
        return cls(corpus, parts, heads)

    def part(self, name: str, *, given_tags: bool) -> TrainingTrees:
        """Return a part. With given tags, they are those of another tagger, if they were read."""
        found = self.parts[name]
        return found if given_tags else replace(found, given_tags=None, tags_sha256="")


def _read(corpus: Corpus, part: str, is_tagged: bool, warn: Callable[[str], None]) -> TrainingTrees:
    errors: list[InputError] = []
    path = corpus.parts[part]
    try:
        found = TrainingTrees.of(
            path,
            prepare=Pipeline(()),
            report=errors.append,
            name=part,
            tags_from=str(corpus.tags[part]) if is_tagged else "",
        )
    finally:
        for message in _left_out(f"{corpus.name}: {path.name}", errors):
            warn(message)
    if not found.trees:
        raise InputError("no tree", "at least one", path=str(path))
    return found


def _left_out(file: str, errors: Sequence[InputError]) -> Iterator[str]:
    """Say how many sentences of a file were skipped, and what was wrong with the first one."""
    bad = [error for error in errors if not isinstance(error, DamageError)]
    if len(bad) == 1:
        yield f"{file}: 1 sentence was skipped: {bad[0]}"
    elif bad:
        yield f"{file}: {len(bad):,} sentences were skipped; the first message: {bad[0]}"
    for error in errors:
        if isinstance(error, DamageError):
            yield f"{file}: the rest of the file could not be read: {error}"
