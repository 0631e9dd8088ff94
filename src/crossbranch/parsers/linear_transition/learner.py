"""Training of linear transition parsers: a structured perceptron over derivations, in the core."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from crossbranch import _core
from crossbranch.errors import InputError, TransformError, UsageError
from crossbranch.features import Clusters, Templates, TokenEncoder, load
from crossbranch.parsers.data import read_clusters
from crossbranch.parsers.linear_transition.parser import LinearTransitionParser
from crossbranch.parsers.linear_transition.settings import LinearTransitionSettings
from crossbranch.parsers.ready_trees import head_table, ready_trees, refused
from crossbranch.search.beam import STOPS
from crossbranch.training import Example, Learner, LearningStep
from crossbranch.transforms import Pipeline
from crossbranch.transforms.heads import Heads
from crossbranch.transforms.raising import Raise
from crossbranch.transitions import TransitionSystem
from crossbranch.tree import Tree

_Kind = TypeVar("_Kind", bound=LinearTransitionParser)

_UPDATES = {
    "early": _core.UpdateRule.EARLY,
    "restart": _core.UpdateRule.RESTART,
    "max-violation": _core.UpdateRule.MAX_VIOLATION,
}


class LinearTransitionLearner(Learner[_Kind]):
    """Trains a linear transition parser; see `training.Learner` for the methods."""

    def __init__(
        self,
        kind: type[_Kind],
        settings: LinearTransitionSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
    ) -> None:
        """Derive the trees. Trees that have no derivation are reported and skipped."""
        trees = [example.retagged for example in examples]
        self._kind = kind
        self._settings = settings
        self._templates = load(settings.features, settings.system)
        clusters = _clusters(settings, self._templates, trees)
        heads = head_table(settings, trees)
        if not settings.discontinuous:
            trees = _continuous(trees, heads)
        binary = ready_trees(settings.system, heads, trees, report)
        self._system, derived, self.kept = _derive(settings, binary, report)
        self._encoder = TokenEncoder.of(
            (tree.sentence for tree, _ in derived),
            columns=self._templates.columns,
            unknown_below=settings.unknown_below,
            clusters=clusters,
        )
        compiled = self._templates.compile(self._encoder.columns)
        self._voters = [self._voter(compiled) for _ in range(settings.voters)]
        self.size = len(derived)
        self.facts: Mapping[str, Any] = {
            "heads": heads or "as marked",
            "oracle": self._system.oracle,
            "learned_from": len(derived),
        }
        self.step = settings.batch
        self.digest = self._add(derived)

    def _voter(self, templates: _core.Templates) -> _core.Trainer:
        settings = self._settings
        return _core.Trainer(
            self._system.core,
            templates,
            beam=settings.beam,
            update=_UPDATES[settings.update],
            importance=settings.importance,
            min_update=settings.min_update,
            stop=STOPS[settings.stop],
        )

    def _add(self, derived: Sequence[tuple[Tree, list[int]]]) -> str:
        """Give the sentences to the core; return a checksum of everything it was given."""
        identity = hashlib.sha256(repr(self._system.transitions).encode())
        for template in self._templates.templates:
            identity.update(f"{template.text}\n".encode())
        for tree, transitions in derived:
            rows, _ = self._encoder.encode([tree.sentence])
            for voter in self._voters:
                voter.add(rows, transitions)
            identity.update(rows.tobytes() + array("I", transitions).tobytes())
        return identity.hexdigest()

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        """Learn from these sentences, each voter in its own order."""
        settings = self._settings
        alone = len(self._voters) == 1

        def updates(number: int) -> int:
            order = array("I", _shuffled(sentences, number) if number else sentences)
            threads = settings.threads if alone else 1
            return self._voters[number].train(order, batch=settings.batch, threads=threads)[1]

        if alone:
            return LearningStep(updates(0))
        with ThreadPoolExecutor(settings.threads) as executor:
            return LearningStep(sum(executor.map(updates, range(len(self._voters)))))

    def snapshot(self) -> _Kind:
        """Return a parser with the averaged weights so far."""
        first, *others = self._voters
        return self._parser(first.average(prune=self._settings.prune, others=others))

    def pack(self, parser: _Kind) -> Mapping[str, bytes]:
        """Return the weights of a parser. Everything else is the same for all snapshots."""
        return {"weights": parser.weights.pack()}

    def unpack(self, parts: Mapping[str, bytes]) -> _Kind:
        """Return the parser with these weights."""
        count = len(self._system.transitions)
        return self._parser(_core.Weights.unpack(parts["weights"], transition_count=count))

    def state(self) -> Mapping[str, bytes]:
        """Return all weights and their sums, from which the averages are computed."""
        return {_state_name(number): voter.state() for number, voter in enumerate(self._voters)}

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Continue from saved weights."""
        for number, voter in enumerate(self._voters):
            voter.restore(state[_state_name(number)])

    def _parser(self, weights: _core.Weights) -> _Kind:
        return self._kind(
            self._settings,
            system=self._system,
            templates=self._templates,
            encoder=self._encoder,
            weights=weights,
        )


def _shuffled(sentences: Sequence[int], voter: int) -> list[int]:
    """Return sentences in the order of a voter; it is the same after a checkpoint."""
    order = list(sentences)
    Random(f"{voter} {order}").shuffle(order)
    return order


def _state_name(voter: int) -> str:
    return f"trainer{voter}" if voter else "trainer"


def _clusters(
    settings: LinearTransitionSettings, templates: Templates, trees: Sequence[Tree]
) -> Clusters | None:
    if not settings.clusters:
        return None
    if not any(column.startswith("cluster") for column in templates.columns):
        if settings.tags == "predicted" and any(token.tag for t in trees for token in t.sentence):
            return None  # only the tagger uses them
        features = ", ".join(settings.features)
        raise UsageError(f"clusters are given, but no template of {features} uses them")
    return read_clusters(settings.clusters, trees)


def _continuous(trees: Sequence[Tree], heads: str | None) -> list[Tree]:
    """Return trees without crossing branches: nodes keep the block of their head (Maier 2015)."""
    steps = Pipeline((*((Heads(heads),) if heads else ()), Raise()))
    return [steps.apply(tree) for tree in trees]


def _derive(
    settings: LinearTransitionSettings,
    numbered: Iterable[tuple[int, Tree]],
    report: Callable[[InputError], None],
) -> tuple[TransitionSystem, list[tuple[Tree, list[int]]], list[int]]:
    """Return the system with the transitions that the trees need, and their derivations.

    The numbers of the trees that have a derivation come last.
    """
    numbers, binary = [], []
    for number, tree in numbered:
        numbers.append(number)
        binary.append(tree)
    if not binary:
        raise InputError("no tree to learn from", "at least one", path="<train>")
    oracle = None if settings.oracle == "auto" else settings.oracle
    wide = TransitionSystem.open(
        binary, name=settings.system, oracle=oracle, is_continuous=not settings.discontinuous
    )
    derived: list[tuple[Tree, list[int]]] = []
    kept: list[int] = []
    for number, tree in zip(numbers, binary, strict=True):
        try:
            derived.append((tree, wide.derive(tree)))
        except TransformError as error:
            report(refused(error, tree))
        else:
            kept.append(number)
    if not derived:
        raise InputError("no tree that has a derivation", "at least one", path="<train>")
    used = sorted({transition for _, transitions in derived for transition in transitions})
    system = replace(wide, seen=tuple(wide.transitions[transition] for transition in used))
    place = {old: system.core.find(*wide.transitions[old]) for old in used}
    learned = [(tree, [place[old] for old in taken]) for tree, taken in derived]
    return system, learned, kept
