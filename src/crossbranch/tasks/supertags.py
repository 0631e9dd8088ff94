"""LCFRS supertags and spines: the part of a tree that belongs to one word.

Every node belongs to its head word. So each word has a chain of nodes, from the lowest one that it
is the head of to the highest. A supertag has a rule for each of them, joined by `/`:

    should   SQ(*+NP)/SBARQ(VP_1+*+VP_1)/ROOT(*+.)
    do       VP(WHNP|*)

A rule has the label of the node, and its parts in the order of the sentence. `*` is the head: the
word itself, or the node of the rule before. Other parts are slots, with the label or tag of what
fills them. `+` joins neighbours. `|` is a gap of the node, so a node has one `|` less than its
fan-out. If what fills a slot has gaps, its blocks are written one by one, with the number of the
slot: both `VP_1` are the same VP. The supertag of a word that is not the head of a node is `*`.

A sketch is a supertag with X for the label of each slot: `VP(X|*)`. A spine has only the labels of
the nodes, and the fan-outs above 1: `SQ/SBARQ/ROOT`, `VP:2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crossbranch.dependencies import head_tokens
from crossbranch.errors import TreeError
from crossbranch.escape import label_escaper, unescape
from crossbranch.tree import Node, Sentence, Tree

HEAD, ABOVE, ANY = "*", "^", "X"

_escape = label_escaper(r"[()+|_*/:^]|\s|[\x00-\x1f\x7f\x85]")


class Slot(NamedTuple):
    """What fills a part of a rule: a label, and the number of its blocks."""

    label: str
    fan_out: int


class Rule(NamedTuple):
    """A node as its head word sees it: a rule of an LCFRS."""

    label: str
    slots: tuple[Slot, ...]
    """What the head is combined with, ordered by first token."""

    blocks: tuple[tuple[int, ...], ...]
    """The parts of each block of the node: 0 is the head, 1 the first slot, and so on."""

    @property
    def fan_out(self) -> int:
        """The number of blocks of the node."""
        return len(self.blocks)

    @property
    def sketch(self) -> Rule:
        """The rule with X for the label of each slot."""
        return self._replace(slots=tuple(slot._replace(label=ANY) for slot in self.slots))

    def __str__(self) -> str:
        names = [HEAD, *(self._name(number) for number in range(1, len(self.slots) + 1))]
        blocks = ("+".join(names[part] for part in block) for block in self.blocks)
        return f"{_escape(self.label)}({'|'.join(blocks)})"

    def _name(self, number: int) -> str:
        slot = self.slots[number - 1]
        name = _escape(slot.label)
        return f"{name}_{number}" if slot.fan_out > 1 else name


Supertag = tuple[Rule, ...]
"""The rules of a word, from the lowest node to the highest."""


def supertags_of(tree: Tree) -> list[Supertag]:
    """Return the supertag of each token.

    Raises:
        TreeError: The head of a node is not marked.
    """
    return [
        tuple(_rule(node, leader, tree.sentence) for node in chain)
        for leader, chain in enumerate(_chains(tree))
    ]


def supertag_labels(tree: Tree, *, above: bool = False) -> list[str]:
    """Return the supertag of each token as a text.

    Args:
        tree: A tree with marked heads.
        above: Add the label of the node that the highest node of the word is in, after `^`.
    """
    texts = ["/".join(map(str, supertag)) or HEAD for supertag in supertags_of(tree)]
    return _with_above(texts, tree) if above else texts


def sketch_labels(tree: Tree, *, above: bool = False) -> list[str]:
    """Return the sketch of each token: its supertag with X for the label of each slot."""
    sketches = ([str(rule.sketch) for rule in supertag] for supertag in supertags_of(tree))
    texts = ["/".join(rules) or HEAD for rules in sketches]
    return _with_above(texts, tree) if above else texts


def spine_labels(tree: Tree, *, above: bool = False) -> list[str]:
    """Return the spine of each token: the labels and fan-outs of the nodes that it is head of."""
    texts = ["/".join(map(_describe, chain)) or HEAD for chain in _chains(tree)]
    return _with_above(texts, tree) if above else texts


def read_supertag(text: str) -> Supertag:
    """Return the supertag that is written in a text, without the label after `^`.

    Raises:
        ValueError: The text is not a supertag.
    """
    text = text.partition(ABOVE)[0]
    if text == HEAD:
        return ()
    return tuple(map(_read_rule, text.split("/")))


def _read_rule(text: str) -> Rule:
    label, bracket, rest = text.partition("(")
    if not bracket or not rest.endswith(")"):
        raise ValueError(text)
    numbers: dict[str, int] = {}  # of slots with several blocks, by their name
    slots: list[Slot] = []
    blocks: list[tuple[int, ...]] = []
    for block in rest[:-1].split("|"):
        parts = []
        for part in block.split("+"):
            if part == HEAD:
                parts.append(0)
                continue
            name, mark, _ = part.partition("_")
            if mark and part in numbers:
                number = numbers[part]
                slots[number - 1] = Slot(unescape(name), slots[number - 1].fan_out + 1)
            else:
                slots.append(Slot(unescape(name), 1))
                number = len(slots)
                numbers[part] = number
            parts.append(number)
        blocks.append(tuple(parts))
    return Rule(unescape(label), tuple(slots), tuple(blocks))


def _chains(tree: Tree) -> list[list[Node]]:
    """Return the nodes that each token is the head of, the lowest one first."""
    chains: list[list[Node]] = [[] for _ in tree.sentence]
    nodes, leaders = tree.nodes, head_tokens(tree)
    for node, leader in zip(reversed(nodes), reversed(leaders), strict=True):
        if leader is None:
            raise TreeError(f"the head of {node.label or 'a node'} is not marked")
        chains[leader].append(node)
    return chains


def _rule(node: Node, leader: int, sentence: Sentence) -> Rule:
    slots: list[Slot] = []
    places: list[tuple[int, int, int]] = []  # start and stop of each block, and its part
    for child in node.children:
        is_token = isinstance(child, int)
        found = [(child, child + 1)] if isinstance(child, int) else child.blocks
        if child == leader if is_token else child.span >> leader & 1:  # type: ignore[union-attr]
            part = 0
        else:
            label = sentence[child].tag if isinstance(child, int) else child.label
            slots.append(Slot(label, len(found)))
            part = len(slots)
        places += [(start, stop, part) for start, stop in found]
    blocks: list[list[int]] = []
    end = -1
    for start, stop, part in sorted(places):
        if start != end:
            blocks.append([])
        blocks[-1].append(part)
        end = stop
    return Rule(node.label, tuple(slots), tuple(map(tuple, blocks)))


def _describe(node: Node) -> str:
    fan_out = node.fan_out
    return _escape(node.label) if fan_out == 1 else f"{_escape(node.label)}:{fan_out}"


def _with_above(texts: Sequence[str], tree: Tree) -> list[str]:
    found = list(texts)
    leaders = head_tokens(tree)
    leader_of = dict(zip(map(id, tree.nodes), leaders, strict=True))
    for node, leader in zip(tree.nodes, leaders, strict=True):
        for child in node.children:
            head = child if isinstance(child, int) else leader_of[id(child)]
            if head is not None and head != leader:
                found[head] += f"{ABOVE}{_escape(node.label)}"
    return found
