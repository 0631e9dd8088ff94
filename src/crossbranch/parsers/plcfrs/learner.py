"""Learning a probabilistic LCFRS: the rules of the training trees are counted."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from crossbranch.errors import InputError, TransformError
from crossbranch.grammar.lcfrs import extract
from crossbranch.grammar.text_format import write_text
from crossbranch.parsers.plcfrs.parser import PlcfrsParser, files_of, grammar_in
from crossbranch.parsers.plcfrs.settings import PlcfrsSettings
from crossbranch.parsers.plcfrs.shaping import Shape
from crossbranch.parsers.ready_trees import head_table, refused
from crossbranch.training import Example, Learner, LearningStep
from crossbranch.tree import Tree

_SEEN = "seen"


class PlcfrsLearner(Learner[PlcfrsParser]):
    """Counts how often each training tree was seen; the grammar is read off them."""

    def __init__(
        self,
        settings: PlcfrsSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
    ) -> None:
        """Shape the training trees."""
        self._settings = settings
        # A parser that tags by itself learns from gold tags.
        trees = [one.scored if settings.tags == "own" else one.seen for one in examples]
        shape = Shape(settings, head_table(settings, trees))
        self._trees: list[Tree] = []
        kept = []
        for number, tree in enumerate(trees):
            try:
                self._trees.append(shape.apply(tree))
            except TransformError as error:
                report(refused(error, tree))
            else:
                kept.append(number)
        if not kept:
            raise InputError("no tree to learn from", "at least one", path="<train>")
        self.kept = kept
        self.size = len(kept)
        self._seen: Counter[int] = Counter()
        self.digest = hashlib.sha256("".join(write_text(extract(self._trees))).encode()).hexdigest()

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        """Take note of the trees; the grammar is read off when it is needed."""
        self._seen.update(sentences)
        return LearningStep(len(sentences))

    def snapshot(self) -> PlcfrsParser:
        """Return a parser with the grammar of the trees so far."""
        numbers = sorted(self._seen.elements())
        return PlcfrsParser(self._settings, extract(self._trees[number] for number in numbers))

    def pack(self, parser: PlcfrsParser) -> Mapping[str, bytes]:
        """Return the grammar."""
        return files_of(parser.grammar)

    def unpack(self, parts: Mapping[str, bytes]) -> PlcfrsParser:
        """Read the grammar."""
        return PlcfrsParser(self._settings, grammar_in(parts))

    def state(self) -> Mapping[str, bytes]:
        """Return how often each tree was seen."""
        return {_SEEN: msgspec.json.encode(sorted(self._seen.items()))}

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Continue after the trees that were seen."""
        self._seen = Counter(dict(msgspec.json.decode(state[_SEEN], type=list[tuple[int, int]])))
