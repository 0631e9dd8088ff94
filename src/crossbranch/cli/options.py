"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

import click

from crossbranch.cli.show import say
from crossbranch.errors import CrossbranchError, UsageError, shown
from crossbranch.ranges import Beam, Count, Size, Threads, check_number, limits
from crossbranch.treebank import FORMATS

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline

Command = Callable[..., Any]


def in_range(kind: Any) -> click.IntRange | click.FloatRange:
    """Return the type of an option for the numbers of a kind; see `crossbranch.ranges`."""
    meta = limits(kind)
    assert meta is not None
    least, is_open = (meta.ge, False) if meta.gt is None else (meta.gt, True)
    if get_args(kind)[0] is int:
        return click.IntRange(least, meta.le)  # type: ignore[arg-type]
    return click.FloatRange(least, meta.le, min_open=is_open)


FORMAT = click.Choice(list(FORMATS))


def input_options(command: Command) -> Command:
    """Add --from, --encoding and --on-error."""
    for option in (
        click.option(
            "--on-error",
            type=click.Choice(["stop", "skip"]),
            default="stop",
            show_default=True,
            help="Stop at a bad sentence, or skip it: report it and continue with the next one.",
        ),
        click.option("--encoding", help="Set the encoding of the input (default: detected)."),
        click.option(
            "--from",
            "source_format",
            type=FORMAT,
            metavar="FORMAT",
            help="Set the format of the input (default: guessed; see `crossbranch formats`).",
        ),
    ):
        command = option(command)
    return command


def _read_numbers(
    _: click.Context, __: click.Parameter, texts: tuple[str, ...]
) -> tuple[range, ...]:
    from crossbranch.treebank.selection import parse_numbers

    try:
        return tuple(map(parse_numbers, texts))
    except UsageError as error:
        raise click.BadParameter(str(error)) from None


number_option = click.option(
    *("--number", "-n", "numbers"),
    metavar="N|M-N",
    multiple=True,
    callback=_read_numbers,
    help="Use only sentence N, or sentences M to N; repeatable.",
)
"""Adds --number, such as 7, 100-200 or 100-. The command gets a tuple of ranges: `numbers`."""

limit_option = click.option(
    "--limit", type=in_range(Size), metavar="N", help="Use at most N sentences."
)


def _read_sentences(_: click.Context, __: click.Parameter, text: str | None) -> int | None:
    """Return the number of sentences to name. None: the option is not given."""
    if text is None:
        return None
    if text == "all":
        return sys.maxsize
    try:
        check_number("the number", number := int(text), Count)
    except (ValueError, UsageError):  # also a number of 5,000 digits
        raise click.BadParameter(
            f"found {shown(text)}, expected all or a number of at most 1000000000"
        ) from None
    return number


sentences_option = click.option(
    "--sentences",
    metavar="N|all",
    callback=_read_sentences,
    help="With --phenomena: name up to N sentences of each phenomenon (default: 5), or all.",
)
"""Adds --sentences. The command gets a number or None: `sentences`; see `named_sentences`."""


def named_sentences(sentences: int | None, phenomena: str | None) -> int:
    """Return how many sentences a table names.

    Raises:
        UsageError: `--sentences` is given without `--phenomena`.
    """
    if sentences is not None and phenomena is None:
        raise UsageError("--sentences needs --phenomena: it names the sentences of phenomena")
    return 5 if sentences is None else sentences


beam_option = click.option(
    "--beam", type=in_range(Beam), help="Set the beam size (default: as in training)."
)

search_option = click.option(
    "--set",
    "assignments",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set another search option of the parser; repeatable.",
)
"""Adds --set. The command gets the texts: `assignments`."""

threads_option = click.option(
    "--threads",
    type=in_range(Threads),
    default=1,
    show_default=True,
    help="Use this many processor cores.",
)
device_option = click.option(
    "--device", default="cpu", show_default=True, help="Run on this device, e.g. cuda:0."
)


def _read_pipeline(_: click.Context, __: click.Parameter, text: str | None) -> Pipeline:
    from crossbranch.transforms import pipeline

    return pipeline(text or "")


apply_option = click.option(
    "--apply",
    "steps",
    metavar="PIPELINE",
    callback=_read_pipeline,
    help='Apply transforms, such as "traces | functions(strip) | attach".',
)
"""Adds --apply. The command gets a Pipeline: `steps`. Without --apply it is empty."""


def report(error: CrossbranchError) -> None:
    """Report a sentence that was skipped."""
    say(f"skipped: {error}")
