"""Numbers of other programs for each token, as additional input of a network.

Those of several distributions stand side by side in the row of a token.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.neural_shared.settings import NeuralSettings
from crossbranch.tasks import (
    Distributions,
    DistributionSettings,
    make_distributions,
    read_distributions,
)
from crossbranch.tasks.distributions import RowsOf
from crossbranch.training import Example
from crossbranch.tree import Sentence

Report = Callable[[InputError], None]
Numbers: TypeAlias = "array[float]"
"""The rows of the tokens of a sentence, one after the other."""


class KnownRows(NamedTuple):
    """The rows of some sentences, which are found by their words."""

    name: str
    """The name of the distribution."""
    rows: dict[tuple[str, ...], Numbers | None]
    """None: the rows do not fit the sentence."""

    @classmethod
    def of(cls, name: str, sentences: Iterable[Sentence], found: Distributions) -> KnownRows:
        """Take the rows of sentences. If a sentence occurs twice, its first rows are used."""
        rows: dict[tuple[str, ...], Numbers | None] = {}
        for sentence, numbers in zip(sentences, found.sentences, strict=True):
            rows.setdefault(_words(sentence), numbers)
        return cls(name, rows)

    def find(self, sentences: Sequence[Sentence]) -> list[Numbers | None]:
        """Return the rows of sentences; None for those whose rows do not fit.

        Raises:
            UsageError: Nobody has given rows for a sentence.
        """
        wanted = [_words(sentence) for sentence in sentences]
        if missing := [words for words in wanted if words not in self.rows]:
            text = " ".join(missing[0])
            raise UsageError(f"there are no rows of the distribution {self.name} for: {text[:60]}")
        return [self.rows[words] for words in wanted]


def find_rows(
    settings: Mapping[str, DistributionSettings],
    sources: Mapping[str, RowsOf | KnownRows],
    sentences: Sequence[Sentence],
) -> list[Numbers | None]:
    """Return the numbers of sentences from all sources; None if those of one source do not fit.

    Raises:
        UsageError: There is no source for one of the distributions.
    """
    if missing := [name for name in settings if name not in sources]:
        raise UsageError(
            f"this model needs the distribution {missing[0]}: a row of numbers for each token. Give"
            f" a file, --distribution {missing[0]}=FILE, or set parser.distributions"
        )
    parts = []
    for name, one in settings.items():
        source = sources[name]
        if isinstance(source, KnownRows):
            parts.append(source.find(sentences))
        else:
            words = [_words(sentence) for sentence in sentences]
            found = make_distributions(source, words, one, report=_ignore)
            parts.append(found.sentences)
    return _side_by_side(parts, [one.width for one in settings.values()])


def read_rows(
    files: Mapping[str, str],
    settings: Mapping[str, DistributionSettings],
    sentences: Sequence[Sentence],
    seen: Sequence[Sentence],
    report: Report,
) -> dict[str, KnownRows]:
    """Read the rows of sentences from files, by the name of the distribution.

    Args:
        files: The files.
        settings: The settings of all distributions.
        sentences: The sentences that the files are for.
        seen: The same sentences as the parser sees them.
        report: Called with an InputError for each sentence whose rows do not fit.

    Raises:
        UsageError: There is no such distribution, or a file cannot be opened.
        InputError: A file does not have as many sentences as there are.
    """
    found = {}
    for name, file in files.items():
        if name not in settings:
            known = ", ".join(settings) or "none"
            raise UsageError(f"this model has no distribution {name!r}; expected one of {known}")
        words = [_words(sentence) for sentence in sentences]
        rows = read_distributions(file, words, settings[name], report=report)
        found[name] = KnownRows.of(name, seen, rows)
    return found


class LearnedRows(NamedTuple):
    """The rows of training and dev sentences."""

    settings: dict[str, DistributionSettings]
    """The settings of the distributions, with the width that was found in the files."""
    train: list[Numbers | None]
    dev: dict[str, KnownRows]

    @classmethod
    def read(
        cls,
        settings: NeuralSettings,
        examples: Sequence[Example],
        dev: Sequence[Example],
        report: Report,
    ) -> LearnedRows:
        """Read the files of the settings.

        Raises:
            UsageError: There are dev trees, but no rows for them; or a file cannot be opened.
            InputError: A file does not have as many sentences as there are trees.
        """
        found: dict[str, DistributionSettings] = {}
        train: list[list[Numbers | None]] = []
        known: dict[str, KnownRows] = {}
        for name, one in settings.distribution.items():
            words = [example.tree.words for example in examples]
            rows = read_distributions(one.train, words, one, report=report)
            train.append(rows.sentences)
            found[name] = type(one).of({**one.to_dict(), "width": rows.width})
            if dev and not one.dev:
                place = f"the setting distribution.{name}.dev"
                raise UsageError(f"{place} is empty, but there are dev trees")
            if dev:
                gold, seen = [one.tree.sentence for one in dev], [one.sentence for one in dev]
                known |= read_rows({name: one.dev}, found, gold, seen, report)
        joined = _side_by_side(train, [one.width for one in found.values()])
        return cls(found, joined or [None] * len(examples), known)

    @property
    def width(self) -> int:
        """How many numbers each token has; 0 if there are no distributions."""
        return sum(one.width for one in self.settings.values())

    def find_dev(self, sentences: Sequence[Sentence]) -> list[Numbers | None]:
        """Return the rows of dev sentences of the parser."""
        return (
            find_rows(self.settings, self.dev, sentences) if self.dev else [None] * len(sentences)
        )


def in_one(
    rows: Sequence[Numbers | None], sentences: Sequence[Sentence], width: int
) -> Numbers | None:
    """Return the rows of all tokens one after the other; 0 for tokens without numbers."""
    if not width:
        return None
    found = array("f")
    for numbers, sentence in zip(rows, sentences, strict=True):
        found.extend(numbers or array("f", [0.0]) * (len(sentence) * width))
    return found


def check_distributions(settings: NeuralSettings) -> None:
    """Raise a UsageError that names the setting if distributions cannot be used."""
    for name, one in settings.distribution.items():
        if not one.train:
            raise UsageError(f"the setting distribution.{name}.train is empty, expected a file")
    if len({one.dropout for one in settings.distribution.values()}) > 1:
        raise UsageError("the settings distribution.NAME.dropout differ, expected the same for all")
    if settings.distribution and settings.augment is not None:
        raise UsageError(
            "changed copies of sentences (augment) have no rows of distributions; use one of them"
        )


def _side_by_side(
    parts: Sequence[Sequence[Numbers | None]], widths: Sequence[int]
) -> list[Numbers | None]:
    if len(parts) == 1:
        return list(parts[0])
    return [_joined(numbers, widths) for numbers in zip(*parts, strict=True)]


def _joined(parts: Sequence[Numbers | None], widths: Sequence[int]) -> Numbers | None:
    found = array("f")
    present = [one for one in parts if one is not None]
    if len(present) < len(parts):
        return None
    for token in range(len(present[0]) // widths[0]):
        for numbers, width in zip(present, widths, strict=True):
            found.extend(numbers[token * width : (token + 1) * width])
    return found


def _words(sentence: Sentence) -> tuple[str, ...]:
    return tuple([token.form for token in sentence])


def _ignore(error: InputError) -> None:
    """Ignore rows that do not fit: the tree of such a sentence is flat."""
