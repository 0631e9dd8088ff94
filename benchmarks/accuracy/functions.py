"""How often functions are right: on gold trees and on parsed ones, and what they cost.

    scripts/bench accuracy/functions [--only NAME] [--epochs N] [--sentences N] [--joined]

For each treebank beside the repository that has functions, a labeller learns from gold trees with
gold tags and labels the dev trees ("gold trees"). Then a parser (`sr-gap` with few epochs) learns
with tagger and labeller, and parses the dev sentences with predicted tags: F1, F1 with functions in
the labels, and the functions of right constituents and of words. "tokens/s" is parsing without
functions and with them. With `--joined`, another parser learns labels that contain the functions
(the transform add-functions), for comparison. Empty functions count, too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from crossbranch.evaluation import evaluate
from crossbranch.functions import FunctionLabeller, accuracy
from crossbranch.parsers import Parser, train
from crossbranch.span import Span
from crossbranch.transforms import pipeline
from crossbranch.transforms.functions import AddFunctions
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.tree import Tree
from crossbranch.treebank import read

ROOT = Path(__file__).parents[2]
TREEBANKS = ROOT.parent / "shared" / "treebanks"
PREPARE = "attach(nodes=false)"  # gives the trees without functions that others train on
TARGETS = {"alpino": 93.0, "masc": 93.0, "squoia": 88.0, "wsj-sample": None}
HEAD = ("treebank", "functions", "target", "gold trees", "F1", "disc. F1", "F1 with functions")
MORE = ("right constituents", "words", "labeller MB", "tokens/s without", "with")
JOINED = AddFunctions()


def trees_of(name: str, part: str, count: int | None = None) -> list[Tree]:
    """Return trees of a part of a treebank."""
    steps = pipeline(PREPARE)
    found = list(read(TREEBANKS / name / "with-functions" / f"{part}.export.xz"))[:count]
    return [steps.apply(tree) for tree in found]


def percent(right: Sequence[bool]) -> str:
    """Return how many are right of a hundred."""
    return f"{100 * sum(right) / len(right):.2f}" if right else "–"


def right_constituents(gold: Sequence[Tree], parsed: Sequence[Tree]) -> list[bool]:
    """Return for each parsed constituent that is right whether its function is."""
    found = []
    for one, other in zip(gold, parsed, strict=True):
        known: dict[tuple[str, Span], list[str]] = {}
        for node in reversed(one.nodes[1:]):
            known.setdefault((node.label, node.span), []).append(node.edge_label)
        for node in other.nodes[1:]:
            if functions := known.get((node.label, node.span)):
                found.append(functions.pop() == node.edge_label)
    return found


def words(gold: Sequence[Tree], parsed: Sequence[Tree]) -> list[bool]:
    """Return for each word whether its function is right; none if words have no functions."""
    if not any(token.edge_label for tree in gold for token in tree.sentence):
        return []
    return [
        one.edge_label == other.edge_label
        for right, tree in zip(gold, parsed, strict=True)
        for one, other in zip(right.sentence, tree.sentence, strict=True)
    ]


def figures(gold: Sequence[Tree], parsed: Sequence[Tree]) -> list[str]:
    """Return F1, discontinuous F1, F1 with functions, and how often functions are right."""
    plain = evaluate(gold, parsed)
    joined = evaluate(list(map(JOINED.apply, gold)), list(map(JOINED.apply, parsed)))
    scores = [plain.f1, plain.discontinuous_f1, joined.f1]
    return [
        *(f"{100 * score:.2f}" for score in scores),
        percent(right_constituents(gold, parsed)),
        percent(words(gold, parsed)),
    ]


def speed(parser: Parser, trees: Sequence[Tree], *, functions: bool) -> str:
    """Return tokens in a second of processor time, the best of three runs."""
    sentences = [tree.words for tree in trees]
    times = []
    for _ in range(3):
        start = time.process_time()
        for _ in parser.parse_many(sentences, functions=functions):
            pass
        times.append(time.process_time() - start)
    return f"{sum(map(len, sentences)) / min(times):,.0f}"


def measure(name: str, options: argparse.Namespace) -> list[str]:
    """Return the row of a treebank."""
    learned, dev = trees_of(name, "train", options.sentences), trees_of(name, "dev")
    labeller = FunctionLabeller.learn(
        learned, head_table=choose_head_table(learned), seed=options.seed
    )
    size = sum(map(len, labeller.files().values())) / 1e6
    parser = train("sr-gap", train=learned, dev=dev, epochs=options.epochs, seed=options.seed)
    target = TARGETS[name]
    return [
        *(name, str(len(labeller.functions)), f"{target:.0f}" if target else "–"),
        f"{100 * accuracy(labeller, dev):.2f}",
        *figures(dev, list(parser.parse_many(dev, tags="predict"))),
        f"{size:.2f}",
        speed(parser, dev, functions=False),
        speed(parser, dev, functions=True),
    ]


def measure_joined(name: str, options: argparse.Namespace) -> list[str]:
    """Return the row of a parser whose labels contain the functions."""
    learned, dev = trees_of(name, "train", options.sentences), trees_of(name, "dev")
    parser = train(
        "sr-gap",
        train=list(map(JOINED.apply, learned)),
        dev=list(map(JOINED.apply, dev)),
        epochs=options.epochs,
        seed=options.seed,
        functions=False,
    )
    parsed = list(map(JOINED.undo, parser.parse_many(dev, tags="predict")))
    blank = ["–"] * 2
    return [f"{name}, in the labels", *blank, "–", *figures(dev, parsed), *["–"] * 3]


def main() -> None:
    """Learn and measure all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", choices=TARGETS)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--sentences", type=int, help="learn from the first N sentences only")
    parser.add_argument("--joined", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not TREEBANKS.is_dir():
        raise SystemExit("the treebanks are in a folder beside the repository, which is not there")
    head = [*HEAD, *MORE]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for name in [options.only] if options.only else TARGETS:
        print(f"| {' | '.join(measure(name, options))} |", flush=True)
        if options.joined:
            print(f"| {' | '.join(measure_joined(name, options))} |", flush=True)


if __name__ == "__main__":
    main()
