"""crossbranch experiment: trains and compares variants of a parser."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from crossbranch.cli.options import in_range
from crossbranch.cli.show import end_interrupted, say
from crossbranch.errors import UsageError
from crossbranch.ranges import Threads

if TYPE_CHECKING:
    from crossbranch.experiments import Experiment, Results

_FAILED = 1  # the exit code
_FORMATS = ("table", "markdown", "tsv", "json")


@click.command(short_help="Train and compare variants of a parser.")
@click.argument("file", metavar="FILE")
@click.option("--out", "-o", metavar="DIR", help="Write models and results to this folder.")
@click.option(
    "--jobs",
    "-j",
    type=in_range(Threads),
    metavar="N",
    help="Train N models at once, each in its own process (default: 1).",
)
@click.option(
    "--only",
    metavar="VARIANT",
    multiple=True,
    help="Run, or show, only this variant; `*` stands for any characters; repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Show all runs and what is done already, and stop.")
@click.option("--report-only", is_flag=True, help="Train nothing: show the results so far.")
@click.option(
    "--on",
    "sets",
    metavar="SET",
    multiple=True,
    help="Show only this set: dev or test; repeatable.",
)
@click.option(
    "--to",
    "target_format",
    type=click.Choice(_FORMATS),
    help="Print the results in this format (default: table).",
)
@click.option("--plot", metavar="FILE", help="Plot dev F1 by epoch (.png, .svg, .pdf).")
@click.option(
    "--device",
    help="Parse dev and test trees on this device, e.g. cuda:0 (default: cpu).",
)
def experiment(
    file: str,
    *,
    out: str | None,
    jobs: int | None,
    only: tuple[str, ...],
    dry_run: bool,
    report_only: bool,
    sets: tuple[str, ...],
    target_format: str | None,
    plot: str | None,
    device: str | None,
) -> None:
    """Run the experiment in FILE: train all variants with all seeds, and compare them.

    FILE is a TOML file. It names a preset, treebanks, seeds, and the variants with the settings
    that each of them changes. Everything in it is checked before training starts. Models,
    predicted trees and results are written to a folder (default: FILE without its ending).

    \b
      preset = "sr-gap"
      train = "train.export"
      dev = "dev.export"
      test = "test.export"
      seeds = [1, 2, 3]
      [settings]
      epochs = 10
      [variant.plain]
      [variant.wide]
      beam = 16

    If the command is interrupted, repeat it: finished runs are not done again, and an unfinished
    training continues. The same holds if FILE was changed: only what is new is trained. If a run
    fails, the others go on; the exit code is 1.

    The table has means and deviations over seeds, and the differences to the baseline (the first
    variant, or `baseline = "NAME"`) with p-values of approximate randomization over sentences.

    \b
    Examples:
      crossbranch experiment beams.toml --dry-run
      crossbranch experiment beams.toml --jobs 2 --plot curves.svg
      crossbranch experiment beams.toml --report-only --on test --to markdown
    """  # noqa: D301 - click reads \b
    from crossbranch import experiments

    training = {"--jobs": jobs, "--device": device}
    showing = {"--on": sets, "--to": target_format, "--plot": plot}
    if dry_run:
        _refuse("--dry-run", {"--report-only": report_only, **training, **showing})
    if report_only:
        _refuse("--report-only", training)
    if plot is not None:
        from crossbranch.drawing.plots import check_ending

        check_ending(plot)
    found = experiments.read(file, out=out, needs_data=not report_only)
    for name in sets:
        if name not in found.sets:
            raise UsageError(f"there is no set {name!r}; expected one of {', '.join(found.sets)}")
    if dry_run:
        _show_plan(found, only)
        return
    if report_only:
        results = experiments.results(found.restricted(only) if only else found)
    else:
        results = _run(found, jobs or 1, only, device or "cpu")
    _show(results, sets, target_format or "table")
    if plot is not None:
        experiments.plot(results, plot)
    for failure in results.failures:
        say(f"failed: {failure.variant}, seed {failure.seed}: {failure.reason}")
    if results.failures and not report_only:
        say("repeat the command to try the failed runs again")
        sys.exit(_FAILED)


def _refuse(option: str, others: Mapping[str, object]) -> None:
    """Refuse options that mean nothing beside another one."""
    for name, value in others.items():
        if value:
            raise UsageError(f"{name} has no effect with {option}: leave out one of them")


def _run(found: Experiment, jobs: int, only: tuple[str, ...], device: str) -> Results:
    from crossbranch import experiments
    from crossbranch.cli.experiment_view import ExperimentView

    try:
        with ExperimentView() as view:
            return experiments.run(found, jobs=jobs, only=only, device=device, watcher=view)
    except KeyboardInterrupt as error:
        end_interrupted(error, "; repeat the command to continue")


def _show_plan(found: Experiment, only: tuple[str, ...]) -> None:
    """Print all runs: what is done already, and how their settings differ from the baseline."""
    from crossbranch import experiments
    from crossbranch.cli.tables import plain_table, print_tables
    from crossbranch.experiments.variants import in_words

    table = plain_table(["variant", "seed", "state", "folder", "settings"])
    baseline = found.variant(found.baseline)
    states = []
    for run in experiments.plan(found, only=only):
        states.append(experiments.state_of(run))
        changed = found.variant(run.variant).differences(baseline)
        settings = " ".join(f"{name}={in_words(value)}" for name, value in changed.items())
        table.add_row(run.variant, str(run.seed), states[-1], run.folder, settings)
    print_tables(table)
    say(f"{states.count('done')} of {len(states)} runs are done")


def _show(results: Results, sets: tuple[str, ...], target_format: str) -> None:
    from crossbranch import experiments
    from crossbranch.cli.tables import plain_table, print_tables
    from crossbranch.experiments.formats import WRITERS, in_words

    if not results.runs:
        say("no run is finished")
        return
    tables = [experiments.table(results, on=name) for name in sets or results.sets]
    if target_format != "table":
        click.echo(WRITERS[target_format](tables), nl=False)
        return
    for place, part in enumerate(part for table in tables for part in in_words(table)):
        shown = plain_table(part.columns[:1], part.columns[1:])
        for row in part.rows:
            shown.add_row(*row)
        print_tables(*([""] if place else []), part.caption, shown)
