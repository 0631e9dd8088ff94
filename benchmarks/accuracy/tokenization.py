"""How well raw text is cut into sentences and tokens: learned on train, measured on dev.

    scripts/bench accuracy/tokenization [--name NAME...] [--sentences N]

The English Web Treebank (ewt) and the German GSD (gsd) have their original text, with its
paragraphs; gsd is one paragraph. Other treebanks have no raw text, so dev is written as people
write it and joined into paragraphs of ten sentences; a sentence without a mark at its end is a
heading and ends its paragraph. The same rules wrote the text that was learned from, so what they
get wrong is not seen here. Compared with a baseline (words and single marks; sentences end after
. ? ! before a capital) and, where spaCy is installed, with its blank pipelines and their
sentencizer.

Tokens and sentences count as right if both ends are; forms if they also read as in the treebank
that was learned from; exact sentences are gold sentences that are found with all their tokens.
Speed is measured on the text of train, by CPU time: the first time, and when its words are known.
"""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from _measuring import FIRST, new_options, print_head, print_row, trees_of

from crossbranch.text import Spacing, Tokenizer, raw_text
from crossbranch.tree import Tree


class Learned(NamedTuple):
    """What a tokenizer learns from, and what it is measured on."""

    code: str
    language: str
    train: tuple[str, ...]
    dev: tuple[str, ...]


LEARNED = {
    "alpino": Learned("nl", "Dutch", ("alpino",), ("alpino",)),
    "craft": Learned("en", "English", ("craft",), ("craft", "ewt")),
    "english": Learned(
        "en", "English", ("masc", "craft", "ewt"), ("masc", "craft", "wsj-sample", "ewt")
    ),
    "squoia": Learned("de", "German", ("squoia",), ("squoia", "gsd")),
    "icepahc": Learned("is", "Icelandic", ("icepahc",), ("icepahc",)),
}
RUNS = 5
SCORES = (
    *("dev", "system", "learned from", "tokens", "forms", "sentences", "sentence ends"),
    "exact sentences",
)
COSTS = (
    *("learned from", "CPU s to learn", "KB", "ms to load", "tokens/s, first time"),
    "tokens/s, words known",
)

Piece = tuple[int, int, str]
"""Start, end and form of a token."""
Splitter = Callable[[str], list[list[Piece]]]


class Raw(NamedTuple):
    """A text, and the tokens of its sentences."""

    text: str
    sentences: list[list[Piece]]


def write(trees: Sequence[Tree], spacing: Spacing | None) -> Raw:
    """Return the sentences of trees as a text with paragraphs."""
    text, placed = raw_text(trees, spacing=spacing)
    return Raw(
        text, [[(t.start or 0, t.end or 0, t.form) for t in tree.sentence] for tree in placed]
    )


def dev_text(name: str, first: int | None) -> Raw:
    """Return the text of dev: its own, or one that is written as in train."""
    trees = trees_of(name, "dev", first=first)
    if all(tree.text for tree in trees):
        return write(trees, None)
    forms = [
        [token.form for token in tree.sentence] for tree in trees_of(name, "train", first=first)
    ]
    return write(trees, Spacing.learn(forms))


def f1(gold: Iterable[object], found: Iterable[object]) -> float:
    """Return F1 in per cent."""
    one, two = set(gold), set(found)
    return 200 * len(one & two) / max(len(one) + len(two), 1)


def scores(gold: list[list[Piece]], found: list[list[Piece]]) -> list[float]:
    """Return F1 of tokens, forms, sentences and sentence ends; recall of exact sentences."""
    kinds: list[Callable[[list[list[Piece]]], list[object]]] = [
        lambda all_: [(start, end) for s in all_ for start, end, _ in s],
        lambda all_: [piece for s in all_ for piece in s],
        lambda all_: [(s[0][0], s[-1][1]) for s in all_ if s],
        lambda all_: [s[-1][1] for s in all_ if s],
    ]
    right, split = (
        {tuple(dict.fromkeys(p[:2] for p in s)) for s in all_} for all_ in (gold, found)
    )
    return [*(f1(kind(gold), kind(found)) for kind in kinds), 100 * len(right & split) / len(right)]


