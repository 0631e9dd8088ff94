"""Further analyses in an evaluation: breakdowns, confusions, errors, phenomena."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crossbranch.evaluation import Pair
from crossbranch.evaluation.attachments import Attachments
from crossbranch.evaluation.breakdowns import Breakdown
from crossbranch.evaluation.confusions import LabelConfusions, TagConfusions
from crossbranch.evaluation.dependency_scores import DependencyScores
from crossbranch.evaluation.error_types import ErrorTypes
from crossbranch.evaluation.function_scores import FunctionScores
from crossbranch.evaluation.phenomena import Phenomena
from crossbranch.reports import tables
from crossbranch.reports.figure_sentences import FigureSentences
from crossbranch.reports.tables import FigureTable


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which analyses to make."""

    by: Sequence[str] = ()  # names of breakdowns
    vocabulary: frozenset[str] | None = None  # the words of the training set
    confusions: bool = False  # of tags and labels, and attachment errors
    functions: bool = False
    dependencies: bool = False
    error_types: bool = False
    classes: Mapping[str, Sequence[str]] | None = None  # phenomena of each sentence, by id
    scheme: str | None = None  # the label set for detecting phenomena, such as "negra"

    def __bool__(self) -> bool:
        """Return True if any analysis is wanted. `vocabulary` alone is none."""
        flags = self.confusions, self.functions, self.dependencies, self.error_types
        return bool(self.by or any(flags) or self.classes is not None or self.scheme is not None)


@dataclass
class Analyses:
    """The wanted analyses of one sentence or of many."""

    wanted: Wanted
    breakdowns: list[Breakdown] = field(init=False)
    tags: TagConfusions = field(default_factory=TagConfusions)
    labels: LabelConfusions = field(default_factory=LabelConfusions)
    attachments: Attachments = field(default_factory=Attachments)
    functions: FunctionScores = field(default_factory=FunctionScores)
    dependencies: DependencyScores = field(default_factory=DependencyScores)
    error_types: ErrorTypes = field(default_factory=ErrorTypes)
    phenomena: Phenomena = field(default_factory=Phenomena)

    def __post_init__(self) -> None:
        """Make the wanted breakdowns."""
        self.breakdowns = [Breakdown(name, self.wanted.vocabulary) for name in self.wanted.by]

    @classmethod
    def of(cls, wanted: Wanted, pair: Pair) -> Analyses:
        """Analyse one sentence."""
        self = cls(wanted)
        for breakdown in self.breakdowns:
            breakdown.add(pair)
        if wanted.confusions:
            for tally in (self.tags, self.labels, self.attachments):
                tally.add(pair)
        if wanted.functions:
            self.functions.add(pair)
        if wanted.dependencies:
            self.dependencies.add(pair)
        if wanted.error_types:
            self.error_types.add(pair)
        if wanted.classes is not None:
            self.phenomena = Phenomena.of(pair, wanted.classes.get(pair.gold.id, ()))
        elif wanted.scheme is not None:
            self.phenomena = Phenomena.detected(pair, wanted.scheme)
        return self

    def __iadd__(self, other: Analyses) -> Analyses:
        self.breakdowns = [
            one + two for one, two in zip(self.breakdowns, other.breakdowns, strict=True)
        ]
        for name in _TALLIES:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def tables(self, *, every_row: bool = False) -> Iterator[FigureTable]:
        """Yield a table for each analysis. `every_row`: also labels without attachment errors."""
        wanted = self.wanted
        for breakdown in self.breakdowns:
            yield tables.of_counts(f"by {breakdown.kind.summary}", breakdown.rows())
        if wanted.confusions:
            yield tables.of_counts("tags", self.tags.rows())
            yield tables.of_confusions("tag confusions", self.tags.errors())
            yield tables.of_confusions("label confusions on equal spans", self.labels.errors())
            yield tables.of_attachments(self.attachments, every_row=every_row)
        if wanted.functions:
            yield tables.of_functions(self.functions)
            yield tables.of_counts("by function", self.functions.rows())
            yield tables.of_confusions("function confusions", self.functions.errors())
        if wanted.dependencies:
            yield tables.of_dependencies(self.dependencies)
        if wanted.error_types:
            yield tables.of_error_types(self.error_types)
        if wanted.classes is not None or wanted.scheme is not None:
            yield tables.of_phenomena(self.phenomena)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        wanted = self.wanted
        found: dict[str, Any] = {"by": {b.name: b.to_dict() for b in self.breakdowns}}
        if wanted.confusions:
            found["tags"] = self.tags.to_dict()
            found["labels"] = self.labels.to_dict()
            found["attachments"] = self.attachments.to_dict()
        if wanted.functions:
            found["functions"] = self.functions.to_dict()
        if wanted.dependencies:
            found["dependencies"] = self.dependencies.to_dict()
        if wanted.error_types:
            found["error_types"] = self.error_types.to_dict()
        if wanted.classes is not None or wanted.scheme is not None:
            found["phenomena"] = self.phenomena.to_dict()
        return found


_TALLIES = (
    "tags",
    "labels",
    "attachments",
    "functions",
    "dependencies",
    "error_types",
    "phenomena",
)


class EvaluationAnalysis:
    """Analyses pairs of trees one by one, and knows the sentences of each figure."""

    def __init__(self, wanted: Wanted) -> None:
        self._total = Analyses(wanted)
        self.sentences = FigureSentences()

    def add(self, number: int, pair: Pair) -> None:
        """Add a sentence with its number."""
        one = Analyses.of(self._total.wanted, pair)
        self.sentences.add(number, one.tables(every_row=True))
        self._total += one

    def tables(self) -> Iterator[FigureTable]:
        """Yield a table for each analysis."""
        return map(self.sentences.fill, self._total.tables())

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return self._total.to_dict()
