"""Files of any size, parsed by many workers. An interrupted job can be resumed."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import ray
import ray.data

from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.jobs import JobSentences, identify, identity_of
from crossbranch.parsers import Parser
from crossbranch.ray import blocks
from crossbranch.ray.blocks import Block, cut, numbered
from crossbranch.ray.cluster import connected
from crossbranch.ray.failures import decode_error
from crossbranch.ray.outputs import is_folder, join
from crossbranch.ray.parts import PartReport, Plan, Totals
from crossbranch.ray.worker import Work, Worker, count_sentences

Watch = Callable[[Totals, PartReport | None], None]
"""Called when a block is done, with what is known about all of them, and with its report."""

PARTS = ".parts"
"""What is added to the name of an output file to get the folder of its parts."""


class FileJob:
    """Parses files with many workers, and writes one file, or a folder of parts."""

    def __init__(
        self,
        parser: Parser,
        work: Work,
        output: str,
        *,
        workers: int | None = None,
        block_bytes: int | None = None,
        identity: dict[str, Any] | None = None,
    ) -> None:
        """Prepare a job. Nothing is read or written yet.

        Args:
            parser: The parser, for its identity and for the places where files can be cut.
            work: What every worker must know.
            output: The file or folder to write.
            workers: The number of workers (default: one for each free CPU).
            block_bytes: The size of a block, in bytes of the input (default: BLOCK_BYTES).
            identity: More options that must be the same when the job is resumed.

        Raises:
            UsageError: An input is not a file.
        """
        for input in work.inputs:
            if input.path is None or not input.path.is_file():
                raise UsageError(f"{input.name} is not a file; many machines need files to read")
        self._parser, self._work, self._output = parser, work, output
        self._workers, self._block_bytes = workers, block_bytes
        self._parts = work.parts
        options = work.options.identity() | {
            "encoding": work.encoding,
            "lines": work.lines,
            "output_format": work.format,
            **(identity or {}),
        }
        self._identity = identify(identity_of(parser), options, work.inputs)

    @property
    def is_finished(self) -> bool:
        """Whether an earlier run has written the one file that this job writes."""
        path = Path(self._output)
        return not is_folder(self._output) and path.exists() and not self._work.folder.exists()

    @property
    def can_resume(self) -> bool:
        """Whether something is there that a resumed job need not do again."""
        return self._work.folder.is_dir()

    def run(self, *, resume: bool = False, watch: Watch = lambda totals, report: None) -> Totals:
        """Parse everything that is not done yet.

        Args:
            resume: Keep what an earlier run of the same job has done.
            watch: Called when a block is done.

        Raises:
            UsageError: The cluster is too small, or the job cannot be resumed.
            InputError: The input is bad.
        """
        self._parts.check()
        plan = self._parts.read_plan(self._identity) if resume else None
        with connected(self._workers, self._work.options.threads) as workers:
            if plan is None:
                plan = self._plan(workers)
                self._parts.start(plan)
            totals = Totals(blocks=len(plan.blocks))
            todo = []
            for block in plan.blocks:
                if (report := self._parts.report(block)) is None:
                    todo.append(block)
                else:
                    totals.add(report)
            totals.resumed = totals.done
            watch(totals, None)
            for report in self._parsed(todo, workers):
                totals.add(report)
                watch(totals, report)
        self._parts.tidy()
        if not is_folder(self._output):
            join(self._parts.paths(plan.blocks), Path(self._output), self._work.format)
            shutil.rmtree(self._work.folder)
        return totals

    def _plan(self, workers: int) -> Plan:
        errors: list[CrossbranchError] = []
        sentences = JobSentences(self._work.inputs, self._work.reading(self._parser, errors))
        size = self._block_bytes or blocks.BLOCK_BYTES
        found = cut(sentences, self._work.inputs, size)
        return Plan(
            identity=self._identity,
            blocks=numbered(found, lambda some: self._counted(some, workers)),
        )

    def _counted(self, todo: Sequence[Block], workers: int) -> list[int]:
        """Count the sentences of blocks on all machines, several blocks in each task."""
        if not todo:
            return []
        count = ray.remote(_count)
        size = max(1, math.ceil(len(todo) / (4 * workers)))
        work = ray.put(self._work)
        tasks = [
            count.options(max_retries=-1, retry_exceptions=False).remote(
                work, todo[first : first + size]
            )
            for first in range(0, len(todo), size)
        ]
        found: list[int] = []
        for outcome in ray.get(tasks):
            if isinstance(outcome, CrossbranchError):
                raise outcome
            found += outcome
        return found

    def _parsed(self, todo: Sequence[Block], workers: int) -> Iterator[PartReport]:
        if not todo:
            return
        rows = [{"block": msgspec.json.encode(block)} for block in todo]
        reports = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            Worker,
            fn_constructor_args=(self._work,),
            batch_size=1,
            num_cpus=self._work.options.threads,
            concurrency=min(workers, len(rows)),
        )
        for row in reports.iter_rows():
            if row["error"]:
                raise decode_error(row["error"])
            yield msgspec.json.decode(row["report"], type=PartReport)


def _count(work: Work, todo: Sequence[Block]) -> list[int] | CrossbranchError:
    try:
        return list(count_sentences(work, todo))
    except CrossbranchError as error:
        return error


def folder_of(output: str) -> Path:
    """Return the folder of the parts of an output."""
    return Path(output) if is_folder(output) else Path(output + PARTS)
