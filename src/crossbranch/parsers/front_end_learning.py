"""How the front end is trained, and how a parser gets used to its mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from crossbranch.config import Settings
from crossbranch.errors import UsageError
from crossbranch.parsers.data import read_clusters
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import untagged, with_tags
from crossbranch.parsers.sources import ScoredTrees, Sources
from crossbranch.tagging import Dictionary, Lemmatizer, Tagger, jackknife
from crossbranch.tagging.lemma_table import teaches_lemma
from crossbranch.text import Casing, Tokenizer
from crossbranch.training import Example, Watcher
from crossbranch.tree import Sentence, Token, Tree


class TrainingData(NamedTuple):
    """The front end of a model, and the trees paired with the tokens that the parser will see."""

    front_end: FrontEnd
    train: tuple[Example, ...]
    dev: tuple[Example, ...]


def learn_front_end(
    settings: Settings, language: str, sources: Sources, dev: ScoredTrees, watcher: Watcher
) -> TrainingData:
    """Train the front end, and pair each tree with the tokens that the parser will see.

    With `tags = "predicted"`, the tags of the training trees are jackknifed: each part is tagged by
    a tagger that was trained on the other parts. A tagger makes too few mistakes on sentences that
    it has seen. With "gold", the parser sees the tags of the trees, or those of the files in
    `tags_from`. With "own" and "none", the parser sees no tags. Sentences in one case are seen in
    the usual casing, as in parsing.
    """
    watcher.stage("learning to tokenize")
    taught = sources.trees("tokenizer")
    tokenizer = Tokenizer.learn(taught, language=language) if taught else None
    lemmatizer = _learn_lemmas(settings, sources, watcher)
    train = sources.trees("parser")
    casing = _learn_casing([*train, *sources.trees("tagger")]) if settings.casing else None
    front_end = FrontEnd(tokenizer, None, lemmatizer, casing)
    if settings.tags == "predicted":
        tagger, seen = _learn_tagger(settings, sources, front_end.read, watcher)
        front_end = front_end._replace(tagger=tagger)
        return TrainingData(
            front_end, _pairs(seen, train), _predicted(front_end, dev.trees, settings.threads)
        )
    see = _as_they_are if settings.tags == "gold" else _untagged
    seen, scored = (
        [front_end.read(see(tree)) for tree in trees] for trees in (sources.seen(), dev.seen)
    )
    return TrainingData(front_end, _pairs(seen, train), _pairs(scored, dev.trees))


def check_casing(settings: Settings) -> None:
    """Refuse copies in one case that the model would read in the usual casing again."""
    if not settings.casing or settings.augment is None:
        return
    for name in ("all_lower", "all_caps"):
        if share := getattr(settings.augment, name):
            raise UsageError(
                f"augment.{name} is {share}, expected 0 with casing = true: such sentences are read"
                " in the usual casing. To learn from them as they are, set casing = false"
            )


def _learn_casing(trees: Iterable[Tree]) -> Casing:
    return Casing.learn(tree.sentence for tree in trees)


def _learn_lemmas(settings: Settings, sources: Sources, watcher: Watcher) -> Lemmatizer | None:
    """Return a lemmatizer if there are tokens with tags and lemmas, and the parser uses tags."""
    sentences = [tree.sentence for tree in sources.trees("lemmas")]
    is_taught = any(teaches_lemma(token) for one in sentences for token in one)
    if not settings.lemmas or settings.tags == "none" or not is_taught:
        return None
    watcher.stage("learning lemmas")
    return Lemmatizer.learn(sentences, seed=settings.seed)


class _TaggedText(NamedTuple):
    """The sentences for a tagger: those of the parser, and then those that only the tagger sees."""

    read: Callable[[Sentence], Sentence]  # returns the tokens as the tagger sees them
    sentences: list[Sentence]
    weights: list[float]  # of the tagger; 0: it does not learn from a sentence
    sources: list[str]  # the name of the source of each sentence
    parsed: list[int]  # the places of the first sentences among all trees of the parser
    parts: list[int]  # for them: equal numbers for a tree and its copies

    @classmethod
    def of(cls, sources: Sources, read: Callable[[Sentence], Sentence]) -> _TaggedText:
        """Collect the sentences whose tokens all have tags."""
        found = cls(read, [], [], [], [], [])
        place = before = 0
        for source in sources.teaching("parser"):
            weight = source.settings.tagger_weight if "tagger" in source.teaches else 0.0
            numbers: dict[int, int] = {}
            for tree, original in zip(source.trees("parser"), source.originals, strict=True):
                if found._add(tree, weight, source.name):
                    found.parsed.append(place)
                    found.parts.append(numbers.setdefault(original, before + len(numbers)))
                place += 1
            before += len(numbers)
        for source in sources.teaching("tagger"):
            if "parser" not in source.teaches:
                for tree in source.trees("tagger"):
                    found._add(tree, source.settings.tagger_weight, source.name)
        return found

    def _add(self, tree: Tree, weight: float, source: str) -> bool:
        if has_tags := all(token.tag for token in tree.sentence):
            self.sentences.append(self.read(tree.sentence))
            self.weights.append(weight)
            self.sources.append(source)
        return has_tags

    def tagger(self, **options: Any) -> Tagger:
        """Learn from all sentences with a weight."""
        learned = [number for number, weight in enumerate(self.weights) if weight]
        shares = [self.weights[number] for number in learned]
        sentences = [self.sentences[number] for number in learned]
        weights = None if set(shares) == {1.0} else shares
        sources = [self.sources[number] for number in learned]
        return Tagger.learn(sentences, weights=weights, sources=sources, **options)

    def predicted(self, folds: int, **options: Any) -> Iterator[list[str]]:
        """Yield the tags of the parser's sentences, from taggers that have not seen them."""
        count = len(self.parsed)
        return jackknife(
            self.sentences[:count],
            extra=self.sentences[count:],
            weights=None if set(self.weights) == {1.0} else self.weights,
            sources=self.sources,
            parts=[number % folds for number in self.parts],
            folds=folds,
            **options,
        )


