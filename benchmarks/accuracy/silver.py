"""Silver trees: is the tree that agrees best with dependencies a better tree?

A parser is trained on MASC and a part of CRAFT, with gold tags. The sentences of MASC's dev part
get the dependencies of their gold trees, with the heads of a head table. The tree that agrees best
with them is chosen from each k-best list, and compared with the gold tree. Prints a table.

    scripts/bench accuracy/silver [--shared ../shared] [--model FOLDER] [--k-best 20] [--beam 32]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import crossbranch
from crossbranch.evaluation.agreement import Agreement, agreement
from crossbranch.parsers import Parser
from crossbranch.transforms.heads import Heads
from crossbranch.tree import Tree

LEAST = (0.0, 0.8, 0.9, 0.95, 1.0)
FEATURES = "baseline,extended,spans,children,distant,disco"


def main() -> None:
    """Print F1 of the best trees, of the chosen trees and of the oracle; and by agreement."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shared", type=Path, default=Path("../shared"))
    arguments.add_argument("--model", help="use this model instead of training one")
    arguments.add_argument("--k-best", type=int, default=20)
    arguments.add_argument("--beam", type=int, default=32)
    arguments.add_argument("--heads", default="ptb", help="head table for the dependencies")
    given = arguments.parse_args()
    treebanks = given.shared / "treebanks"
    gold = list(crossbranch.read(treebanks / "masc" / "dev.export.xz"))
    parser = crossbranch.load(given.model) if given.model else teach(treebanks, gold)
    lists = [
        [one.tree for one in scored]
        for scored in parser.parse_k_best(gold, given.k_best, beam=given.beam)
    ]
    arcs = [arcs_of(tree, given.heads) for tree in gold]
    found = [
        [agreement(tree, arc) for tree in trees] for trees, arc in zip(lists, arcs, strict=True)
    ]
    chosen = [max(range(len(one)), key=lambda i: (one[i].agreed, -i)) for one in found]
    picked = [trees[i] for trees, i in zip(lists, chosen, strict=True)]
    picked_agreement = [one[i] for one, i in zip(found, chosen, strict=True)]
    print(f"| {len(gold)} sentences | F1 / disc. F1 | agreement |\n|---|---|---|")
    best = [one[0] for one in lists]
    print(row("best tree", gold, best, [one[0] for one in found]))
    print(row("chosen tree", gold, picked, picked_agreement))
    oracle = crossbranch.evaluate_k_best(gold, lists).oracle()
    print(f"| oracle | {100 * oracle.f1:.2f} / {100 * oracle.discontinuous_f1:.2f} | |")
    for least in LEAST:
        kept = [i for i, one in enumerate(picked_agreement) if one.share >= least]
        name = f"chosen, agreement at least {least:g}: {len(kept)}"
        trees = [picked[i] for i in kept]
        print(row(name, [gold[i] for i in kept], trees, [picked_agreement[i] for i in kept]))


def teach(treebanks: Path, dev: list[Tree]) -> Parser:
    """Train a parser with gold tags on MASC, twice, and on a third of CRAFT."""
    masc, craft = (
        list(crossbranch.read(treebanks / name / "train.export.xz")) for name in ("masc", "craft")
    )
    trees = [*masc, *masc, *craft[::3]]
    return crossbranch.train(
        "sr-gap", train=trees, dev=dev, tags="gold", epochs=6, features=FEATURES
    )


def arcs_of(tree: Tree, table: str) -> list[tuple[int, str]]:
    """Return the dependencies of a gold tree, by a head table."""
    found = Heads(table).apply(tree).dependencies()
    return [(-1 if one.head is None else one.head, one.relation) for one in found]


def row(name: str, gold: list[Tree], trees: list[Tree], agreements: list[Agreement]) -> str:
    """Return one line of the table."""
    scores = crossbranch.evaluate(gold, trees)
    words, agreed = (sum(each) for each in zip(*agreements, strict=True))
    share = Agreement(words, agreed).share
    return f"| {name} | {100 * scores.f1:.2f} / {100 * scores.discontinuous_f1:.2f} | {share:.3f} |"


if __name__ == "__main__":
    main()
