"""Find the shipped head table that fits a treebank, or a tree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import islice

from crossbranch.punctuation import is_punctuation
from crossbranch.transforms.head_rules import HeadItem, HeadTable, load_table
from crossbranch.transforms.heads import head_finder
from crossbranch.transforms.mapping import Changes, map_nodes
from crossbranch.tree import Node, Tree

SHIPPED = ("negra", "ptb", "alpino", "french")
"""The tables to choose from; of two that fit equally, the earlier one is chosen."""

_NO_LABEL = "\1"  # fits only rules for every label
_ENOUGH = 500  # trees tell what a treebank is like


def choose_head_table(trees: Iterable[Tree]) -> str:
    """Return the table whose rules for particular labels find most heads in the first trees.

    Rules for every label do not count: they find a head in any treebank.
    """
    tables = {name: _particular(name) for name in SHIPPED}
    found: Counter[str] = Counter()
    for tree in islice(trees, _ENOUGH):
        tokens = [HeadItem(t.tag, "", is_punctuation(t)) for t in tree.sentence]
        for node in tree.nodes:
            if len(node.children) < 2:
                continue
            children = [
                tokens[child] if isinstance(child, int) else HeadItem(child.label, "")
                for child in node.children
            ]
            for name, table in tables.items():
                found[name] += table.find(HeadItem(node.label, ""), children) is not None
    return max(SHIPPED, key=lambda name: found[name])


def mark_likely_heads(tree: Tree) -> Tree:
    """Mark the heads that are not marked, by the table that fits this tree best.

    A node stays without a mark if no rule knows its label or the functions of its children.
    """
    find = head_finder(tree, _without_last_resort(choose_head_table([tree])))

    def changes(node: Node) -> Changes:
        return {} if node.head is not None or len(node.children) < 2 else {"head": find(node)}

    return map_nodes(tree, changes)


@cache
def _particular(name: str) -> HeadTable:
    """The rules of a table that are for particular labels."""
    return HeadTable([rule for rule in load_table(name).rules if not _is_for_all(rule.labels)])


@cache
def _without_last_resort(name: str) -> HeadTable:
    """The rules of a table, without candidates that fit any child."""
    rules = [
        rule._replace(candidates=tuple(c for c in rule.candidates if not _is_for_all(c)))
        for rule in load_table(name).rules
    ]
    return HeadTable(rules)


def _is_for_all(pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(f"{_NO_LABEL}\0") is not None
