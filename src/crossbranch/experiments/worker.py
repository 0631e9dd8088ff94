"""The process of one run: `main`.

It reads one line of JSON from standard input, and writes its steps as lines of JSON to standard
output. When standard input is closed, because the program that started it was killed, it ends.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec

from crossbranch.errors import CrossbranchError
from crossbranch.experiments.runs import LOG, Run
from crossbranch.experiments.working import RunIsTakenError, Step, carry_out, note_failure


class Order(msgspec.Struct, frozen=True):
    """What the process is to do."""

    run: Run
    device: str


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step, the reason for a failure, or the end."""

    step: Step | None = None
    error: str = ""
    is_done: bool = False


def main() -> None:
    """Carry out one run."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    threading.Thread(target=_end_with_the_program, daemon=True).start()
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what libraries print goes to the log

    def send(message: Message) -> None:
        out.write(msgspec.json.encode(message) + b"\n")

    send(perform(order, lambda step: send(Message(step=step))))


def perform(order: Order, tell: Callable[[Step], None]) -> Message:
    """Carry out a run, and return how it ended. Errors and skipped sentences go to its log."""
    run = order.run
    try:
        carry_out(run, device=order.device, tell=tell, report=lambda error: _log(run, str(error)))
    except RunIsTakenError as error:
        return Message(error=str(error))
    except CrossbranchError as error:
        reason = str(error)
    except Exception as error:
        _log(run, traceback.format_exc())
        reason = f"{type(error).__name__}: {error}"
    else:
        return Message(is_done=True)
    note_failure(run, reason)
    return Message(error=reason)


def _log(run: Run, text: str) -> None:
    with (Path(run.folder) / LOG).open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{text}\n")


def _end_with_the_program() -> None:
    while os.read(0, 1024):  # not through sys.stdin: its lock would be held at the end
        pass
    os._exit(1)
