"""How often lemmas are right: with gold tags and predicted ones, for known and unknown words.

    scripts/bench accuracy/lemmas [--only NAME] [--epochs N] [--seed N]

Lemmatizers and taggers learn from the train part of each treebank beside the repository, and are
tried on its dev part with gold tokens. "lower case" takes each word in lower case as its lemma.
"by form" gives a known word its most frequent lemma, and puts other words into lower case. Tokens
without a gold lemma do not count.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from crossbranch.tagging import Lemmatizer, Tagger
from crossbranch.tree import Sentence
from crossbranch.treebank import read

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
DATA = {
    "alpino": "treebanks/alpino/{}.export.xz",
    "ewt": "tagged/ewt/{}.conllu.xz",
    "icepahc": "treebanks/icepahc/{}.export.xz",
}
TARGETS = {"alpino": 96.0, "ewt": 97.5, "icepahc": 95.0}
HEAD = ("treebank", "tags", "target", "lower case", "by form", "all", "known", "unknown")
COSTS = ("CPU seconds to learn", "MB", "microseconds a token")


def percent(right: Sequence[bool]) -> str:
    """Return how many are right of a hundred."""
    return f"{100 * sum(right) / len(right):.2f}" if right else "–"


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
    counts: dict[str, Counter[str]] = {}
    for token in (token for sentence in train for token in sentence if token.lemma):
        counts.setdefault(token.form, Counter())[token.lemma] += 1
    best = {form: lemmas.most_common(1)[0][0] for form, lemmas in counts.items()}
    return (
        lambda sentence: [token.form.lower() for token in sentence],
        lambda sentence: [best.get(token.form, token.form.lower()) for token in sentence],
    )


def measure(name: str, options: argparse.Namespace) -> list[list[str]]:
    """Return the rows of a treebank: with gold tags, and with predicted ones."""
    train, dev = (
        [tree.sentence for tree in read(SHARED / DATA[name].format(part))]
        for part in ("train", "dev")
    )
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
                percent([right for _, right in pairs]),
                percent([right for form, right in pairs if form in known]),
                percent([right for form, right in pairs if form not in known]),
                *(f"{seconds:.0f}", f"{size:.2f}", f"{1e6 * spent:.2f}"),
            ]
        )
    return rows


def main() -> None:
    """Learn and measure all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", choices=DATA)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not SHARED.is_dir():
        raise SystemExit("the treebanks are in a folder beside the repository, which is not there")
    head = [*HEAD, *COSTS]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for name in [options.only] if options.only else DATA:
        for row in measure(name, options):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
