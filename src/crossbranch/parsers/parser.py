"""The base class of all parsers: sentences in, trees out.

`contract` lists what a kind of parser declares and implements. `storage` saves and loads parsers.
This file has batches, threads, order, live streams, fall-back trees and confidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from os import PathLike
from typing import Any, NamedTuple, get_args

from crossbranch.confidence.doubt import DOUBT_FEATURES, KnownWords
from crossbranch.confidence.strategies import Confidence, Mark
from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.functions import FunctionLabeller
from crossbranch.parsers.batches import LiveBatches, full_batches, is_live
from crossbranch.parsers.labelling import labelled
from crossbranch.parsers.run import ParsingRun, with_doubts
from crossbranch.parsers.sentences import (
    Request,
    SentenceLike,
    Tags,
    refuse_text,
    with_functions,
    with_tags,
)
from crossbranch.parsers.storage import StoredParser
from crossbranch.ranges import require_positive
from crossbranch.search import Analysis
from crossbranch.tagging import Lemmatizer, Tagger
from crossbranch.text import Tokenizer
from crossbranch.tree import Sentence, Tree


class ScoredTree(NamedTuple):
    """A tree and the score that the parser gives it."""

    tree: Tree
    score: float | None
    """Higher is better; None if no parse was found, so that the tree is only a fall-back."""


class Parser(StoredParser):
    """A parser: it takes sentences and returns trees. `crossbranch.load` and `train` make one."""

    _known_words: KnownWords | None = None

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer, which splits text into sentences and tokens; None if there is none."""
        return self.front_end.tokenizer

    @property
    def tagger(self) -> Tagger | None:
        """The tagger, which gives tags to words; None if there is none."""
        return self.front_end.tagger

    @property
    def lemmatizer(self) -> Lemmatizer | None:
        """The lemmatizer, which gives lemmas to words with tags; None if there is none."""
        return self.front_end.lemmatizer

    @property
    def tags_by_itself(self) -> bool:
        """Whether the parser predicts tags: its kind can, and it was trained with `tags = own`."""
        return self.can.own_tags and self.settings.tags == "own"

    @property
    def needs_tags(self) -> bool:
        """Whether input needs tags: the parser has learned from tags, but cannot predict them."""
        return self.tagger is None and not self.tags_by_itself and bool(self.tags)

    @property
    def reads_text(self) -> bool:
        """Whether the parser can parse raw text: it has a tokenizer and needs no tags."""
        return self.tokenizer is not None and not self.needs_tags and self.takes_any_sentence

    @property
    def known_words(self) -> KnownWords | None:
        """Counts unknown words: those that the tagger does not know; if there is none, the parser.

        None if this kind of parser does not say which words it knows.
        """
        vocabulary = self.vocabulary if self.tagger is None else self.tagger.encoder.lexicon
        if vocabulary is None:
            return None
        casing, found = self.front_end.casing, self._known_words
        if found is None or found.vocabulary is not vocabulary or found.casing is not casing:
            found = self._known_words = KnownWords(vocabulary, casing)
        return found

    def __repr__(self) -> str:
        facts = [f"kind={self.kind!r}"]
        facts += [f"{name}={value!r}" for name, value in self.default_options().to_dict().items()]
        if self.description.language:
            facts.append(f"language={self.description.language!r}")
        facts.append(f"labels={len(self.labels)}")
        facts.append(f"tags={len(self.tags)}")
        if isinstance(f1 := self.about.get("dev", {}).get("f1"), float):
            facts.append(f"dev_f1={100 * f1:.2f}")
        name = f"{self.folder.name!r}, " if self.folder is not None else ""
        return f"{type(self).__name__}({name}{', '.join(facts)})"

    @partial(door, besides=("sentence",))
    def parse(
        self,
        sentence: SentenceLike,
        *,
        confidence: bool = False,
        tags: Tags = "keep",
        functions: bool = True,
        **options: Any,
    ) -> Tree:
        """Parse one sentence: a text, words, words with tags, tokens, or the tokens of a tree."""
        (tree,) = self.parse_many(
            [sentence], confidence=confidence, tags=tags, functions=functions, **options
        )
        return tree

    @partial(door, besides=("text",))
    def parse_text(
        self,
        text: str | Iterable[str],
        *,
        lines: bool = False,
        threads: int = 1,
        confidence: bool = False,
        functions: bool = True,
        **options: Any,
    ) -> Iterator[Tree]:
        """Parse a text: yield a tree for each of its sentences.

        Every token has its offsets in the text, and every tree has the text of its sentence.

        Args:
            text: The text, or pieces of it, such as an open file.
            lines: Take each line as one sentence.
            threads: As in `parse_many`.
            confidence: As in `parse_many`.
            functions: As in `parse_many`.
            **options: As in `parse_many`.

        Raises:
            UsageError: This model cannot read raw text.
        """
        sentences = self._split(text, lines)
        return self.parse_many(
            sentences,
            threads=threads,
            confidence=confidence,
            functions=functions,
            live=not isinstance(text, str),
            **options,
        )

    def _split(self, text: str | Iterable[str], lines: bool) -> Iterator[Tree]:
        if isinstance(text, PathLike):
            raise UsageError(f"{text} is a path, expected a text or an open file: open(path)")
        if self.tokenizer is None:
            raise UsageError("this model has no tokenizer; expected sentences as lists of words")
        self._check_text()
        return self.tokenizer.stream([text] if isinstance(text, str) else text, lines=lines)

    def _check_text(self) -> None:
        if not self.reads_text:
            raise UsageError(
                "this model has no tagger, so it cannot parse raw text; give it words with tags,"
                ' or train it with tags = "predicted"'
            )

    def _request(self, sentence: SentenceLike) -> Request:
        if isinstance(sentence, str) and self.tokenizer is not None:
            self._check_text()
        return self.front_end.request(sentence)

    @partial(door, besides=("sentences",))
    def tag(
        self, sentences: Iterable[SentenceLike], *, threads: int = 1, live: bool | None = None
    ) -> Iterator[Tree]:
        """Tag sentences without parsing them: yield flat trees with predicted tags and lemmas.

        Args:
            sentences: As in `parse_many`.
            threads: As in `parse_many`.
            live: As in `parse_many`.

        Raises:
            UsageError: This model has no tagger.
        """
        refuse_text(sentences)
        if self.tags_by_itself:
            parsed = self.parse_many(
                sentences, threads=threads, tags="predict", live=live, functions=False
            )
            return (_flat(tree) for tree in parsed)
        if self.tagger is None:
            raise UsageError("this model has no tagger")
        gather = LiveBatches if (is_live(sentences) if live is None else live) else full_batches
        batches = gather(sentences, self._request, self.batch_size)
        return (
            request.tree()
            for batch in batches
            for request in self.front_end.tagged(
                with_doubts(batch, self.known_words), "predict", threads
            )
        )

    @partial(door, besides=("sentences",))
    def parse_many(
        self,
        sentences: Iterable[SentenceLike],
        *,
        threads: int = 1,
        confidence: bool = False,
        tags: Tags = "keep",
        functions: bool = True,
        live: bool | None = None,
        **options: Any,
    ) -> Iterator[Tree]:
        """Parse sentences: yield a tree for each of them, in order and in constant memory.

        The tree of a sentence has exactly its tokens. For an empty sentence, the tree is a root
        without children. If no parse is found, the tree is flat and has the feature `parse: none`.
        If it is doubtful, it has the feature `doubtful`; see `crossbranch.confidence.doubt`.
        The trees do not depend on `threads`.

        Args:
            sentences: Each sentence is a text; a sequence of words, of words with tags
                (`("Haus", "NN")`), or of tokens; or a tree. The tree that is returned for a tree
                has its tokens, id and comments.
            threads: The number of cores to use.
            confidence: Give trees and nodes the feature `confidence`: the probability that they
                are right. The trees are the same as without it.
            tags: "keep" predicts only missing tags and lemmas, "predict" replaces all of them. A
                model without a tagger takes the tags as they are.
            functions: Give nodes and tokens their functions (edge labels), if the model has learned
                them, and mark the heads of nodes. The trees are the same as without it.
            live: Parse each sentence as soon as it comes, even if the next one takes a long time.
                For this, the sentences are read in a separate thread. The default is True for
                iterators and False for lists.
            **options: Options of this kind of parser, such as `beam=8`; see `options_type`.

        Raises:
            UsageError: An option is wrong, or the parser cannot compute confidence.
        """
        found = self._parse(sentences, 1, threads, confidence, tags, functions, live, options)
        return (scored[0].tree for scored in found)

    @partial(door, besides=("sentences",))
    def parse_k_best(
        self,
        sentences: Iterable[SentenceLike],
        k_best: int,
        *,
        threads: int = 1,
        confidence: bool = False,
        tags: Tags = "keep",
        functions: bool = True,
        live: bool | None = None,
        **options: Any,
    ) -> Iterator[list[ScoredTree]]:
        """Parse sentences: yield up to `k_best` different trees for each, the best one first."""
        require_positive(k_best=k_best)
        if k_best > 1 and not self.can.k_best:
            raise UsageError(
                f"a parser of kind {self.kind} cannot find k-best lists; it offers"
                f" {self.can.in_words()}"
            )
        return self._parse(sentences, k_best, threads, confidence, tags, functions, live, options)

    def _parse(
        self,
        sentences: Iterable[SentenceLike],
        k_best: int,
        threads: int,
        confidence: bool,
        tags: Tags,
        functions: bool,
        live: bool | None,
        options: Mapping[str, object],
    ) -> Iterator[list[ScoredTree]]:
        refuse_text(sentences)
        if tags not in get_args(Tags):
            raise UsageError(f"tags is {tags!r}, expected one of {', '.join(get_args(Tags))}")
        require_positive(threads=threads)
        chosen = self.options(options)
        live = is_live(sentences) if live is None else live
        by_itself = tags == "predict" and self.tags_by_itself
        hides_tags = by_itself or self.settings.tags == "none"
        run = ParsingRun(
            self.front_end,
            self._request,
            sentences,
            self.batch_size,
            threads,
            tags,
            live,
            hides_tags,
            self.known_words,
        )
        labeller = self.labeller if functions else None
        if confidence:
            return self._parsed_with_confidence(run, k_best, chosen, labeller, self._sure())
        return self._parsed(run, k_best, chosen, labeller)

    def _sure(self) -> Confidence:
        """Return the object that computes the confidence of this parser."""
        if self.strategy is None:
            raise UsageError(
                f"a parser of kind {self.kind} cannot compute confidence; it offers"
                f" {self.can.in_words()}"
            )
        if self.confidence is None:
            raise UsageError(
                "this parser cannot compute confidence, because the model has no calibration.json;"
                " train it with dev trees"
            )
        return self.confidence

    def _parsed(
        self, run: ParsingRun, k_best: int, options: Any, labeller: FunctionLabeller | None
    ) -> Iterator[list[ScoredTree]]:
        def search(tokens: list[Sentence]) -> Iterator[list[Analysis]]:
            found = self.search(tokens, options, k_best=k_best)
            if labeller is None:
                return found
            return labelled(labeller, tokens, list(found), are_new=k_best == 1)

        for batch, found in run.searched(search):
            for request in batch:
                yield _trees(request, next(found) if request.sentence else [], run)

    def _parsed_with_confidence(
        self,
        run: ParsingRun,
        k_best: int,
        options: Any,
        labeller: FunctionLabeller | None,
        confidence: Confidence,
    ) -> Iterator[list[ScoredTree]]:
        def search(tokens: list[Sentence]) -> Iterator[tuple[list[Analysis], Mark]]:
            judged = confidence.judged(self, tokens, options, k_best)
            if labeller is None:
                return judged
            pairs = list(judged)
            found = labelled(labeller, tokens, [analyses for analyses, _ in pairs])
            return zip(found, [mark for _, mark in pairs], strict=True)

        for batch, found in run.searched(search):
            for request in batch:
                if not request.sentence:  # nothing can be wrong
                    yield _trees(request, [], run)
                    continue
                analyses, mark = next(found)
                scored = _trees(request, analyses, run)
                marked = mark([one.tree for one in scored])
                yield [ScoredTree(t, one.score) for t, one in zip(marked, scored, strict=True)]


def _flat(tree: Tree) -> Tree:
    """Return a flat tree with the tokens of a tree. The doubts about its words stay."""
    doubts = tuple(pair for pair in tree.features if pair[0] in DOUBT_FEATURES)
    return Request(tree.sentence, tree.id, tree.comments, tree.text, doubts).tree()


def _trees(request: Request, analyses: list[Analysis], run: ParsingRun) -> list[ScoredTree]:
    if not analyses:
        return [ScoredTree(request.tree() if not request.sentence else request.fallback(), None)]
    return [
        ScoredTree(_completed(request, one, run).parsed(one.root), one.score) for one in analyses
    ]


def _completed(request: Request, found: Analysis, run: ParsingRun) -> Request:
    """Return the request with the tags, lemmas, functions and features that were predicted."""
    if found.features:
        request = request._replace(features=tuple(sorted((*request.features, *found.features))))
    if found.tags is None and found.functions is None:
        return request
    sentence = request.sentence
    if found.tags is not None:
        sentence = with_tags(sentence, found.tags, keep=run.tags == "keep")
        sentence = run.front_end.lemmatized(sentence, run.tags)
    if found.functions is not None:
        sentence = with_functions(sentence, found.functions)
    return Request(sentence, *request[1:])
