"""The command line: one file for each command, one place for errors and progress."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import cast

import click

from crossbranch.cli.show import say
from crossbranch.errors import CrossbranchError, UsageError

__all__ = ["main"]

_UNREAD = 141  # the exit code that shells give to SIGPIPE

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

    # Here, since click itself calls it bad input if nobody reads what it writes.

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _while_read():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with _while_read():
            return super().invoke(ctx)

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

    Exit codes: 0 fine, 1 the input was bad, 2 the call was wrong, 141 nobody reads the output any
    more (as with `| head`).
    """


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
    _write_utf8()
    with _while_read():
        _run()


def _run() -> None:
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


@contextmanager
def _while_read() -> Iterator[None]:
    """End quietly when a pipe that is written to is read no more, as POSIX tools do."""
    try:
        yield
        if sys.stdout:
            sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as error:
        # rich ends programs by itself.
        if not any(isinstance(e, BrokenPipeError) for e in (error, error.__context__)):
            raise
        _discard()
        sys.exit(_UNREAD)


def _discard() -> None:
    """Let what still waits to be written go nowhere: Python would complain at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):
            stream.flush()
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _write_utf8() -> None:
    """Write to pipes as to files, whatever the machine's encoding; terminals keep their own."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
