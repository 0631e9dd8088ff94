"""A small chart parser: a weight for each rule, learned online; the best tree, and marginals."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from typing import Annotated, Any, ClassVar

import msgspec

from crossbranch.confidence.strategies import Marginals
from crossbranch.config import EpochSettings, SearchOptions, Settings
from crossbranch.errors import InputError
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers import BatchSize, Capabilities, Parser
from crossbranch.ranges import Size
from crossbranch.search import Analysis
from crossbranch.span import Span
from crossbranch.training import Example, Learner, LearningStep, Mean
from crossbranch.tree import Node, Sentence, Tree
from small_parsers.rules import NOTHING, Rule, rules_of, shaped, tag_symbol, unshaped

WEIGHTS = "weights.json"
Cell = tuple[int, int]
Chart = dict[Cell, dict[str, float]]


class ChartSettings(EpochSettings, frozen=True, kw_only=True):
    parser: Annotated[str, "kind of parser"] = "small-chart"
    longest: Annotated[Size, "longer sentences have no parse"] = 14


class ChartOptions(SearchOptions, frozen=True, kw_only=True):
    longest: Annotated[Size, "longer sentences have no parse"] = 14


class Scores(msgspec.Struct, frozen=True):
    rules: list[tuple[str, str, str, float]]
    roots: list[str]


class ChartParser(Parser):
    kind: ClassVar[str] = "small-chart"
    settings_type: ClassVar[type[Settings]] = ChartSettings
    options_type: ClassVar[type[SearchOptions]] = ChartOptions
    can: ClassVar[Capabilities] = Capabilities(marginals=True)
    batch_size = BatchSize(tokens=200, sentences=50, by_length=True)
    strategy: ClassVar[Marginals] = Marginals()
    settings: ChartSettings

    def __init__(self, settings: ChartSettings, scores: Scores) -> None:
        self.settings = settings
        self.scores = scores
        self.above: dict[tuple[str, str], list[tuple[str, float]]] = {}
        for label, left, right, weight in scores.rules:
            self.above.setdefault((left, right), []).append((label, weight))

    def default_options(self) -> ChartOptions:
        return ChartOptions(longest=self.settings.longest)

    def search(
        self,
        sentences: Sequence[Sentence],
        options: Any,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        assert k_best == 1
        assert [len(one) for one in sentences] == sorted(len(one) for one in sentences)
        return iter(
            [
                self.analyse(sentence, probabilities) if len(sentence) <= options.longest else []
                for sentence in sentences
            ]
        )

    def analyse(self, sentence: Sentence, probabilities: bool = False) -> list[Analysis]:
        best, ways = self._chart(sentence, max)
        size = len(sentence)
        roots = [label for label in self.scores.roots if label in best[0, size]]
        if not roots:
            return []
        label = max(roots, key=lambda root: (best[0, size][root], root))
        binary = _tree(best, ways, 0, size, label)
        assert isinstance(binary, Node)
        root = unshaped(binary, Tree(sentence, Node("", range(size))))
        score = best[0, size][label]
        if not probabilities:
            return [Analysis(root, score)]
        inside, ways = self._chart(sentence, _log_sum)
        total = _log_sum([inside[0, size][one] for one in roots])
        outside = self._outside(inside, ways, size, roots)
        shares: dict[tuple[str, Span], float] = {}
        for (start, end), symbols in inside.items():
            span = (1 << end) - (1 << start)
            for symbol, value in symbols.items():
                share = exp(value + outside.get(((start, end), symbol), -1e9) - total)
                for part in symbol.split("+"):
                    shares[part, span] = min(1.0, shares.get((part, span), 0.0) + share)
        found = {
            (node.label, node.span): shares.get((node.label, node.span), 0.0)
            for node in root.preorder()
        }
        return [Analysis(root, score, None, min(1.0, exp(score - total)), found)]

    def _chart(self, sentence: Sentence, combine: Callable[[list[float]], float]) -> Any:
        chart: Chart = {}
        ways: dict[tuple[Cell, str], list[tuple[float, int, str, str]]] = {}
        size = len(sentence)
        for start, token in enumerate(sentence):
            symbol = tag_symbol(token.tag)
            cell = {symbol: 0.0}
            for label, weight in self.above.get((symbol, NOTHING), ()):
                cell[label] = weight
                ways[(start, start + 1), label] = [(weight, 0, symbol, NOTHING)]
            chart[start, start + 1] = cell
        for width in range(2, size + 1):
            for start in range(size - width + 1):
                end = start + width
                chart[start, end] = {}
                for middle in range(start + 1, end):
                    for left, one in chart[start, middle].items():
                        for right, other in chart[middle, end].items():
                            for label, weight in self.above.get((left, right), ()):
                                ways.setdefault(((start, end), label), []).append(
                                    (weight + one + other, middle, left, right)
                                )
                                chart[start, end][label] = 0.0
                for label in chart[start, end]:
                    found = ways[(start, end), label]
                    chart[start, end][label] = combine([way[0] for way in found])
        return chart, ways

    def _outside(
        self, inside: Chart, ways: Any, size: int, roots: Sequence[str]
    ) -> dict[tuple[Cell, str], float]:
        parts: dict[tuple[Cell, str], list[float]] = {((0, size), root): [0.0] for root in roots}
        outside: dict[tuple[Cell, str], float] = {}
        for width in range(size, 0, -1):
            for start in range(size - width + 1):
                cell = start, start + width
                for label in sorted(inside[cell], key=lambda symbol: symbol.startswith("/")):
                    if (cell, label) not in parts:
                        continue
                    above = outside[cell, label] = _log_sum(parts[cell, label])
                    for score, middle, left, right in ways.get((cell, label), ()):
                        if right == NOTHING:
                            parts.setdefault((cell, left), []).append(above + score)
                            continue
                        one, other = (start, middle), (middle, cell[1])
                        value = above + score
                        parts.setdefault((one, left), []).append(value - inside[one][left])
                        parts.setdefault((other, right), []).append(value - inside[other][right])
        return outside

    def files(self) -> dict[str, bytes]:
        return {WEIGHTS: msgspec.json.encode(self.scores)}

    @classmethod
    def from_folder(cls, settings: Any, folder: ModelFolder) -> ChartParser:
        return cls(settings, folder.json(WEIGHTS, Scores))

    @classmethod
    def learner(
        cls,
        settings: Any,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> ChartLearner:
        return ChartLearner(settings, examples)


def _tree(chart: Chart, ways: Any, start: int, end: int, label: str) -> Node | int:
    if label.startswith("/"):
        return start
    _, middle, left, right = max(ways[(start, end), label])
    if right == NOTHING:
        return Node(label, [start])
    children = (
        _tree(chart, ways, start, middle, left),
        _tree(chart, ways, middle, end, right),
    )
    return Node(label, children)


def _log_sum(values: list[float]) -> float:
    most = max(values)
    return most + log(sum(exp(value - most) for value in values))


class ChartLearner(Learner[ChartParser]):
    """A perceptron that starts from what is seen how often."""

    def __init__(self, settings: ChartSettings, examples: Sequence[Example]) -> None:
        self._settings = settings
        self._trees = [shaped(example.seen) for example in examples]
        self.size = len(examples)
        self.digest = hashlib.sha256(repr(self._trees).encode()).hexdigest()
        self._weights: dict[Rule, float] = {}
        self._roots = sorted({tree.root.label for tree in self._trees})

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        wrong = 0
        for number in sentences:
            tree = self._trees[number]
            gold = Counter(rules_of(tree))
            found = self._found(tree)
            wrong += found != gold
            for rule in gold:
                self._weights.setdefault(rule, 1.0)
            for rule in sorted({*gold, *found} if found else ()):
                before = self._weights.get(rule, 0.0)
                self._weights[rule] = before + 0.5 * (gold[rule] - found[rule])
        return LearningStep(wrong, {"wrong trees": Mean(wrong, len(sentences))})

    def _found(self, tree: Tree) -> Counter[Rule]:
        if len(tree.sentence) > self._settings.longest:
            return Counter()
        analyses = self.snapshot().analyse(tree.sentence)
        if not analyses:
            return Counter()
        return Counter(rules_of(shaped(Tree(tree.sentence, analyses[0].root))))

    def snapshot(self) -> ChartParser:
        rules = [(*rule, weight) for rule, weight in sorted(self._weights.items())]
        return ChartParser(self._settings, Scores(rules, self._roots))

    def pack(self, parser: ChartParser) -> Mapping[str, bytes]:
        return parser.files()

    def unpack(self, parts: Mapping[str, bytes]) -> ChartParser:
        return ChartParser(self._settings, msgspec.json.decode(parts[WEIGHTS], type=Scores))

    def state(self) -> Mapping[str, bytes]:
        return self.snapshot().files()

    def restore(self, state: Mapping[str, bytes]) -> None:
        scores = msgspec.json.decode(state[WEIGHTS], type=Scores)
        self._weights = {Rule(*rest): weight for *rest, weight in scores.rules}