def ours(tokenizer: Tokenizer) -> Splitter:
    """Return our tokenizer as a splitter."""

    def split(text: str) -> list[list[Piece]]:
        return [
            [(token.start or 0, token.end or 0, token.form) for token in tree.sentence]
            for tree in tokenizer.split(text)
        ]

    return split


def baseline(text: str) -> list[list[Piece]]:
    """Cut into words and single marks, and after . ? ! where a capital follows."""
    found = []
    for paragraph in re.finditer(r"(?:(?!\n\n).)+", text, re.DOTALL):
        begin = paragraph.start()
        ends = [
            m.end()
            for m in re.finditer(r"[.?!][\"')]*(?=\s+[\"'(]*[A-ZÞÁÉÍÓÚÝÆÖÄÜ])", paragraph[0])
        ]
        edges = [0, *ends, len(paragraph[0])]
        for start, end in pairwise(edges):
            words = re.finditer(r"\w+|[^\w\s]", paragraph[0][start:end])
            offset = begin + start
            found.append([(offset + w.start(), offset + w.end(), w[0]) for w in words])
    return found


def spacy_blank(language: str) -> Splitter | None:
    """Return spaCy's blank pipeline for a language as a splitter, if spaCy is installed."""
    try:
        spacy = importlib.import_module("spacy")
    except ImportError:
        return None
    pipeline = spacy.blank(language)
    pipeline.add_pipe("sentencizer")

    def split(text: str) -> list[list[Piece]]:
        found = []
        for paragraph in re.finditer(r"(?:(?!\n\n).)+", text, re.DOTALL):
            for sentence in pipeline(paragraph[0]).sents:
                words = [token for token in sentence if not token.is_space]
                starts = [paragraph.start() + token.idx for token in words]
                found.append([(s, s + len(t), t.text) for s, t in zip(starts, words, strict=True)])
        return found

    return split


def speed(tokenizer: Tokenizer, text: str, tokens: int) -> tuple[int, int]:
    """Return tokens per CPU second, the first time and the best of the later ones."""
    seconds = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        for _tree in tokenizer.split(text):
            pass
        seconds.append(time.process_time() - start)
    return round(tokens / seconds[0]), round(tokens / min(seconds[1:]))


def print_scores(dev: str, raw: Raw, split: Splitter, system: str, learned_from: str) -> None:
    """Print the row of a system on a dev text."""
    figures = scores(raw.sentences, split(raw.text))
    print_row([dev, system, learned_from, *(f"{figure:.2f}" for figure in figures)])


def learn(name: str, train: list[Tree]) -> tuple[Tokenizer, list[str]]:
    """Learn a tokenizer; return it and the row of its costs."""
    start = time.process_time()
    learned = Tokenizer.learn(train, language=LEARNED[name].language)
    learning = time.process_time() - start
    data = learned.to_json()
    start = time.process_time()
    tokenizer = Tokenizer.from_json(data)
    loading = time.process_time() - start
    text, sentences = write(train, None)
    speeds = speed(Tokenizer.from_json(data), text, sum(map(len, sentences)))
    costs = [f"{learning:.1f}", f"{len(data) / 1000:.0f}", f"{1000 * loading:.1f}"]
    return tokenizer, [name, *costs, *(f"{each:,}" for each in speeds)]


def main() -> None:
    """Measure the tokenizers that are asked for."""
    parser = new_options(__doc__)
    parser.add_argument("--name", nargs="+", default=list(LEARNED), choices=LEARNED)
    parser.add_argument("--sentences", type=int, metavar="N", help=FIRST)
    options = parser.parse_args()
    texts: dict[str, Raw] = {}
    costs = []
    print_head(SCORES)
    for name in options.name:
        learned = LEARNED[name]
        sources = [trees_of(source, "train", first=options.sentences) for source in learned.train]
        tokenizer, row = learn(name, [tree for trees in sources for tree in trees])
        costs.append(row)
        for dev in learned.dev:
            if dev not in texts:
                texts[dev] = dev_text(dev, options.sentences)
                print_scores(dev, texts[dev], baseline, "baseline", "")
                if blank := spacy_blank(learned.code):
                    print_scores(dev, texts[dev], blank, "spaCy blank", "")
            print_scores(dev, texts[dev], ours(tokenizer), "crossbranch", name)
    print()
    print_head(COSTS)
    for row in costs:
        print_row(row)


if __name__ == "__main__":
    main()
