"""Tree <-> derivation: the transitions that build a tree, step by step.

moves           the moves of the core, and how oracles take them
gold            a binary tree as oracles see it
oracle          Oracle: which transitions are best from here
gap             the oracle of SR-GAP and SR-CGAP
swap            the strict oracle of SR-SWAP and SR-CSWAP
swap_online     their eager, lazy and lazier oracles, which swap nodes as well
candidates      the oracles of ML-GAP and stack-free parsing
systems         SYSTEMS: the systems and their properties
system          TransitionSystem: a system with the labels and transitions of a treebank
derivation      derive() and build()
steps           a derivation as a table, configuration by configuration
lengths         how long the derivations of a treebank are

The core decides what a transition does and when it is legal. Oracles only choose transitions. Those
of ML-GAP and stack-free parsing are in the core, too: training asks them very often.
"""

from crossbranch.transitions.derivation import Derivation, build, derive
from crossbranch.transitions.lengths import Lengths, compare
from crossbranch.transitions.oracle import Oracle
from crossbranch.transitions.steps import Step, columns, steps
from crossbranch.transitions.system import TransitionSystem
from crossbranch.transitions.systems import SYSTEMS, make_ready, pipeline_for

__all__ = [
    "SYSTEMS",
    "Derivation",
    "Lengths",
    "Oracle",
    "Step",
    "TransitionSystem",
    "build",
    "columns",
    "compare",
    "derive",
    "make_ready",
    "pipeline_for",
    "steps",
]
