"""Scores of a parser on dev trees: with gold tags, with its own tags, and from raw text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from crossbranch.evaluation import evaluate
from crossbranch.evaluation.alignment import Alignment
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.sources import has_constituents
from crossbranch.tagging import accuracy
from crossbranch.text import raw_text
from crossbranch.tree import Tree

Figures = dict[str, float]


def dev_scores(
    parser: Parser,
    dev: Sequence[Tree],
    *,
    threads: int = 1,
    with_given_tags: Sequence[Tree] | None = None,
) -> dict[str, Figures]:
    """Return the scores by input: gold tags, given, own or predicted tags, and raw text.

    The scores are F1, F1 of discontinuous constituents, exact match, and the accuracy of what the
    model predicts before parsing (tags, tokens, sentences). Text without constituents only has
    the accuracies.

    Args:
        parser: The parser.
        dev: The gold trees.
        threads: The number of cores to use.
        with_given_tags: The same trees with the tags of a file, which the parser was trained for.
    """
    scores = {}
    if with_given_tags is not None:
        found = _figures(dev, parser.parse_many(with_given_tags, threads=threads))
        scores["given tags"] = found | {"tags": _same_tags(dev, with_given_tags)}
    if not parser.tags_by_itself:
        given = "words" if parser.settings.tags == "none" else "gold tags"
        scores[given] = _figures(dev, parser.parse_many(dev, threads=threads))
    else:
        trees = list(parser.parse_many(dev, threads=threads, tags="predict"))
        scores["own tags"] = _figures(dev, trees) | {"tags": _same_tags(dev, trees)}
    if parser.tagger is not None:
        predicted = parser.parse_many(dev, threads=threads, tags="predict")
        sentences = [tree.sentence for tree in dev]
        tags = accuracy(parser.tagger, sentences, threads=threads)
        scores["predicted tags"] = _figures(dev, predicted) | {"tags": tags}
    if parser.reads_text:
        text, gold = raw_text(dev)
        trees = list(parser.parse_text(text, threads=threads))
        scores["raw text"] = _figures(gold, trees, align="text") | {
            "tokens": _f1(_token_places(gold), _token_places(trees)),
            "sentences": _f1(_sentence_places(gold), _sentence_places(trees)),
        }
    return {given: figures for given, figures in scores.items() if figures}


def _figures(
    gold: Sequence[Tree], predicted: Iterable[Tree], *, align: Alignment = "order"
) -> Figures:
    if not any(map(has_constituents, gold)):
        return {}
    found = evaluate(gold, predicted, align=align)
    return {
        "f1": found.f1,
        "discontinuous_f1": found.discontinuous_f1,
        "exact": found.exact_match,
    }


def _same_tags(gold: Iterable[Tree], predicted: Iterable[Tree]) -> float:
    """Return the share of tokens with the right tag, among the tokens with a gold tag."""
    pairs = [
        one == other
        for right, tree in zip(gold, predicted, strict=True)
        for one, other in zip(right.tags, tree.tags, strict=True)
        if one
    ]
    return sum(pairs) / len(pairs) if pairs else 0.0


def _token_places(trees: Iterable[Tree]) -> set[tuple[int | None, int | None]]:
    return {(token.start, token.end) for tree in trees for token in tree.sentence}


def _sentence_places(trees: Iterable[Tree]) -> set[tuple[int | None, int | None]]:
    return {(tree.sentence[0].start, tree.sentence[-1].end) for tree in trees if tree.sentence}


def _f1(gold: set[Any], predicted: set[Any]) -> float:
    return 2 * len(gold & predicted) / max(len(gold) + len(predicted), 1)
