"""Scores of sentences. They can be added: the scores of a treebank are the sum of its sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, Self, TypeVar

from crossbranch.doors import door
from crossbranch.errors import UsageError, shown
from crossbranch.evaluation.counts import MatchCounts, with_percentages
from crossbranch.evaluation.pairs import Brackets, Pair, discontinuous, matches
from crossbranch.evaluation.plain_counts import FiveCounts, PlainCounts, count_plainly
from crossbranch.evaluation.structure import leaf_ancestor, tree_distance

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of all brackets, or of discontinuous brackets, in some sentences."""

    sentences: int = 0  # for discontinuous brackets: sentences in which either tree has one
    brackets: MatchCounts = field(default_factory=MatchCounts)
    exact: int = 0  # sentences whose brackets are all the same
    gold_distinct: int = 0  # as disco-dop prints it: repeated brackets count once
    predicted_distinct: int = 0

    @classmethod
    def of(cls, counts: FiveCounts) -> Self:
        """Return the figures of one sentence."""
        gold, predicted, matched, *distinct = counts
        exact = int(gold == predicted == matched)
        return cls(1, MatchCounts(gold, predicted, matched), exact, *distinct)

    def __add__(self, other: Self) -> Self:
        return total([self, other])

    @property
    def exact_match(self) -> float:
        """The share of sentences without any error."""
        return self.exact / self.sentences if self.sentences else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        found = {
            "sentences": self.sentences,
            **self.brackets.to_dict(),
            "exact": self.exact,
            **with_percentages({"exact_match": self.exact_match}),
        }
        if not self.sentences:  # no sentences, so no shares
            found |= {name: None for name in found if isinstance(found[name], float)}
        distinct = {"gold": self.gold_distinct, "predicted": self.predicted_distinct}
        return found | {f"{name}_distinct": count for name, count in distinct.items()}


_NO_FIGURES = Figures()


class MainFigures:
    """Short names for the most important scores. Each is a share between 0 and 1.

    If there is nothing to find and nothing was found, the share is 1.
    """

    __slots__ = ()

    @property
    def main(self) -> Column:
        """The scores that the figures are taken from."""
        raise NotImplementedError

    @property
    def recall(self) -> float:
        """The share of gold brackets that were found."""
        return self.main.all.brackets.recall

    @property
    def precision(self) -> float:
        """The share of predicted brackets that are right."""
        return self.main.all.brackets.precision

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.main.all.brackets.f1

    @property
    def exact_match(self) -> float:
        """The share of sentences whose brackets are all right."""
        return self.main.all.exact_match

    @property
    def discontinuous_recall(self) -> float:
        """The share of discontinuous gold brackets that were found."""
        return self.main.discontinuous.brackets.recall

    @property
    def discontinuous_precision(self) -> float:
        """The share of predicted discontinuous brackets that are right."""
        return self.main.discontinuous.brackets.precision

    @property
    def discontinuous_f1(self) -> float:
        """The F1 of discontinuous brackets alone."""
        return self.main.discontinuous.brackets.f1

    @property
    def discontinuous_exact_match(self) -> float:
        """The share of sentences whose discontinuous brackets are all right.

        Only sentences in which either tree has a discontinuous bracket count.
        """
        return self.main.discontinuous.exact_match

    @property
    def tag_accuracy(self) -> float:
        """The share of right tags among the tokens that count."""
        return self.main.right_tags / self.main.tags if self.main.tags else 1.0


