"""The command line: one file for each command, one place for errors and progress."""

from __future__ import annotations

import io
import sys
import warnings
from importlib import import_module
from typing import cast

import click

from crossbranch.cli.show import say
from crossbranch.errors import CrossbranchError, UsageError

__all__ = ["main"]

# The module of each command; it is loaded when the command is wanted.
_COMMANDS = {
    "convert": "convert",
    "derive": "derive",
    "draw": "draw",
    "evaluate": "evaluate",
    "formats": "lists",
    "labels": "labels",
    "models": "models",
    "parse": "parse",
    "prepare": "prepare",
    "presets": "presets",
    "sample": "sample",
    "stats": "stats",
    "train": "train",
    "transforms": "lists",
}


class _Commands(click.Group):
    """The commands by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"crossbranch.cli.{_COMMANDS[cmd_name]}")
        return cast("click.Command", getattr(module, cmd_name))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="crossbranch", message="%(prog)s %(version)s")
def crossbranch() -> None:
    """Read, convert, transform, describe, draw and parse trees whose branches cross.

    Files may be compressed (.gz, .bz2, .xz, .zip); "-" is standard input or output; formats are
    guessed from names and content unless given.

    Exit codes: 0 fine, 1 the input was bad, 2 the call was wrong.
    """


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
    _write_utf8()
    warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")
    try:
        crossbranch(prog_name="crossbranch")
    except UsageError as error:
        say(f"error: {error}")
        sys.exit(2)
    except CrossbranchError as error:
        say(f"error: {error}")
        sys.exit(1)
    except OSError as error:  # a target that cannot be written, a full disk
        say(f"error: {error}")
        sys.exit(2)


def _write_utf8() -> None:
    """Write to pipes as to files, whatever the machine's encoding; terminals keep their own."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
