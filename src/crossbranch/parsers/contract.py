"""What a kind of parser declares and implements. The base class does everything else.

A kind of parser is one class. It declares its capabilities (`can`), its settings and search
options, the size of its batches, and its strategy for confidence. It implements `search`, `files`,
`from_folder` and `learner`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from crossbranch.confidence.strategies import Confidence, Strategy
from crossbranch.config import Description, SearchOptions, Settings
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.functions import FunctionLabeller
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.search import Analysis
from crossbranch.training import Example, Learner
from crossbranch.tree import Sentence, Tree


class Capabilities(NamedTuple):
    """What a kind of parser can do besides finding the best tree of a sentence."""

    k_best: bool = False
    """The parser can find several trees for a sentence."""

    own_tags: bool = False
    """The parser predicts tags itself and needs no tagger."""

    marginals: bool = False
    """The parser can compute probabilities of trees and constituents."""

    teams: bool = False
    """Several processes can train the parser together; see `training.team`."""

    devices: tuple[str, ...] = ("cpu",)
    """The kinds of devices that the parser runs on."""

    def in_words(self) -> str:
        """Return the names of the capabilities, for messages."""
        names = {"k_best": "k-best lists", "own_tags": "its own tags", "marginals": "marginals"}
        found = [text for name, text in names.items() if getattr(self, name)]
        return ", ".join(found) or "one tree for each sentence"


class BatchSize(NamedTuple):
    """How many sentences a parser gets at once. A batch is full when it reaches either limit."""

    tokens: int = 2048  # more is not faster, and a short text would use fewer threads
    sentences: int = 1024
    by_length: bool = False
    """Whether the parser gets the sentences of a batch sorted by length."""


class ParserContract(ABC):
    """What every kind of parser must define. `Parser` adds what users call."""

    kind: ClassVar[str]
    """The name in PARSERS."""
    settings_type: ClassVar[type[Settings]]
    options_type: ClassVar[type[SearchOptions]] = SearchOptions
    """The options that users may give when they parse, such as the size of a beam."""
    can: ClassVar[Capabilities] = Capabilities()
    batch_size: BatchSize = BatchSize()
    """How it likes its batches; `move_to` may choose another size for a device."""
    strategy: ClassVar[Strategy | None] = None
    """How parsers of this kind compute their confidence; None if they cannot."""

    settings: Settings
    description: Description = Description()
    """Information for users: language, licence, attribution."""
    about: Mapping[str, Any] = {}
    """Where the model comes from: training data, scores, date."""
    labels: tuple[str, ...] = ()
    """The labels of the training trees, sorted."""
    tags: tuple[str, ...] = ()
    """The tags of the training trees, sorted; empty if they have no tags."""
    confidence: Confidence | None = None
    """Computes confidence for this model; None if it was trained without dev trees."""
    front_end: FrontEnd = FrontEnd()
    vocabulary: Container[str] | None = None
    """The words that the parser knows; None if it does not say. A tagger knows its own words."""
    labeller: FunctionLabeller | None = None
    """Gives parsed trees their functions and heads; None in models of earlier versions."""
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
        """Find the best trees of sentences.

        For each sentence, yields a list of up to `k_best` different analyses, the best one first.
        An empty list means that no parse was found. No sentence is empty. Several threads may call
        `search` at once. It must do the hard work before it returns; only the Python objects are
        built while the caller iterates over the result. The nodes of the best analysis are new: no
        other sentence has them, and the parser does not keep them.

        Args:
            sentences: The sentences. If the model has a tagger, all tokens have tags.
            options: Complete options, of type `options_type`.
            k_best: The number of analyses; 1 unless this kind can find k-best lists.
            probabilities: Also compute probabilities. Only used if this kind has marginals.
        """

    @abstractmethod
    def files(self) -> dict[str, bytes]:
        """Return the files of the model folder, without the settings."""

    @classmethod
    @abstractmethod
    def from_folder(cls, settings: Any, folder: ModelFolder) -> Self:
        """Make a parser from the files that `files` returned."""

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
        """Return a learner for parsers of this kind.

        Args:
            settings: Complete settings, of type `settings_type`.
            examples: The training examples. Those that cannot be used are skipped.
            report: Called with an InputError for each skipped example.
            dev: Dev examples, for metrics that only this learner has. The loop computes F1.
        """

    @classmethod  # noqa: B027 - most kinds have nothing to check
    def check_settings(cls, settings: Any) -> None:
        """Check what the types of the settings do not say, such as the names of feature sets.

        This is called before anything is read or trained. It must be fast.

        Raises:
            UsageError: A setting is wrong.
            InputError: A file that a setting names is wrong.
        """

    @classmethod  # noqa: B027 - most kinds need nothing else
    def check_installed(cls, settings: Any) -> None:
        """Check that there is what training needs besides this package. Nothing is read before.

        Raises:
            UsageError: Something is not installed.
        """

    def default_options(self) -> SearchOptions:
        """Return the options to use if the user gives none."""
        return self.options_type()

    @property
    def takes_any_sentence(self) -> bool:
        """Whether it can parse any sentence; False if it needs more than words, see `read_rows`."""
        return True

    def read_rows(
        self,
        files: Mapping[str, str],
        sentences: Sequence[Tree],
        report: Callable[[InputError], None],
    ) -> None:
        """Read numbers of other programs for these sentences, which will be parsed.

        Args:
            files: For each distribution that the model needs, a file with rows of numbers.
            sentences: The sentences, in the order of the files.
            report: Called with an InputError for each sentence whose rows do not fit. Its tree
                will be flat.

        Raises:
            UsageError: This parser reads no such numbers, or a file cannot be opened.
            InputError: A file does not have as many sentences as there are.
        """
        raise UsageError(f"a parser of kind {self.kind} reads no distributions")

    def move_to(self, device: str) -> None:
        """Prepare to run on this device. Its kind is one of `can.devices`."""
        self.device = device

    @door
    def options(self, values: Mapping[str, object]) -> Any:
        """Check options and return them all. An option that is missing or None has its default.

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
        return defaults.changed(given) if given else defaults

    @door
    def use_device(self, device: str) -> None:
        """Run on a device, such as "cpu" or "cuda:0".

        Raises:
            UsageError: This kind of parser does not run on this device.
        """
        if device.partition(":")[0] not in self.can.devices:
            raise UsageError(
                f"a parser of kind {self.kind} does not run on {device!r}; it runs on"
                f" {', '.join(self.can.devices)}"
            )
        self.move_to(device)
