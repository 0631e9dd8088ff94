"""Several processes that train one model together, started by torch's launcher `torchrun`.

Each has a number, its rank. The first one, the leader, tells about the training and writes the
model. The others only help.
"""

from __future__ import annotations

import os


def team_size() -> int:
    """Return the number of processes of the team; 1 if there is no team."""
    return _number("WORLD_SIZE", 1) if _is_launched() else 1


def rank() -> int:
    """Return the rank of this process; 0 is the leader, and a process without a team."""
    return _number("RANK", 0) if _is_launched() else 0


def local_rank() -> int:
    """Return the rank among the processes of the team on this machine."""
    return _number("LOCAL_RANK", 0) if _is_launched() else 0


def is_leader() -> bool:
    """Return whether this process leads; so does a process without a team."""
    return rank() == 0


def _is_launched() -> bool:
    return "TORCHELASTIC_RUN_ID" in os.environ


def _number(name: str, default: int) -> int:
    value = os.environ.get(name, "")
    return int(value) if value.isdigit() else default
