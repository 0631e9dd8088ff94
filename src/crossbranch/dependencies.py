"""Dependencies: the head and the relation of each word of a tree.

They are read off the heads of the constituents. A word depends on the head of the lowest
constituent that it is not the head of. Its relation is the function of the highest constituent that
it is the head of, or its own function.
"""

from __future__ import annotations

from collections.abc import Sequence

from crossbranch.errors import TreeError
from crossbranch.punctuation import is_punctuation
from crossbranch.tree import ROOT, Dependency, Node, Token, Tree, feature

Arc = tuple[int, str]
"""Head token and function. The head of the sentence has the head -1."""

HEAD, DEPREL = "head", "deprel"
"""The features of tokens from files of dependencies, such as Universal Dependencies."""


def dependencies_of(tree: Tree) -> list[Dependency]:
    """Return the dependency of each word, in the order of the sentence.

    Raises:
        TreeError: The head of a constituent is not marked, and no head table knows its label.
    """
    found = dependencies(tree.mark_heads())
    if found is None:
        raise TreeError(_unmarked(tree))
    sentence = tree.sentence
    return [
        Dependency(
            token,
            None if head < 0 else head,
            relation(sentence[token], head, function),
            sentence[token].form,
            None if head < 0 else sentence[head].form,
        )
        for token, (head, function) in enumerate(found)
    ]


def relation(token: Token, head: int, function: str) -> str:
    """Return the name of a relation: the function, or else root, punct or dep."""
    if function:
        return function
    if head < 0:
        return "root"
    return "punct" if is_punctuation(token) else "dep"


def dependencies(tree: Tree) -> list[Arc] | None:
    """Return head token and function of each token. Return None if a head is not marked.

    The virtual root needs no mark: its head is its first child that is a node, or else its first
    child. Punctuation below the virtual root depends on the head of the lowest constituent around
    it. If a tree without constituents has dependencies of its own, they are returned.
    """
    stated = _stated(tree)
    if stated is not None:
        return stated
    leaders = head_tokens(tree)
    if None in leaders[:1] and tree.sentence:
        return None
    found: list[Arc] = [(-1, "")] * len(tree.sentence)
    leader_of = dict(zip(map(id, tree.nodes), leaders, strict=True))
    for node, leader in zip(tree.nodes, leaders, strict=True):
        for child in node.children:
            head = child if isinstance(child, int) else leader_of[id(child)]
            if leader is None or head is None:
                return None
            if head != leader:
                vertex = tree.sentence[child] if isinstance(child, int) else child
                found[head] = leader, vertex.edge_label
    _lower_punctuation(tree, leaders, found)
    return found


def head_tokens(tree: Tree) -> list[int | None]:
    """Return the head token of each node, in the order of `tree.nodes`. None: not marked."""
    nodes = tree.nodes
    found: dict[int, int | None] = {}
    for node in reversed(nodes):  # children first
        position = _head_position(node, node is tree.root)
        child = None if position is None or not node.children else node.children[position]
        found[id(node)] = child if child is None or isinstance(child, int) else found[id(child)]
    return [found[id(node)] for node in nodes]


def _head_position(node: Node, is_root: bool) -> int | None:
    if node.head is not None:
        return node.head
    if len(node.children) <= 1:
        return 0
    if is_root and node.label == ROOT:
        inner = [i for i, child in enumerate(node.children) if isinstance(child, Node)]
        return inner[0] if inner else 0
    return None


def _stated(tree: Tree) -> list[Arc] | None:
    """The dependencies in the features of the tokens, if there are no constituents."""
    if tree.root.label != ROOT or len(tree.nodes) > 1 or not tree.sentence:
        return None
    heads = [feature(token.features, HEAD) for token in tree.sentence]
    if not all(head.isdecimal() and len(head) < 10 and int(head) <= len(heads) for head in heads):
        return None
    relations = [feature(token.features, DEPREL) for token in tree.sentence]
    return [(int(head) - 1, name) for head, name in zip(heads, relations, strict=True)]


def _lower_punctuation(tree: Tree, leaders: Sequence[int | None], found: list[Arc]) -> None:
    """Let punctuation below the virtual root depend on the constituent around it."""
    root, sentence = tree.root, tree.sentence
    if root.label != ROOT or len(tree.nodes) == 1:
        return
    is_word = [not is_punctuation(token) for token in sentence]
    for child in root.children:
        if not isinstance(child, int) or is_word[child] or child == leaders[0]:
            continue
        before = next((i for i in range(child - 1, -1, -1) if is_word[i]), None)
        after = next((i for i in range(child + 1, len(sentence)) if is_word[i]), None)
        if before is None or after is None:
            continue
        around = 1 << before | 1 << after
        lowest = [i for i, node in enumerate(tree.nodes) if node.span & around == around][-1]
        head = leaders[lowest]
        if head is not None and head != child:
            found[child] = head, found[child][1]


def _unmarked(tree: Tree) -> str:
    nodes = tree.mark_heads().nodes
    label = next(n.label for n in nodes if n.head is None and len(n.children) > 1)
    where = f"sentence {tree.id}: " if tree.id else ""
    return (
        f"{where}the head of {label} is not marked, and no head table knows the labels of this "
        "tree; mark the heads with a table of your own: tree.mark_heads(FILE)"
    )