@dataclass(frozen=True, slots=True)
class Column(MainFigures):
    """The scores of some sentences: all, or those up to the length limit."""

    all: Figures = field(default_factory=Figures)
    discontinuous: Figures = field(default_factory=Figures)
    sentences: int = 0
    missing: int = 0  # gold sentences without a parse
    longest: int = 0
    tags: int = 0
    right_tags: int = 0
    leaf_ancestor: float = 0.0  # summed over sentences
    leaf_ancestor_sentences: int = 0
    distance: int = 0
    distance_vertices: int = 0

    @classmethod
    def of(cls, pair: Pair) -> Self:
        """Score one sentence."""
        counts = count_plainly(pair) or count_carefully(pair)
        gappy = any(counts.discontinuous)
        likeness = leaf_ancestor(pair) if pair.parameters.leaf_ancestor else None
        distance, vertices = tree_distance(pair) if pair.parameters.tree_distance else (0, 0)
        return cls(
            all=Figures.of(counts.all),
            discontinuous=Figures.of(counts.discontinuous) if gappy else _NO_FIGURES,
            sentences=1,
            missing=int(pair.predicted is None),
            longest=pair.length,
            tags=counts.tags,
            right_tags=counts.right_tags,
            leaf_ancestor=likeness or 0.0,
            leaf_ancestor_sentences=int(likeness is not None),
            distance=distance,
            distance_vertices=vertices,
        )

    def __add__(self, other: Self) -> Self:
        return total([self, other])

    @property
    def main(self) -> Column:
        """These scores."""
        return self

    @property
    def mean_leaf_ancestor(self) -> float:
        """The mean over sentences that have tokens that count."""
        count = self.leaf_ancestor_sentences
        return self.leaf_ancestor / count if count else 1.0

    @property
    def tree_likeness(self) -> float:
        """One minus the edit distance divided by the number of vertices."""
        return 1 - self.distance / self.distance_vertices if self.distance_vertices else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        shares = {"tag_accuracy": self.tag_accuracy} if self.tags else {}
        if self.leaf_ancestor_sentences:
            shares["leaf_ancestor"] = self.mean_leaf_ancestor
        if self.distance_vertices:
            shares["tree_distance"] = self.tree_likeness
        return {
            "sentences": self.sentences,
            "missing": self.missing,
            "longest": self.longest,
            "all": self.all.to_dict(),
            "discontinuous": self.discontinuous.to_dict(),
            **with_percentages(shares),
        }


@dataclass(frozen=True, slots=True)
class Scores(MainFigures):
    """The scores of all sentences, and of those up to the length limit.

    `scores.f1` and so on are the scores of all sentences. `scores.cutoff.f1` is the F1 of short
    sentences.
    """

    all: Column = field(default_factory=Column)
    cutoff: Column = field(default_factory=Column)

    @property
    def main(self) -> Column:
        """The scores of all sentences, whatever their length."""
        return self.all

    @classmethod
    def of(cls, pair: Pair) -> Self:
        """Score one sentence."""
        return cls.of_columns([Column.of(pair)], pair.parameters.cutoff)

    @classmethod
    @door
    def of_columns(cls, columns: Sequence[Column], cutoff: int) -> Self:
        """Add up the scores of single sentences."""
        short = [column for column in columns if column.longest <= cutoff]
        return cls(total([Column(), *columns]), total([Column(), *short]))

    def __add__(self, other: Self) -> Self:
        return total([self, other])

    def __radd__(self, other: int) -> Self:
        # `sum` begins with 0.
        return self if other == 0 else NotImplemented

    def to_counts(self) -> dict[str, Any]:
        """Return only the counts for JSON. `from_counts` makes the same scores from them."""
        return asdict(self)

    @classmethod
    @door
    def from_counts(cls, counts: Mapping[str, Any]) -> Self:
        """Return the scores with these counts, for example to add them to others."""
        try:
            return cls(**{name: _column(counts[name]) for name in ("all", "cutoff")})
        except (KeyError, TypeError) as error:
            raise UsageError(f"these are no counts of scores: {shown(error)}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {"all": self.all.to_dict(), "cutoff": self.cutoff.to_dict()}


def _column(counts: Mapping[str, Any]) -> Column:
    kinds = {
        name: Figures(**{**counts[name], "brackets": MatchCounts(**counts[name]["brackets"])})
        for name in ("all", "discontinuous")
    }
    return Column(**{**counts, **kinds})


def five_counts(gold: Brackets, predicted: Brackets) -> FiveCounts:
    """Return the counts of the brackets of two trees."""
    sums = sum(gold.values()), sum(predicted.values())
    return *sums, matches(gold, predicted), len(gold), len(predicted)


def count_carefully(pair: Pair) -> PlainCounts:
    """Return the counts of any sentence. The core counts most of them faster."""
    gold, predicted = pair.gold_brackets, pair.predicted_brackets
    return PlainCounts(
        five_counts(gold, predicted),
        five_counts(discontinuous(gold), discontinuous(predicted)),
        len(pair.tags),
        sum([one == other for one, other in pair.tags]),
    )


def total(values: Sequence[Value]) -> Value:
    """Add values of one kind, field by field. For `longest`, take the maximum."""
    kind = type(values[0])
    sums = {}
    for name, get in _getters(kind):  # type: ignore[arg-type]
        column = list(map(get, values))
        if is_dataclass(column[0]):
            sums[name] = total(column)
        else:
            sums[name] = max(column) if name == "longest" else sum(column)
    return kind(**sums)


@cache
def _getters(kind: type) -> list[tuple[str, Callable[[Any], Any]]]:
    """Return the fields of a kind of values, each with the function that reads it."""
    return [(part.name, attrgetter(part.name)) for part in fields(kind)]
