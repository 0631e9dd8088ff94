"""Parsers that build a tree by transitions, with a linear scorer and beam search in the core.

A model folder has these files besides its settings and manifest:

labels.json         the system: its labels and transitions
templates.txt       the feature templates that the model was trained with
vocabulary.json     the words, tags and affixes that have weights
clusters.json       the table of word clusters, if the templates use one
weights.bin         the weights, packed by the core
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Self

import msgspec

from crossbranch import _core
from crossbranch.confidence.strategies import CalibratedBeams
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.features import Templates, TokenEncoder
from crossbranch.features.templates import load as load_templates
from crossbranch.features.templates import parse as parse_templates
from crossbranch.models.folder import CLUSTERS, ModelFolder
from crossbranch.parsers.contract import Capabilities
from crossbranch.parsers.linear_transition.settings import (
    LinearTransitionOptions,
    LinearTransitionSettings,
)
from crossbranch.parsers.tracing import TransitionParser
from crossbranch.search import Analysis, BeamSearch, Trace
from crossbranch.training import Example, Learner
from crossbranch.transitions import TransitionSystem
from crossbranch.transitions.systems import SYSTEMS, system_kind
from crossbranch.tree import Sentence

LABELS = "labels.json"
TEMPLATES = "templates.txt"
VOCABULARY = "vocabulary.json"
WEIGHTS = "weights.bin"


class LinearTransitionParser(TransitionParser):
    """A parser with a transition system, a linear scorer and beam search."""

    kind: ClassVar[str] = "linear-transition"
    settings_type: ClassVar[type[LinearTransitionSettings]] = LinearTransitionSettings
    options_type: ClassVar[type[LinearTransitionOptions]] = LinearTransitionOptions
    can: ClassVar[Capabilities] = Capabilities(k_best=True)
    strategy: ClassVar[CalibratedBeams] = CalibratedBeams()
    settings: LinearTransitionSettings

    @door
    def __init__(
        self,
        settings: LinearTransitionSettings,
        *,
        system: TransitionSystem,
        templates: Templates,
        encoder: TokenEncoder,
        weights: _core.Weights,
    ) -> None:
        self.settings = settings
        self.system = system
        self.templates = templates
        self.encoder = encoder
        self.weights = weights
        self.vocabulary = frozenset(encoder.vocabularies["word"])
        compiled = templates.compile(encoder.columns)
        self._search = BeamSearch(system, compiled, weights, stop=settings.stop)

    def default_options(self) -> LinearTransitionOptions:
        """Return the beam size that was used in training."""
        return LinearTransitionOptions(beam=self.settings.beam)

    def search(
        self,
        sentences: Sequence[Sentence],
        options: LinearTransitionOptions,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        """Find the best trees with beam search in the core."""
        rows, offsets = self.encoder.encode(sentences)
        beam = max(options.beam, k_best)
        return self._search.search(rows, offsets, beam=beam, k_best=k_best)

    def traces(
        self, sentences: Sequence[Sentence], options: LinearTransitionOptions
    ) -> Iterator[Trace]:
        """Yield the steps of the best derivations. A score is a sum of weights."""
        for sentence in sentences:
            rows, _ = self.encoder.encode([sentence])
            yield self._search.trace(rows, beam=options.beam)

    def files(self) -> dict[str, bytes]:
        """Return system, templates, vocabularies and weights."""
        clusters = self.encoder.clusters
        return {
            LABELS: _json(self.system.to_json()),
            TEMPLATES: _template_lines(self.templates).encode(),
            VOCABULARY: self.encoder.to_json().encode(),
            **({} if clusters is None else {CLUSTERS: clusters.to_json()}),
            WEIGHTS: self.weights.pack(),
        }

    @classmethod
    def from_folder(cls, settings: LinearTransitionSettings, folder: ModelFolder) -> Self:
        """Load system, templates, vocabularies and weights."""
        path = folder.where
        system = TransitionSystem.from_json(folder.json(LABELS), path=path(LABELS))
        templates = _read_templates(folder.text(TEMPLATES), system.name, path(TEMPLATES))
        encoder = TokenEncoder.from_json(
            folder.text(VOCABULARY), clusters=folder.clusters, path=path(VOCABULARY)
        )
        weights = _read_weights(folder, len(system.transitions))
        parser = cls(settings, system=system, templates=templates, encoder=encoder, weights=weights)
        parser.labels = _labels(system)
        parser.tags = tuple(sorted(filter(None, encoder.vocabularies.get("tag", ()))))
        return parser

    @classmethod
    def check_settings(cls, settings: LinearTransitionSettings) -> None:
        """Check the names of the system, its oracle and the feature sets."""
        system = system_kind(settings.system)
        if system.builds_candidates:
            some = ", ".join(one.name for one in SYSTEMS.values() if not one.builds_candidates)
            raise UsageError(
                f"linear parsers cannot score the transition system {system.name}; "
                f"expected one of {some}"
            )
        system.oracle(None if settings.oracle == "auto" else settings.oracle)
        load_templates(settings.features, settings.system)

    @classmethod
    def learner(
        cls,
        settings: LinearTransitionSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> Learner[Self]:
        """Return a structured perceptron over derivations."""
        from crossbranch.parsers.linear_transition.learner import LinearTransitionLearner

        return LinearTransitionLearner(cls, settings, examples, report)


def _labels(system: TransitionSystem) -> tuple[str, ...]:
    """Return the labels of the treebank, for old models whose manifest does not list them."""
    labels = system.labels
    names = {name for number in range(len(labels)) for name in labels.chain(number)}
    return tuple(sorted(names))


def _read_weights(folder: ModelFolder, transition_count: int) -> _core.Weights:
    try:
        return _core.Weights.unpack(folder.data(WEIGHTS), transition_count=transition_count)
    except ValueError as error:
        path = folder.where(WEIGHTS)
        raise InputError(str(error), "weights that fit the system", path=path) from None


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _read_templates(text: str, system: str, path: str) -> Templates:
    """Read what `_template_lines` wrote. The headings name the sources of the templates."""
    found = parse_templates(text, system, source=path)
    if not found:
        raise InputError("no templates", "at least one", path=path)
    sources = [""]
    for line in text.splitlines():
        sources.append(line.removeprefix("# ") if line.startswith("# ") else sources[-1])
    return Templates(system, tuple(replace(one, source=sources[one.line]) for one in found))


def _template_lines(templates: Templates) -> str:
    """Return templates as a feature set. Headings name the sources of the templates."""
    lines: list[str] = []
    source = None
    for template in templates.templates:
        if template.source != source:
            source = template.source
            lines.append(f"# {source}")
        lines.append(template.text)
    return "\n".join(lines) + "\n"
