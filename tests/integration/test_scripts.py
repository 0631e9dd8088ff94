"""What the scripts beside the package print."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
LIBRARY = SCRIPTS / "lib.sh"

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


# --- the audit


def audit(folder: Path, program: str, *, seconds: int = 60) -> tuple[int, str]:
    """Run scripts/audit.py with another pip-audit: the code of its exit, and what it printed."""
    (folder / "pip_audit.py").write_text(program, encoding="utf-8")
    code = (
        f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import audit;"
        f" audit.SECONDS = {seconds}; sys.exit(audit.main())"
    )
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    return done.returncode, done.stdout


ANSWER = """\
import json, sys
path = next(a for a in sys.argv if a.startswith("--output=")).removeprefix("--output=")
with open(path, "w") as file:
    json.dump({"dependencies": %s}, file)
"""


def test_a_known_vulnerability_fails_the_check(tmp_path: Path) -> None:
    known = [
        {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2", "3"]}]},
        {"name": "b", "version": "1", "vulns": []},
        {"name": "c", "skip_reason": "unknown"},
    ]
    code, said = audit(tmp_path, ANSWER % json.dumps(known))
    assert code == 1
    assert said.splitlines() == [
        "a 1: CVE-1; fixed in 2, 3",
        "2 packages checked, 1 with a known vulnerability; 1 not checked, because the service does"
        " not know them",
    ]


def test_without_an_answer_the_check_goes_on(tmp_path: Path) -> None:
    code, said = audit(tmp_path, "import sys; sys.exit('no connection')")
    assert (code, said) == (0, "not checked: no connection\n")
    code, said = audit(tmp_path, "import time; time.sleep(30)", seconds=1)
    assert (code, said) == (0, "not checked: it took more than 1 s\n")


# --- the lock


def test_the_lock_has_what_a_build_needs_with_hashes() -> None:
    text = (SCRIPTS.parent / "requirements" / "build.lock").read_text(encoding="utf-8")
    entries = [
        entry for entry in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE) if "==" in entry
    ]
    locked = dict(entry.split()[0].split("==") for entry in entries)
    needed = bash("find_python; requirements build").split()
    assert {re.split("[<>=]", one)[0] for one in needed} | {"cmake", "ninja"} <= locked.keys()
    for requirement in needed:
        name, least = requirement.split(">=")
        assert _numbers(locked[name]) >= _numbers(least)
    for entry in entries:  # at least a wheel and the source
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)) >= 2
    assert "://" not in text


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
