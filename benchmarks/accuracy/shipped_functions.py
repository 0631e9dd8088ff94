"""Functions and dependencies of the shipped models, on dev parts that have functions.

    scripts/bench accuracy/shipped_functions [--models NAME_OR_FOLDER=TREEBANK...] [--threads N]

The dev sentences are parsed with predicted tags. "F1 with functions": a constituent is right if
its label, its words and its function are. "functions of constituents" and "of words": among right
constituents and words with the right tag, those with the right function; what has a function in
neither tree does not count. UAS and LAS: dependencies of the parsed trees against those of the
gold trees, with heads by the same table, without punctuation.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from crossbranch.evaluation import evaluate
from crossbranch.evaluation.alignment import Aligned
from crossbranch.evaluation.dependency_scores import DependencyScores
from crossbranch.evaluation.function_scores import FunctionScores
from crossbranch.evaluation.pairs import Pair
from crossbranch.parsers import load
from crossbranch.transforms import pipeline
from crossbranch.treebank import read

TREEBANKS = Path(__file__).parents[3] / "shared/treebanks"
PREPARE = pipeline("attach(nodes=false)")  # gives the trees that models learn from
MODELS = ("nl=alpino", "de=squoia", "en=masc", "en=wsj-sample")
COLUMNS = (
    *("model", "dev trees", "F1", "F1 with functions", "functions of constituents"),
    *("functions of words", "UAS", "LAS"),
)


def row(name: str, treebank: str, threads: int) -> list[str]:
    """Return the figures of a model on a treebank."""
    parser = load(name)
    path = TREEBANKS / treebank / "with-functions/dev.export.xz"
    table = "ptb" if treebank in ("masc", "wsj-sample") else "auto"
    gold = [PREPARE.apply(tree).mark_heads(table) for tree in read(path)]
    functions, dependencies = FunctionScores(), DependencyScores()

    def observe(_: Aligned, pair: Pair) -> None:
        functions.add(pair)
        dependencies.add(pair)

    parsed = (
        tree.mark_heads(table) for tree in parser.parse_many(gold, tags="predict", threads=threads)
    )
    found = evaluate(gold, parsed, observe=observe)
    has_words = any(token.edge_label for tree in gold for token in tree.sentence)
    shares = [
        *(found.f1, functions.brackets.f1, functions.node_accuracy),
        functions.token_accuracy if has_words else None,
        *(dependencies.unlabelled, dependencies.labelled),
    ]
    return [name, treebank, *("" if one is None else f"{100 * one:.2f}" for one in shares)]


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--models", nargs="*", default=MODELS)
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    print("|", " | ".join(COLUMNS), "|")
    print("|" + "---|" * len(COLUMNS))
    for pair in chosen.models:
        name, _, treebank = pair.partition("=")
        print("|", " | ".join(row(name, treebank, chosen.threads)), "|", flush=True)


if __name__ == "__main__":
    main()
