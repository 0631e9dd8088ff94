"""Training of a labeller: the averaged perceptron of the core, on trees with functions.

Rare words are sometimes hidden during training, the rarer they are the more often. So the labeller
learns to do without words that it does not know.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from crossbranch import _core
from crossbranch.features import Clusters
from crossbranch.functions.encoder import Encoder
from crossbranch.functions.settings import CLUSTER_TEMPLATES, EMPTY, TEMPLATES, LabellerSettings
from crossbranch.ranges import require_positive
from crossbranch.tagging.learning import RareWords, packed_weights
from crossbranch.tagging.templates import compile_templates
from crossbranch.transforms.head_rules import parse_table, table_text
from crossbranch.tree import Tree

BEAM = 2  # more is slower and not better
MARGIN = 4
"""The margin by which the right functions must be ahead. An update changes a weight by 1."""
BYTES, BYTES_A_FUNCTION = 400_000, 24_000
"""The largest size of the weights in bytes. If they are larger, the smallest ones are left out."""
LEAST_SHARE = 0.01
"""The share of nodes (of tokens) with a function from which nodes (tokens) have functions."""


class LabellerParts(NamedTuple):
    """The parts of a labeller."""

    settings: LabellerSettings
    encoder: Encoder
    weights: bytes | None


def learn(
    trees: Sequence[Tree],
    *,
    others: Sequence[Tree],
    head_table: str,
    epochs: int,
    seed: int,
    clusters: Clusters | None,
    threads: int,
    progress: Callable[[int], None] | None,
) -> LabellerParts:
    """Learn the parts of a labeller; see `FunctionLabeller.learn`."""
    require_positive(epochs=epochs, threads=threads)
    seen = [tree for tree in trees if tree.sentence]
    settings = _settings(seen, [*seen, *others], table_text(head_table), clusters is not None)
    encoder = Encoder(settings.labels, settings.tags, clusters=clusters)
    if len(settings.functions) == 1:
        return LabellerParts(settings, encoder, None)
    school = _School(seen, settings, encoder, seed)
    for epoch in range(1, epochs + 1):
        school.train(threads)
        if progress is not None:
            progress(epoch)
    return LabellerParts(settings, encoder, school.weights())


def core_labeller(
    settings: LabellerSettings, encoder: Encoder, weights: bytes | None
) -> _core.FunctionLabeller:
    """Return the labeller of the core. Raises ValueError if weights are damaged."""
    rules = _core.HeadRules(
        parse_table(settings.head_rules).numbered(encoder.names, settings.functions),
        label_count=len(encoder.names),
        function_count=len(settings.functions),
    )
    return _core.FunctionLabeller(
        rules,
        compile_templates(settings.templates, _core.child_columns()),
        weights,
        beam=settings.beam,
        of_tokens=settings.of_tokens,
        empty=settings.functions.index(EMPTY),
    )


def has_functions(trees: Iterable[Tree]) -> bool:
    """Return whether trees have enough functions to learn from."""
    return _share(node.edge_label for tree in trees for node in tree.nodes[1:]) >= LEAST_SHARE


def _settings(
    trees: Sequence[Tree], known: Sequence[Tree], head_rules: str, has_clusters: bool
) -> LabellerSettings:
    found = {EMPTY}
    of_tokens = False
    if has_functions(trees):
        found |= {node.edge_label for tree in trees for node in tree.nodes[1:]}
        tokens = [token.edge_label for tree in trees for token in tree.sentence]
        of_tokens = _share(tokens) >= LEAST_SHARE
        found |= set(tokens) if of_tokens else set()
    return LabellerSettings(
        functions=tuple(sorted(found)),
        of_tokens=of_tokens,
        labels=tuple(sorted({node.label for tree in known for node in tree.nodes})),
        tags=tuple(sorted({token.tag for tree in known for token in tree.sentence if token.tag})),
        templates=(*TEMPLATES, *CLUSTER_TEMPLATES) if has_clusters else TEMPLATES,
        beam=BEAM,
        head_rules=head_rules,
        clusters=has_clusters,
    )


def _share(functions: Iterable[str]) -> float:
    """Return the share of functions that are not empty."""
    counts = Counter(map(bool, functions))
    return counts[True] / max(counts.total(), 1)


class _Lesson(NamedTuple):
    """A tree as numbers, with the functions of its tokens and nodes."""

    tree: Tree
    codes: array[int]
    functions: array[int]


class _School:
    """A labeller during training."""

    def __init__(
        self, trees: Sequence[Tree], settings: LabellerSettings, encoder: Encoder, seed: int
    ) -> None:
        self._settings = settings
        self._encoder = encoder
        self._random = Random(seed)
        self._rare_words = RareWords([tree.sentence for tree in trees], self._random)
        self._numbers = {name: number for number, name in enumerate(settings.functions)}
        self._lessons = [self._lesson(tree) for tree in trees]
        self._core = core_labeller(settings, encoder, None)
        self._trainer = _core.TagTrainer(
            compile_templates(settings.templates, _core.child_columns()),
            tag_count=len(settings.functions),
            beam=BEAM,
            margin=MARGIN,
        )

    def _lesson(self, tree: Tree) -> _Lesson:
        codes, nodes = self._encoder.codes(tree.root)
        number = self._numbers.get
        empty = self._numbers[EMPTY]
        tokens = [number(token.edge_label, empty) for token in tree.sentence]
        functions = array("H", tokens + [number(node.edge_label, empty) for node in nodes])
        return _Lesson(tree, codes, functions)

    def train(self, threads: int) -> None:
        """Learn from all trees once, in a new order."""
        self._random.shuffle(self._lessons)
        codes: array[int] = array("i")
        functions: array[int] = array("H")
        rows: array[int] = array("I")
        is_hidden = self._rare_words.is_hidden
        for lesson in self._lessons:
            codes += lesson.codes
            functions += lesson.functions
            rows.frombytes(self._encoder.rows_without(lesson.tree.sentence, is_hidden))
        code_offsets = _offsets(len(lesson.codes) for lesson in self._lessons)
        token_offsets = _offsets(len(lesson.tree.sentence) for lesson in self._lessons)
        cells, offsets, tags = self._core.sequences(
            codes, code_offsets, rows, token_offsets, functions
        )
        self._trainer.train(
            memoryview(cells).cast("I"), offsets, memoryview(tags).cast("H"), threads=threads
        )

    def weights(self) -> bytes:
        """Return the averaged weights, packed, up to the size limit."""
        most = BYTES + BYTES_A_FUNCTION * len(self._settings.functions)
        return packed_weights(self._trainer, most)


def _offsets(sizes: Iterable[int]) -> list[int]:
    return list(accumulate(sizes, initial=0))
