"""How often lemmas are right: with gold tags and predicted ones, for known and unknown words.

    scripts/bench accuracy/lemmas [--only NAME] [--epochs N] [--sentences N] [--seed N]

Lemmatizers and taggers learn from the train part of each treebank beside the repository, and are
tried on its dev part with gold tokens. "lower case" takes each word in lower case as its lemma.
"by form" gives a known word its most frequent lemma, and puts other words into lower case. Tokens
without a gold lemma do not count.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from _measuring import (
    FIRST,
    by_knowledge,
    most_frequent,
    new_options,
    percent,
    print_head,
    print_row,
    sentences_of,
)

from crossbranch.tagging import Lemmatizer, Tagger
from crossbranch.tree import Sentence

TARGETS = {"alpino": 96.0, "ewt": 97.5, "icepahc": 95.0}
HEAD = ("treebank", "tags", "target", "lower case", "by form", "all", "known", "unknown")
COSTS = ("CPU seconds to learn", "MB", "microseconds a token")


def compared(
    gold: Sequence[Sentence], seen: Sequence[Sentence], lemmas: Callable[[Sentence], Sequence[str]]
) -> list[tuple[str, bool]]:
    """Return each form that has a gold lemma, and whether that lemma is found."""
    return [
        (token.form, token.lemma == lemma)
        for right, sentence in zip(gold, seen, strict=True)
        for token, lemma in zip(right, lemmas(sentence), strict=True)
        if token.lemma
    ]


def baselines(
    train: Sequence[Sentence],
) -> tuple[Callable[[Sentence], list[str]], Callable[[Sentence], list[str]]]:
    """Return words in lower case, and the most frequent lemmas of forms."""
    tokens = (token for sentence in train for token in sentence if token.lemma)
    best = most_frequent((token.form, token.lemma) for token in tokens)
    return (
        lambda sentence: [token.form.lower() for token in sentence],
        lambda sentence: [best.get(token.form, token.form.lower()) for token in sentence],
    )


def measure(name: str, options: argparse.Namespace) -> list[list[str]]:
    """Return the rows of a treebank: with gold tags, and with predicted ones."""
    train, dev = (sentences_of(name, part, first=options.sentences) for part in ("train", "dev"))
    known = {token.form for sentence in train for token in sentence}
    start = time.process_time()
    lemmatizer = Lemmatizer.learn(train, seed=options.seed)
    seconds = time.process_time() - start
    size = sum(map(len, lemmatizer.files().values())) / 1e6
    found = Tagger.learn(train, epochs=options.epochs, seed=options.seed).tag(dev)
    predicted = [
        tuple(token._replace(tag=tag) for token, tag in zip(sentence, tags, strict=True))
        for sentence, tags in zip(dev, found, strict=True)
    ]
    rows = []
    for title, seen in (("gold tags", dev), ("predicted tags", predicted)):
        simple = [percent([r for _, r in compared(dev, seen, one)]) for one in baselines(train)]
        pairs = compared(dev, seen, lemmatizer.lemmas)
        start = time.process_time()
        for sentence in seen:
            lemmatizer.lemmas(sentence)
        spent = (time.process_time() - start) / sum(map(len, seen))
        rows.append(
            [
                *(name, title, f"{TARGETS[name]:.1f}", *simple),
                *by_knowledge(pairs, known),
                *(f"{seconds:.0f}", f"{size:.2f}", f"{1e6 * spent:.2f}"),
            ]
        )
    return rows


def main() -> None:
    """Learn and measure all."""
    parser = new_options(__doc__)
    parser.add_argument("--only", choices=TARGETS)
    parser.add_argument("--epochs", type=int, default=8, metavar="N", help="epochs of the tagger")
    parser.add_argument("--sentences", type=int, metavar="N", help=FIRST)
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    print_head([*HEAD, *COSTS])
    for name in [options.only] if options.only else TARGETS:
        for row in measure(name, options):
            print_row(row)


if __name__ == "__main__":
    main()
