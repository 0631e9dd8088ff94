"""How often functions are right: on gold trees and on parsed ones, and what they cost.

    scripts/bench accuracy/functions [--only NAME] [--epochs N] [--sentences N] [--joined]

For each treebank beside the repository that has functions, a labeller learns from gold trees with
gold tags and labels the dev trees ("gold trees": the share of nodes and words that get their
function; empty functions count). Then a parser (`sr-gap` with few epochs) learns with tagger and
labeller, and parses the dev sentences with predicted tags. The columns from F1 to LAS are those of
accuracy/shipped_functions. "tokens/s" is parsing without functions and with them. With `--joined`,
another parser learns labels that contain the functions (the transform add-functions), for
comparison.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from _function_figures import COLUMNS, function_figures, gold_trees
from _measuring import FIRST, new_options, print_head, print_row

from crossbranch.functions import FunctionLabeller, accuracy
from crossbranch.parsers import Parser, train
from crossbranch.transforms.functions import AddFunctions
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.tree import Tree

TARGETS = {"alpino": "93", "masc": "93", "squoia": "88", "wsj-sample": ""}
"""The target for gold trees."""
LABELLER = ("treebank", "functions", "target", "gold trees")
COSTS = ("labeller MB", "tokens/s without", "with")
JOINED = AddFunctions()
RUNS = 3


def speed(parser: Parser, trees: Sequence[Tree], *, functions: bool) -> str:
    """Return tokens in a second of processor time, the best of some runs."""
    sentences = [tree.words for tree in trees]
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        for _tree in parser.parse_many(sentences, functions=functions):
            pass
        times.append(time.process_time() - start)
    return f"{sum(map(len, sentences)) / min(times):,.0f}"


def measure(
    name: str, learned: Sequence[Tree], dev: Sequence[Tree], options: argparse.Namespace
) -> list[str]:
    """Return the row of a parser with a labeller."""
    labeller = FunctionLabeller.learn(
        learned, head_table=choose_head_table(learned), seed=options.seed
    )
    size = sum(map(len, labeller.files().values())) / 1e6
    parser = train("sr-gap", train=learned, dev=dev, epochs=options.epochs, seed=options.seed)
    return [
        *(name, str(len(labeller.functions)), TARGETS[name]),
        f"{100 * accuracy(labeller, dev):.2f}",
        *function_figures(dev, parser.parse_many(dev, tags="predict"), name),
        *(f"{size:.2f}", speed(parser, dev, functions=False), speed(parser, dev, functions=True)),
    ]


def measure_joined(
    name: str, learned: Sequence[Tree], dev: Sequence[Tree], options: argparse.Namespace
) -> list[str]:
    """Return the row of a parser whose labels contain the functions."""
    parser = train(
        "sr-gap",
        train=list(map(JOINED.apply, learned)),
        dev=list(map(JOINED.apply, dev)),
        epochs=options.epochs,
        seed=options.seed,
        functions=False,
    )
    parsed = map(JOINED.undo, parser.parse_many(dev, tags="predict"))
    figures = dict(zip(COLUMNS, function_figures(dev, parsed, name), strict=True))
    if figures["functions of words"]:  # these words have functions, but labels only those of nodes
        figures |= {"functions of words": "", "LAS": ""}
    return [f"{name}, in the labels", "", "", "", *figures.values(), *[""] * len(COSTS)]


def main() -> None:
    """Learn and measure all."""
    parser = new_options(__doc__)
    parser.add_argument("--only", choices=TARGETS)
    parser.add_argument("--epochs", type=int, default=4, metavar="N", help="train for N epochs")
    parser.add_argument("--sentences", type=int, metavar="N", help=FIRST)
    parser.add_argument("--joined", action="store_true", help="compare functions in the labels")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    print_head([*LABELLER, *COLUMNS, *COSTS])
    for name in [options.only] if options.only else TARGETS:
        learned, dev = (
            gold_trees(name, part, first=options.sentences) for part in ("train", "dev")
        )
        print_row(measure(name, learned, dev, options))
        if options.joined:
            print_row(measure_joined(name, learned, dev, options))


if __name__ == "__main__":
    main()
