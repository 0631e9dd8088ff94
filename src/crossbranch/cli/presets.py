"""crossbranch presets: the parsers that can be trained, and their settings."""

from __future__ import annotations

from shutil import get_terminal_size
from textwrap import fill

import click

from crossbranch.cli.tables import Form, Record, form_options, print_records


@click.command(short_help="List the presets, or show the settings of one.")
@click.argument("name", metavar="[NAME]", required=False)
@form_options
def presets(name: str | None, *, form: Form | None) -> None:
    """List the presets for `crossbranch train`, or show all settings of NAME with their meanings.

    The settings are printed as a TOML file. To change them, save the file, edit it, and give its
    name to `crossbranch train`.

    \b
    Examples:
      crossbranch presets
      crossbranch presets sr-gap > mine.toml
      crossbranch train mine.toml --train train.export --dev dev.export --out model
    """  # noqa: D301 - click reads \b
    if form is not None:
        print_records(_records(name), form)
    elif name is None:
        _list()
    else:
        _show(name)


def _records(name: str | None) -> list[Record]:
    from crossbranch.parsers import PRESETS, find_preset
    from crossbranch.parsers.training import recipe_of

    found = PRESETS if name is None else {name: find_preset(name)}
    return [
        {
            "preset": one,
            "summary": preset.summary,
            "use": preset.use,
            "paper": preset.paper,
            "settings": recipe_of(one, {}).settings.to_dict(),
        }
        for one, preset in found.items()
    ]


def _list() -> None:
    from crossbranch.parsers import PRESETS
    from crossbranch.parsers.training import recipe_of

    for name, preset in PRESETS.items():
        settings = recipe_of(name, {}).settings
        rows = [("", preset.summary), *settings.in_words().items()]
        rows += [("use", preset.use), ("paper", preset.paper)]
        click.echo(f"{name}\n{''.join(_row(*row) for row in rows)}")


def _row(head: str, text: str) -> str:
    width = max(min(get_terminal_size((100, 24)).columns, 100), 40)
    start = f"  {head}: " if head else "  "
    return fill(text, width, initial_indent=start, subsequent_indent="    ") + "\n"


def _commented(toml: str) -> str:
    """Return a table as comments, for settings that users may add."""
    return "".join(f"#{line}" if line.strip() else line for line in toml.splitlines(True))


def _show(name: str) -> None:
    from crossbranch.config import missing_tables, to_toml
    from crossbranch.parsers import find_preset
    from crossbranch.parsers.training import recipe_of
    from crossbranch.toml_texts import toml_value

    preset = find_preset(name)
    settings = recipe_of(name, {}).settings
    click.echo(to_toml(settings))
    for table in missing_tables(settings):
        click.echo(_commented(table))
    about = {"summary": preset.summary, "paper": preset.paper, "use": preset.use}
    if any(about.values()):
        click.echo("[about]")
        for key, text in about.items():
            click.echo(f"{key} = {toml_value(text)}")
