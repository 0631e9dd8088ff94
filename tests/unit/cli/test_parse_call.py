"""What people are told about a call of `crossbranch parse`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from click.testing import CliRunner

from crossbranch.cli.parse import parse
from crossbranch.jobs import ParseOptions
from crossbranch.parsers.sentences import Request
from crossbranch.tree import Tree


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said about how long a slow machine takes."""
    monkeypatch.setattr("crossbranch.cli.show._PATIENCE", float("inf"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ja.", "1 sentence has no parse: its tree is flat\n"),
        ("Dat is goed. Ja.", "2 sentences have no parse: their trees are flat\n"),
    ],
)
def test_sentences_without_a_parse_are_counted(
    monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    def parsed(*_: object, **__: object) -> Iterator[list[Tree]]:
        sentences = _[2]
        assert isinstance(sentences, Iterable)
        return ([Request(tree.sentence, tree.id).fallback()] for tree in sentences)

    monkeypatch.setattr(ParseOptions, "parsed", parsed)
    done = CliRunner().invoke(parse, ["nl", text], catch_exceptions=False)
    assert done.output.endswith(said)


def test_one_message_tells_of_unknown_words() -> None:
    text = "Dat is goed. Where are my keys? The kettle is boiling. Please wake me up early."
    done = CliRunner().invoke(parse, ["nl", text, "--k-best", "2"], catch_exceptions=False)
    assert done.stderr.count("mostly unknown words") == 1
    said = r"[23] of 4 sentences have mostly unknown words; this model is for Dutch text"
    assert re.search(said, done.stderr)
    assert "see: crossbranch models nl\n" in done.stderr
    done = CliRunner().invoke(parse, ["nl", "Dat is goed."], catch_exceptions=False)
    assert done.stderr == ""
