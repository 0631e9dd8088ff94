"""Functions and dependencies of the shipped models, on dev parts that have functions.

    scripts/bench accuracy/shipped_functions [--models NAME_OR_FOLDER=TREEBANK...] [--threads N]
        [--sentences N]

The dev sentences are parsed with predicted tags. "F1 with functions": a constituent is right if
its label, its words and its function are. "functions of constituents" and "of words": among right
constituents and words with the right tag, those with the right function; what has a function in
neither tree does not count. UAS and LAS: dependencies of the parsed trees against those of the
gold trees, with heads by the same table, without punctuation.
"""

from __future__ import annotations

from _function_figures import COLUMNS, function_figures, gold_trees
from _measuring import FIRST, new_options, print_head, print_row

from crossbranch.parsers import load

MODELS = ("nl=alpino", "de=squoia", "en=masc", "en=wsj-sample")


def main() -> None:
    """Print the table."""
    options = new_options(__doc__)
    options.add_argument("--models", nargs="*", default=MODELS, metavar="NAME_OR_FOLDER=TREEBANK")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--sentences", type=int, metavar="N", help=FIRST)
    chosen = options.parse_args()
    print_head(["model", "dev trees", *COLUMNS])
    for pair in chosen.models:
        name, _, treebank = pair.partition("=")
        gold = gold_trees(treebank, "dev", first=chosen.sentences)
        parsed = load(name).parse_many(gold, tags="predict", threads=chosen.threads)
        print_row([name, treebank, *function_figures(gold, parsed, treebank)])


if __name__ == "__main__":
    main()
