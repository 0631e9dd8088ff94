"""How tokenizer and tagger are learnt, and how a parser learns to live with their mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossbranch.config import Settings
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import with_tags
from crossbranch.scorers import Clusters
from crossbranch.tagging import Tagger, jackknife
from crossbranch.text import Tokenizer
from crossbranch.training import Watcher
from crossbranch.tree import Tree


def learn_front_end(
    settings: Settings, trees: Sequence[Tree], watcher: Watcher
) -> tuple[FrontEnd, list[Tree]]:
    """Learn tokenizer and tagger; return them, and the trees with tags as it would predict them.

    The tags are jackknifed: a tagger that has seen a sentence would be too good at it.
    """
    watcher.stage("learning to tokenize")
    tokenizer = Tokenizer.learn(trees)
    sentences = [tree.sentence for tree in trees]
    clusters = Clusters.read(settings.clusters) if settings.clusters else None
    options: dict[str, Any] = {
        "epochs": settings.tagger_epochs,
        "seed": settings.seed,
        "clusters": clusters,
        "threads": settings.threads,
    }
    watcher.stage("learning to tag")
    tagger = Tagger.learn(sentences, **options)
    front_end = FrontEnd(tokenizer, tagger)
    if len(trees) < 2 * settings.folds:  # too few to learn from a part of them
        return front_end, list(trees)
    watcher.stage("tagging")
    predicted = jackknife(sentences, folds=settings.folds, **options)
    tagged = [
        tree.replace(sentence=with_tags(tree.sentence, tags))
        for tree, tags in zip(trees, predicted, strict=True)
    ]
    return front_end, tagged
