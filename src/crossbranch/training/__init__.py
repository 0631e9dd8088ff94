"""Training: one loop for all parsers.

contract     what the loop needs from a parser (`Example`, `Learner`), and callbacks (`Watcher`)
loop         epochs, dev F1, patience, the best model
checkpoint   files from which an interrupted training run continues
team         several processes that train one model together
"""

from __future__ import annotations

from crossbranch.training.checkpoint import CheckpointFile
from crossbranch.training.contract import (
    ACCURACY,
    DEV_ACCURACY,
    Epoch,
    Example,
    Learner,
    LearningStep,
    Mean,
    Predictor,
    Trained,
    TrainedParser,
    Watcher,
)
from crossbranch.training.loop import learn

__all__ = [
    "ACCURACY",
    "DEV_ACCURACY",
    "CheckpointFile",
    "Epoch",
    "Example",
    "Learner",
    "LearningStep",
    "Mean",
    "Predictor",
    "Trained",
    "TrainedParser",
    "Watcher",
    "learn",
]
