"""Parsers with a probabilistic LCFRS: a grammar, read off trees, and weighted deduction.

A model folder has one file besides its settings and manifest: grammar.txt, with the counts of all
rules and words, in the format of `crossbranch grammar`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp
from typing import ClassVar, Self

from crossbranch.confidence.strategies import Marginals
from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.agenda import AgendaParser, Axiom, Found
from crossbranch.grammar.lcfrs import Grammar
from crossbranch.grammar.text_format import parse_text, write_text
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers.contract import Capabilities
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.plcfrs.lexicon import Lexicon
from crossbranch.parsers.plcfrs.settings import PlcfrsOptions, PlcfrsSettings
from crossbranch.parsers.plcfrs.shaping import TreeBuilder, tag_of
from crossbranch.parsers.sentences import PARSE
from crossbranch.search import Analysis
from crossbranch.span import Span
from crossbranch.training import Example, Learner
from crossbranch.tree import Node, Sentence

GRAMMAR = "grammar.txt"
LIMITED = "limited"
"""The value of the feature `parse` if a limit ended the search: there may be a better tree."""

_FOR_PROBABILITIES = 50  # trees whose probabilities are compared
_MOST_DERIVATIONS = 1000  # that are looked at to find different trees


class PlcfrsParser(Parser):
    """A parser with a probabilistic LCFRS."""

    kind: ClassVar[str] = "plcfrs"
    settings_type: ClassVar[type[PlcfrsSettings]] = PlcfrsSettings
    options_type: ClassVar[type[PlcfrsOptions]] = PlcfrsOptions
    can: ClassVar[Capabilities] = Capabilities(k_best=True, own_tags=True, marginals=True)
    strategy: ClassVar[Marginals] = Marginals()
    settings: PlcfrsSettings

    def __init__(self, settings: PlcfrsSettings, grammar: Grammar) -> None:
        """Take a grammar with the counts of its rules and words."""
        self.settings = settings
        self.grammar = grammar
        self.lexicon = Lexicon(grammar.words, settings.unknown_below, tag_of)
        self.vocabulary = self.lexicon.known
        self._agenda = AgendaParser(grammar)
        self._builder = TreeBuilder(self._agenda, settings)

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

    def _analyses(self, sentence: Sentence, options: PlcfrsOptions, k_best: int) -> list[Analysis]:
        """Return the best trees. Derivations that differ only in heads are the same tree."""
        if len(sentence) > options.longest:
            return []
        axioms = self._axioms(sentence)
        wanted = k_best
        while True:
            found = self._agenda.parse(
                axioms,
                len(sentence),
                k_best=wanted,
                estimates=options.search == "estimates",
                max_items=options.items,
                max_seconds=options.seconds,
            )
            analyses = self._different(found, axioms)
            is_all = found.ending != "found" or len(found.derivations) < wanted
            if len(analyses) >= k_best or is_all or wanted >= _MOST_DERIVATIONS:
                return analyses[:k_best]
            wanted *= 2

    def _axioms(self, sentence: Sentence) -> list[Axiom]:
        number = self._agenda.number
        return [
            (token, number[symbol], cost)
            for token, one in enumerate(sentence)
            for symbol, cost in self.lexicon.costs(one.form, one.tag)
        ]

    def _different(self, found: Found, axioms: Sequence[Axiom]) -> list[Analysis]:
        is_limited = found.ending in ("items", "time")
        features = ((PARSE, LIMITED),) if is_limited else ()
        different: dict[tuple[Node, tuple[str, ...] | None], Analysis] = {}
        for cost, steps in found.derivations:
            root = self._builder.build(steps, axioms)
            tags = self._tags(steps, axioms) if self.settings.tags == "own" else None
            different.setdefault((root, tags), Analysis(root, -cost, tags, features=features))
        return list(different.values())

    def _tags(self, steps: Sequence[int], axioms: Sequence[Axiom]) -> tuple[str, ...]:
        used = sorted(axioms[~step] for step in steps if step < 0)
        return tuple(tag_of(self._agenda.symbols[symbol]) for _, symbol, _ in used)

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
