"""crossbranch train: trains a model on treebanks."""

from __future__ import annotations

from typing import Any

import click

from crossbranch.cli.options import in_range
from crossbranch.cli.show import say
from crossbranch.ranges import Beam, Epochs, Seed, Threads


@click.command(short_help="Train a parser.")
@click.argument("preset", metavar="PRESET")
@click.option(
    "--train",
    "train_files",
    metavar="[NAME=]FILE",
    multiple=True,
    required=True,
    help="Learn from the trees in FILE; repeatable: all files are used.",
)
@click.option(
    "--dev",
    "dev_files",
    metavar="[NAME=]FILE",
    multiple=True,
    help="Score each epoch on the trees in FILE; repeatable.",
)
@click.option(
    "--check",
    "check_files",
    metavar="NAME=FILE",
    multiple=True,
    help="Score the finished model on FILE, a treebank of other text; repeatable.",
)
@click.option("--out", "-o", metavar="DIR", required=True, help="Write the model to this folder.")
@click.option("--beam", type=in_range(Beam), help="Set the beam size.")
@click.option("--epochs", type=in_range(Epochs), help="Train for at most this many epochs.")
@click.option(
    "--seed", type=in_range(Seed), help="Set the random seed; the same seed gives the same model."
)
@click.option("--threads", type=in_range(Threads), help="Use this many processor cores.")
@click.option(
    "--set",
    "assignments",
    metavar="KEY=VALUE",
    multiple=True,
    help="Change any other setting (see `crossbranch presets PRESET`); repeatable.",
)
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace an existing model, or restart an unfinished training.",
)
@click.option("--plot", metavar="FILE", help="Plot F1 by epoch (.png, .svg, .pdf).")
@click.option("--csv", "csv_file", metavar="FILE", help="Write the table of epochs as CSV.")
@click.option("--json", "json_file", metavar="FILE", help="Write the table of epochs as JSON.")
def train(
    preset: str,
    *,
    train_files: tuple[str, ...],
    dev_files: tuple[str, ...],
    check_files: tuple[str, ...],
    out: str,
    assignments: tuple[str, ...],
    overwrite: bool,
    plot: str | None,
    csv_file: str | None,
    json_file: str | None,
    **shortcuts: int | None,
) -> None:
    """Train a parser with the settings of PRESET.

    PRESET is a name (see `crossbranch presets`) or a TOML file of your own. After each epoch, the
    dev trees are parsed and scored, and the model of the best epoch is kept (with `choose=last`,
    that of the last one). Sentences that cannot be used for training (for example damaged ones) are
    reported and skipped. If training is interrupted, repeat the command: it continues, and the
    model is the same as without the interruption.

    A model can learn from several files. Each file has a NAME; without one, it is called like the
    file without its endings. The setting `source.NAME.weight` says how much a file counts, and
    `source.NAME.teaches` what it teaches.
    Files without constituents, such as CoNLL-U, teach the tagger, the tokenizer and the lemmatizer.
    With several dev files, the epoch with the best mean F1 is kept.

    \b
    Examples:
      crossbranch train sr-gap --train train.export --dev dev.export --out model
      crossbranch train sr-gap --train train.export --dev dev.export --out model \\
        --beam 8 --epochs 30 --set update=max-violation --set features=baseline,mine.txt
      crossbranch train sr-gap --train news=news.export --train mail=mail.conllu \\
        --set source.news.weight=0.3 --dev dev.export --out model
      crossbranch train stack-free --train train.export --dev dev.export --out model \\
        --set encoder.hidden=200 --set device=cuda
    """  # noqa: D301 - click reads \b
    from crossbranch.cli.tables import write_csv, write_json
    from crossbranch.cli.training_files import check_apart, named, one_or_named
    from crossbranch.cli.training_view import (
        Skipped,
        TrainingView,
        check_plot,
        draw_curve,
        scores_in_words,
    )
    from crossbranch.config import read_assignments
    from crossbranch.parsers import train as train_parser
    from crossbranch.training.team import is_leader

    settings = read_assignments(assignments)
    settings |= {name: value for name, value in shortcuts.items() if value is not None}
    if plot is not None:
        check_plot(plot, has_dev=bool(dev_files))
    train_data = one_or_named("--train", train_files)
    assert train_data is not None
    check_apart(train_files, (*dev_files, *check_files))
    skipped = Skipped()
    given: dict[str, Any] = {
        "train": train_data,
        "dev": one_or_named("--dev", dev_files),
        "check": named("--check", check_files) or None,
        "out": out,
        "overwrite": overwrite,
        **settings,
    }
    if not is_leader():  # of several processes, one tells
        train_parser(preset, **given)
        return
    with TrainingView() as view:
        parser = train_parser(preset, **given, report=skipped, watcher=view)
    skipped.tell()
    view.tell()
    if plot is not None:
        draw_curve(view.epochs, plot)
    records = [epoch.to_dict() for epoch in view.epochs]
    if csv_file is not None:
        write_csv(csv_file, records)
    if json_file is not None:
        write_json(json_file, records)
    for line in scores_in_words(parser.about):
        say(line)
    if parser.confidence is not None:
        say(f"confidence: {parser.confidence.summary(parser.options({}))}")
    chosen = f" of epoch {parser.about['epoch']}" if "epoch" in parser.about else ""
    say(f"wrote the parser{chosen} to {out}")
