"""The command line: one file for each command, one place for errors and progress."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import cast

import click

from crossbranch.cli.show import Terminated, end_interrupted, say
from crossbranch.errors import CrossbranchError, UsageError

__all__ = ["main"]

_UNREAD = 141  # the exit code that shells give to SIGPIPE

_WAYS_ON = {
    "train": "; repeat the command to continue",
    **dict.fromkeys(
        ("convert", "evaluate", "prepare", "sample", "silver", "tasks"),
        "; files that were there before are unchanged; repeat the command to replace them",
    ),
}
"""What users can do after an interruption, if there is something to do."""

# The module of each command. It is imported when the command is called.
_COMMANDS = {
    "clauses": "clauses",
    "convert": "convert",
    "derive": "derive",
    "draw": "draw",
    "evaluate": "evaluate",
    "experiment": "experiment",
    "find": "find",
    "formats": "lists",
    "grammar": "grammar",
    "labels": "labels",
    "models": "models",
    "parse": "parse",
    "prepare": "prepare",
    "presets": "presets",
    "reproduce": "reproduce",
    "sample": "sample",
    "serve": "serve",
    "silver": "silver",
    "stats": "stats",
    "tasks": "tasks",
    "train": "train",
    "transforms": "lists",
}


class _Commands(click.Group):
    """The commands by name."""

    # These two methods handle closed pipes and interrupts: click itself would report them as bad
    # input.

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _while_read(), _while_wanted(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with _while_read(), _while_wanted(ctx):
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"crossbranch.cli.{_COMMANDS[cmd_name]}")
        return cast("click.Command", getattr(module, cmd_name))


def _set_limits(_: click.Context, __: click.Parameter, text: str | None) -> None:
    from crossbranch.treebank.limits import VARIABLE, Limits

    if text is not None:
        try:
            Limits.parse(text)
        except UsageError as error:
            raise click.BadParameter(str(error)) from None
        os.environ[VARIABLE] = text  # other processes, too


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="crossbranch", message="%(prog)s %(version)s")
@click.option(
    "--limits",
    metavar="NAME=SIZE,...",
    callback=_set_limits,
    expose_value=False,
    help="Raise the limits on lines, sentences and unpacked files, e.g. line=1G, or none.",
)
def crossbranch() -> None:
    """Read, convert, transform, describe, draw and parse trees with crossing branches.

    Files may be compressed (.gz, .bz2, .xz, .zip). "-" means standard input or output. The format
    of a file is guessed from its name and content; --from and --to set it.

    To see the options of a command and examples, use `crossbranch COMMAND --help`.

    Exit codes: 0 success; 1 bad input; 2 wrong options or arguments; 130 interrupted; 141 the
    output pipe was closed (for example by `| head`); 143 terminated.

    \b
    Examples:
      crossbranch parse en "What should I do?"
      crossbranch draw "(S (NP The cat) (VP sat))"
      crossbranch convert tiger.export.gz tiger.xml
    """  # noqa: D301 - click reads \b


def main() -> None:
    """Run the command line. An error becomes one line and an exit code."""
    _write_utf8()
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    with _while_read():
        _run()


def _terminate(*_: object) -> None:
    raise Terminated


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
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        hint = "; make room on the disk, then repeat the command" if is_full else ""
        say(f"error: {error}{hint}")
        sys.exit(2)
    except MemoryError:
        say("error: there is not enough memory for this")
        sys.exit(1)
    except KeyboardInterrupt as error:  # before or after the command
        end_interrupted(error)


@contextmanager
def _while_read() -> Iterator[None]:
    """End quietly if the output pipe is closed, as POSIX tools do."""
    try:
        yield
        if sys.stdout:
            sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as error:
        # On a closed pipe, rich raises SystemExit.
        if not any(isinstance(e, BrokenPipeError) for e in (error, error.__context__)):
            raise
        _discard()
        sys.exit(_UNREAD)


@contextmanager
def _while_wanted(ctx: click.Context) -> Iterator[None]:
    """End with one line if the command is interrupted."""
    try:
        yield
    except KeyboardInterrupt as error:
        end_interrupted(error, _WAYS_ON.get(ctx.invoked_subcommand or "", ""))


def _discard() -> None:
    """Discard unwritten output. Otherwise Python would print an error when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):
            stream.flush()
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _write_utf8() -> None:
    """Write UTF-8 to pipes, whatever the machine's encoding. Terminals keep their own encoding."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
