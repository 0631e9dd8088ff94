"""The help of all commands: options that are explained, and examples that can be called."""

from __future__ import annotations

import shlex

import click
import pytest

from crossbranch.cli import crossbranch

COMMANDS = crossbranch.list_commands(click.Context(crossbranch))


def command(name: str) -> click.Command:
    found = crossbranch.get_command(click.Context(crossbranch), name)
    assert found is not None
    return found


def examples(command: click.Command) -> list[list[str]]:
    """Return the arguments of each example, without what shells do with `|` and `>`."""
    _, _, text = (command.help or "").partition("Examples:\n")
    lines = text.replace("\\\n", " ").splitlines()
    calls = [shlex.split(line, comments=False) for line in lines if line.strip()]
    ends = [
        min((call.index(sign) for sign in "|>" if sign in call), default=None) for call in calls
    ]
    return [call[:end] for call, end in zip(calls, ends, strict=True)]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_can_be_called(name: str) -> None:
    calls = examples(command(name))
    assert calls, "no examples"
    assert any(call[1] == name for call in calls)
    for program, called, *arguments in calls:
        assert program == "crossbranch"
        command(called).make_context(called, arguments)  # raises if an option is not known


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_explained(name: str) -> None:
    for option in command(name).params:
        if isinstance(option, click.Option):
            text = option.help or ""
            assert text[:1].isupper(), option.name
            assert text.endswith("."), option.name
