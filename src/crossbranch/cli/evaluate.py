"""crossbranch evaluate: scores of predicted trees against gold trees."""

from __future__ import annotations

import gc
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from crossbranch.cli.options import FORMAT, named_sentences, report, sentences_option
from crossbranch.cli.seeds import read_systems
from crossbranch.cli.show import progress, say
from crossbranch.cli.tables import print_tables, write_csv, write_json
from crossbranch.errors import InputError, UsageError

if TYPE_CHECKING:
    from crossbranch.evaluation import Parameters
    from crossbranch.reports.analysis import Wanted
    from crossbranch.reports.conventions import Convention
    from crossbranch.reports.file_evaluation import FileEvaluation, FileResult
    from crossbranch.reports.file_report import FileReport

BREAKDOWNS = ("label", "length", "gap", "gap-length", "fan-out", "size", "unseen")


def _breakdowns(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Read names separated by commas. Repeated names count once."""
    names = [name.strip() for text in given for name in text.split(",")]
    for name in names:
        if name not in BREAKDOWNS:
            known = ", ".join(BREAKDOWNS)
            raise click.BadParameter(f"{name!r} is not one of {known}")
    return tuple(dict.fromkeys(names))


@click.command(short_help="Compare predicted trees with gold trees.")
@click.argument("gold", metavar="GOLD")
@click.argument("predicted", metavar="PREDICTED...", nargs=-1, required=True)
@click.option(
    "--like",
    type=click.Choice(["spmrl"]),
    help="Score as in the SPMRL shared task: put all punctuation below the root, in gold and in "
    "predicted trees, and use the parameters spmrl.",
)
@click.option(
    "--params",
    show_default="proper",
    metavar="NAME|FILE",
    help="Choose what counts: proper (as in publications), spmrl, or an EVALB or disco-dop file.",
)
@click.option(
    "--seeds",
    is_flag=True,
    help="Take the PREDICTED files for seeds of one system: show means, deviations and "
    "significance. The word vs stands between the files of two systems.",
)
@click.option("--unlabelled", is_flag=True, help="Compare spans without their labels.")
@click.option("--la", is_flag=True, help="Also compute leaf-ancestor scores.")
@click.option("--ted", is_flag=True, help="Also compute tree edit distance.")
@click.option(
    "--missing",
    type=click.Choice(["count", "ignore"]),
    default="count",
    show_default=True,
    help="Count gold sentences without a parse against recall, or ignore them.",
)
@click.option(
    "--align",
    type=click.Choice(["order", "id", "text"]),
    default="order",
    show_default=True,
    help="Match predicted trees with gold trees by order, by id, or by text.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="Stop at a sentence that is bad or has other tokens than gold, or report and skip it.",
)
@click.option(
    "--from", "source_format", type=FORMAT, metavar="FORMAT", help="Set the format of all files."
)
@click.option("--encoding", help="Set the encoding of all files (default: detected).")
@click.option(
    "--by",
    multiple=True,
    metavar="NAME[,NAME...]",
    callback=_breakdowns,
    help=f"Break scores down by {', '.join(BREAKDOWNS)}; repeatable.",
)
@click.option("--train", metavar="FILE", help="Set the training treebank for --by unseen.")
@click.option(
    "--confusions", is_flag=True, help="Show which tags, labels and parents are confused."
)
@click.option("--functions", is_flag=True, help="Show scores of grammatical functions.")
@click.option(
    "--heads",
    metavar="auto|TABLE",
    help="Show scores of dependencies: by marked heads and the best head table, or by TABLE.",
)
@click.option("--errors", is_flag=True, help="Group errors by the edit that repairs them.")
@click.option(
    "--phenomena",
    metavar="auto|FILE",
    help="Show scores by kind of discontinuity: detected (auto), or read from a FILE of ids.",
)
@sentences_option
@click.option(
    "--json", "json_file", metavar="FILE", help="Write all scores as JSON (- for standard output)."
)
@click.option(
    "--csv",
    "csv_file",
    metavar="FILE",
    help="Write a row for each sentence as CSV (- for standard output).",
)
@click.option(
    "--tables",
    "tables_file",
    metavar="FILE",
    help="Write all tables as CSV (- for standard output).",
)
@click.option(
    "--html",
    "html_file",
    metavar="FILE",
    help="Write a page with tables and trees; several predictions get a page each: FILE-N-NAME.",
)
def evaluate(gold: str, predicted: tuple[str, ...], **options: Any) -> None:
    """Compare one or more PREDICTED treebanks with GOLD.

    All brackets and discontinuous brackets are scored, for all sentences and for those up to the
    length limit of --params. Scores agree with disco-dop's evaluator to the second decimal. The
    files may have different formats. Several predictions are also compared with each other, with
    significance tests.

    With --seeds, the predictions are seeds of one system, or of several with `vs` between them.
    Means and deviations over seeds are shown, and the significance of the difference of means.

    K-best lists, as `crossbranch parse --k-best` writes them, are recognised. The first tree of
    each list is scored, and the oracle: the tree with the highest F1 among the first k.

    \b
    Examples:
      crossbranch evaluate gold.export parsed.export
      crossbranch evaluate gold.export parsed.export --by label,length --html report.html
      crossbranch evaluate gold.export first.export second.export
      crossbranch evaluate gold.export mine-*.export vs yours-*.export --seeds
      crossbranch evaluate gold.export parsed.export --like spmrl
      crossbranch evaluate gold.export parsed.export --json - | jq .
    """  # noqa: D301 - click reads \b
    from crossbranch.reports.file_report import FileReport

    files, systems = read_systems(predicted, seeds=options.pop("seeds"))
    call = _Call(gold, files, systems, **options)
    call.check()
    evaluation = call.evaluation()
    gc.freeze()  # modules stay in memory: scanning them for garbage costs 5% of the time
    try:
        found = FileReport.of(evaluation)
    finally:
        gc.unfreeze()
    for result in found.results:
        _warn(result, evaluation.wanted.classes or ())
    call.write(found, evaluation)


@dataclass(frozen=True)
class _Call:
    """The arguments and options of the command."""

    gold: str
    predicted: tuple[str, ...]
    systems: tuple[tuple[str, ...], ...]
    like: str | None
    params: str | None
    unlabelled: bool
    la: bool
    ted: bool
    missing: Literal["count", "ignore"]
    align: Literal["order", "id", "text"]
    on_error: Literal["stop", "skip"]
    source_format: str | None
    encoding: str | None
    by: tuple[str, ...]
    train: str | None
    confusions: bool
    functions: bool
    heads: str | None
    errors: bool
    phenomena: str | None
    sentences: int | None
    json_file: str | None
    csv_file: str | None
    tables_file: str | None
    html_file: str | None

    @property
    def outputs(self) -> list[str | None]:
        """The files for scores."""
        return [self.json_file, self.csv_file, self.tables_file, self.html_file]

    def check(self) -> None:
        """Raise an error for options that cannot be combined."""
        several = len(self.predicted) > 1
        if len(set(self.predicted)) < len(self.predicted):
            raise UsageError("a PREDICTED file is given twice")
        inputs = [self.gold, *self.predicted, *([] if self.train is None else [self.train])]
        again = several or "auto" in (self.phenomena, self.heads)  # gold is read more than once
        if inputs.count("-") > 1 or (self.gold == "-" and again):
            raise UsageError("standard input can be read only once; give files instead of -")
        if self.html_file is not None and "-" in inputs:
            raise UsageError("--html reads all files twice; give files instead of -")
        if self.outputs.count("-") > 1 or (self.html_file == "-" and several):
            raise UsageError("only one output can go to standard output; give files for the others")
        if self.like is not None and self.params is not None:
            raise UsageError(
                f"--like {self.like} has its own parameters; leave out --params {self.params}"
            )
        if self.unlabelled and "label" in self.by:
            raise UsageError("--by label and --unlabelled exclude each other; give one of them")
        named_sentences(self.sentences, self.phenomena)
        if "unseen" in self.by and self.train is None:
            raise UsageError("--by unseen needs the training treebank: give --train FILE")
        for path in inputs:
            _check_treebank(path)

    @cached_property
    def convention(self) -> Convention | None:
        """What `--like` stands for."""
        from crossbranch.reports.conventions import CONVENTIONS

        return None if self.like is None else CONVENTIONS[self.like]

    @cached_property
    def parameters(self) -> Parameters:
        """The evaluation parameters: what counts."""
        from crossbranch.evaluation import find_parameters

        name = self.params or "proper"
        found = find_parameters(name if self.convention is None else self.convention.parameters)
        for key in found.unknown_keys:
            say(f"warning: {name}: unknown key {key}")
        return replace(
            found,
            labelled=found.labelled and not self.unlabelled,
            leaf_ancestor=found.leaf_ancestor or self.la,
            tree_distance=found.tree_distance or self.ted,
        )

    @cached_property
    def left_out(self) -> list[InputError]:
        """The errors of the sentences that were skipped. Each is reported at once."""
        return []

    def evaluation(self) -> FileEvaluation:
        """Return the evaluation of the files, not yet run."""
        from crossbranch.reports.file_evaluation import FileEvaluation

        found = FileEvaluation(
            gold=self.gold,
            predicted=self.predicted,
            systems=self.systems,
            parameters=self.parameters,
            missing=self.missing,
            align=self.align,
            format=self.source_format,
            encoding=self.encoding,
            on_error=self.on_error,
            prepare=None if self.convention is None else self.convention.prepare,
            heads=self.heads,
            report=self._leave_out,
            watch=progress,
        )
        return replace(found, wanted=self._wanted(found))

    def _leave_out(self, error: InputError) -> None:
        self.left_out.append(error)
        report(error)

    def _wanted(self, evaluation: FileEvaluation) -> Wanted:
        from crossbranch.evaluation.phenomena import read_classes
        from crossbranch.reports.analysis import Wanted

        detected = self.phenomena == "auto"
        listed = self.phenomena is not None and not detected
        return Wanted(
            by=self.by,
            vocabulary=None if self.train is None else evaluation.read_words(self.train),
            confusions=self.confusions,
            functions=self.functions,
            dependencies=bool(self.heads) or self.parameters.dependencies,
            error_types=self.errors,
            classes=read_classes(str(self.phenomena)) if listed else None,
            scheme=evaluation.find_scheme() if detected else None,
        )

    def write(self, found: FileReport, evaluation: FileEvaluation) -> None:
        """Write all outputs. Print tables unless an output goes to standard output."""
        from crossbranch.reports.tables import for_terminal, to_rich

        if self.json_file is not None:
            write_json(self.json_file, found.to_dict())
        if self.csv_file is not None:
            write_csv(self.csv_file, found.sentence_rows())
        if self.tables_file is not None:
            write_csv(self.tables_file, found.table_rows())
        if self.html_file is not None:
            found.write_pages(self.html_file, evaluation, progress)
        if count := len(self.left_out):
            say(f"{count:,} {'sentence was' if count == 1 else 'sentences were'} skipped")
        if "-" not in self.outputs:
            most = named_sentences(self.sentences, self.phenomena)
            print_tables(*(to_rich(for_terminal(table, most)) for table in found.tables()))


def _check_treebank(path: str) -> None:
    """Raise an error if the name of a shipped model is given as a treebank."""
    if Path(path).exists():
        return
    from crossbranch.models import shipped  # slow to load

    if path in shipped():
        raise UsageError(
            f"{path} is a model, not a treebank; to parse a file with it: "
            f"crossbranch parse {path} FILE -o predicted.export"
        )


def _warn(result: FileResult, listed: Collection[str]) -> None:
    """Warn about results that may surprise the user."""
    if missing := result.evaluation.main.missing:
        have = "sentence has" if missing == 1 else "sentences have"
        say(f"warning: {result.path}: {missing:,} gold {have} no parse")
    if result.ignored_trees:
        say(
            f"warning: {result.path}: with --align text, only the first tree of each k-best list "
            "is scored"
        )
    unknown = set(listed).difference(row.id for row in result.evaluation.sentences)
    if unknown:
        say(
            f"warning: {len(unknown):,} ids of the --phenomena file are not in gold, such as "
            f"{min(unknown)}"
        )
