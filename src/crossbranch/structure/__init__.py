"""What all kinds of parsers need to build trees.

labels    LabelSet: the labels of a treebank by number
forms     the form that trees have inside a parser: binary with heads, or n-ary
gold      GoldTree, NaryGold: gold trees as arrays
nodes     NodeBuilder: from the numbers that a parser found to nodes
"""

from crossbranch.structure.forms import BinaryForm, NaryForm, TreeForm
from crossbranch.structure.gold import GoldTree, NaryGold
from crossbranch.structure.labels import PLAIN, ROOT_LABEL, TEMPORARY, LabelSet
from crossbranch.structure.nodes import NodeBuilder

__all__ = [
    "PLAIN",
    "ROOT_LABEL",
    "TEMPORARY",
    "BinaryForm",
    "GoldTree",
    "LabelSet",
    "NaryForm",
    "NaryGold",
    "NodeBuilder",
    "TreeForm",
]
