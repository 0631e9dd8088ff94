"""How accurate the transition parsers are: trains them all and prints the tables of RESULTS.md.

    scripts/bench accuracy/transition_parsers [--quick] [--only TEXT] [--jobs N] [--tables]

Treebanks are read from the folder of treebanks beside the repository. Each training is a process of
its own. What is finished is added to a file of JSON lines (`build/bench` by default), and is not
trained again by the next call unless its settings have changed: remove the file to begin anew.
`--only` takes the trainings whose names contain a text, such as "squoia" or "seed 1"; `--tables`
trains nothing. All of it takes four to five hours of CPU time; `--quick` takes a minute, with
a few sentences, and shows only that everything works.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import _transition_plan as planned
import _transition_tables as tables

from crossbranch.parsers.training import recipe_of

ROOT = Path(__file__).parents[2]
TREEBANKS = ROOT.parent / "shared" / "treebanks"
WORKER = Path(__file__).with_name("_transition_worker.py")


class Results:
    """What is finished, in a file of JSON lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text().splitlines() if path.exists() else []
        self.found: dict[str, Any] = {line["name"]: line for line in map(json.loads, lines)}

    def has(self, training: planned.Training, job: Mapping[str, Any]) -> bool:
        """Say whether a training is finished; one with other settings or beams is not."""
        line = self.found.get(training.name, {})
        wanted = {str(one) for one in job["prunes"] or job["beams"]}
        there = line.get("prunes") or line.get("beams") or {}
        return line.get("settings") == job["settings"] and wanted <= set(there)

    def add(self, name: str, job: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Add a finished training."""
        self.found[name] = {"name": name, "settings": job["settings"], **result}
        with self.path.open("a") as file:
            file.write(json.dumps(self.found[name]) + "\n")


def job_of(training: planned.Training, models: Path, *, quick: bool) -> dict[str, Any]:
    """Return what the worker is to do."""
    folder = TREEBANKS / training.treebank
    changes = {**planned.TREES_ONLY, **training.settings}
    if quick:
        changes |= {"epochs": planned.QUICK_EPOCHS}
    # All settings, since presets may change.
    settings = recipe_of(training.preset, changes).settings.to_dict()
    keep = training in planned.headline()
    return {
        "preset": training.preset,
        "settings": json.loads(json.dumps(settings)),
        "beams": training.beams,
        "prunes": training.prunes,
        "train": str(folder / "train.export.xz"),
        "dev": str(folder / "dev.export.xz"),
        "train_limit": planned.QUICK_TRAIN if quick else None,
        "dev_limit": planned.QUICK_DEV if quick else None,
        "keep": str(models / training.name.replace(", ", "-").replace(" ", "-")) if keep else None,
    }


def run(job: Mapping[str, Any]) -> dict[str, Any]:
    """Run a job in a process of its own."""
    command = [sys.executable, str(WORKER)]
    done = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"exit status {done.returncode}\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def train_all(
    trainings: Sequence[planned.Training], results: Results, *, jobs: int, quick: bool
) -> int:
    """Train what is not finished; return how many trainings failed."""
    failed = 0
    models = results.path.parent / "models"
    with ThreadPoolExecutor(jobs) as executor:
        waiting = {}
        for training in trainings:
            job = job_of(training, models, quick=quick)
            if not results.has(training, job):
                waiting[executor.submit(run, job)] = (training, job)
        for number, future in enumerate(as_completed(waiting), 1):
            training, job = waiting[future]
            place = f"[{number}/{len(waiting)}] {training.name}"
            try:
                results.add(training.name, job, future.result())
            except RuntimeError as error:
                failed += 1
                print(f"{place}: failed\n{error}", file=sys.stderr, flush=True)
            else:
                figures = tables.short(results.found[training.name])
                print(f"{place}: {figures}", file=sys.stderr, flush=True)
    return failed


def main() -> None:
    """Train and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "bench")
    options = parser.parse_args()
    file = f"transition_parsers{'-quick' if options.quick else ''}.jsonl"
    results = Results(options.results / file)
    failed = 0
    if not options.tables:
        chosen = [one for one in planned.plan() if options.only in one.name]
        missing = [one for one in chosen if not (TREEBANKS / one.treebank).exists()]
        for treebank in sorted({one.treebank for one in missing}):
            print(f"left out: there is no {TREEBANKS / treebank}", file=sys.stderr)
        todo = [one for one in chosen if one not in missing]
        failed = train_all(todo, results, jobs=options.jobs, quick=options.quick)
    print("\n".join(tables.all_tables(results.found)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
