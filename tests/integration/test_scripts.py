"""What the scripts beside the package print."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[2] / "scripts" / "lib.sh"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the scripts need bash")


def bash(script: str, *words: str) -> str:
    command = ["bash", "-c", f'source "$0"; {script}', str(LIBRARY), *words]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_commands_are_shown_with_quotes() -> None:
    shown = bash('quoted "$@"', "crossbranch", "parse", "nl", "Dat boek.", "-o", "a.svg")
    assert shown == 'crossbranch parse nl "Dat boek." -o a.svg\n'


@pytest.mark.parametrize(
    "word", ["", "it's", 'a "b" c', "$HOME", "`x`", "a\\b", "!", "x | y", "ü n", "*", "~", "a\nb"]
)
def test_what_is_shown_can_be_pasted(word: str) -> None:
    shown = bash('quoted "$@"', "printf", "%s|", word, "x y")
    assert bash(shown) == f"{word}|x y|"


def test_a_command_is_shown_and_run() -> None:
    assert bash("show printf %s 'a b'") == '\n$ printf %s "a b"\na b'
