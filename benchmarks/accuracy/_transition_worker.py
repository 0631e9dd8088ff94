"""One training of `transition_parsers`, in a process of its own: JSON in, JSON out."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from crossbranch.errors import InputError
from crossbranch.evaluation import evaluate
from crossbranch.parsers import LinearTransitionParser, Parser, train
from crossbranch.parsers.linear_transition import LinearTransitionSettings
from crossbranch.parsers.training import recipe_of
from crossbranch.training import Example, learn
from crossbranch.tree import Tree
from crossbranch.treebank import read

MEGABYTE = 1e6


def peak_memory() -> float:
    """Return the most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def size_on_disk(parser: Parser, keep: str | None) -> float:
    """Save a parser, for good or to look at its size; return it in megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(keep or Path(folder) / "model")
        parser.save(place)
        return sum(path.stat().st_size for path in place.iterdir()) / MEGABYTE


def parse_all(parser: Parser, gold: Sequence[Tree], beams: Sequence[int]) -> dict[str, Any]:
    """Parse dev with several beams; return F1, discontinuous F1 and CPU seconds of each."""
    found = {}
    for beam in beams:
        start = time.process_time()
        trees = list(parser.parse_many(gold, beam=beam))
        seconds = time.process_time() - start
        scores = evaluate(gold, trees)
        found[str(beam)] = {
            "f1": 100 * scores.f1,
            "discontinuous_f1": 100 * scores.discontinuous_f1,
            "tokens_per_second": sum(len(tree.sentence) for tree in gold) / seconds,
        }
    return found


def train_once(job: dict[str, Any]) -> dict[str, Any]:
    """Train a parser, and parse dev with it."""
    errors: list[InputError] = []
    start = time.process_time()
    limited = job["train_limit"] is not None
    sources: dict[str, Any] = {
        part: some(job, part) if limited else job[part] for part in ("train", "dev")
    }
    parser = train(job["preset"], **sources, report=errors.append, **job["settings"])
    seconds = time.process_time() - start
    epochs = parser.about["epochs"]  # scored with the beam of training
    return {
        "cpu_seconds": seconds,
        "peak_mb": peak_memory(),
        "model_mb": size_on_disk(parser, job["keep"]),
        "left_out": len(errors),
        "epoch": parser.about["epoch"],
        "epochs": [[100 * one["f1"], 100 * one["discontinuous_f1"]] for one in epochs],
        "beams": parse_all(parser, some(job, "dev"), job["beams"]),
    }


def train_and_prune(job: dict[str, Any]) -> dict[str, Any]:
    """Train once, and take the weights out of the same perceptron with each threshold."""
    errors: list[InputError] = []
    examples = [Example(tree.sentence, tree) for tree in some(job, "train")]
    dev = some(job, "dev")
    settings = recipe_of(job["preset"], job["settings"]).settings
    assert isinstance(settings, LinearTransitionSettings)
    learner = LinearTransitionParser.learner(settings, examples, errors.append)
    learn(learner, settings)
    state = learner.state()
    found = {}
    for prune in job["prunes"]:
        again = LinearTransitionParser.learner(
            settings.changed({"prune": prune}), examples, errors.append
        )
        again.restore(state)
        parser = again.snapshot()
        found[str(prune)] = {
            "model_mb": size_on_disk(parser, None),
            "weights": parser.weights.weight_count,
            "beams": parse_all(parser, dev, job["beams"]),
        }
    return {"prunes": found}


def some(job: dict[str, Any], part: str) -> list[Tree]:
    """Read the train or dev trees: all, or as many as are asked for."""
    return list(islice(read(job[part]), job[f"{part}_limit"]))


def main() -> None:
    """Do what standard input asks for."""
    job: dict[str, Any] = json.load(sys.stdin)
    json.dump(train_and_prune(job) if job["prunes"] else train_once(job), sys.stdout)


if __name__ == "__main__":
    main()
