"""How well raw text is cut into sentences and tokens: learned on train, measured on dev.

    scripts/bench accuracy/tokenization [--name NAME ...]

The English Web Treebank (ewt) and the German GSD (gsd) have their original text, with its
paragraphs; gsd is one paragraph. Other treebanks have no raw text, so dev is written as people
write it and joined into paragraphs of ten sentences; a sentence without a mark at its end is a
heading and ends its paragraph. The same rules wrote the text that was learned from, so what they
get wrong is not seen here. Compared with a baseline (words and single marks; sentences end after
. ? ! before a capital) and, where spaCy is installed, with its blank pipelines and their
sentencizer.

Tokens and sentences count as right if both ends are; forms if they also read as in the treebank
that was learned from; exact sentences are gold sentences that are found with all their tokens.
"""

from __future__ import annotations

import argparse
import importlib
import re
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from crossbranch.text import Spacing, Tokenizer, raw_text
from crossbranch.tree import Tree
from crossbranch.treebank import read

SHARED = Path(__file__).parents[3] / "shared"


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

Piece = tuple[int, int, str]
"""Start, end and form of a token."""
Splitter = Callable[[str], list[list[Piece]]]


class Raw(NamedTuple):
    """A text, and the tokens of its sentences."""

    text: str
    sentences: list[list[Piece]]


def trees_of(name: str, part: str) -> list[Tree]:
    """Return a part of a treebank, or of a tagged text."""
    tagged = SHARED / "tagged" / name / f"{part}.conllu.xz"
    return list(
        read(tagged if tagged.exists() else SHARED / "treebanks" / name / f"{part}.export.xz")
    )


def write(trees: Sequence[Tree], spacing: Spacing | None) -> Raw:
    """Return the sentences of trees as a text with paragraphs."""
    text, placed = raw_text(trees, spacing=spacing)
    return Raw(
        text, [[(t.start or 0, t.end or 0, t.form) for t in tree.sentence] for tree in placed]
    )


def dev_text(name: str) -> Raw:
    """Return the text of dev: its own, or one that is written as in train."""
    trees = trees_of(name, "dev")
    if all(tree.text for tree in trees):
        return write(trees, None)
    forms = [[token.form for token in tree.sentence] for tree in trees_of(name, "train")]
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


def measure(name: str) -> None:
    """Print the rows of a tokenizer."""
    learned_from = LEARNED[name]
    train = [tree for source in learned_from.train for tree in trees_of(source, "train")]
    start = time.process_time()
    learned = Tokenizer.learn(train, language=learned_from.language)
    learning = time.process_time() - start
    data = learned.to_json()
    start = time.process_time()
    tokenizer = Tokenizer.from_json(data)
    loading = time.process_time() - start
    systems = {
        "crossbranch": ours(tokenizer),
        "baseline": baseline,
        "spaCy blank": spacy_blank(learned_from.code),
    }
    for dev in learned_from.dev:
        raw = dev_text(dev)
        for system, split in systems.items():
            if split:
                figures = scores(raw.sentences, split(raw.text))
                row = " | ".join(f"{figure:.2f}" for figure in figures)
                print(f"| {dev} | {system}, {name} | {row} |", flush=True)
    text, sentences = write(train, None)
    first, later = speed(Tokenizer.from_json(data), text, sum(map(len, sentences)))
    print(
        f"  {name}: learned in {learning:.1f} s, {len(data) / 1000:.0f} KB, loaded in "
        f"{1000 * loading:.1f} ms; text of train: {first:,} tokens/s, again {later:,}",
        flush=True,
    )


def main() -> None:
    """Measure the tokenizers that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", nargs="+", default=list(LEARNED), choices=LEARNED)
    print("| dev | system | tokens | forms | sentences | sentence ends | exact sentences |")
    print("|---|---|---|---|---|---|---|")
    for name in parser.parse_args().name:
        measure(name)


if __name__ == "__main__":
    main()
