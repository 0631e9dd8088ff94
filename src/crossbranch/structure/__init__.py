"""What every parser builds trees with, whatever way it finds them.

labels    LabelSet: the labels of a treebank by number
forms     the form that trees have inside a parser: binary with heads, or n-ary
nodes     NodeBuilder: numbers that a parser found -> nodes
"""

from crossbranch.structure.forms import BinaryForm, NaryForm, TreeForm
from crossbranch.structure.labels import PLAIN, ROOT_LABEL, TEMPORARY, LabelSet
from crossbranch.structure.nodes import NodeBuilder

__all__ = [
    "PLAIN",
    "ROOT_LABEL",
    "TEMPORARY",
    "BinaryForm",
    "LabelSet",
    "NaryForm",
    "NodeBuilder",
    "TreeForm",
]
