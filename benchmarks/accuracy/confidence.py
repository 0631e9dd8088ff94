"""How reliable confidence is, for several beams, on sentences that it was not learned from.

    scripts/bench accuracy/confidence [--treebank NAME] [--epochs N] [--plot FILE] [--model DIR]
        [--other-text NAME...]

Trains sr-gap on a treebank without its dev trees, so that not even the epoch is chosen by them.
Then half of the dev sentences is calibrated on, the other half measured on, and vice versa.
What is measured is what users get: the features of trees and nodes, against what evaluation counts.
A trained model can be given instead, and is calibrated anew.

With --other-text, the beam is that of the model. It is measured how reliable confidence is on other
treebanks, whose dev trees are not calibrated on: with the calibration that the model has, and with
the new one. The tags are those that the model predicts. Doubtful trees are counted, with their F1.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from crossbranch.confidence.calibrating import calibrate, sampled
from crossbranch.confidence.doubt import UNFAMILIAR, UNSURE, reasons_to_doubt
from crossbranch.confidence.reliability import bins, measure
from crossbranch.evaluation import evaluate
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
MOST_OTHER = 1000  # sentences of each treebank, with --other-text
HEADING = (
    "| beam | what | count | right, % | calibration error | Brier | Brier of the rate |\n"
    "|---|---|---|---|---|---|---|"
)

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


def examine_other_text(parser: Parser, own: str, others: Sequence[str]) -> None:
    """Print how reliable confidence and doubts are on other text."""
    texts = {
        name: sampled(list(read(TREEBANKS / name / "dev.export.xz")), MOST_OTHER)
        for name in (own, *others)
    }
    halves = texts[own][::2], texts[own][1::2]
    new = [calibrate(parser, _as_seen(parser, half), threads=2) for half in halves]
    plans: list[tuple[str, list[tuple[Any, list[Tree]]]]] = []  # calibrations and their trees
    for name, gold in texts.items():
        if parser.confidence is not None:
            plans.append((f"{name}, old", [(parser.confidence, gold)]))
        crossed = [(new[0], halves[1]), (new[1], halves[0])]
        plans.append((f"{name}, new", crossed if name == own else [(new[0], gold)]))
    print(HEADING.replace("beam", "text, calibration"))
    doubts = []
    for name, folds in plans:
        pairs = [pair for calibration, gold in folds for pair in _parsed(parser, calibration, gold)]
        found: Found = {}
        for right, tree in pairs:
            compare(right, tree, found, "")
        print("\n".join(rows(name, found)), flush=True)
        doubts += [(name, *each) for each in doubtful(pairs)]
    print("\n| text, calibration | trees | share, % | F1 |\n|---|---|---|---|")
    for name, what, share, f1 in doubts:
        print(f"| {name} | {what} | {100 * share:.1f} | {100 * f1:.2f} |")


def _parsed(parser: Parser, calibration: Any, gold: Sequence[Tree]) -> Iterator[tuple[Tree, Tree]]:
    """Yield each gold tree with the tree that the parser finds."""
    parser.confidence = calibration
    found = parser.parse_many(gold, threads=2, confidence=True, tags="predict")
    return zip(gold, found, strict=True)


def doubtful(trees: Sequence[tuple[Tree, Tree]]) -> Iterator[tuple[str, float, float]]:
    """Yield for each reason to doubt: the share of the trees that have it, and their F1."""
    for reason in ("", UNFAMILIAR, UNSURE):
        some = [pair for pair in trees if reason in (*reasons_to_doubt(pair[1]), "")]
        if some:
            found = evaluate([gold for gold, _ in some], [tree for _, tree in some])
            yield reason or "all", len(some) / len(trees), found.f1


def _as_seen(parser: Parser, trees: Sequence[Tree]) -> list[Tree]:
    """Return trees with the tags that the model predicts."""
    tagged = parser.tag(trees)
    return [tree.replace(sentence=flat.sentence) for tree, flat in zip(trees, tagged, strict=True)]


def rows(beam: int | str, found: Found) -> Iterator[str]:
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
    arguments.add_argument("--other-text", nargs="*", help="names of treebanks; may be none")
    arguments.add_argument("--plot", help="draw reliability diagrams (.png, .svg, .pdf)")
    options = arguments.parse_args()
    folder = TREEBANKS / options.treebank
    if options.model:
        parser = load(options.model)
    else:
        parser = train(
            "sr-gap", train=folder / "train.export.xz", epochs=options.epochs, tags="gold"
        )
    if options.other_text is not None:
        examine_other_text(parser, options.treebank, options.other_text)
        return
    dev = list(read(folder / "dev.export.xz"))
    print(HEADING)
    results: dict[int, Found] = {}
    for beam, found in examine(parser, dev):
        results[beam] = found
        print("\n".join(rows(beam, found)), flush=True)
    if options.plot:
        draw(results, options.plot)


if __name__ == "__main__":
    main()
