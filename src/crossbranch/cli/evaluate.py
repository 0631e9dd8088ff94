"""crossbranch evaluate: predictions against gold, in figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from crossbranch.cli.options import FORMAT, report
from crossbranch.cli.show import progress, say, write_text
from crossbranch.errors import InputError, UsageError

if TYPE_CHECKING:
    from crossbranch.evaluation import Evaluation, Parameters
    from crossbranch.reports.analysis import Analysis
    from crossbranch.reports.records import SentenceRecord
    from crossbranch.reports.tables import FigureTable
    from crossbranch.tree import Tree

BREAKDOWNS = ["label", "length", "gap", "gap-length", "fan-out", "size", "unseen"]


@click.command(short_help="Compare predicted trees with gold trees.")
@click.argument("gold", metavar="GOLD")
@click.argument("predicted", metavar="PREDICTED...", nargs=-1, required=True)
@click.option(
    "--params",
    default="proper",
    show_default=True,
    metavar="NAME|FILE",
    help="What counts: proper (published figures), spmrl, or a file for EVALB or disco-dop.",
)
@click.option("--unlabelled", is_flag=True, help="Compare spans without their labels.")
@click.option("--la", is_flag=True, help="Also compute leaf-ancestor.")
@click.option("--ted", is_flag=True, help="Also compute tree distance.")
@click.option(
    "--missing",
    type=click.Choice(["count", "ignore"]),
    default="count",
    show_default=True,
    help="Gold sentences without a parse: count them against recall, or leave them out.",
)
@click.option(
    "--align",
    type=click.Choice(["order", "id", "text"]),
    default="order",
    show_default=True,
    help="Which prediction belongs to which gold tree.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="At a bad sentence, or one with other tokens: stop, or report it and leave it out.",
)
@click.option("--from", "source_format", type=FORMAT, metavar="FORMAT", help="Format of all files.")
@click.option("--encoding", help="Encoding of all files (default: detected).")
@click.option(
    "--by",
    type=click.Choice(BREAKDOWNS),
    multiple=True,
    metavar="NAME",
    help=f"Break the figures down by {', '.join(BREAKDOWNS)}; repeatable.",
)
@click.option("--train", metavar="FILE", help="The training set, for --by unseen.")
@click.option("--confusions", is_flag=True, help="Tags, labels and parents that were mistaken.")
@click.option("--functions", is_flag=True, help="Scores of functions.")
@click.option("--heads", metavar="TABLE", help="Scores of dependencies, by a table of heads.")
@click.option("--errors", is_flag=True, help="Errors by the edit that repairs them.")
@click.option(
    "--phenomena",
    metavar="auto|FILE",
    help="Scores of kinds of discontinuity: detected, or listed with sentence ids in a file.",
)
@click.option("--json", "json_file", metavar="FILE", help="Write figures as JSON (- for output).")
@click.option("--csv", "csv_file", metavar="FILE", help="Write a row for each sentence as CSV.")
@click.option(
    "--html",
    "html_file",
    metavar="FILE",
    help="Write a page with tables and trees; of several predictions, one page each: FILE-N-NAME.",
)
def evaluate(gold: str, predicted: tuple[str, ...], **options: object) -> None:
    """Compare one or more PREDICTED treebanks with GOLD.

    Figures agree with those of disco-dop's evaluator to the second decimal: all and discontinuous
    brackets in one run, for all sentences and for those up to the cut-off. Formats may differ.
    Several predictions are also compared with each other, with tests of significance.
    """
    _Run(gold, predicted, **options).go()  # type: ignore[arg-type]


class _Run:
    """One call of the command."""

    def __init__(
        self,
        gold: str,
        predicted: tuple[str, ...],
        *,
        params: str,
        unlabelled: bool,
        la: bool,
        ted: bool,
        missing: Literal["count", "ignore"],
        align: Literal["order", "id", "text"],
        on_error: Literal["stop", "skip"],
        source_format: str | None,
        encoding: str | None,
        by: tuple[str, ...],
        train: str | None,
        confusions: bool,
        functions: bool,
        heads: str | None,
        errors: bool,
        phenomena: str | None,
        json_file: str | None,
        csv_file: str | None,
        html_file: str | None,
    ) -> None:
        from dataclasses import replace

        from crossbranch.evaluation import find_parameters
        from crossbranch.treebank import read

        if len(set(predicted)) < len(predicted):
            raise UsageError("a prediction is named twice")
        twice = html_file is not None or phenomena == "auto" or len(predicted) > 1
        inputs = [gold, *predicted, *([] if train is None else [train])]
        if inputs.count("-") > 1 or (gold == "-" and twice) or (html_file and "-" in inputs):
            raise UsageError("standard input can be read only once; name files instead of -")
        outputs = [json_file, csv_file, html_file]
        if outputs.count("-") > 1 or (html_file == "-" and len(predicted) > 1):
            raise UsageError("only one thing can be written to standard output")
        if unlabelled and "label" in by:
            raise UsageError("there is nothing to show by label with --unlabelled")
        self.quiet = "-" in outputs
        if "unseen" in by and train is None:
            raise UsageError("--by unseen needs the training set: --train FILE")
        self.gold, self.predicted = gold, predicted
        self.missing, self.align = missing, align
        self._left_out = 0
        self.json_file, self.csv_file, self.html_file = json_file, csv_file, html_file
        self.heads = heads
        self._read = partial(read, format=source_format, encoding=encoding, on_error=on_error)
        found = find_parameters(params)
        for key in found.unknown_keys:
            say(f"warning: {params}: unknown key {key}")
        self.parameters: Parameters = replace(
            found,
            labelled=found.labelled and not unlabelled,
            leaf_ancestor=found.leaf_ancestor or la,
            tree_distance=found.tree_distance or ted,
        )
        tolerant = on_error == "skip" or bool(found.most_errors)
        self.report = self._leave_out if tolerant else None
        self.wanted: dict[str, object] = {
            "by": tuple(dict.fromkeys(by)),
            "vocabulary": self._vocabulary(train),
            "confusions": confusions,
            "functions": functions,
            "dependencies": bool(heads) or found.dependencies,
            "error_types": errors,
            "classes": self._classes(phenomena),
            "scheme": self._scheme(phenomena),
        }

    def _vocabulary(self, train: str | None) -> frozenset[str] | None:
        if train is None:
            return None
        trees = progress(self._read(train, report=report), f"reading {train}")
        return frozenset(token.form for tree in trees for token in tree.sentence)

    def _classes(self, phenomena: str | None) -> dict[str, list[str]] | None:
        if phenomena in (None, "auto"):
            return None
        from crossbranch.evaluation.phenomena import read_classes

        return read_classes(str(phenomena))

    def _scheme(self, phenomena: str | None) -> str | None:
        if phenomena != "auto":
            return None
        from crossbranch.evaluation.phenomena import guess_scheme

        scheme = guess_scheme(self._read(self.gold, report=lambda _: None))
        if not scheme:
            raise UsageError(f"{self.gold}: its labels are not those of NeGra, Penn or Alpino")
        return scheme

    def trees(self, path: str, note: Callable[[InputError], None]) -> Iterator[Tree | None]:
        """Read one file; None stands where a sentence is bad, so that no other takes its place."""
        bad: list[InputError] = []
        for tree in self._with_heads(self._read(path, report=bad.append)):
            yield from map(note, bad)
            bad.clear()
            yield tree
        yield from map(note, bad)

    def _leave_out(self, error: InputError) -> None:
        self._left_out += 1
        report(error)

    def _with_heads(self, trees: Iterator[Tree]) -> Iterator[Tree]:
        if not self.heads:
            return trees
        from crossbranch.transforms.heads import Heads

        return map(Heads(self.heads).apply, trees)

    def go(self) -> None:
        """Evaluate, show and write."""
        from rich.console import Console

        from crossbranch.reports import tables

        results = [(path, *self._evaluate(path)) for path in self.predicted]
        evaluations = [(path, evaluation) for path, evaluation, _ in results]
        comparison = None
        if len(self.predicted) > 1:
            from crossbranch.evaluation.comparison import compare

            names = _short_names(self.predicted)
            comparison = compare(names, [found.sentences for _, found in evaluations])
        if self.json_file is not None:
            figures: dict[str, object] = {
                "predictions": {
                    path: evaluation.to_dict() | (analysis.to_dict() if analysis else {})
                    for path, evaluation, analysis in results
                }
            }
            if comparison is not None:
                figures["comparison"] = comparison.to_dict()
            write_text(self.json_file, json.dumps(figures, indent=2) + "\n")
        if self.csv_file is not None:
            _write_csv(self.csv_file, evaluations)
        more: list[FigureTable] = []
        if comparison is not None:
            more = [tables.of_comparison(comparison), tables.of_contrasts(comparison)]
        for number, (path, evaluation, analysis) in enumerate(results, 1):
            if self.html_file is not None:
                shown = [*_tables(path, evaluation, analysis), *more]
                self._write_page(number, path, evaluation, shown)
        if self._left_out:
            say(f"{self._left_out:,} sentences were left out")
        if not self.quiet:
            console = Console()
            for path, evaluation, analysis in results:
                for table in _tables(path, evaluation, analysis):
                    console.print(tables.to_rich(table))
            for table in more:
                console.print(tables.to_rich(table))

    def _evaluate(self, path: str) -> tuple[Evaluation, Analysis | None]:
        from crossbranch.evaluation import evaluate as compare

        analysis = self._analysis()
        found = compare(
            self.trees(self.gold, self._leave_out),
            progress(self.trees(path, self._leave_out), f"evaluating {path}"),
            parameters=self.parameters,
            missing=self.missing,
            align=self.align,
            report=self.report,
            observe=None if analysis is None else lambda _, pair: analysis.add(pair),
            name=path,
        )
        missing = found.scores.all.missing
        if missing:
            say(f"warning: {path}: {missing:,} gold sentences have no parse")
        listed = self.wanted["classes"]
        if isinstance(listed, dict):
            unknown = set(listed).difference(row.id for row in found.sentences)
            if unknown:
                say(f"warning: {len(unknown)} listed ids are not in gold, such as {min(unknown)}")
        return found, analysis

    def _analysis(self) -> Analysis | None:
        if not any(self.wanted.values()):
            return None
        from crossbranch.reports.analysis import Analysis, Wanted

        return Analysis(Wanted(**self.wanted))  # type: ignore[arg-type]

    def _write_page(
        self, number: int, path: str, evaluation: Evaluation, summary: list[FigureTable]
    ) -> None:
        from crossbranch.reports.html import html_report
        from crossbranch.reports.pages import plots

        target = Path(str(self.html_file))
        if len(self.predicted) > 1:
            target = target.with_name(f"{target.stem}-{number}-{Path(path).stem}{target.suffix}")
        html_report(
            str(target),
            f"{Path(path).name} against {Path(self.gold).name}",
            summary=summary,
            plots=plots(evaluation),
            sentences=progress(self._records(path), "writing sentences"),
        )

    def _records(self, path: str) -> Iterator[SentenceRecord]:
        from crossbranch.evaluation import Pair
        from crossbranch.evaluation.alignment import align_trees
        from crossbranch.reports.records import SentenceRecord

        known = partial(self.trees, note=lambda _: None)  # what is wrong was reported before
        aligned = align_trees(
            known(self.gold),
            known(path),
            self.parameters,
            align=self.align,
            report=lambda _: None,
        )
        for number, gold, predicted in aligned:
            if predicted is not None or self.missing == "count":
                yield SentenceRecord.of(number, Pair(gold, predicted, self.parameters))


def _short_names(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files' names, or all of their paths where names do not tell them apart."""
    names = tuple(Path(path).name for path in paths)
    return names if len(set(names)) == len(names) else paths


def _tables(path: str, evaluation: Evaluation, analysis: Analysis | None) -> list[FigureTable]:
    from crossbranch.reports.tables import of_scores

    return [of_scores(path, evaluation), *(analysis.tables() if analysis else ())]


def _write_csv(target: str, results: list[tuple[str, Evaluation]]) -> None:
    from crossbranch.reports.sentences import write_sentences

    if target == "-":
        write_sentences(results, sys.stdout)
    else:
        with Path(target).open("w", newline="", encoding="utf-8") as stream:
            write_sentences(results, stream)
