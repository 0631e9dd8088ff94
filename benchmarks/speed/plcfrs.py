"""How fast and how good parsers with a probabilistic LCFRS are: CPU time, F1, and time by length.

    scripts/bench speed/plcfrs TRAIN DEV [--estimates blocks lengths none] [--longest 25]
        [--sentences 200] [--items N] [--set horizontal=2 ...] [--plot FILE]

A grammar is read off TRAIN with gold tags. Then each search parses the same sentences of DEV in one
thread; all of them find trees of the same probability. The plot shows the time by the length of
the sentence, beside O(n³) and beside O(n^(3k)) for the fan-out k of the grammar. The first
measured lengths are where these curves begin.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from crossbranch.config import read_assignments
from crossbranch.drawing.plots import COLORS, new_figure, plain_axes
from crossbranch.evaluation import evaluate
from crossbranch.parsers import train
from crossbranch.parsers.parser import Parser, ScoredTree
from crossbranch.parsers.plcfrs import PlcfrsParser
from crossbranch.tree import Tree, feature
from crossbranch.treebank import read

TICKS = (2, 5, 10, 20, 50)
ROOT = Path(__file__).resolve().parents[2]


class Timed(NamedTuple):
    """A sentence, its best tree, and how long that took."""

    gold: Tree
    found: ScoredTree
    seconds: float


def parse_all(parser: Parser, sentences: Sequence[Tree], **options: Any) -> list[Timed]:
    """Parse sentences one by one."""
    timed = []
    for gold in sentences:
        start = time.process_time()
        ((found,),) = parser.parse_k_best([gold], 1, functions=False, **options)
        timed.append(Timed(gold, found, time.process_time() - start))
    return timed


def row(estimates: str, timed: Sequence[Timed]) -> str:
    """Return a row of the table."""
    scores = evaluate([one.gold for one in timed], [one.found.tree for one in timed])
    endings = [feature(one.found.tree.features, "parse") for one in timed]
    cells = [
        estimates,
        f"{len(timed) / sum(one.seconds for one in timed):.1f}",
        f"{1000 * max(one.seconds for one in timed):,.0f}",
        f"{100 * scores.f1:.2f} / {100 * scores.discontinuous_f1:.2f}",
        f"{sum(one.found.score or 0 for one in timed):.2f}",
        *(str(endings.count(name)) for name in ("fragments", "limited", "none")),
    ]
    return f"| {' | '.join(cells)} |"


def plot(by_search: dict[str, list[Timed]], fan_out: int, path: Path) -> None:
    """Draw the mean time by length, with logarithmic axes."""
    figure = new_figure(6, 4)
    axes = figure.add_subplot()
    longest, first = 1.0, (1.0, 1.0)
    for color, (estimates, timed) in zip(COLORS, by_search.items(), strict=False):
        by_length: defaultdict[int, list[float]] = defaultdict(list)
        for one in timed:
            by_length[len(one.gold.sentence)].append(1000 * one.seconds)
        points = sorted((length, mean(values)) for length, values in by_length.items())
        axes.plot(*zip(*points, strict=True), "o", markersize=3, color=color, label=estimates)
        longest, first = max(longest, points[-1][0]), next(p for p in points if p[0] >= 5)
    highest = max(1000 * one.seconds for timed in by_search.values() for one in timed)
    for exponent, style in ((3, "--"), (3 * fan_out, ":")):
        reached = first[0] * (5 * highest / first[1]) ** (1 / exponent)
        ends = (first[0], min(longest, reached))
        costs = [first[1] * (length / first[0]) ** exponent for length in ends]
        axes.plot(ends, costs, style, color="gray", linewidth=1, label=f"O(n^{exponent})")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.set_xticks(TICKS, [str(length) for length in TICKS])
    plain_axes(axes, "tokens", "milliseconds")
    axes.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Train a parser, parse with each search, and print a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("train")
    options.add_argument("dev")
    options.add_argument("--estimates", nargs="+", default=["blocks", "lengths"])
    options.add_argument("--longest", type=int, default=0, help="0: all sentences")
    options.add_argument("--sentences", type=int, default=0, help="0: all sentences")
    options.add_argument("--items", type=int, default=500_000, help="0: no limit")
    options.add_argument("--set", nargs="*", default=[], help="settings, such as vertical=1")
    options.add_argument("--plot", type=Path, default=ROOT / "build/bench/plcfrs.svg")
    given = options.parse_args()
    dev = [one for one in read(given.dev) if len(one.sentence) <= (given.longest or 10**9)]
    dev = dev[: given.sentences or None]
    settings: dict[str, Any] = {"tags": "gold", "functions": False, **read_assignments(given.set)}
    parser = train("plcfrs", train=given.train, **settings)
    assert isinstance(parser, PlcfrsParser)
    grammar = parser.grammar
    fan_out = max(map(grammar.fan_out, grammar.symbols))
    print(f"{grammar}, {len(grammar.symbols):,} symbols, fan-out {fan_out}; {len(dev)} sentences")
    print("| estimates | sentences/s | slowest (ms) | F1 | log-probability | fragments |", end="")
    print(" limited | none |")
    print("|---|---|---|---|---|---|---|---|")
    by_search = {}
    for estimates in given.estimates:
        by_search[estimates] = parse_all(parser, dev, estimates=estimates, items=given.items)
        print(row(estimates, by_search[estimates]), flush=True)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole program: {megabytes:.0f} MB")
    plot(by_search, fan_out, given.plot)
    print(f"time by length: {given.plot}")


if __name__ == "__main__":
    main()
