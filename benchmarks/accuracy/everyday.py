"""How many everyday sentences are parsed without a plain error, from raw text.

    scripts/bench accuracy/everyday [MODEL...] [--language XX] [--draw] [--spellings] [--tags]

Each language has 40 sentences of the kind that people type first (benchmarks/everyday). A sentence
counts if its tree has every undoubted constituent; target: 37 of 40. MODEL is a shipped model or a
model folder; without one, all shipped models are measured. `--language` names the language of a
model folder that does not know its own. `--tags` and `--draw` show the tags and trees of failures.
With `--spellings`, the same sentences are tried as others would type them: without the final mark,
in lower case, in capitals, with the other apostrophe.
"""

from __future__ import annotations

import argparse

from _everyday_sentences import LANGUAGES, SPELLINGS, Everyday, everyday, respelled

from crossbranch.models import describe, find_model, shipped
from crossbranch.parsers import Parser, load
from crossbranch.tree import Tree

TARGET = 37
NAMES = {"English": "en", "German": "de", "Dutch": "nl", "Icelandic": "is"}


def language_of(model: str) -> str:
    """Return the code of a model's language; empty if there are no sentences for it."""
    return NAMES.get(describe(find_model(model)).language, "")


def parsed(parser: Parser, sentences: list[Everyday]) -> list[tuple[Everyday, Tree]]:
    """Parse sentences from raw text, each as one sentence."""
    return [(sentence, parser.parse(sentence.text)) for sentence in sentences]


def right(pairs: list[tuple[Everyday, Tree]]) -> int:
    """Return the number of sentences with every undoubted constituent."""
    return sum(not sentence.missing(tree) for sentence, tree in pairs)


def summary(pairs: list[tuple[Everyday, Tree]]) -> str:
    """Return the counts: sentences, those with a gap, constituents."""
    gapped = [pair for pair in pairs if pair[0].is_discontinuous]
    wanted = sum(len(sentence.constituents) for sentence, _ in pairs)
    missing = sum(len(sentence.missing(tree)) for sentence, tree in pairs)
    return (
        f"{right(pairs)} of {len(pairs)} sentences (target: {TARGET}), {right(gapped)} of "
        f"{len(gapped)} with a gap, {wanted - missing} of {wanted} constituents"
    )


def show_failure(sentence: Everyday, tree: Tree, *, tags: bool, draw: bool) -> None:
    """Print what is missing in a tree."""
    missing = ", ".join(map(str, sentence.missing(tree)))
    print(f"  {sentence.text}  missing: {missing}")
    if tags:
        print("   ", " ".join(f"{token.form}/{token.tag}" for token in tree.sentence))
    if draw:
        print(tree.draw())


def measure(model: str, language: str, chosen: argparse.Namespace) -> None:
    """Print the figures and the failures of a model."""
    parser = load(model)
    sentences = everyday(language)
    pairs = parsed(parser, sentences)
    print(f"{model} ({language}): {summary(pairs)}")
    for sentence, tree in pairs:
        if sentence.missing(tree):
            show_failure(sentence, tree, tags=chosen.tags, draw=chosen.draw)
    if chosen.spellings:
        for name, spelling in SPELLINGS.items():
            others = [respelled(sentence, spelling) for sentence in sentences]
            if others != sentences:
                print(f"  {name}: {summary(parsed(parser, others))}")
    print(flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("models", nargs="*", metavar="MODEL")
    options.add_argument("--language", choices=LANGUAGES)
    options.add_argument("--draw", action="store_true", help="draw the trees that fail")
    options.add_argument("--tags", action="store_true", help="print the tags of those that fail")
    options.add_argument("--spellings", action="store_true", help="try other spellings, too")
    chosen = options.parse_args()
    for model in chosen.models or shipped():
        language = chosen.language or language_of(model)
        if language:
            measure(model, language, chosen)
        else:
            options.error(f"the language of {model} is not known; expected --language")


if __name__ == "__main__":
    main()
