"""How the tokenizer and the tagger are trained, and how a parser gets used to their mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from crossbranch.config import Settings
from crossbranch.parsers.data import read_clusters
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import untagged, with_tags
from crossbranch.tagging import Tagger, jackknife
from crossbranch.text import Tokenizer
from crossbranch.training import Example, Watcher
from crossbranch.tree import Sentence, Token, Tree


class TrainingData(NamedTuple):
    """The front end of a model, and the trees paired with the tokens that the parser will see."""

    front_end: FrontEnd
    train: tuple[Example, ...]
    dev: tuple[Example, ...]


def learn_front_end(
    settings: Settings,
    language: str,
    train: Sequence[Tree],
    dev: Sequence[Tree],
    watcher: Watcher,
) -> TrainingData:
    """Train tokenizer and tagger, and pair each tree with the tokens that the parser will see.

    With `tags = "predicted"`, the tags of the training trees are jackknifed: each part is tagged by
    a tagger that was trained on the other parts. A tagger makes too few mistakes on sentences that
    it has seen. With "own" and "none", the parser sees no tags.
    """
    watcher.stage("learning to tokenize")
    tokenizer = Tokenizer.learn(train, language=language)
    if settings.tags == "predicted":
        tagger, seen = _learn_tagger(settings, train, watcher)
        scored = _predicted(tagger, dev, settings.threads)
        return TrainingData(FrontEnd(tokenizer, tagger), _pairs(seen, train), scored)
    see = _as_they_are if settings.tags == "gold" else _untagged
    return TrainingData(
        FrontEnd(tokenizer), _pairs(map(see, train), train), _pairs(map(see, dev), dev)
    )


def _learn_tagger(
    settings: Settings, trees: Sequence[Tree], watcher: Watcher
) -> tuple[Tagger | None, list[Sentence]]:
    """Return a tagger, and the examples with the tags that it predicts."""
    seen = [tree.sentence for tree in trees]
    tagged = [number for number, tree in enumerate(trees) if _has_tags(tree)]
    if not tagged:
        return None, seen
    sentences = [seen[number] for number in tagged]
    options: dict[str, Any] = {
        "epochs": settings.tagger_epochs,
        "seed": settings.seed,
        "clusters": read_clusters(settings.clusters, trees) if settings.clusters else None,
        "threads": settings.threads,
    }
    watcher.stage("learning to tag")
    tagger = Tagger.learn(sentences, **options)
    if len(tagged) < 2 * settings.folds:  # too few trees to train on a part of them
        return tagger, seen
    watcher.stage("tagging")
    predicted = jackknife(sentences, folds=settings.folds, **options)
    for number, tags in zip(tagged, predicted, strict=True):
        seen[number] = with_tags(seen[number], tags)
    return tagger, seen


def _predicted(tagger: Tagger | None, trees: Sequence[Tree], threads: int) -> tuple[Example, ...]:
    """Pair trees with the tags that a tagger predicts."""
    sentences = [tree.sentence for tree in trees]
    if tagger is None:
        return _pairs(sentences, trees)
    found = tagger.tag(sentences, threads=threads)
    return _pairs(map(with_tags, sentences, found), trees)


def _pairs(sentences: Iterable[Sentence], trees: Sequence[Tree]) -> tuple[Example, ...]:
    """Pair trees with forms and tags: a parser sees nothing else of a token."""
    bare = (tuple(Token(token.form, token.tag) for token in one) for one in sentences)
    return tuple(map(Example, bare, trees))


def _as_they_are(tree: Tree) -> Sentence:
    return tree.sentence


def _untagged(tree: Tree) -> Sentence:
    return untagged(tree.sentence)


def _has_tags(tree: Tree) -> bool:
    return all(token.tag for token in tree.sentence)
