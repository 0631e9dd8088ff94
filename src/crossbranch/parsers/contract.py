"""What a kind of parser declares and supplies; everything else is the base class's.

A kind of parser is one class: what it can do (`can`), its settings and search options, how it
likes its batches, how it tells its confidence, and the steps in which it differs: `search`,
`files`, `from_folder` and `learner`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from crossbranch.confidence.strategies import Confidence, Strategy
from crossbranch.config import Description, SearchOptions, Settings
from crossbranch.errors import InputError, UsageError
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers.capabilities import BatchSize, Capabilities
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.search import Analysis
from crossbranch.training import Example, Learner
from crossbranch.tree import Sentence


class ParserContract(ABC):
    """What makes a parser; see `Parser` for what users do with it."""

    kind: ClassVar[str]
    """The name in PARSERS."""
    settings_type: ClassVar[type[Settings]]
    options_type: ClassVar[type[SearchOptions]] = SearchOptions
    """What users may say when they parse, such as the size of a beam."""
    can: ClassVar[Capabilities] = Capabilities()
    batch_size: BatchSize = BatchSize()
    """How it likes its batches; `move_to` may choose another size for a device."""
    strategy: ClassVar[Strategy | None] = None
    """How parsers of this kind tell their confidence; None if they cannot."""

    settings: Settings
    description: Description = Description()
    """What people should know: language, licence, attribution."""
    about: Mapping[str, Any] = {}
    """Where the model comes from: training data, scores, date."""
    labels: tuple[str, ...] = ()
    """The labels of the training trees, sorted."""
    tags: tuple[str, ...] = ()
    """The tags of the training trees, sorted; none if they have no tags."""
    confidence: Confidence | None = None
    """What its confidence is worth; None if it was trained without dev trees."""
    front_end: FrontEnd = FrontEnd()
    device: str = "cpu"

    @abstractmethod
    def search(
        self,
        sentences: Sequence[Sentence],
        options: Any,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        """Find the best trees of sentences, none of them empty.

        Yields for each sentence up to `k_best` different analyses, the best one first; an empty
        list means that no parse was found. Several threads may call this at once. The hard work is
        done before this returns; only Python objects are built when the result is used.

        Args:
            sentences: The sentences. All tokens have tags if the model has a tagger.
            options: Complete options, of type `options_type`.
            k_best: More than 1 only if the kind can find k-best lists.
            probabilities: Also compute probabilities; only if the kind has marginals.
        """

    @abstractmethod
    def files(self) -> dict[str, bytes]:
        """Return the files of the model's folder, without its settings."""

    @classmethod
    @abstractmethod
    def from_folder(cls, settings: Any, folder: ModelFolder) -> Self:
        """Make the parser again from what `files` returned."""

    @classmethod
    @abstractmethod
    def learner(
        cls,
        settings: Any,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> Learner[Any]:
        """Return what learns such a parser; examples of no use are reported and left out.

        The dev examples are for metrics of the learner's own. The loop scores F1 by itself.
        """

    def default_options(self) -> SearchOptions:
        """Return the options that hold if users do not say otherwise."""
        return self.options_type()

    def move_to(self, device: str) -> None:
        """Get ready to run on a device of a kind that `can.devices` names."""
        self.device = device

    # What follows from that.

    def options(self, values: Mapping[str, object]) -> Any:
        """Check options that users give; what is not given, or None, has its default.

        Raises:
            UsageError: This kind of parser has no such option, or the value is wrong.
        """
        defaults = self.default_options()
        given = {name: value for name, value in values.items() if value is not None}
        known = defaults.__struct_fields__
        for name in given:
            if name not in known:
                raise UsageError(
                    f"a parser of kind {self.kind} has no option {name!r}; its options are:"
                    f" {', '.join(known) or 'none'}"
                )
        return defaults.changed(given)

    def use_device(self, device: str) -> None:
        """Run on a device, such as "cpu" or "cuda:0".

        Raises:
            UsageError: This kind of parser does not run there.
        """
        if device.partition(":")[0] not in self.can.devices:
            raise UsageError(
                f"a parser of kind {self.kind} does not run on {device!r}; it runs on"
                f" {', '.join(self.can.devices)}"
            )
        self.move_to(device)
