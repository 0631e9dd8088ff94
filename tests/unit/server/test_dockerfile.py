"""The Dockerfile, as far as it can be tested without Docker."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner

from crossbranch.cli import crossbranch

ROOT = Path(__file__).parents[3]


def test_the_image_is_built_from_what_is_there_and_not_ignored() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [
        name for line in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE) for name in line.split()
    ]
    kept = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert sorted(copied) == sorted(kept)
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_the_image_runs_a_command_that_exists() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (command,) = re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)
    arguments = json.loads(command)
    assert CliRunner().invoke(crossbranch, [*arguments, "--help"]).exit_code == 0
