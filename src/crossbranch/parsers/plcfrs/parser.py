"""Parsers with a probabilistic LCFRS: a grammar, read off trees, and weighted deduction.

A model folder has one file besides its settings and manifest: grammar.txt, with the counts of all
rules and words, in the format of `crossbranch grammar`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import exp
from typing import ClassVar, Self

from crossbranch.confidence.strategies import Marginals
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.agenda import AgendaParser, Axiom, Ending, Found
from crossbranch.grammar.lcfrs import Grammar
from crossbranch.grammar.text_format import parse_text, write_text
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers.contract import BatchSize, Capabilities
from crossbranch.parsers.plcfrs.fragments import with_fragments
from crossbranch.parsers.plcfrs.lexicon import Lexicon
from crossbranch.parsers.plcfrs.settings import PlcfrsOptions, PlcfrsSettings
from crossbranch.parsers.plcfrs.shaping import MARK, Brackets, TreeBuilder, tag_of
from crossbranch.parsers.sentences import PARSE
from crossbranch.parsers.tracing import ItemParser
from crossbranch.search import Analysis, ItemTrace
from crossbranch.span import Span
from crossbranch.training import Example, Learner
from crossbranch.transforms.markov import names
from crossbranch.tree import Sentence

GRAMMAR = "grammar.txt"
LIMITED, FRAGMENTS = "limited", "fragments"
"""Values of the feature `parse`: a limit ended the search, so there may be a better tree; the
grammar has no tree, so it consists of fragments."""

Signature = tuple[Brackets, tuple[str, ...] | None]
"""What tells trees apart: their brackets, and their tags if the parser tags by itself."""

_FOR_PROBABILITIES = 50  # trees whose probabilities are compared
_MOST_DERIVATIONS = 1000  # that are looked at to find different trees


class Engine:
    """Finds derivations of one grammar, and makes trees of them."""

    def __init__(self, grammar: Grammar, settings: PlcfrsSettings) -> None:
        """Number the rules."""
        self.agenda = AgendaParser(grammar)
        self.builder = TreeBuilder(self.agenda, settings)
        self.tags = [tag_of(symbol) for symbol in self.agenda.symbols]


class PlcfrsParser(ItemParser):
    """A parser with a probabilistic LCFRS."""

    kind: ClassVar[str] = "plcfrs"
    settings_type: ClassVar[type[PlcfrsSettings]] = PlcfrsSettings
    options_type: ClassVar[type[PlcfrsOptions]] = PlcfrsOptions
    can: ClassVar[Capabilities] = Capabilities(k_best=True, own_tags=True, marginals=True)
    batch_size = BatchSize(tokens=512)  # sentences take long
    strategy: ClassVar[Marginals] = Marginals()
    settings: PlcfrsSettings

    @door
    def __init__(self, settings: PlcfrsSettings, grammar: Grammar) -> None:
        """Take a grammar with the counts of its rules and words."""
        self.settings = settings
        self.grammar = grammar
        self.lexicon = Lexicon(grammar.words, settings.unknown_below, tag_of)
        self.vocabulary = self.lexicon.known
        self._engine = Engine(grammar, settings)

    def search(
        self,
        sentences: Sequence[Sentence],
        options: PlcfrsOptions,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        """Find the best trees with an agenda in the core."""
        wanted = max(k_best, _FOR_PROBABILITIES) if probabilities else k_best
        found = [self._analyses(sentence, options, wanted) for sentence in sentences]
        if not probabilities:
            return iter(found)
        return (with_probabilities(analyses)[:k_best] for analyses in found)

    @cached_property
    def _fragments(self) -> Engine:
        """Finds fragments if there is no tree."""
        naming = names(MARK, self.settings.horizontal, self.settings.vertical)
        return Engine(with_fragments(self.grammar, naming.is_temporary), self.settings)

    def _analyses(self, sentence: Sentence, options: PlcfrsOptions, k_best: int) -> list[Analysis]:
        if len(sentence) > options.tokens:
            return []
        found, ending = self._search(self._engine, sentence, options, k_best)
        if ending == "none":
            found, ending = self._search(self._fragments, sentence, options, k_best)
            return [one._replace(features=((PARSE, FRAGMENTS),)) for one in found]
        if ending != "found":
            return [one._replace(features=((PARSE, LIMITED),)) for one in found]
        return found

    def _search(
        self, engine: Engine, sentence: Sentence, options: PlcfrsOptions, k_best: int
    ) -> tuple[list[Analysis], Ending]:
        """Return the best trees. Derivations that differ only in heads are the same tree."""
        axioms = self._axioms(engine, sentence)

        def find(count: int) -> Found:
            return engine.agenda.parse(
                axioms,
                len(sentence),
                k_best=count,
                estimates=options.estimates,
                max_items=options.items,
                max_seconds=options.seconds,
            )

        found = find(1)
        trees: dict[Signature, Analysis] = {}
        self._add(trees, engine, found, axioms)
        wanted = k_best
        while found.ending == "found" and wanted > 1:
            found = find(wanted)
            # Of trees with the same score, the first is that of a search for one tree.
            self._add(trees, engine, found, axioms)
            if len(trees) >= k_best or len(found.derivations) < wanted:
                break
            wanted = 2 * wanted if wanted < _MOST_DERIVATIONS else 0
        return list(trees.values())[:k_best], found.ending

    def _axioms(self, engine: Engine, sentence: Sentence) -> list[Axiom]:
        """The symbols that words may have, with their costs."""
        return [
            (token, engine.agenda.number[symbol], cost)
            for token, one in enumerate(sentence)
            for symbol, cost in self.lexicon.costs(one.form, one.tag)
        ]

    @door
    def item_traces(
        self, sentences: Sequence[Sentence], options: PlcfrsOptions, *, others: int
    ) -> Iterator[ItemTrace | None]:
        """Yield the items in the order in which they leave the agenda."""
        from crossbranch.parsers.plcfrs.items import trace_items  # few need it

        for sentence in sentences:
            if len(sentence) > options.tokens:
                yield None
                continue
            axioms = self._axioms(self._engine, sentence)
            found, ending = trace_items(self._engine, axioms, len(sentence), options, others)
            if ending == "none":
                axioms = self._axioms(self._fragments, sentence)
                found, _ = trace_items(self._fragments, axioms, len(sentence), options, others)
            yield found

    def _add(
        self,
        trees: dict[Signature, Analysis],
        engine: Engine,
        found: Found,
        axioms: Sequence[Axiom],
    ) -> None:
        """Add the trees that are not there yet."""
        for cost, steps in found.derivations:
            tags = None
            if self.settings.tags == "own":
                used = sorted(axioms[~step] for step in steps if step < 0)
                tags = tuple(engine.tags[symbol] for _, symbol, _ in used)
            signature = engine.builder.brackets(steps, axioms), tags
            if signature not in trees:
                trees[signature] = Analysis(engine.builder.build(steps, axioms), -cost, tags)

    def files(self) -> dict[str, bytes]:
        """Return the grammar."""
        return dict(files_of(self.grammar))

    @classmethod
    def from_folder(cls, settings: PlcfrsSettings, folder: ModelFolder) -> Self:
        """Load the grammar."""
        try:
            grammar = parse_text(folder.text(GRAMMAR))
            return cls(settings, grammar)
        except (InputError, UsageError) as error:
            found = error.found if isinstance(error, InputError) else str(error)
            raise InputError(found, "a binary grammar", path=folder.where(GRAMMAR)) from None

    @classmethod
    def check_settings(cls, settings: PlcfrsSettings) -> None:
        """Check the order of Markovization."""
        if settings.horizontal < -1:
            raise UsageError(f"horizontal is {settings.horizontal}, expected -1 or more")

    @classmethod
    def learner(
        cls,
        settings: PlcfrsSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> Learner[PlcfrsParser]:
        """Return a learner that counts rules."""
        from crossbranch.parsers.plcfrs.learner import PlcfrsLearner

        return PlcfrsLearner(settings, examples, report)


def with_probabilities(analyses: Sequence[Analysis]) -> list[Analysis]:
    """Share out probability among the trees of a list: that of a bracket is the sum of its trees.

    This leaves out the trees that are not in the list, but these are improbable.
    """
    if not analyses:
        return []
    weights = [exp(one.score - analyses[0].score) for one in analyses]
    total = sum(weights)
    brackets: defaultdict[tuple[str, Span], float] = defaultdict(float)
    for one, weight in zip(analyses, weights, strict=True):
        for bracket in {(node.label, node.span) for node in one.root.preorder()}:
            brackets[bracket] += weight / total
    known = {bracket: min(1.0, probability) for bracket, probability in brackets.items()}
    return [
        one._replace(probability=weight / total, probabilities=known)
        for one, weight in zip(analyses, weights, strict=True)
    ]


def files_of(grammar: Grammar) -> Mapping[str, bytes]:
    """Return a grammar as a file."""
    return {GRAMMAR: "".join(write_text(grammar)).encode()}


def grammar_in(files: Mapping[str, bytes]) -> Grammar:
    """Read the grammar that `files_of` wrote."""
    return parse_text(files[GRAMMAR].decode())
