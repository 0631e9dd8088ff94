"""A small grammar parser: rules are counted once; k-best trees by log-probability."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nlargest
from math import log
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec

from crossbranch.config import SearchOptions, Settings
from crossbranch.errors import InputError
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers import Capabilities, Parser
from crossbranch.ranges import Size
from crossbranch.search import Analysis
from crossbranch.training import Example, Learner, LearningStep
from crossbranch.tree import Node, Sentence, Tree
from small_parsers.rules import NOTHING, Rule, rules_of, shaped, tag_symbol, unshaped

RULES = "rules.json"


class GrammarSettings(Settings, frozen=True, kw_only=True):
    """It has no epochs."""

    parser: Annotated[str, "kind of parser"] = "small-grammar"
    longest: Annotated[Size, "longer sentences have no parse"] = 14


class GrammarOptions(SearchOptions, frozen=True, kw_only=True):
    longest: Annotated[Size, "longer sentences have no parse"] = 14


class Counts(msgspec.Struct, frozen=True):
    """How often each rule and each root was seen."""

    rules: list[tuple[str, str, str, int]]
    roots: dict[str, int]


class Item(NamedTuple):
    """A way to build a symbol, with its log-probability."""

    score: float
    node: Node | int


class GrammarParser(Parser):
    kind: ClassVar[str] = "small-grammar"
    settings_type: ClassVar[type[Settings]] = GrammarSettings
    options_type: ClassVar[type[SearchOptions]] = GrammarOptions
    can: ClassVar[Capabilities] = Capabilities(k_best=True)
    settings: GrammarSettings

    def __init__(self, settings: GrammarSettings, counts: Counts) -> None:
        self.settings = settings
        self.counts = counts
        totals: Counter[str] = Counter()
        for label, _, _, count in counts.rules:
            totals[label] += count
        self.above: dict[tuple[str, str], list[tuple[str, float]]] = {}
        for label, left, right, count in counts.rules:
            found = self.above.setdefault((left, right), [])
            found.append((label, log(count / totals[label])))
        sentences = sum(counts.roots.values())
        self.roots = {label: log(count / sentences) for label, count in counts.roots.items()}

    def default_options(self) -> GrammarOptions:
        return GrammarOptions(longest=self.settings.longest)

    def search(
        self,
        sentences: Sequence[Sentence],
        options: Any,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        return iter(
            [
                self._best(sentence, k_best) if len(sentence) <= options.longest else []
                for sentence in sentences
            ]
        )

    def _best(self, sentence: Sentence, k_best: int) -> list[Analysis]:
        size = len(sentence)
        chart: dict[tuple[int, int], dict[str, list[Item]]] = {}
        for start, token in enumerate(sentence):
            symbol = tag_symbol(token.tag)
            cell = {symbol: [Item(0.0, start)]}
            for label, score in self.above.get((symbol, NOTHING), ()):
                cell[label] = [Item(score, Node(label, [start]))]
            chart[start, start + 1] = cell
        for width in range(2, size + 1):
            for start in range(size - width + 1):
                chart[start, start + width] = self._cell(chart, start, start + width, k_best)
        found: dict[Node, float] = {}
        flat = Tree(sentence, Node("", range(size)))
        for label, items in chart[0, size].items():
            for item in items if label in self.roots else ():
                assert isinstance(item.node, Node)
                root, score = unshaped(item.node, flat), item.score + self.roots[label]
                found[root] = max(score, found.get(root, score))
        best = nlargest(k_best, found.items(), key=lambda pair: pair[1])
        return [Analysis(root, score) for root, score in best]

    def _cell(
        self, chart: dict[Any, dict[str, list[Item]]], start: int, end: int, k_best: int
    ) -> dict[str, list[Item]]:
        ways: dict[str, list[Item]] = {}
        for middle in range(start + 1, end):
            rights = chart[middle, end]
            for left, left_items in chart[start, middle].items():
                for right, right_items in rights.items():
                    for label, score in self.above.get((left, right), ()):
                        ways.setdefault(label, []).extend(
                            Item(score + one.score + other.score, Node(label, [one[1], other[1]]))
                            for one in left_items
                            for other in right_items
                        )
        return {
            label: nlargest(k_best, items, key=lambda item: item.score)
            for label, items in ways.items()
        }

    def files(self) -> dict[str, bytes]:
        return {RULES: msgspec.json.encode(self.counts)}

    @classmethod
    def from_folder(cls, settings: Any, folder: ModelFolder) -> GrammarParser:
        try:
            return cls(settings, folder.json(RULES, Counts))
        except (ValueError, ZeroDivisionError) as error:
            raise InputError(str(error), "counts", path=folder.where(RULES)) from None

    @classmethod
    def learner(
        cls,
        settings: Any,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> GrammarLearner:
        return GrammarLearner(settings, examples)


class GrammarLearner(Learner[GrammarParser]):
    def __init__(self, settings: GrammarSettings, examples: Sequence[Example]) -> None:
        self._settings = settings
        self._trees = [shaped(example.seen) for example in examples]
        self.size = len(examples)
        self.digest = hashlib.sha256(repr(self._trees).encode()).hexdigest()
        self._rules: Counter[Rule] = Counter()
        self._roots: Counter[str] = Counter()

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        for number in sentences:
            self._rules.update(rules_of(self._trees[number]))
            self._roots[self._trees[number].root.label] += 1
        return LearningStep(len(sentences))

    def snapshot(self) -> GrammarParser:
        rules = [(*rule, count) for rule, count in sorted(self._rules.items())]
        return GrammarParser(self._settings, Counts(rules, dict(sorted(self._roots.items()))))

    def pack(self, parser: GrammarParser) -> Mapping[str, bytes]:
        return parser.files()

    def unpack(self, parts: Mapping[str, bytes]) -> GrammarParser:
        return GrammarParser(self._settings, msgspec.json.decode(parts[RULES], type=Counts))

    def state(self) -> Mapping[str, bytes]:
        return self.snapshot().files()

    def restore(self, state: Mapping[str, bytes]) -> None:
        counts = msgspec.json.decode(state[RULES], type=Counts)
        self._rules = Counter({Rule(*rest): count for *rest, count in counts.rules})
        self._roots = Counter(counts.roots)
