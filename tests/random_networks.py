"""Neural transition parsers with random weights: quick to make, and good enough to compare."""

from __future__ import annotations

from typing import Any

from crossbranch.grammar.sampling import sample
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.neural_shared.engine import TAG
from crossbranch.parsers.neural_shared.parser import Learned
from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings
from crossbranch.transitions import TransitionSystem, make_ready

SMALL: dict[str, Any] = {"words": 6, "character_size": 5, "spelling": 8, "hidden": 12}
TREES = list(sample(30, grammar="dutch", seed=1, max_length=12))


def random_parser(torch: Any, **values: Any) -> NeuralTransitionParser:
    """Return a parser with random weights."""
    from crossbranch.neural.encoder import TaskShape
    from crossbranch.parsers.neural_shared.weights import pack
    from crossbranch.parsers.neural_transition.torch_engine import make_network

    torch.manual_seed(3)
    settings = NeuralTransitionSettings.of({**values, "encoder": SMALL | values["encoder"]})
    ready = [make_ready(tree, settings.system) for tree in TREES]
    parser = NeuralTransitionParser(
        settings,
        system=TransitionSystem.of(ready, name=settings.system),
        learned=Learned(
            vocabulary=Vocabulary.of(
                [tree.sentence for tree in TREES[:15]], has_tags=settings.encoder.tags > 0
            ),
            tasks={TAG: ("noun", "verb", "other")},
            weights=b"",
        ),
    )
    tasks = {TAG: TaskShape(settings.tag_level, 3)}
    network = make_network(settings, parser.words, parser.writer, tasks)
    parser.weights = pack({name: 2 * one for name, one in network.state_dict().items()})
    return parser
