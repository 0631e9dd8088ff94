"""Pages as Chromium sees them, where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Seen(NamedTuple):
    """A page after its scripts have run, and what the browser said about it."""

    page: str
    complaints: list[str]


def look(path: Path, profile: Path, place: str = "") -> Seen:
    """Open a file in headless Chromium; `place` is what follows the `#`."""
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        pytest.skip("there is no Chromium to open the page with")
    options = (
        "--headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run "
        "--enable-logging=stderr --dump-dom"
    )
    command = [browser, *options.split(), f"--user-data-dir={profile}", f"{path.as_uri()}{place}"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=True)
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return Seen(done.stdout, complaints)
