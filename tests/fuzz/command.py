"""Fuzzes for as long as you like: `scripts/fuzz [TARGET...] [--seconds N]`.

Each target runs in a process of its own, so that even a crash of the core is found. Inputs that
reach new lines are kept in build/fuzz, and the next run starts from them. Findings are made small
and written to tests/fuzz/corpus, where they are tests from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import mmap
import os
import signal
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path
from typing import IO

import msgspec

from fuzz.coverage import Lines
from fuzz.limits import SECONDS, Finding, check, limit_memory, reduced
from fuzz.mutate import LONGEST, Mutator
from fuzz.seeds import CORPUS, corpus
from fuzz.targets import TARGETS

KEPT = Path(__file__).parents[2] / "build" / "fuzz"
TURN = 20.0  # seconds after which the next target has its turn
_TRACED = 4  # one of so many inputs is traced: tracing is slow
_MOST_KEPT = 2000
_SILENCE = 6 * SECONDS  # seconds in which a process must end one input


class Board:
    """Memory that both processes see: the present input, and how many there were."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, LONGEST + 64)

    def show(self, data: bytes, count: int, lines: int) -> None:
        """Write the input that is about to run."""
        self._memory[24 : 24 + len(data)] = data
        for place, number in enumerate((len(data), count, lines)):
            self._memory[8 * place : 8 * place + 8] = number.to_bytes(8, "little")

    def _number(self, place: int) -> int:
        return int.from_bytes(self._memory[8 * place : 8 * place + 8], "little")

    @property
    def data(self) -> bytes:
        return self._memory[24 : 24 + self._number(0)]

    @property
    def count(self) -> int:
        return self._number(1)

    @property
    def lines(self) -> int:
        return self._number(2)


class Campaign:
    """The fuzzing of one target."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed = name, seed
        self.count = self.lines = self.turns = 0
        self.findings: dict[str, Finding] = {}
        self.kept = KEPT / name
        self.kept.mkdir(parents=True, exist_ok=True)

    def turn(self, seconds: float) -> None:
        """Run for some time, in another process."""
        self.turns += 1
        board = Board()
        with tempfile.TemporaryFile() as findings:
            child = os.fork()
            if child == 0:
                self._work(seconds, board, findings)
                os._exit(0)
            end = self._watch(child, board)
            self.count += board.count
            self.lines = max(self.lines, board.lines)
            findings.seek(0)
            for line in findings:
                self._note(*msgspec.json.decode(line, type=tuple[bytes, Finding]))
        if end:
            self._note(board.data, Finding(end, f"the process ended: {end}\n"))

    def _work(self, seconds: float, board: Board, findings: IO[bytes]) -> None:
        target, lines = TARGETS[self.name], Lines()
        start = [data for _, data in corpus(self.name)] + target.seeds()
        start += [path.read_bytes() for path in sorted(self.kept.iterdir())]
        mutator = Mutator(
            start, tokens=target.tokens, seed=(self.name, self.seed, self.turns, len(start))
        )
        for data in start:
            with lines.watch():
                check(target.run, data[:LONGEST])
        limit_memory()
        known = set(self.findings)
        stop = time.monotonic() + seconds
        number = 0
        while time.monotonic() < stop:
            number += 1
            data = mutator.next()
            board.show(data, number, lines.count)
            before = lines.count
            if number % _TRACED:
                finding = check(target.run, data)
            else:
                with lines.watch():
                    finding = check(target.run, data)
            if lines.count > before:
                mutator.add(data)
                self._keep(data)
            if finding is not None and finding.key not in known:
                known.add(finding.key)
                found = self._small(data, finding.key), finding
                findings.write(msgspec.json.encode(found) + b"\n")
                findings.flush()

    def _small(self, data: bytes, key: str) -> bytes:
        def fails(shorter: bytes) -> bool:
            found = check(TARGETS[self.name].run, shorter)
            return found is not None and found.key == key

        if key == "TooSlowError":
            return reduced(data, fails, attempts=15)
        return reduced(data, fails)

    def _keep(self, data: bytes) -> None:
        if len(list(self.kept.iterdir())) < _MOST_KEPT:
            (self.kept / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    def _watch(self, child: int, board: Board) -> str:
        """Wait for a process. Return how it ended; nothing if it ended well."""
        last, since = -1, time.monotonic()
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                return "" if code == 0 else signal.Signals(-code).name if code < 0 else "exit"
            if board.count != last:
                last, since = board.count, time.monotonic()
            elif time.monotonic() - since > _SILENCE * 3:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "endless"
            time.sleep(0.05)

    def _note(self, data: bytes, finding: Finding) -> None:
        if finding.key in self.findings:
            return
        self.findings[finding.key] = finding
        folder = CORPUS / self.name
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"found-{hashlib.sha256(data).hexdigest()[:12]}"
        path.write_bytes(data)
        say(f"FOUND {self.name}: {finding.key}, in {path}\n{finding.text}")

    def __str__(self) -> str:
        return (
            f"{self.name:20} {self.count:12,} inputs {self.lines:6,} lines"
            f" {len(self.findings):3} findings"
        )


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Fuzz all targets, or those that are named. Return 1 if there is a finding."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument("target", nargs="*", choices=[[], *TARGETS], help="default: all")
    parser.add_argument("--seconds", type=float, default=3600, help="in all (default: 3600)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the time")
    options = parser.parse_args()
    names = options.target or [*TARGETS]
    campaigns = [Campaign(name, options.seed) for name in names]
    say(f"{len(names)} targets, {options.seconds:g} s, --seed {options.seed}")
    turn = min(TURN, options.seconds / len(names))
    stop = time.monotonic() + options.seconds
    for campaign in cycle(campaigns):  # each has a turn, even if there is little time
        if campaign.turns and time.monotonic() > stop:
            break
        campaign.turn(turn)
        say(str(campaign))
    say(f"\n{sum(each.count for each in campaigns):,} inputs")
    say("\n".join(map(str, campaigns)))
    return int(any(campaign.findings for campaign in campaigns))


if __name__ == "__main__":
    sys.exit(main())
