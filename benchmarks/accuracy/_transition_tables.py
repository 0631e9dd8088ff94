"""The results of `transition_parsers` as markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import _transition_plan as planned

AUTHORS: dict[tuple[int, int], tuple[float, float]] = {
    (15, 1): (64.39, 23.88),
    (15, 2): (73.66, 39.56),
    (15, 4): (76.65, 49.27),
    (15, 8): (76.75, 51.06),
    (15, 32): (77.04, 52.53),
    (30, 4): (77.00, 53.19),
    (30, 8): (77.86, 54.73),
    (30, 32): (78.25, 55.68),
}
"""F1 and discontinuous F1 of mtg 1.0 by epochs and beam."""
AUTHORS_SECONDS, AUTHORS_TRAINING_MB, AUTHORS_MB = 231, 4_400, 61

Found = Mapping[str, Any]
"""Results by the names of their trainings."""


def all_tables(found: Found) -> Iterator[str]:
    """Yield the lines of all tables; what is not finished is left out."""
    yield from headline(found)
    yield from presets(found)
    yield from costs(found)
    yield from pruning(found)
    for treebank in planned.EPOCHS:
        yield from comparison(found, treebank)


def headline(found: Found) -> Iterator[str]:
    """Mean and single values of the seeds, beside mtg 1.0."""
    yield from _title(f"{planned.HEADLINE}, trained with beam 4: F1 / discontinuous F1")
    yield from _head("features", "epochs", "beam", "mean", "seeds", "mtg 1.0")
    groups: dict[tuple[str, int], list[Any]] = {}
    for training in planned.headline():
        if training.name in found:
            key = (training.row, int(str(training.settings["epochs"])))
            groups.setdefault(key, []).append(found[training.name])
    for (row, epochs), results in groups.items():
        for beam in results[0]["beams"]:
            scores = [_scores(result, beam) for result in results]
            mean = _mean(scores)
            theirs = AUTHORS.get((epochs, int(beam))) if row == "GAP +SPANS" else None
            singles = " · ".join(map(_pair, scores))
            yield _row(row, epochs, beam, _pair(mean), singles, _pair(theirs) if theirs else "")
        scores = [result["epochs"][-1] for result in results]
        mean = _mean(scores)
        yield _row(row, epochs, "4, last epoch", _pair(mean), " · ".join(map(_pair, scores)), "")


def presets(found: Found) -> Iterator[str]:
    """The presets of the papers and ours: means of the seeds, by treebank."""
    beams = ("4", "8", "32")
    yield from _title("Presets of the papers and ours: mean F1 / discontinuous F1 of three seeds")
    yield from _head("treebank", "preset", *(f"beam {beam}" for beam in beams), "CPU seconds")
    groups: dict[tuple[str, str], list[Any]] = {}
    for training in planned.presets():
        if training.name in found:
            groups.setdefault((training.treebank, training.row), []).append(found[training.name])
    for (treebank, row), results in sorted(groups.items(), key=lambda one: one[0][0]):
        means = [_mean([_scores(result, beam) for result in results]) for beam in beams]
        seconds = sum(result["cpu_seconds"] for result in results) / len(results)
        yield _row(treebank, row, *map(_pair, means), f"{seconds:.0f}")


def costs(found: Found) -> Iterator[str]:
    """CPU time, memory and size of the headline's trainings."""
    yield from _title("Training: CPU seconds, peak memory, size of the model")
    yield from _head("features", "epochs", "CPU seconds", "peak memory, MB", "model, MB")
    theirs = (AUTHORS_SECONDS, AUTHORS_TRAINING_MB, AUTHORS_MB)
    yield _row("GAP +SPANS, mtg 1.0", 15, *theirs)
    for training in planned.headline():
        if training.name in found and training.settings["seed"] == planned.SEEDS[0]:
            result = found[training.name]
            sizes = [f"{result[name]:.0f}" for name in ("cpu_seconds", "peak_mb", "model_mb")]
            yield _row(training.row, training.settings["epochs"], *sizes)


def pruning(found: Found) -> Iterator[str]:
    """What leaving out small weights costs."""
    for training in planned.pruning():
        if training.name not in found:
            continue
        yield from _title("Small weights left out: the same perceptron after the last epoch")
        beams = [f"beam {beam}" for beam in training.beams]
        yield from _head("prune", "weights", "model, MB", *beams, "tokens/s, beam 4")
        for prune, result in found[training.name]["prunes"].items():
            scores = [_pair(_scores(result, str(beam))) for beam in training.beams]
            rate = f"{result['beams']['4']['tokens_per_second']:,.0f}"
            yield _row(prune, f"{result['weights']:,}", f"{result['model_mb']:.1f}", *scores, rate)


def comparison(found: Found, treebank: str) -> Iterator[str]:
    """Systems and features on one treebank."""
    rows = [one for one in planned.comparison(treebank) if one.name in found]
    if not rows:
        return
    yield from _title(f"{treebank}, {planned.EPOCHS[treebank]} epochs: F1 / discontinuous F1")
    yield from _head("system and features", "beam 4", "beam 32", "CPU seconds of training")
    for training in sorted(rows, key=lambda one: _order(one.row)):
        result = found[training.name]
        scores = [_pair(_scores(result, str(beam))) for beam in (4, 32)]
        yield _row(training.row, *scores, f"{result['cpu_seconds']:.0f}")


def short(result: Mapping[str, Any]) -> str:
    """Return the figures of one training on one line."""
    if "prunes" in result:
        parts = [f"{prune}: {short(one)}" for prune, one in result["prunes"].items()]
        return "; ".join(parts)
    return ", ".join(f"beam {beam} {_pair(_scores(result, beam))}" for beam in result["beams"])


def _order(row: str) -> tuple[int, int, str]:
    system, features = row.replace(",", "").split()[:2]
    return (
        ("GAP", "CGAP", "SWAP", "CSWAP").index(system),
        ("BASELINE", "+EXTENDED", "+SPANS", "+DISCO").index(features),
        row,
    )


def _scores(result: Mapping[str, Any], beam: str) -> tuple[float, float]:
    scores = result["beams"][beam]
    return scores["f1"], scores["discontinuous_f1"]


def _mean(scores: Sequence[Iterable[float]]) -> tuple[float, ...]:
    return tuple(sum(values) / len(scores) for values in zip(*scores, strict=True))


def _pair(scores: Iterable[float]) -> str:
    return " / ".join(f"{value:.2f}" for value in scores)


def _title(text: str) -> Sequence[str]:
    return "", f"### {text}", ""


def _head(*cells: str) -> Sequence[str]:
    return _row(*cells), _row(*["---"] * len(cells))


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"
