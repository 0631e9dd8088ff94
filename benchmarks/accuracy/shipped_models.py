"""How good the shipped models are on dev parts, from gold tags to raw text.

    scripts/bench accuracy/shipped_models [--models NAME_OR_FOLDER=TREEBANK...] [--threads N]
        [--sentences N]

Three ways in: tokens and tags of the treebank; its tokens, with tags of the model; and raw text,
which the model cuts into sentences and tokens. If a treebank has no raw text, its dev part is
written as people write (`raw_text`). From raw text, a constituent is right if its label is and it
covers the right characters. What the model did to its training data before it learned from them
(`prepare`) is done to the dev trees, too. Tagged text has no constituents: only tags, tokens and
sentences are measured.
"""

from __future__ import annotations

from _measuring import FIRST, new_options, print_head, print_row, trees_of

from crossbranch.parsers import load
from crossbranch.parsers.dev_scores import dev_scores
from crossbranch.transforms import pipeline

MODELS = (
    *("nl=alpino", "en=masc", "en=craft", "en=wsj-sample", "en=ewt"),
    *("en-bio=craft", "en-bio=masc", "de=squoia", "de=gsd", "is=icepahc"),
    *("nl-neural=alpino", "en-neural=masc", "en-neural=craft", "en-neural=wsj-sample"),
    *("en-neural=ewt", "de-neural=squoia", "de-neural=gsd", "is-neural=icepahc"),
)
COLUMNS = ("f1", "discontinuous_f1", "exact", "tags", "tokens", "sentences")
HEAD = (*("model", "dev", "input", "F1", "disc. F1", "exact", "tags", "tokens F1", "sentences F1"),)


def main() -> None:
    """Print the table."""
    options = new_options(__doc__)
    options.add_argument("--models", nargs="*", default=MODELS, metavar="NAME_OR_FOLDER=TREEBANK")
    options.add_argument("--threads", type=int, default=2, metavar="N")
    options.add_argument("--sentences", type=int, metavar="N", help=FIRST)
    chosen = options.parse_args()
    print_head(HEAD)
    for pair in chosen.models:
        name, _, treebank = pair.partition("=")
        parser = load(name)
        prepare = pipeline(parser.settings.prepare).apply
        dev = [prepare(tree) for tree in trees_of(treebank, "dev", first=chosen.sentences)]
        for way, figures in dev_scores(parser, dev, threads=chosen.threads).items():
            cells = [f"{100 * figures[key]:.2f}" if key in figures else "" for key in COLUMNS]
            print_row([name, treebank, way, *cells])


if __name__ == "__main__":
    main()
