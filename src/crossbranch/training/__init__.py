"""Training: one loop for all parsers.

contract     what a parser must supply to be trained: a `Learner`; and who may look on: a `Watcher`
loop         epochs, dev F1, patience, the best model
checkpoint   what is kept on disk meanwhile, so that a killed training goes on where it was
"""

from __future__ import annotations

from crossbranch.training.checkpoint import CheckpointFile
from crossbranch.training.contract import Epoch, Learned, Learner, Predictor, Trained, Watcher
from crossbranch.training.loop import learn

__all__ = [
    "CheckpointFile",
    "Epoch",
    "Learned",
    "Learner",
    "Predictor",
    "Trained",
    "Watcher",
    "learn",
]
