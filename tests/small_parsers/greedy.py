"""A small greedy parser: no beam, tags of its own, and metrics of what it learns."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from crossbranch.config import EpochSettings, Settings
from crossbranch.errors import InputError
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers import Capabilities, Parser
from crossbranch.search import Analysis
from crossbranch.structure import NaryForm
from crossbranch.training import Epoch, Example, Learner, LearningStep, Mean
from crossbranch.transforms import Pipeline
from crossbranch.transforms.raising import Raise
from crossbranch.tree import Node, Sentence, Tree

MODEL = "greedy.json"
_FORM = NaryForm()
_WIDEST = 5  # children of a node
_CONTINUOUS = Pipeline((Raise(),))


class GreedySettings(EpochSettings, frozen=True, kw_only=True):
    parser: Annotated[str, "kind of parser"] = "small-greedy"
    eager: Annotated[bool, "also keep rules that were seen once"] = True


class Knowledge(msgspec.Struct, frozen=True):
    words: dict[str, str]  # the tag of each word
    tag: str  # of unknown words
    rules: list[tuple[str, list[str], int]]
    root: str


class GreedyParser(Parser):
    kind: ClassVar[str] = "small-greedy"
    settings_type: ClassVar[type[Settings]] = GreedySettings
    can: ClassVar[Capabilities] = Capabilities(own_tags=True)
    settings: GreedySettings

    def __init__(self, settings: GreedySettings, knowledge: Knowledge) -> None:
        self.settings = settings
        self.knowledge = knowledge
        self.rules: dict[tuple[str, ...], tuple[int, str]] = {}
        for label, symbols, count in knowledge.rules:
            key = tuple(symbols)
            self.rules[key] = max((count, label), self.rules.get(key, (0, "")))

    def search(
        self,
        sentences: Sequence[Sentence],
        options: Any,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        return iter([[self._analysis(sentence)] for sentence in sentences])

    def _analysis(self, sentence: Sentence) -> Analysis:
        known, unknown = self.knowledge.words, self.knowledge.tag
        tags = [token.tag or known.get(token.form, unknown) for token in sentence]
        items: list[tuple[str, Node | int]] = [(tag, i) for i, tag in enumerate(tags)]
        score = 0.0
        while windows := self._windows(items):
            used = [False] * len(items)
            merged: dict[int, tuple[int, tuple[str, Node]]] = {}
            for count, start, end, label in windows:
                if not any(used[start:end]):
                    used[start:end] = [True] * (end - start)
                    node = Node(label, [item for _, item in items[start:end]])
                    merged[start] = end, (label, node)
                    score += count
            renewed, place = [], 0
            while place < len(items):
                end, item = merged.get(place, (place + 1, items[place]))
                renewed.append(item)
                place = end
            items = renewed
        root = items[0][1]
        if len(items) > 1 or isinstance(root, int) or items[0][0] != self.knowledge.root:
            root = Node(self.knowledge.root, [item for _, item in items])
        whole = _FORM.pipeline().undo(Tree(sentence, root)).root
        return Analysis(whole, score, tags)

    def _windows(self, items: Sequence[tuple[str, Node | int]]) -> list[tuple[int, int, int, str]]:
        symbols = [symbol for symbol, _ in items]
        found = []
        for start in range(len(items)):
            for end in range(start + 1, min(start + _WIDEST, len(items)) + 1):
                if end == start + 1 and isinstance(items[start][1], Node):
                    continue  # one unary node above a token is enough
                if rule := self.rules.get(tuple(symbols[start:end])):
                    found.append((rule[0] * (end - start), start, end, rule[1]))
        return sorted(found, reverse=True)

    def files(self) -> dict[str, bytes]:
        return {MODEL: msgspec.json.encode(self.knowledge)}

    @classmethod
    def from_folder(cls, settings: Any, folder: ModelFolder) -> GreedyParser:
        return cls(settings, folder.json(MODEL, Knowledge))

    @classmethod
    def learner(
        cls,
        settings: Any,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> GreedyLearner:
        return GreedyLearner(settings, examples, dev)


class GreedyLearner(Learner[GreedyParser]):
    """Counts in every epoch; what was counted is worth half as much in the next one."""

    def __init__(
        self, settings: GreedySettings, examples: Sequence[Example], dev: Sequence[Example]
    ) -> None:
        self._settings = settings
        self._trees = [_FORM.shape(_CONTINUOUS.apply(example.tree)) for example in examples]
        self._dev = dev
        self.size = len(examples)
        self.digest = hashlib.sha256(repr(self._trees).encode()).hexdigest()
        self._words: Counter[tuple[str, str]] = Counter()
        self._rules: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._roots: Counter[str] = Counter()

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        right = tokens = 0
        for number in sentences:
            tree = self._trees[number]
            words = self._best_tags()
            for token in tree.sentence:
                right += words.get(token.form) == token.tag
                tokens += 1
                self._words[token.form, token.tag] += 1
            self._roots[tree.root.label] += 1
            for node in tree.nodes:
                symbols = tuple(
                    child.label if isinstance(child, Node) else tree.sentence[child].tag
                    for child in node.children
                )
                if len(symbols) <= _WIDEST:
                    self._rules[node.label, symbols] += 1
        return LearningStep(len(sentences), {"tags": Mean(right, tokens)})

    def finish_epoch(self, epoch: Epoch) -> Mapping[str, float]:
        """Measure the tags on dev: gold tags are there, though the parser never sees them."""
        parser = self.snapshot()
        pairs = [
            (gold, tag)
            for example in self._dev
            for gold, tag in zip(
                example.tree.tags, parser._analysis(example.sentence).tags or (), strict=True
            )
        ]
        for counts in (self._words, self._rules, self._roots):
            for key in counts:
                counts[key] = max(1, counts[key] // 2)  # type: ignore[index]
        return {"dev tags": sum(one == other for one, other in pairs) / max(len(pairs), 1)}

    def _best_tags(self) -> dict[str, str]:
        found: dict[str, tuple[int, str]] = {}
        for (word, tag), count in self._words.items():
            found[word] = max((count, tag), found.get(word, (0, "")))
        return {word: tag for word, (_, tag) in found.items()}

    def snapshot(self) -> GreedyParser:
        tags: Counter[str] = Counter()
        for (_, tag), count in self._words.items():
            tags[tag] += count
        least = 1 if self._settings.eager else 2
        return GreedyParser(
            self._settings,
            Knowledge(
                dict(sorted(self._best_tags().items())),
                max(tags, key=lambda tag: (tags[tag], tag)),
                [
                    (lab, list(rest), n)
                    for (lab, rest), n in sorted(self._rules.items())
                    if n >= least
                ],
                max(self._roots, key=lambda root: (self._roots[root], root)),
            ),
        )

    def pack(self, parser: GreedyParser) -> Mapping[str, bytes]:
        return parser.files()

    def unpack(self, parts: Mapping[str, bytes]) -> GreedyParser:
        return GreedyParser(self._settings, msgspec.json.decode(parts[MODEL], type=Knowledge))

    def state(self) -> Mapping[str, bytes]:
        counts = [
            list(self._words.items()),
            list(self._rules.items()),
            list(self._roots.items()),
        ]
        return {"counts": msgspec.json.encode(counts)}

    def restore(self, state: Mapping[str, bytes]) -> None:
        words, rules, roots = msgspec.json.decode(state["counts"])
        self._words = Counter({(word, tag): count for (word, tag), count in words})
        self._rules = Counter({(label, tuple(rest)): count for (label, rest), count in rules})
        self._roots = Counter(dict(roots))
