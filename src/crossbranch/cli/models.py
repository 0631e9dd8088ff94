"""crossbranch models: the models, what they were trained on, and their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from crossbranch.cli.tables import (
    Form,
    form_options,
    plain_table,
    print_records,
    print_tables,
    write_json,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from crossbranch.models import ModelCard


@click.command(short_help="List the shipped models, or describe one.")
@click.argument("name", metavar="[MODEL]", required=False)
@form_options
def models(name: str | None, *, form: Form | None) -> None:
    """List the shipped models, or describe MODEL (the name of a shipped model, or a model folder).

    The list shows what text each model is for, and how good it is. The scores are measured on the
    dev trees of the model's treebank: F1 of all constituents and F1 of discontinuous constituents,
    first from words without tags, then from raw text. The description of MODEL also has its scores
    with gold tags and on other text, if they were measured.

    \b
    Examples:
      crossbranch models
      crossbranch models en
    """  # noqa: D301 - click reads \b
    from crossbranch.models import describe, find_model, shipped

    if name is None:
        cards = [describe(path) for path in shipped().values()]
    else:
        cards = [describe(find_model(name))]
    if form == "json" and name is not None:
        write_json("-", cards[0].to_dict())
    elif form is not None:
        print_records([card.to_dict() for card in cards], form)
    elif name is None:
        print_tables(*_list(cards))
    else:
        print_tables(*_show(cards[0]))


def _list(cards: list[ModelCard]) -> list[RenderableType]:
    from rich.text import Text

    if not cards:
        return ["This installation has no shipped models. To train one, see: crossbranch train -h"]
    numbers = ("F1", "disc.", "raw F1", "disc.", "MB")
    table = plain_table(["model", "language", "for"], numbers)
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    table.add_column("licence", no_wrap=True)
    for card in cards:
        cells = [
            card.name,
            card.language,
            card.text,
            _percent(card.score_from_words("f1")),
            _percent(card.score_from_words("discontinuous_f1")),
            _percent(card.score("raw text", "f1")),
            _percent(card.score("raw text", "discontinuous_f1")),
            f"{card.size / 1e6:.1f}",
            card.licence,
        ]
        table.add_row(*map(Text, cells))
    return [
        table,
        "\nF1 on dev trees, of all and of discontinuous (disc.) constituents: from words\n"
        "without tags, then from raw text. See crossbranch models MODEL, crossbranch labels MODEL",
    ]


def _show(card: ModelCard) -> list[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    has = [what for what, there in _parts(card) if there]
    rows = {
        "model": card.name,
        "language": card.language,
        "for": card.text,
        "trained on": card.trained_on,
        "licence": card.licence,
        "attribution": card.attribution,
        "does": ", ".join(has),
        "labels": f"{len(card.labels)}: {' '.join(card.labels)}",
        "tags": f"{len(card.tags)}: {' '.join(card.tags)}",
        "size": _size(card.size),
        "folder": str(card.path),
        "written by": f"crossbranch {card.version}, {card.date[:10]}",
    }
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in rows.items():
        if value:
            table.add_row(key, Text(value))
    tables: list[RenderableType] = [table]
    if card.scores:
        tables += ["", _scores(card)]
    if card.scores_on:
        tables += ["", _scores_on(card)]
    if card.tasks:
        tables += ["", _tasks(card)]
    return tables


def _parts(card: ModelCard) -> list[tuple[str, bool]]:
    return [
        ("sentences and tokens from raw text", card.has_tokenizer),
        ("tags", card.has_tagger or "tag" in card.tasks),
        ("lemmas", card.has_lemmas),
        ("trees", True),
        ("functions", bool(card.functions)),
    ]


def _scores(card: ModelCard) -> RenderableType:
    """Return the scores as a table: a row for each kind of input, a column for each score."""
    from rich.text import Text

    names = list(dict.fromkeys(name for scores in card.scores.values() for name in scores))
    table = plain_table(["on dev trees, from"], [_HEADINGS.get(name, name) for name in names])
    for given in card.scores:
        cells = [_percent(card.score(given, name)) for name in names]
        table.add_row(Text(given), *cells)
    return table


def _tasks(card: ModelCard) -> RenderableType:
    """Return what the network learned besides trees, and its accuracy on dev data."""
    from rich.text import Text

    table = plain_table(
        ["learned besides trees", "kind"], ("layer", "labels", "sentences", "accuracy")
    )
    for name, facts in card.tasks.items():
        counts = [str(facts.get(key, "")) for key in ("level", "labels", "sentences")]
        accuracy = _percent(facts.get("accuracy"))
        table.add_row(Text(name), Text(str(facts.get("kind", ""))), *counts, accuracy)
    return table


def _scores_on(card: ModelCard) -> RenderableType:
    """Return the scores by text as a table: a row for each text and kind of input."""
    from rich.text import Text

    rows = [
        (text, given, figures)
        for text, scores in card.scores_on.items()
        for given, figures in scores.items()
    ]
    names = list(dict.fromkeys(name for _, _, figures in rows for name in figures))
    table = plain_table(["on dev trees of", "from"], [_HEADINGS.get(name, name) for name in names])
    for text, given, figures in rows:
        table.add_row(Text(text), Text(given), *[_percent(figures.get(name)) for name in names])
    return table


_HEADINGS = {"f1": "F1", "discontinuous_f1": "disc. F1"}


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
