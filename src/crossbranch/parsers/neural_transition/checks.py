"""What is checked before a neural transition parser is trained."""

from __future__ import annotations

from crossbranch.errors import UsageError
from crossbranch.parsers.neural_shared.checks import check_network
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings
from crossbranch.transitions import SYSTEMS
from crossbranch.transitions.systems import system_kind


def check_settings(settings: NeuralTransitionSettings) -> None:
    """Raise an error if settings do not fit together, or if a file that they name is wrong."""
    system = system_kind(settings.system)
    if not system.builds_candidates:
        some = ", ".join(one.name for one in SYSTEMS.values() if one.builds_candidates)
        raise UsageError(
            f"neural parsers cannot score the transition system {system.name}; "
            f"expected one of {some}"
        )
    system.oracle(settings.oracle)
    check_network(settings)
