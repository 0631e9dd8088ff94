"""Runs an experiment: several runs at once, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

import msgspec

from crossbranch.errors import UsageError
from crossbranch.experiments.experiment import Experiment, Variant
from crossbranch.experiments.finished import Failure, Results, collect, write_results
from crossbranch.experiments.planning import plan
from crossbranch.experiments.runs import LOG, Run, state_of
from crossbranch.experiments.worker import Message, Order, perform
from crossbranch.experiments.working import Step, note_failure
from crossbranch.parsers import PARSERS

# The process imports this package, whatever files there are in the current folder.
_PLACE = str(Path(__file__).parents[2])
_CODE = """
import sys
if sys.argv[1] not in sys.path:
    sys.path.insert(0, sys.argv[1])
from crossbranch.experiments.worker import main
main()
"""
_WORKER = (sys.executable, "-P", "-c", _CODE, _PLACE)
_Send = Callable[[Message], None]
_Handle = Callable[[Run, Message | None], None]
"""Takes the messages of a run; None is the first one."""


class RunWatcher:
    """Callbacks for progress. This base class ignores them."""

    def begin(self, runs: Sequence[Run], done: int) -> None:
        """Called first: the runs to do now, and how many were done before."""

    def started(self, run: Run) -> None:
        """Called when a run starts or continues."""

    def step(self, run: Run, step: Step) -> None:
        """Called now and then while a run trains and scores."""

    def finished(self, run: Run) -> None:
        """Called when a run is done: its scores are in its folder."""

    def failed(self, run: Run, reason: str) -> None:
        """Called when a run has failed. The other runs go on."""


def run(
    experiment: Experiment,
    *,
    jobs: int = 1,
    only: Sequence[str] = (),
    device: str = "cpu",
    watcher: RunWatcher | None = None,
) -> Results:
    """Run an experiment, and return its results so far.

    Runs that are done are not repeated. Interrupted runs continue from their last checkpoint. A run
    that fails does not stop the others; it is among the `failures` of the results.

    Args:
        experiment: What `read` returned.
        jobs: The number of processes that run at once. 0: everything in this process, one run after
            the other.
        only: The names of variants to run; `*` stands for any characters. Empty: all.
        device: The device for parsing when runs are scored, such as "cpu" or "cuda:0".
        watcher: Callbacks for progress.

    Raises:
        UsageError: An option is wrong.
    """
    if jobs < 0:
        raise UsageError(f"jobs is {jobs}, expected at least 0")
    _check_device(experiment.chosen(only), device)
    looker = watcher or RunWatcher()
    different: dict[str, Run] = {}  # equal runs are done once
    for planned in plan(experiment, only=only):
        different.setdefault(planned.folder, planned)
    orders = [Order(one, device) for one in different.values() if state_of(one) != "done"]
    looker.begin([order.run for order in orders], len(different) - len(orders))
    failures: list[Failure] = []

    def handle(one: Run, message: Message | None) -> None:
        if message is None:
            looker.started(one)
        elif message.step is not None:
            looker.step(one, message.step)
        elif message.is_done:
            looker.finished(one)
        else:
            failures.append(Failure(one.variant, one.seed, message.error, Path(one.folder)))
            looker.failed(one, message.error)

    if jobs:
        _in_processes(orders, jobs, handle)
    else:
        _one_by_one(orders, handle)
    found = replace(collect(experiment, plan(experiment)), failures=tuple(failures))
    write_results(found)
    return found


def _check_device(variants: Sequence[Variant], device: str) -> None:
    """Raise a UsageError if a parser does not run on a device."""
    for variant in variants:
        kind = PARSERS[variant.settings.parser]
        if device.partition(":")[0] not in kind.can.devices:
            raise UsageError(
                f"the variant {variant.name!r} is a parser of kind {kind.kind}, which does not run"
                f" on {device!r}; it runs on {', '.join(kind.can.devices)}"
            )


def _one_by_one(orders: Sequence[Order], handle: _Handle) -> None:
    for order in orders:
        handle(order.run, None)
        handle(order.run, perform(order, partial(_tell, handle, order.run)))


def _tell(handle: _Handle, run: Run, step: Step) -> None:
    handle(run, Message(step=step))


def _in_processes(orders: Sequence[Order], jobs: int, handle: _Handle) -> None:
    """Start a process for each run, and handle the messages of all of them in this thread."""
    messages: SimpleQueue[tuple[Run, Message | None]] = SimpleQueue()
    workers = _Workers()
    left = len(orders)

    def work(order: Order) -> None:
        messages.put((order.run, None))
        messages.put((order.run, workers.work(order, lambda m: messages.put((order.run, m)))))

    with ThreadPoolExecutor(jobs) as executor:
        try:
            for order in orders:
                executor.submit(work, order)
            while left:
                run, message = messages.get()
                handle(run, message)
                left -= message is not None and message.step is None
        except BaseException:  # an interruption above all: no run may go on without us
            executor.shutdown(wait=False, cancel_futures=True)
            workers.end()
            raise


class _Workers:
    """The processes that are running."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._is_over = False

    def work(self, order: Order, send: _Send) -> Message:
        """Carry out a run in a new process; return how it ended."""
        try:
            return self._work(order, send)
        except Exception as error:  # every run must end, or we would wait for it
            return Message(error=f"cannot follow its process: {type(error).__name__}: {error}")

    def _work(self, order: Order, send: _Send) -> Message:
        folder = Path(order.run.folder)
        folder.mkdir(parents=True, exist_ok=True)
        end: Message | None = None
        with (folder / LOG).open("ab") as log, self._started(log.fileno()) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            _write(process.stdin.fileno(), msgspec.json.encode(order) + b"\n")
            # Its input stays open: the process ends when this program ends.
            for line in process.stdout:
                message = msgspec.json.decode(line, type=Message)
                if message.step is not None:
                    send(message)
                else:
                    end = message
            code = process.wait()
        return end or self._lost(order.run, code)

    @contextmanager
    def _started(self, log: int) -> Iterator[subprocess.Popen[bytes]]:
        pipe = subprocess.PIPE
        with self._lock:
            if self._is_over:
                raise OSError("interrupted")
            process = subprocess.Popen(_WORKER, stdin=pipe, stdout=pipe, stderr=log)
            self._processes.add(process)
        try:
            with process:
                yield process
        finally:
            self._processes.discard(process)

    def _lost(self, run: Run, code: int) -> Message:
        """Return why a process has ended without a word."""
        if code < 0:
            reason = f"the process was killed by signal {-code}"
            reason += " (perhaps there was not enough memory)" if code == -9 else ""
        else:
            reason = f"the process ended with the exit code {code}"
        if not self._is_over:
            note_failure(run, reason)
        return Message(error=f"{reason}; see {Path(run.folder) / LOG}")

    def end(self) -> None:
        """End all processes, and start no more."""
        with self._lock:
            self._is_over = True
            for process in self._processes:
                process.kill()


def _write(pipe: int, data: bytes) -> None:
    """Write to a process. If it has ended already, its exit code will say why."""
    with suppress(BrokenPipeError):
        while data:
            data = data[os.write(pipe, data) :]
