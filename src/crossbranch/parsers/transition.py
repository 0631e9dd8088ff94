"""Parsers that build a tree by transitions, with a linear scorer and beam search: all in the core.

A model's folder has these files besides its settings and manifest:

labels.json         the system: its labels and transitions
templates.txt       the feature templates, as they were when the model was trained
vocabulary.json     the words, tags and affixes that have weights
clusters.json       the table of word clusters, if there is one
weights.bin         the weights, packed by the core
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import msgspec

from crossbranch import _core
from crossbranch.config import TransitionSettings
from crossbranch.errors import InputError
from crossbranch.features import Templates, TokenEncoder
from crossbranch.features.templates import parse as parse_templates
from crossbranch.parsers.folder import CLUSTERS, ModelFolder
from crossbranch.parsers.parser import Parser, Scored
from crossbranch.search import BeamSearch, Found
from crossbranch.training import Learner
from crossbranch.transitions import TransitionSystem
from crossbranch.tree import Sentence, Tree

LABELS = "labels.json"
TEMPLATES = "templates.txt"
VOCABULARY = "vocabulary.json"
WEIGHTS = "weights.bin"


class TransitionParser(Parser):
    """A parser with any of the transition systems."""

    kind: ClassVar[str] = "transition"
    settings_type: ClassVar[type[TransitionSettings]] = TransitionSettings
    settings: TransitionSettings

    def __init__(
        self,
        settings: TransitionSettings,
        *,
        system: TransitionSystem,
        templates: Templates,
        encoder: TokenEncoder,
        weights: _core.Weights,
    ) -> None:
        self.settings = settings
        self.about: Mapping[str, Any] = {}
        self.system = system
        self.templates = templates
        self.encoder = encoder
        self.weights = weights
        self._search = BeamSearch(system, templates.compile(encoder.columns), weights)

    def beam_size(self, beam: int | None) -> int:
        """Return the size that is asked for, or the one of the training."""
        return beam or self.settings.beam

    def search(
        self, sentences: Sequence[Sentence], *, beam: int | None, k_best: int
    ) -> list[list[Found]]:
        """Encode the sentences and let the core find their trees."""
        rows, offsets = self.encoder.encode(sentences)
        size = max(self.beam_size(beam), k_best)
        return self._search.search(rows, offsets, beam=size, k_best=k_best)

    def roots(self, found: list[list[Found]], count: int) -> Iterator[list[Scored]]:
        """Build the trees that were found."""
        build = self._search.root
        for trees in found:
            yield [(tree.score, build(tree)) for tree in trees]

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
    def from_folder(cls, settings: TransitionSettings, folder: ModelFolder) -> Self:
        """Load system, templates and vocabularies, and map the weights."""

        def path(name: str) -> str:
            return str(folder.path / name)

        system = TransitionSystem.from_json(folder.json(LABELS), path=path(LABELS))
        templates = _read_templates(folder.text(TEMPLATES), system.name, path(TEMPLATES))
        encoder = TokenEncoder.from_json(
            folder.text(VOCABULARY), clusters=folder.clusters, path=path(VOCABULARY)
        )
        weights = _read_weights(folder, len(system.transitions))
        return cls(
            settings,
            system=system,
            templates=templates,
            encoder=encoder,
            weights=weights,
        )

    @classmethod
    def learner(
        cls,
        settings: TransitionSettings,
        trees: Sequence[Tree],
        report: Callable[[InputError], None],
    ) -> Learner[Self]:
        """Return a structured perceptron over derivations."""
        from crossbranch.parsers.transition_learner import TransitionLearner

        return TransitionLearner(cls, settings, trees, report)


def _read_weights(folder: ModelFolder, transition_count: int) -> _core.Weights:
    path = folder.path_of(WEIGHTS)
    try:
        return _core.Weights.unpack(path.read_bytes(), transition_count=transition_count)
    except ValueError as error:
        raise InputError(str(error), "weights that fit the system", path=str(path)) from None


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _read_templates(text: str, system: str, path: str) -> Templates:
    """Read what `_template_lines` wrote; where templates are from stands in the headings."""
    found = parse_templates(text, system, source=path)
    if not found:
        raise InputError("no template", "at least one", path=path)
    sources = [""]
    for line in text.splitlines():
        sources.append(line.removeprefix("# ") if line.startswith("# ") else sources[-1])
    return Templates(system, tuple(replace(one, source=sources[one.line]) for one in found))


def _template_lines(templates: Templates) -> str:
    """Return templates as a feature set, with headings that say where they are from."""
    lines: list[str] = []
    source = None
    for template in templates.templates:
        if template.source != source:
            source = template.source
            lines.append(f"# {source}")
        lines.append(template.text)
    return "\n".join(lines) + "\n"
