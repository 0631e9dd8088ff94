"""How good the shipped models are on the dev parts of their treebanks, from gold tags to raw text.

    scripts/bench accuracy/shipped_models [--treebanks FOLDER] [--models NAME...] [--threads N]

Three ways in: tokens and tags of the treebank; its tokens, with tags of our own; and raw text,
which is the dev part written as people write (`raw_text`), cut into sentences and tokens again.
From raw text, a constituent is right if its label is and it covers the right characters.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from crossbranch.models import shipped
from crossbranch.parsers import load
from crossbranch.parsers.dev_scores import dev_scores
from crossbranch.treebank import read

TREEBANKS = Path(__file__).parents[3] / "shared/treebanks"
TRAINED_ON = {
    "nl": "alpino",
    "en": "masc",
    "en-bio": "craft",
    "de": "squoia",
    "is": "icepahc",
}
"""The treebank whose dev trees a model is measured on."""
COLUMNS = ("f1", "discontinuous_f1", "exact", "tags", "tokens", "sentences")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument(
        "--models", nargs="*", default=[name for name in TRAINED_ON if name in shipped()]
    )
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    print("| model | input | F1 | disc. F1 | exact | tags | tokens F1 | sentences F1 |")
    print("|---|---|---|---|---|---|---|---|")
    for name in chosen.models:
        dev = list(read(chosen.treebanks / TRAINED_ON[name] / "dev.export.xz"))
        scores = dev_scores(load(name), dev, threads=chosen.threads)
        for way, figures in scores.items():
            cells = [f"{100 * figures[key]:.2f}" if key in figures else "" for key in COLUMNS]
            print("|", " | ".join([name, way, *cells]), "|", flush=True)


if __name__ == "__main__":
    main()
