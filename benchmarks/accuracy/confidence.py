"""How reliable confidence is, for several beams, on sentences that it was not learned from.

    scripts/bench accuracy/confidence [--treebank NAME] [--epochs N] [--plot FILE] [--model DIR]

Trains sr-gap on a treebank without its dev trees, so that not even the epoch is chosen by them.
Then half of the dev sentences is calibrated on, the other half measured on, and vice versa.
What is measured is what users get: the features of trees and nodes, against what evaluation counts.
A trained model can be given instead, and is calibrated anew.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from crossbranch.confidence.calibrating import calibrate
from crossbranch.confidence.reliability import bins, measure
from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS
from crossbranch.parsers import Parser, load, train
from crossbranch.span import is_discontinuous
from crossbranch.tree import Bracket, Tree, feature
from crossbranch.treebank import read

TREEBANKS = Path(__file__).parents[3] / "shared/treebanks"
BEAMS = (1, 2, 4, 8, 16, 32, 64)
PLOTTED = (4, 32)
K_BEST = 5

Stated = list[tuple[float, bool]]
"""What was stated, and whether it was right."""
Found = dict[str, Stated]


def confidence_of(features: tuple[tuple[str, str], ...]) -> float:
    """Return the confidence that stands in features."""
    return float(feature(features, "confidence"))


def compare(gold: Tree, tree: Tree, found: Found, name: str) -> None:
    """Add what a tree states of itself and its constituents."""
    pair = Pair(gold, tree, PARAMETERS["proper"])
    is_right = pair.gold_brackets == pair.predicted_brackets
    found.setdefault(f"{name}trees", []).append((confidence_of(tree.features), is_right))
    seen: Counter[Bracket] = Counter()
    for node, bracket, _ in counted_nodes(pair, tree):
        seen[bracket] += 1
        case = confidence_of(node.features), pair.gold_brackets[bracket] >= seen[bracket]
        found.setdefault(f"{name}constituents", []).append(case)
        if is_discontinuous(bracket.span):
            found.setdefault(f"{name}discontinuous", []).append(case)


def examine(parser: Parser, dev: Sequence[Tree]) -> Iterator[tuple[int, Found]]:
    """Yield what is stated at each beam, all of it with a calibration of the other half."""
    halves = dev[::2], dev[1::2]
    calibrations = [calibrate(parser, half, threads=2) for half in halves]
    for beam in BEAMS:
        found: Found = {}
        for calibration, unseen in zip(calibrations, reversed(halves), strict=True):
            parser.confidence = calibration
            parsed = parser.parse_k_best(unseen, K_BEST, beam=beam, threads=2, confidence=True)
            if beam >= K_BEST:
                for gold, trees in zip(unseen, parsed, strict=True):
                    for scored in trees[1:]:
                        compare(gold, scored.tree, found, "other ")
            best = parser.parse_many(unseen, beam=beam, threads=2, confidence=True)
            for gold, tree in zip(unseen, best, strict=True):
                compare(gold, tree, found, "")
        yield beam, found


def rows(beam: int, found: Found) -> Iterator[str]:
    """Yield lines of a table."""
    for name, cases in sorted(found.items()):
        figures = measure(*split(cases))
        yield (
            f"| {beam} | {name} | {figures.count:,} | {100 * figures.rate:.1f} |"
            f" {figures.calibration_error:.3f} | {figures.brier:.3f} | {figures.base_brier:.3f} |"
        )


def split(cases: Iterable[tuple[float, bool]]) -> tuple[list[float], list[bool]]:
    """Return what was stated, and what was right, apart."""
    pairs = list(cases)
    return [stated for stated, _ in pairs], [right for _, right in pairs]


def draw(results: dict[int, Found], path: str) -> None:
    """Draw reliability diagrams: what was stated against what was right."""
    from matplotlib.figure import Figure

    kinds = ("trees", "constituents", "discontinuous")
    figure = Figure(figsize=(4.2 * len(kinds), 4.4), dpi=120, layout="constrained")
    for place, kind in enumerate(kinds, 1):
        axes = figure.add_subplot(1, len(kinds), place)
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        for beam in PLOTTED:
            groups = bins(*split(results[beam][kind]))
            total = sum(group.count for group in groups)
            error = measure(*split(results[beam][kind])).calibration_error
            stated, right = [g.stated for g in groups], [g.right for g in groups]
            (line,) = axes.plot(stated, right, "-", label=f"beam {beam}, error {error:.3f}")
            sizes = [15 + 500 * group.count / total for group in groups]
            axes.scatter(stated, right, s=sizes, color=line.get_color(), alpha=0.6)
        axes.set(xlabel="confidence", ylabel="right", xlim=(0, 1), ylim=(0, 1), title=kind)
        axes.set_aspect("equal")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="upper left")
    figure.savefig(path)


def main() -> None:
    """Run all."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("--treebank", default="alpino-nltk")
    arguments.add_argument("--epochs", type=int, default=6)
    arguments.add_argument("--model", help="a model that was trained without the dev trees")
    arguments.add_argument("--plot", help="draw reliability diagrams (.png, .svg, .pdf)")
    options = arguments.parse_args()
    folder = TREEBANKS / options.treebank
    if options.model:
        parser = load(options.model)
    else:
        parser = train(
            "sr-gap", train=folder / "train.export.xz", epochs=options.epochs, tags="gold"
        )
    dev = list(read(folder / "dev.export.xz"))
    print("| beam | what | count | right, % | calibration error | Brier | Brier of the rate |")
    print("|---|---|---|---|---|---|---|")
    results: dict[int, Found] = {}
    for beam, found in examine(parser, dev):
        results[beam] = found
        print("\n".join(rows(beam, found)), flush=True)
    if options.plot:
        draw(results, options.plot)


if __name__ == "__main__":
    main()
