"""Tree <-> derivation: the transitions that build a tree, step by step.

labels          labels by number
moves           the moves of the core, and how oracles take them
gold            a binary tree as oracles see it
gap             the oracle of SR-GAP and SR-CGAP
swap            the strict oracle of SR-SWAP and SR-CSWAP
swap_online     their eager, lazy and lazier oracles, which swap nodes as well
systems         SYSTEMS: what each system is like
system          TransitionSystem: a system with the labels and transitions of a treebank
unary_chains    what unary reductions a treebank needs
derivation      derive() and build()
pipeline        what makes trees ready
steps           a derivation as a table, configuration by configuration
lengths         how long the derivations of a treebank are

What a transition does and when it is legal is the core's; oracles only choose.
"""

from crossbranch.transitions.derivation import Derivation, build, derive
from crossbranch.transitions.labels import Labels
from crossbranch.transitions.lengths import Lengths, compare
from crossbranch.transitions.pipeline import binary_pipeline, to_binary
from crossbranch.transitions.steps import Step, columns, steps
from crossbranch.transitions.system import TransitionSystem
from crossbranch.transitions.systems import SYSTEMS

__all__ = [
    "SYSTEMS",
    "Derivation",
    "Labels",
    "Lengths",
    "Step",
    "TransitionSystem",
    "binary_pipeline",
    "build",
    "columns",
    "compare",
    "derive",
    "steps",
    "to_binary",
]
