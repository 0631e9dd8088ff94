"""`crossbranch parse --engine ray`: many workers, on one machine or on many."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from crossbranch.cli.parse_call import Call
from crossbranch.cli.parse_messages import tell_counts, tell_doubts
from crossbranch.cli.show import Meter, say
from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.jobs import JobInput, ParseOptions
from crossbranch.parsers import Parser

if TYPE_CHECKING:
    from crossbranch.ray.files import FileJob
    from crossbranch.ray.parts import PartReport, Totals


@dataclass(frozen=True, slots=True, kw_only=True)
class RayCall(Call):
    """A call of the command that gives the work to Ray."""

    workers: int | None
    derivation: bool
    meters: list[Meter] = field(default_factory=list)
    """Shows the progress, as soon as the work is planned."""

    def _run(self) -> None:
        from crossbranch.ray.outputs import format_of

        self._refuse_options()
        format = format_of(self.target, self.target_format)
        parser = self._load()
        inputs = self._inputs(parser)
        options = self._options()
        options.check(parser, inputs)
        self._targets().check(inputs)
        job = self._job(parser, inputs, options, format)
        if self.resume and job.is_finished:
            say(f"{self.target} is complete: nothing to resume")
            return
        totals = self._watched(job)
        self._tell_totals(totals, parser)

    def _refuse_options(self) -> None:
        refused = {
            "--derivation": self.derivation,
            "--tags-only": self.tags_only,
            "--tags-from": self.tags_from is not None,
            "--distribution": bool(self.distributions),
            "--confidence-table": self.confidence_table is not None,
            "--apply": bool(self.steps.steps),
        }
        for name, is_given in refused.items():
            if is_given:
                raise UsageError(f"{name} cannot be used with --engine ray")
        if self.target == "-":
            raise UsageError("--engine ray needs -o OUT: a .json or .parquet file, or a folder")
        if not self.sources:
            raise UsageError("--engine ray needs files to parse")

    def _job(
        self, parser: Parser, inputs: list[JobInput], options: ParseOptions, format: str
    ) -> FileJob:
        from crossbranch.ray.files import FileJob, folder_of
        from crossbranch.ray.worker import Work, checksum_of

        work = Work(
            model=self.model,
            identity=checksum_of(parser),
            device=self.device,
            inputs=inputs,
            options=options,
            encoding=self.encoding,
            on_error=self.on_error,
            lines=self.lines,
            place=str(Path.cwd()),
            folder=folder_of(self.target),
            format=format,
        )
        return FileJob(parser, work, self.target, workers=self.workers)

    def _watched(self, job: FileJob) -> Totals:
        """Do the work. If it is interrupted, say how to resume it."""
        try:
            with redirect_stdout(sys.stderr):  # Ray prints messages about killed workers
                totals = job.run(resume=self.resume, watch=self._watch)
        except KeyboardInterrupt:
            self._stop_meter()
            if not job.can_resume:
                raise
            say(f"interrupted{self._again}")
            sys.exit(130)
        except UsageError:
            self._stop_meter()
            raise
        except CrossbranchError:
            self._stop_meter()
            if job.can_resume:
                skip = "--on-error skip " if self.on_error == "stop" else ""
                say(f"stopped; to continue {self.target}, repeat the command with {skip}--resume")
            raise
        self._stop_meter()
        return totals

    @property
    def _again(self) -> str:
        return f"; to continue {self.target}, repeat the command with --resume"

    def _watch(self, totals: Totals, report: PartReport | None) -> None:
        if report is None:
            if totals.resumed:
                say(f"{totals.resumed:,} of {totals.blocks:,} parts were done before")
            self.meters.append(Meter("parsing", totals.blocks, lambda: totals.done))
            return
        for message in report.messages:
            say(f"skipped: {message}")
        self.meters[0].add(report.tokens, report.sentences)

    def _stop_meter(self) -> None:
        for meter in self.meters:
            meter.stop()

    def _tell_totals(self, totals: Totals, parser: Parser) -> None:
        """Report what was wrong with the input, as without Ray."""
        if not totals.sentences:
            say("no sentence to parse")
        tell_counts(totals.replaced, totals.tags, totals.without_parse)
        tell_doubts(totals.doubts, self.model, parser.description)
        if count := totals.skipped:
            say(f"{count:,} bad {'sentence was' if count == 1 else 'sentences were'} skipped")
        for path in totals.damaged:
            say(f"the rest of {path} could not be read")
