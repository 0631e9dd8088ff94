"""Which of the head tables that ship with crossbranch fits a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from crossbranch.punctuation import is_punctuation
from crossbranch.transforms.head_rules import HeadTable, Vertex, load_table
from crossbranch.tree import Tree

SHIPPED = ("negra", "ptb", "alpino", "french")
"""The tables to choose from; of two that fit equally, the earlier one is chosen."""

_NO_LABEL = "\1"  # fits only rules for every label
_ENOUGH = 500  # trees tell what a treebank is like


def choose_head_table(trees: Iterable[Tree]) -> str:
    """Return the table whose rules for particular labels find most heads in the first trees.

    Rules for every label do not count: they find a head in any treebank.
    """
    tables = {name: _particular(load_table(name)) for name in SHIPPED}
    found: Counter[str] = Counter()
    for tree in islice(trees, _ENOUGH):
        tokens = [Vertex(t.tag, "", is_punctuation(t)) for t in tree.sentence]
        for node in tree.nodes:
            if len(node.children) < 2:
                continue
            children = [
                tokens[child] if isinstance(child, int) else Vertex(child.label, "")
                for child in node.children
            ]
            for name, table in tables.items():
                found[name] += table.find(Vertex(node.label, ""), children) is not None
    return max(SHIPPED, key=lambda name: found[name])


def _particular(table: HeadTable) -> HeadTable:
    return HeadTable([rule for rule in table.rules if not rule.labels.fullmatch(f"{_NO_LABEL}\0")])
