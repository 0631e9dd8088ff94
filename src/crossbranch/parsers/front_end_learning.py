"""How tokenizer and tagger are learnt, and how a parser learns to live with their mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossbranch.config import Settings
from crossbranch.parsers.data import read_clusters
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import with_tags
from crossbranch.tagging import Tagger, jackknife
from crossbranch.text import Tokenizer
from crossbranch.training import Watcher
from crossbranch.tree import Tree


def learn_front_end(
    settings: Settings, trees: Sequence[Tree], watcher: Watcher
) -> tuple[FrontEnd, tuple[Tree, ...]]:
    """Learn tokenizer and tagger; return them, and the trees with tags as it would predict them.

    The tags are jackknifed: a tagger that has seen a sentence would be too good at it.
    """
    watcher.stage("learning to tokenize")
    tokenizer = Tokenizer.learn(trees, language=settings.language)
    tagged = [number for number, tree in enumerate(trees) if _has_tags(tree)]
    if not tagged:
        return FrontEnd(tokenizer), tuple(trees)
    sentences = [trees[number].sentence for number in tagged]
    options: dict[str, Any] = {
        "epochs": settings.tagger_epochs,
        "seed": settings.seed,
        "clusters": read_clusters(settings.clusters, trees) if settings.clusters else None,
        "threads": settings.threads,
    }
    watcher.stage("learning to tag")
    front_end = FrontEnd(tokenizer, Tagger.learn(sentences, **options))
    if len(tagged) < 2 * settings.folds:  # too few to learn from a part of them
        return front_end, tuple(trees)
    watcher.stage("tagging")
    learnt = list(trees)
    predicted = jackknife(sentences, folds=settings.folds, **options)
    for number, tags in zip(tagged, predicted, strict=True):
        tree = trees[number]
        learnt[number] = tree.replace(sentence=with_tags(tree.sentence, tags))
    return front_end, tuple(learnt)


def _has_tags(tree: Tree) -> bool:
    return all(token.tag for token in tree.sentence)
