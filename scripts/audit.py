"""Fails if a package of this environment has a known vulnerability. Says what could not be asked.

The answers come from the service of pip-audit. Where it cannot be reached, or does not answer in
time, nothing is known, and that is no failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SECONDS = 90  # in all


def answers() -> list[dict[str, Any]] | str:
    """Return what pip-audit says about each package; or why it says nothing."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        options = ["--local", "--progress-spinner=off", "--timeout=10", "--format=json"]
        command = [sys.executable, "-m", "pip_audit", *options, f"--output={found}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"it took more than {SECONDS} s"
        if not found.is_file():
            return (done.stderr.strip().splitlines() or ["no answer"])[-1]
        packages: list[dict[str, Any]] = json.loads(found.read_text())["dependencies"]
        return packages


def main() -> int:
    """Print the vulnerabilities, and return 1 if there is one."""
    found = answers()
    if isinstance(found, str):
        return say(f"not checked: {found}")
    known = [one for one in found if "vulns" in one]
    bad = [one for one in known if one["vulns"]]
    for one in bad:
        for each in one["vulns"]:
            fixed = ", ".join(each["fix_versions"]) or "no version yet"
            say(f"{one['name']} {one['version']}: {each['id']}; fixed in {fixed}")
    unknown = len(found) - len(known)
    say(
        f"{len(known)} packages checked, {len(bad)} with a known vulnerability;"
        f" {unknown} not checked, because the service does not know them"
    )
    return int(bool(bad))


def say(text: str) -> int:
    """Print a line. Return 0: nothing is wrong."""
    sys.stdout.write(f"{text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
