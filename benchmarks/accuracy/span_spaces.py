"""Trains a parser with span charts once, and scores it in all search spaces.

    scripts/bench accuracy/span_spaces --treebank FOLDER [--epochs N] [--seed N] [--device cuda]
        [--set KEY=VALUE ...]

FOLDER has train.export.xz and dev.export.xz. The last epoch is used, so dev chooses nothing. Each
row is one way to find the tree, with F1, F1 of discontinuous constituents, and their precision and
recall. torch must be installed; without a GPU, use `--set encoder.hidden=100` or the like.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from _measuring import new_options, print_head, print_row

import crossbranch
from crossbranch.config import read_assignments
from crossbranch.parsers.sentences import untagged

SEARCHES = (
    ("continuous", False, "best"),
    ("cubic", False, "best"),
    ("quartic", False, "best"),
    ("quintic", False, "best"),
    ("quintic", True, "best"),
    ("sextic", True, "best"),
    ("cubic", False, "minimum-risk"),
    ("quintic", False, "minimum-risk"),
    ("quintic", True, "minimum-risk"),
)
"""Search spaces, whether trees may be ill-nested, and which tree is the result."""
HEAD = ("space", "ill-nested", "decode", "F1", "disc. F1", "precision", "recall")


def main() -> None:
    """Train and score."""
    parser = new_options(__doc__)
    parser.add_argument("--treebank", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--preset", default="span")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--sentences", type=int, help="use only the first N of each part")
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="KEY=VALUE")
    chosen = parser.parse_args()
    train, dev = (
        list(islice(crossbranch.read(chosen.treebank / f"{part}.export.xz"), chosen.sentences))
        for part in ("train", "dev")
    )
    changes = read_assignments(chosen.settings)
    settings: dict[str, Any] = {"functions": False, "lemmas": False, **changes}
    model = crossbranch.train(
        chosen.preset,
        train=train,
        epochs=chosen.epochs,
        seed=chosen.seed,
        threads=chosen.threads,
        device=chosen.device,
        **settings,
    )
    words = [untagged(tree.sentence) for tree in dev]
    print_head(HEAD)
    for space, ill_nested, decode in SEARCHES:
        found = model.parse_many(
            words, space=space, ill_nested=ill_nested, decode=decode, threads=chosen.threads
        )
        scores = crossbranch.evaluate(dev, list(found))
        figures = (
            *(scores.f1, scores.discontinuous_f1),
            *(scores.discontinuous_precision, scores.discontinuous_recall),
        )
        print_row(
            [space, "yes" if ill_nested else "no", decode, *(f"{100 * x:.2f}" for x in figures)]
        )


if __name__ == "__main__":
    main()
