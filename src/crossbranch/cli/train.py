"""crossbranch train: from treebanks to a model."""

from __future__ import annotations

import click

from crossbranch.cli.show import say


@click.command(short_help="Train a parser.")
@click.argument("preset", metavar="PRESET")
@click.option("--train", "train_file", metavar="FILE", required=True, help="The training trees.")
@click.option("--dev", "dev_file", metavar="FILE", help="The trees that epochs are scored on.")
@click.option("--out", "-o", metavar="DIR", required=True, help="The folder of the model.")
@click.option("--beam", type=int, help="How many configurations are kept.")
@click.option("--epochs", type=int, help="How often the training trees are gone through.")
@click.option("--seed", type=int, help="The same seed gives the same model.")
@click.option("--threads", type=int, help="How many cores to use.")
@click.option(
    "--set",
    "assignments",
    metavar="KEY=VALUE",
    multiple=True,
    help="Any other setting (see `crossbranch presets PRESET`); repeatable.",
)
@click.option("--overwrite", is_flag=True, help="Replace a finished model, or begin anew.")
@click.option("--plot", metavar="FILE", help="Draw the curve of F1 (.png, .svg, .pdf).")
def train(
    preset: str,
    *,
    train_file: str,
    dev_file: str | None,
    out: str,
    assignments: tuple[str, ...],
    overwrite: bool,
    plot: str | None,
    **shortcuts: int | None,
) -> None:
    """Train a parser with the settings of PRESET, which is a name or a TOML file.

    After each epoch the dev trees are parsed and scored; the model of the best epoch is kept. A
    training that was stopped goes on where it was when the same command is given again, and ends
    with the same model. Sentences that cannot be learned from are reported and left out.

    \b
      crossbranch train sr-gap --train train.export --dev dev.export --out model
      crossbranch train sr-gap --train train.export --dev dev.export --out model \\
        --beam 8 --epochs 30 --set update=max-violation --set features=baseline,mine.txt
    """  # noqa: D301 - click reads \b
    from crossbranch.cli.training_view import Skipped, TrainingView, check_plot, draw_curve
    from crossbranch.config import read_assignments
    from crossbranch.parsers import train as train_parser

    given = {name: value for name, value in shortcuts.items() if value is not None}
    settings = read_assignments(assignments) | given
    if plot is not None:
        check_plot(plot, dev_file)
    skipped = Skipped()
    with TrainingView() as view:
        parser = train_parser(
            preset,
            train=train_file,
            dev=dev_file,
            out=out,
            overwrite=overwrite,
            report=skipped,
            watcher=view,
            **settings,
        )
    skipped.tell()
    view.tell()
    if plot is not None:
        draw_curve(view.epochs, plot)
    if parser.confidence is not None:
        say(f"confidence: {parser.confidence.summary(parser.options({}))}")
    chosen = f" of epoch {parser.about['epoch']}" if "epoch" in parser.about else ""
    say(f"the parser{chosen} is in {out}")
