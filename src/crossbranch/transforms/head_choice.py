"""Find the shipped head table that fits a treebank, or a tree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import islice

from crossbranch.punctuation import is_punctuation
from crossbranch.transforms.head_rules import load_table
from crossbranch.transforms.head_table import HeadItem, HeadPattern, HeadTable
from crossbranch.transforms.heads import head_finder
from crossbranch.transforms.mapping import Changes, map_nodes
from crossbranch.tree import ROOT, Node, Tree

SHIPPED = ("negra", "ptb", "alpino", "french", "icepahc")
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


def mark_heads(tree: Tree, table: str = "auto") -> Tree:
    """Mark every head that is not marked. Marks that are there stay, the virtual root needs none.

    Args:
        tree: The tree.
        table: The name of a head table, or the path of a file. With "auto", the table that fits
            the labels of this tree best. If none fits, the tree stays as it is.
    """
    if all(node.head is not None for node in _nodes_with_a_choice(tree)):
        return tree
    name = likely_table(tree) if table == "auto" else table
    if name is None:
        return tree
    find = head_finder(tree, _shipped_table(name) if name in SHIPPED else load_table(name))

    def changes(node: Node) -> Changes:
        if node.head is not None or len(node.children) < 2:
            return {}
        return {} if node is tree.root and node.label == ROOT else {"head": find(node)}

    return map_nodes(tree, changes)


def likely_table(tree: Tree) -> str | None:
    """The table that knows most labels and tags of a tree; None if it knows less than half of them.

    Of several, it is the one that finds most heads by rules for particular labels.
    """
    names = [node.label for node in tree.nodes if node.label != ROOT]
    names += [token.tag for token in tree.sentence if token.tag and not is_punctuation(token)]
    known = {table: sum(_knows(table, name) for name in names) for table in SHIPPED}
    best = [table for table in SHIPPED if known[table] == max(known.values())]
    if 2 * known[best[0]] < len(names):
        return None
    return best[0] if len(best) == 1 else max(best, key=lambda name: _count_found(tree, name))


@lru_cache(maxsize=100_000)
def _knows(table: str, name: str) -> bool:
    """Whether a table has a rule for a label, or a tag as a candidate."""
    return any(pattern.fits(name) for pattern in _patterns(table))


@cache
def _patterns(table: str) -> list[HeadPattern]:
    """What a table has rules for, and its candidates; other than in rules, case counts."""
    rules = _without_last_resort(table).rules
    found = [p for rule in rules for p in (rule.labels, *rule.candidates) if not _is_for_all(p)]
    return [pattern._replace(whole=re.compile(pattern.whole.pattern)) for pattern in found]


def _nodes_with_a_choice(tree: Tree) -> list[Node]:
    """The nodes with several children, without the virtual root."""
    first = 1 if tree.root.label == ROOT else 0
    return [node for node in tree.nodes[first:] if len(node.children) > 1]


def _count_found(tree: Tree, table: str) -> int:
    find = head_finder(tree, _particular(table))
    return sum(find(node) is not None for node in _nodes_with_a_choice(tree))


@cache
def _shipped_table(name: str) -> HeadTable:
    return load_table(name)


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


def _is_for_all(pattern: HeadPattern) -> bool:
    return pattern.fits(_NO_LABEL)
