"""The command line: one file for each command, one place for errors and progress."""

from __future__ import annotations

import sys
import warnings

import click

from crossbranch.cli.convert import convert
from crossbranch.cli.draw import draw
from crossbranch.cli.evaluate import evaluate
from crossbranch.cli.lists import formats, transforms
from crossbranch.cli.prepare import prepare
from crossbranch.cli.sample import sample
from crossbranch.cli.show import say
from crossbranch.cli.stats import stats
from crossbranch.errors import CrossbranchError, UsageError

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="crossbranch", message="%(prog)s %(version)s")
def crossbranch() -> None:
    """Read, convert, transform, describe and draw treebanks whose branches cross.

    Files may be compressed (.gz, .bz2, .xz, .zip); "-" is standard input or output; formats are
    guessed from names and content unless given.

    Exit codes: 0 fine, 1 the input was bad, 2 the call was wrong.
    """


for command in (convert, draw, evaluate, formats, prepare, sample, stats, transforms):
    crossbranch.add_command(command)


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
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
