"""Parts: the output of each block is a file of its own, and a report beside it.

A part gets its name when it is complete, in one step. So a part that exists is complete, whoever
was killed. Reports and the plan are in the folder `_job`, which readers of Parquet and JSON ignore.
"""

from __future__ import annotations

import shutil
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from crossbranch.disk import put_in_place, replace_file
from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.jobs.doubts import DoubtCounts
from crossbranch.jobs.notes import JobIdentity, check_identity
from crossbranch.jobs.sentences import TagCounts
from crossbranch.ray.blocks import Block

JOB = "_job"
PLAN = "plan.json"
MOST_MESSAGES = 20
"""The number of skipped sentences in a block whose messages are kept; all are counted."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What must be the same when a job is resumed, and all its blocks."""

    identity: JobIdentity
    blocks: list[Block]


class PartReport(msgspec.Struct, kw_only=True):
    """What is known about a part."""

    number: int
    sentences: int = 0
    tokens: int = 0
    trees: int = 0
    without_parse: int = 0
    replaced: int = 0
    """The number of characters that could not be decoded."""
    tags: TagCounts = TagCounts()
    reasons: dict[str, int] = {}
    """The number of doubtful trees, by reason."""
    spaces: dict[str, int] = {}
    """The number of sentences that were parsed in a smaller search space."""
    skipped: int = 0
    damaged: list[str] = []
    """The files that could not be read to the end."""
    messages: list[str] = []
    """Messages about skipped sentences: the first ones."""
    bytes: int = 0
    seconds: float = 0.0
    process: int = 0
    """The process that parsed it."""


class Totals(msgspec.Struct, kw_only=True):
    """What is known about all parts that are done."""

    blocks: int
    """The number of all blocks."""
    done: int = 0
    """The number of blocks that are done."""
    resumed: int = 0
    """How many of them were done by an earlier run."""
    sentences: int = 0
    tokens: int = 0
    trees: int = 0
    without_parse: int = 0
    replaced: int = 0
    skipped: int = 0
    damaged: list[str] = []
    tags: TagCounts = TagCounts()
    reasons: dict[str, int] = {}
    spaces: dict[str, int] = {}

    def add(self, report: PartReport) -> None:
        """Count a part."""
        self.done += 1
        for name in ("sentences", "tokens", "trees", "without_parse", "replaced", "skipped"):
            setattr(self, name, getattr(self, name) + getattr(report, name))
        self.damaged = [*self.damaged, *report.damaged]
        self.tags = TagCounts(
            missing=self.tags.missing + report.tags.missing,
            unknown=self.tags.unknown + report.tags.unknown,
            example=self.tags.example or report.tags.example,
        )
        self.reasons = dict(Counter(self.reasons) + Counter(report.reasons))
        self.spaces = dict(Counter(self.spaces) + Counter(report.spaces))

    @property
    def doubts(self) -> DoubtCounts:
        """The counts of doubtful trees, for a message."""
        found = DoubtCounts()
        found.sentences = self.sentences
        found.reasons |= self.reasons
        found.spaces.update(self.spaces)
        return found


class PartFolder:
    """The folder with the parts of a job, which all machines can read and write."""

    def __init__(self, path: Path, suffix: str) -> None:
        """Name a folder. `suffix` is the ending of its parts, such as .json."""
        self.path, self._suffix = path, suffix

    def part(self, block: Block) -> Path:
        """Return the path of a part."""
        return self.path / f"{block.name}{self._suffix}"

    def _report(self, block: Block) -> Path:
        return self.path / JOB / f"{block.name}.json"

    def check(self) -> None:
        """Raise a UsageError if the folder has files that no job of crossbranch has written."""
        if self.path.is_dir() and any(self.path.iterdir()) and not self._plan.exists():
            raise UsageError(
                f"{self.path} is not empty, and no job of crossbranch has written it; give another"
                " folder"
            )

    @property
    def _plan(self) -> Path:
        return self.path / JOB / PLAN

    def start(self, plan: Plan) -> None:
        """Write the plan. What an earlier job left in the folder is removed."""
        self.clear()
        (self.path / JOB).mkdir(parents=True)
        _replace(self._plan, msgspec.json.encode(plan))

    def clear(self) -> None:
        """Remove the parts of an earlier job, and nothing else."""
        for path in self.path.glob("part-*"):
            path.unlink()
        shutil.rmtree(self.path / JOB, ignore_errors=True)

    def read_plan(self, identity: JobIdentity) -> Plan | None:
        """Return the plan of an earlier run of the same job; None if there is none.

        Raises:
            UsageError: The folder has the parts of another job.
            InputError: The plan is damaged.
        """
        path = self._plan
        if not path.exists():
            return None
        try:
            plan = msgspec.json.decode(path.read_bytes(), type=Plan)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(str(error), "the plan of a job", path=str(path)) from None
        check_identity(self.path, plan.identity, identity)
        return plan

    def finish(self, block: Block, new: Path, report: PartReport) -> None:
        """Give a part that was written its name. Its report comes first."""
        report.bytes = new.stat().st_size
        _replace(self._report(block), msgspec.json.encode(report))
        put_in_place(new, self.part(block))

    def report(self, block: Block) -> PartReport | None:
        """Return the report of a part; None if the part is not complete."""
        try:
            report = msgspec.json.decode(self._report(block).read_bytes(), type=PartReport)
            is_whole = self.part(block).stat().st_size == report.bytes
        except (OSError, msgspec.MsgspecError):
            return None
        return report if is_whole else None

    def new(self, block: Block) -> Path:
        """Return a name for a part that is being written."""
        return self.path / JOB / f"{block.name}-{uuid.uuid4().hex}.new"

    def tidy(self) -> None:
        """Remove what killed workers left."""
        for path in (self.path / JOB).glob("*.new"):
            path.unlink(missing_ok=True)

    def paths(self, blocks: Iterable[Block]) -> list[Path]:
        """Return the paths of all parts, in order."""
        return [self.part(block) for block in blocks]


def _replace(path: Path, data: bytes) -> None:
    """Write a file as a whole. Two machines may do so at once, so each uses a name of its own."""
    replace_file(path, data, work=path.with_name(f"{path.name}-{uuid.uuid4().hex}.new"))


def messages(errors: Sequence[CrossbranchError]) -> list[str]:
    """Return the messages of the first errors."""
    return [str(error) for error in errors[:MOST_MESSAGES]]
