"""Conventions of evaluation: what is done with gold and predicted trees before they are compared.

Parameters say what counts. Some published scores need more: other trees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from crossbranch.draft import Draft
from crossbranch.punctuation import is_punctuation, is_punctuation_word
from crossbranch.transforms.discodop_punctuation import reattach
from crossbranch.tree import ROOT, Node, Tree


class Convention(NamedTuple):
    """Parameters, and a function that changes gold and predicted trees alike."""

    parameters: str
    prepare: Callable[[Tree], Tree]


def _punctuation_at_the_root(tree: Tree) -> Tree:
    """Attach punctuation to the virtual root, which is added if the tree has none.

    So it makes no difference where punctuation is, and whether one of the files lacks the root.
    Words count, too: a mark that a parser gave a wrong tag is moved in both trees.
    """
    if tree.root.label not in _ROOTS:
        # Nodes get other numbers, so secondary edges go. Evaluation does not use them.
        tree = tree.replace(root=Node(ROOT, [tree.root]), secondary_edges=())
    draft = Draft(tree)
    for number, token in enumerate(tree.sentence):
        if is_punctuation(token) or is_punctuation_word(token.form):
            reattach(draft, number, draft.root)
    return draft.build()


_ROOTS = frozenset({ROOT, "VROOT", "TOP", "S1"})  # they do not count with the parameters spmrl

CONVENTIONS: dict[str, Convention] = {
    "spmrl": Convention("spmrl", _punctuation_at_the_root),
}
"""By name. spmrl: the shared task of 2013, as Coavoux & Crabbé (2017, footnote 5) apply it."""
