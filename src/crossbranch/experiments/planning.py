"""Plans the runs of an experiment, and finds those that are there already.

A run is found again by its settings and by the checksums of its data, whatever the name of its
variant. If the file of the experiment is changed, old runs stay where they are, unused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from crossbranch.config import EpochSettings, Settings, to_toml
from crossbranch.errors import UsageError
from crossbranch.experiments.experiment import Experiment, Files, Variant
from crossbranch.experiments.files import CHECKSUM, Checksums, by_content
from crossbranch.experiments.runs import RECORD, RUNS, Run, RunRecord, ScoredSet, read_record
from crossbranch.parsers.storage import DESCRIPTION

_OURS = {RUNS, "results.json", "results.tsv"}
_SETTINGS, _VERSION = "settings", "crossbranch"
_LONGEST = 60  # characters of a variant's name in the name of a folder


def plan(
    experiment: Experiment, *, only: Sequence[str] = (), for_report: bool = False
) -> list[Run]:
    """Return all runs of an experiment, with their folders. Nothing is written.

    Args:
        experiment: The experiment.
        only: The names of variants; empty: all.
        for_report: Also take finished runs of other versions of crossbranch, and finished runs
            whose data are not here.

    Raises:
        UsageError: The output folder has other files.
    """
    check_folder(experiment.out)
    checksums = Checksums()
    stored = list(_stored(experiment.out / RUNS))
    variants = experiment.chosen(only)
    found = []
    for variant in variants:
        for seed in experiment.seeds:
            planned = _run(experiment, variant, seed, checksums, stored, for_report)
            # The next variant may have the same settings: it has the same run.
            stored.append((Path(planned.folder), RunRecord(variant.name, seed, planned.identity)))
            found.append(planned)
    return found


def check_folder(out: Path) -> None:
    """Raise a UsageError if the output folder has files that are not of an experiment."""
    if not out.exists():
        return
    if not out.is_dir():
        raise UsageError(f"cannot write results to {out}: it is a file")
    others = sorted(path.name for path in out.iterdir() if not path.name.startswith("."))
    if others and not _OURS.intersection(others):
        raise UsageError(f"cannot write results to {out}: it has other files ({others[0]})")


def _stored(folder: Path) -> Iterator[tuple[Path, RunRecord]]:
    """Yield the runs of a folder; finished ones come first."""
    found = []
    for path in sorted(folder.glob(f"*/{RECORD}")):
        if (record := read_record(path.parent)) is not None:
            found.append((path.parent, record))
    yield from sorted(found, key=lambda one: one[1].training is None)


def _run(
    experiment: Experiment,
    variant: Variant,
    seed: int,
    checksums: Checksums,
    stored: Sequence[tuple[Path, RunRecord]],
    for_report: bool,
) -> Run:
    settings = variant.with_seed(seed)
    identity = _identity(experiment, variant, settings, checksums)
    folder = _find(identity, stored, for_report)
    if folder is None:
        folder = _new_folder(experiment.out / RUNS, variant.name, seed, identity)
    config = to_toml(settings) + "\n" + to_toml(variant.description, table=DESCRIPTION)
    return Run(
        variant=variant.name,
        seed=seed,
        folder=str(folder),
        identity=identity,
        config=config,
        train=_texts(variant.train),
        dev=None if experiment.dev is None else _texts(experiment.dev),
        sets={name: ScoredSet(str(p), checksums.of(p)) for name, p in experiment.sets.items()},
        epochs=settings.epochs if isinstance(settings, EpochSettings) else None,
    )


def _identity(
    experiment: Experiment, variant: Variant, settings: Settings, checksums: Checksums
) -> dict[str, Any]:
    """Return what the result of a run depends on. Files count by their content."""
    from importlib.metadata import version  # slow to load

    values = {
        name: by_content(value, checksums)
        for name, value in settings.to_dict().items()
        if name not in settings.without_effect
    }
    identity = {
        _SETTINGS: values,
        "language": variant.description.language,
        "train (sha256)": checksums.of_files(variant.train),
        "dev (sha256)": checksums.of_files(experiment.dev),
        _VERSION: version("crossbranch"),
    }
    # Through JSON and back, so that it can be compared with what a file says.
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(identity))
    return decoded


def _find(
    wanted: Mapping[str, Any], stored: Sequence[tuple[Path, RunRecord]], for_report: bool
) -> Path | None:
    """Return the folder of the run with this identity, if there is one."""
    for folder, record in stored:
        if record.identity == wanted:
            return folder
    for folder, record in stored if for_report else ():
        if record.identity.keys() == wanted.keys() and all(
            _fits(record.identity[key], wanted[key], accepts_unknown=key != _SETTINGS)
            for key in wanted.keys() - {_VERSION}
        ):
            return folder
    return None


def _fits(stored: Any, wanted: Any, *, accepts_unknown: bool) -> bool:
    """Compare identities, of which the wanted one may not know all files."""
    if wanted is None and accepts_unknown:
        return True
    if isinstance(stored, dict) and isinstance(wanted, dict):
        return stored.keys() == wanted.keys() and all(
            _fits(stored[key], wanted[key], accepts_unknown=accepts_unknown) for key in wanted
        )
    if isinstance(stored, list) and isinstance(wanted, list):
        return len(stored) == len(wanted) and all(
            _fits(one, other, accepts_unknown=accepts_unknown)
            for one, other in zip(stored, wanted, strict=True)
        )
    if isinstance(stored, str) and isinstance(wanted, str) and stored.startswith(CHECKSUM):
        return stored == wanted or not wanted.startswith(CHECKSUM)  # the file is not here
    return bool(stored == wanted)


def _new_folder(runs: Path, variant: str, seed: int, identity: Mapping[str, Any]) -> Path:
    digest = hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()
    name = re.sub(r"[^\w.=+-]+", "-", variant)[:_LONGEST].strip("-.")
    lengths = range(8, len(digest) + 1)
    folders = (runs / f"{name}-seed{seed}-{digest[:length]}" for length in lengths)
    return next(folder for folder in folders if not (folder / RECORD).exists())


def _texts(files: Files) -> str | dict[str, str]:
    if isinstance(files, Path):
        return str(files)
    return {name: str(path) for name, path in files.items()}