def _learn_tagger(
    settings: Settings,
    sources: Sources,
    read: Callable[[Sentence], Sentence],
    watcher: Watcher,
) -> tuple[Tagger | None, list[Sentence]]:
    """Return a tagger, and the sentences of the parser's trees with the tags that it predicts."""
    trees = sources.trees("parser")
    seen = [read(tree.sentence) for tree in trees]
    text = _TaggedText.of(sources, read)
    if not any(text.weights):
        return None, seen
    options: dict[str, Any] = {
        "epochs": settings.tagger_epochs,
        "seed": settings.seed,
        "clusters": read_clusters(settings.clusters, trees) if settings.clusters else None,
        "dictionary": Dictionary.read(settings.dictionary) if settings.dictionary else None,
        "like": settings.tags_like,
        "backward": settings.tagger_backward,
        "wide": settings.tagger_wide,
        "threads": settings.threads,
    }
    watcher.stage("learning to tag")
    tagger = text.tagger(voters=settings.tagger_voters, **options)
    if len(text.parsed) < 2 * settings.folds:  # too few trees to train on a part of them
        return tagger, seen
    watcher.stage("tagging")
    for number, tags in zip(text.parsed, text.predicted(settings.folds, **options), strict=True):
        seen[number] = with_tags(seen[number], tags)
    return tagger, seen


def _predicted(front_end: FrontEnd, trees: Sequence[Tree], threads: int) -> tuple[Example, ...]:
    """Pair trees with the tags that the tagger predicts."""
    sentences = [front_end.read(tree.sentence) for tree in trees]
    if front_end.tagger is None:
        return _pairs(sentences, trees)
    found = front_end.tagger.tag(sentences, threads=threads)
    return _pairs(map(with_tags, sentences, found), trees)


def _pairs(sentences: Iterable[Sentence], trees: Sequence[Tree]) -> tuple[Example, ...]:
    """Pair trees with forms and tags: a parser sees nothing else of a token."""
    bare = (tuple(Token(token.form, token.tag) for token in one) for one in sentences)
    return tuple(map(Example, bare, trees))


def _as_they_are(tree: Tree) -> Sentence:
    return tree.sentence


def _untagged(tree: Tree) -> Sentence:
    return untagged(tree.sentence)
