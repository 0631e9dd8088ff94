"""Evaluation: the standard scores of predicted trees against gold trees.

`evaluate(gold, predicted)` compares two treebanks in one pass and returns an `Evaluation`: scores
that can be added, and a row for each sentence. `evaluate_k_best(gold, lists)` does the same for
k-best lists.
"""

from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.evaluation import Evaluation, SentenceRow, evaluate
from crossbranch.evaluation.k_best import KBestEvaluation, evaluate_k_best
from crossbranch.evaluation.k_best_files import group_k_best
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS, Parameters, find_parameters
from crossbranch.evaluation.scores import Column, Figures, MainFigures, Scores

__all__ = [
    "PARAMETERS",
    "Column",
    "Evaluation",
    "Figures",
    "KBestEvaluation",
    "MainFigures",
    "MatchCounts",
    "Pair",
    "Parameters",
    "Scores",
    "SentenceRow",
    "evaluate",
    "evaluate_k_best",
    "find_parameters",
    "group_k_best",
]
