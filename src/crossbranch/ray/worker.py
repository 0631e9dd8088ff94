"""A worker: a process with a loaded model, which parses one block after the other."""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from crossbranch.errors import CrossbranchError, DamageError, InputError, UsageError
from crossbranch.jobs import (
    DoubtCounts,
    JobInput,
    JobSentences,
    ParseOptions,
    ReadingOptions,
    identity_of,
)
from crossbranch.parsers import Parser, load
from crossbranch.parsers.sentences import has_parse
from crossbranch.ray.blocks import Block
from crossbranch.ray.failures import encode_error
from crossbranch.ray.outputs import open_part
from crossbranch.ray.parts import PartFolder, PartReport, messages
from crossbranch.tree import Tree
from crossbranch.treebank.source import OnError


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What every worker must know. It is sent to other processes, so it has no model."""

    model: str
    identity: str
    """A checksum of the model: each machine must have the same one."""
    device: str
    inputs: Sequence[JobInput]
    options: ParseOptions
    encoding: str | None
    on_error: OnError
    lines: bool
    place: str
    """The folder in which the program was started. The names of files may be relative to it."""
    folder: Path
    """The folder of the parts."""
    format: str

    @property
    def parts(self) -> PartFolder:
        """The folder with the parts."""
        return PartFolder(self.folder, f".{self.format}")

    def reading(self, parser: Parser, errors: list[CrossbranchError]) -> ReadingOptions:
        """Return the reading options. The errors of skipped sentences are added to `errors`."""
        return self.options.reading(
            parser,
            encoding=self.encoding,
            on_error=self.on_error,
            lines=self.lines,
            names_documents=True,  # JSON has comments
            report=errors.append,
        )

    def load(self) -> Parser:
        """Go to the right folder, load the model, and check that it is the right one.

        Raises:
            UsageError: This machine has no such folder or model, or another model.
        """
        try:
            os.chdir(self.place)
        except OSError:
            raise UsageError(
                f"there is no folder {self.place} on the machine {platform.node()}; all machines"
                " must see the same folders"
            ) from None
        parser = load(self.model, device=self.device)
        if checksum_of(parser) != self.identity:
            raise UsageError(f"the machine {platform.node()} has another model {self.model}")
        return parser


def checksum_of(parser: Parser) -> str:
    """Return a checksum of a model, whatever its folder."""
    return hashlib.sha256(identity_of(parser)).hexdigest()


class Worker:
    """Parses blocks. Ray keeps it alive, so that the model is loaded only once."""

    def __init__(self, work: Work) -> None:
        """Load the model."""
        self._work = work
        self._failure: CrossbranchError | None = None
        try:
            self._parser = work.load()
        except CrossbranchError as error:  # told with the first block: Ray would try for ever
            self._failure = error
            return
        gc.freeze()  # the model stays in memory: scanning it for garbage costs time

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """Parse the blocks of a batch. Return a report for each, or the error that stopped it."""
        found = [self._outcome(data) for data in batch["block"]]
        return {
            "report": [
                b"" if isinstance(one, Exception) else msgspec.json.encode(one) for one in found
            ],
            "error": [encode_error(one) if isinstance(one, Exception) else b"" for one in found],
        }

    def _outcome(self, data: bytes) -> PartReport | CrossbranchError:
        if self._failure is not None:
            return self._failure
        try:
            return self.parse(msgspec.json.decode(data, type=Block))
        except CrossbranchError as error:
            return error
        except OSError as error:
            return UsageError(f"{type(error).__name__}: {error}")

    def parse(self, block: Block) -> PartReport:
        """Parse a block, and write its part.

        Raises:
            InputError: The input is bad, or it has changed since the blocks were planned.
        """
        parts = self._work.parts
        new = parts.new(block)
        start = time.monotonic()
        errors: list[CrossbranchError] = []
        sentences = JobSentences(self._work.inputs, self._work.reading(self._parser, errors))
        todo = sentences.start(block.start, block.before, block.stop)
        report = PartReport(number=block.number, process=os.getpid())
        doubts = DoubtCounts()
        with open_part(new, self._work.format) as part:
            for trees in self._work.options.parsed(self._parser, todo):
                _count(report, trees)
                doubts.add(trees[0])
                part.write(trees)
        if block.sentences not in (None, report.sentences):
            new.unlink()
            found, expected = f"{report.sentences:,} sentences", f"{block.sentences:,} sentences"
            path = self._work.inputs[block.start.input].name
            raise InputError(found, f"{expected}, as in the plan: the input has changed", path=path)
        report.replaced = sentences.replaced - block.start.at.replaced
        report.tags = sentences.tags
        report.reasons, report.spaces = dict(doubts.reasons), dict(doubts.spaces)
        report.damaged = [error.path for error in errors if isinstance(error, DamageError)]
        report.skipped = len(errors) - len(report.damaged)
        report.messages = messages(errors)
        report.seconds = time.monotonic() - start
        parts.finish(block, new, report)
        return report


def _count(report: PartReport, trees: Sequence[Tree]) -> None:
    report.sentences += 1
    report.tokens += len(trees[0].sentence)
    report.trees += len(trees)
    report.without_parse += sum(not has_parse(tree) for tree in trees)


def count_sentences(work: Work, blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the number of sentences in each block. Bad sentences are told when they are parsed."""
    parser = work.load()
    for block in blocks:
        sentences = JobSentences(work.inputs, work.reading(parser, []))
        yield sum(1 for _ in sentences.start(block.start, 0, block.stop))
