"""Running the command line in a process of its own, as users do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CROSSING = (
    "(ROOT (SBARQ (VP (WHNP (WP 0=What)) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I)))) (. 4=?))\n"
)

MAIN = """
from crossbranch.cli import main, show
show._PATIENCE = show._FIRST_LINE = float("inf")  # no message depends on the speed of the machine
main()
"""

# A shell lets what it starts in the background, such as pytest, ignore interrupts, and children of
# that ignore them, too.
HEED_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def crossbranch(
    *arguments: str | Path, stdin: bytes = b"", code: int = 0, cwd: Path | None = None
) -> tuple[str, str]:
    """Run the command, check its exit code, and return what it wrote to both outputs."""
    command = [sys.executable, "-c", MAIN, *map(str, arguments)]
    environment = os.environ | {"PYTHONUTF8": "1", "COLUMNS": "120", "TERM": "dumb"}
    run = subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment)
    stdout, stderr = run.stdout.decode(), run.stderr.decode()
    assert run.returncode == code, stderr
    assert "Traceback" not in stderr
    return stdout, stderr
