"""Evaluation of files: one or more predictions for one gold treebank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation import (
    Evaluation,
    KBestEvaluation,
    Pair,
    Parameters,
    evaluate,
    evaluate_k_best,
    group_k_best,
)
from crossbranch.evaluation.alignment import Alignment, align_trees
from crossbranch.evaluation.comparison import Comparison, compare
from crossbranch.evaluation.phenomena import guess_scheme
from crossbranch.evaluation.seeds import System, SystemComparison, compare_systems
from crossbranch.reports.analysis import EvaluationAnalysis, Wanted
from crossbranch.reports.records import SentenceRecord
from crossbranch.treebank import read

if TYPE_CHECKING:
    from crossbranch.tree import Tree

Note = Callable[[InputError], None]


def _watch_nothing(trees: Iterable[Tree | None], what: str) -> Iterable[Tree | None]:
    return trees


class FileResult(NamedTuple):
    """The result for one file of predictions."""

    path: str
    lists: KBestEvaluation
    """The k-best lists of the file. Single trees are lists of one tree."""

    analysis: EvaluationAnalysis | None
    """Breakdowns and other analyses, if any were wanted."""

    ignored_trees: int
    """The number of trees of k-best lists that were ignored: lists cannot be aligned by text."""

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the best trees."""
        return self.lists.best


@dataclass(frozen=True, kw_only=True)
class FileEvaluation:
    """What to evaluate, and how. Files are read once for scores, and once more for pages."""

    gold: str
    predicted: tuple[str, ...]
    parameters: Parameters
    wanted: Wanted = field(default_factory=Wanted)
    missing: Literal["count", "ignore"] = "count"
    align: Alignment = "order"
    format: str | None = None
    encoding: str | None = None
    on_error: Literal["stop", "skip"] = "stop"
    systems: tuple[tuple[str, ...], ...] = ()
    """The files of `predicted` by system, if they are seeds of systems."""

    prepare: Callable[[Tree], Tree] | None = None
    """Changes every gold and predicted tree before they are compared; see `conventions`."""

    heads: str | None = None
    """A head table, for scores of dependencies. With "auto", marked heads are used, and the others
    are found in all trees by the table that fits the gold trees best."""

    report: Note = field(default=lambda error: None, repr=False)
    """Called with each sentence that is skipped."""

    watch: Callable[[Iterable[Tree | None], str], Iterable[Tree | None]] = _watch_nothing
    """Called with the trees of a file and a description of the work; yields the trees again."""

    def results(self) -> list[FileResult]:
        """Evaluate each file of predictions.

        Raises:
            InputError: A sentence cannot be read or does not fit, and `on_error` is "stop".
        """
        return [self._result(path) for path in self.predicted]

    def comparison(self, results: list[FileResult]) -> Comparison | None:
        """Compare the predictions with each other, if there are several and none are seeds."""
        if len(results) < 2 or self.systems:
            return None
        names = short_names([result.path for result in results])
        return compare(names, [result.evaluation.sentences for result in results])

    def systems_compared(self, results: list[FileResult]) -> SystemComparison | None:
        """Return means over seeds and their differences, if there are systems."""
        if not self.systems:
            return None
        found = {result.path: result.evaluation for result in results}
        # A system is named after the first of its files.
        names = short_names([paths[0] for paths in self.systems])
        return compare_systems(
            [
                System(name, tuple(found[path] for path in paths))
                for name, paths in zip(names, self.systems, strict=True)
            ]
        )

    def records(self, path: str) -> Iterator[SentenceRecord]:
        """Yield the record of each sentence for a page. Bad sentences are not reported again."""

        def known(name: str) -> Iterator[Tree | None]:
            return self._trees(name, lambda error: None)

        aligned = align_trees(
            known(self.gold),
            _best(group_k_best(known(path))),
            self.parameters,
            align=self.align,
            report=lambda error: None,
        )
        for number, gold, predicted in aligned:
            if predicted is not None or self.missing == "count":
                yield SentenceRecord.of(number, Pair(gold, predicted, self.parameters))

    def read_words(self, path: str) -> frozenset[str]:
        """Return the words of a treebank, such as the training set."""
        trees = self.watch(self._trees(path, self.report), f"reading {path}")
        return frozenset(token.form for tree in trees if tree for token in tree.sentence)

    def find_scheme(self) -> str:
        """Return the label set by which phenomena are detected in the gold trees.

        Raises:
            UsageError: The label set is not known.
        """
        trees = self._trees(self.gold, lambda error: None)
        scheme = guess_scheme(tree for tree in trees if tree is not None)
        if not scheme:
            raise UsageError(
                f"{self.gold}: cannot detect phenomena without the labels of NeGra, Penn or Alpino"
            )
        return scheme

    def _result(self, path: str) -> FileResult:
        analysis = EvaluationAnalysis(self.wanted) if self.wanted else None
        tolerant = self.on_error == "skip" or bool(self.parameters.most_errors)
        gold = self._trees(self.gold, self.report)
        lists = group_k_best(self.watch(self._trees(path, self.report), f"evaluating {path}"))
        observe = None if analysis is None else lambda at, pair: analysis.add(at.number, pair)
        options: dict[str, Any] = {
            "parameters": self.parameters,
            "missing": self.missing,
            "align": self.align,
            "report": self.report if tolerant else None,
            "observe": observe,
            "name": path,
        }
        if self.align != "text":
            return FileResult(path, evaluate_k_best(gold, lists, **options), analysis, 0)
        extra = _Extra(lists)
        found = KBestEvaluation.of(evaluate(gold, _best(extra), **options))
        return FileResult(path, found, analysis, extra.trees)

    def _trees(self, path: str, note: Note) -> Iterator[Tree | None]:
        """Read a file. None stands for a bad sentence, so that the others keep their places."""
        bad: list[InputError] = []
        trees = read(
            path,
            format=self.format,
            encoding=self.encoding,
            on_error=self.on_error,
            report=bad.append,
        )
        prepared = trees if self.prepare is None else map(self.prepare, trees)
        for tree in self._with_heads(prepared):
            yield from _noted(bad, note)
            yield tree
        yield from _noted(bad, note)

    def _with_heads(self, trees: Iterator[Tree]) -> Iterator[Tree]:
        if not self.heads:
            return trees
        if self.heads == "auto":
            table = self._head_table
            return (tree.mark_heads(table) for tree in trees)
        from crossbranch.transforms.heads import Heads

        return map(Heads(self.heads).apply, trees)

    @cached_property
    def _head_table(self) -> str:
        """The head table that fits the gold trees best."""
        from crossbranch.transforms.head_choice import choose_head_table

        return choose_head_table(
            read(self.gold, format=self.format, encoding=self.encoding, on_error="skip")
        )


def _noted(bad: list[InputError], note: Note) -> Iterator[None]:
    for error in bad:
        note(error)
        yield None
    bad.clear()


class _Extra:
    """Yields lists, and counts the trees after the first one of each list."""

    def __init__(self, lists: Iterable[list[Tree] | None]) -> None:
        self._lists = lists
        self.trees = 0

    def __iter__(self) -> Iterator[list[Tree] | None]:
        for trees in self._lists:
            self.trees += len(trees or [0]) - 1
            yield trees


def _best(lists: Iterable[list[Tree] | None]) -> Iterator[Tree | None]:
    return (trees[0] if trees else None for trees in lists)


def short_names(paths: Sequence[str]) -> Sequence[str]:
    """Return the names of files, or their paths if two files have the same name."""
    names = [Path(path).name for path in paths]
    return names if len(set(names)) == len(names) else paths
