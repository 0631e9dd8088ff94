"""Silver trees: is the tree that agrees best with dependencies a better tree?

A parser is trained on MASC and a part of CRAFT, with gold tags. The sentences of MASC's dev part
get the dependencies of their gold trees, with the heads of a head table. The tree that agrees best
with them is chosen from each k-best list, and compared with the gold tree. Prints a table.

    scripts/bench accuracy/silver [--model FOLDER] [--k-best N] [--beam N] [--sentences N]
"""

from __future__ import annotations

from _measuring import FIRST, new_options, print_head, print_row, trees_of

import crossbranch
from crossbranch.evaluation import Evaluation
from crossbranch.evaluation.agreement import Agreement, agreement
from crossbranch.parsers import Parser
from crossbranch.transforms.heads import Heads
from crossbranch.tree import Tree

LEAST = (0.8, 0.9, 0.95, 1.0)
FEATURES = "baseline,extended,spans,children,distant,disco"


def main() -> None:
    """Print F1 of the best trees, of the chosen trees and of the oracle; and by agreement."""
    options = new_options(__doc__)
    options.add_argument("--model", metavar="FOLDER", help="use this model and train none")
    options.add_argument("--k-best", type=int, default=20, metavar="N")
    options.add_argument("--beam", type=int, default=32, metavar="N")
    options.add_argument("--heads", default="ptb", help="head table for the dependencies")
    options.add_argument("--sentences", type=int, metavar="N", help=FIRST)
    given = options.parse_args()
    gold = trees_of("masc", "dev", first=given.sentences)
    parser = crossbranch.load(given.model) if given.model else teach(gold, given.sentences)
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
    print_head([f"{len(gold)} sentences", "F1 / disc. F1", "agreement"])
    best = [one[0] for one in lists]
    print_row(row("best tree", gold, best, [one[0] for one in found]))
    print_row(row("chosen tree", gold, picked, picked_agreement))
    print_row(["oracle", both_f1(crossbranch.evaluate_k_best(gold, lists).oracle()), ""])
    for least in LEAST:
        kept = [i for i, one in enumerate(picked_agreement) if one.share >= least]
        if kept:
            name = f"chosen, agreement at least {least:g}: {len(kept)}"
            trees = [picked[i] for i in kept]
            of_kept = [picked_agreement[i] for i in kept]
            print_row(row(name, [gold[i] for i in kept], trees, of_kept))


def teach(dev: list[Tree], first: int | None) -> Parser:
    """Train a parser with gold tags on MASC, twice, and on a third of CRAFT."""
    masc, craft = (trees_of(name, "train", first=first) for name in ("masc", "craft"))
    trees = [*masc, *masc, *craft[::3]]
    return crossbranch.train(
        "sr-gap", train=trees, dev=dev, tags="gold", epochs=6, features=FEATURES
    )


def arcs_of(tree: Tree, table: str) -> list[tuple[int, str]]:
    """Return the dependencies of a gold tree, by a head table."""
    found = Heads(table).apply(tree).dependencies()
    return [(-1 if one.head is None else one.head, one.relation) for one in found]


def row(name: str, gold: list[Tree], trees: list[Tree], agreements: list[Agreement]) -> list[str]:
    """Return one row of the table; there is at least one tree."""
    words, agreed = (sum(each) for each in zip(*agreements, strict=True))
    share = Agreement(words, agreed).share
    return [name, both_f1(crossbranch.evaluate(gold, trees)), f"{share:.3f}"]


def both_f1(scores: Evaluation) -> str:
    """Return F1 of all and of discontinuous constituents."""
    return f"{100 * scores.f1:.2f} / {100 * scores.discontinuous_f1:.2f}"


if __name__ == "__main__":
    main()
