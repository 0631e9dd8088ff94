"""Atoms: the parts of a template. Each one is a place of a configuration and an attribute.

    ITEM [.PATH [.PATH]] [.PLACE] .ATTRIBUTE

    s0.label               the label of the topmost item of the stack
    s0.word                the word of its head token
    s0.left.word           the head word of its left child
    d0.first.tag           the tag of the first token of d0
    s0:d0.separator        the separator between two items

See docs/features.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from crossbranch.errors import UsageError
from crossbranch.features.columns import COLUMNS

# The numbers of items in the core: focus, stack from the top, aside, queue, pair.
_FOCUS, _STACK, _ASIDE, _QUEUE, _PAIR = 0, 1, 5, 7, 11

ITEMS: dict[str, dict[str, int]] = {
    "gap": {
        **{f"b{i}": _QUEUE + i for i in range(4)},
        "d0": _FOCUS,
        **{f"d{i}": _ASIDE + i - 1 for i in (1, 2)},
        **{f"s{i}": _STACK + i for i in range(4)},
        "s0:d0": _PAIR,
    },
    "swap": {
        **{f"q{i}": _QUEUE + i for i in range(4)},
        "s0": _FOCUS,
        **{f"s{i}": _STACK + i - 1 for i in range(1, 5)},
        "s0:s1": _PAIR,
    },
}
"""The items of each family of systems by their names in the papers, and their slots in the core."""

SHARED_ITEMS: dict[str, int] = {
    "focus": _FOCUS,
    **{f"stack{i}": _STACK + i for i in range(4)},
    **{f"queue{i}": _QUEUE + i for i in range(4)},
    "pair": _PAIR,
}
"""The names of items in the shared feature sets, which work for all families."""

FAMILY_OF = {"gap": "gap", "cgap": "gap", "swap": "swap", "cswap": "swap"}
"""The family of each system. Systems of a family have the same items."""

_STEP_BITS = 3  # of a step in a path
PATHS: dict[str, dict[str, int]] = {
    "gap": {"left": 4, "right": 2, "unary": 3},  # left: the only child, too
    "swap": {"left": 1, "right": 2, "unary": 3},
}
"""The steps of paths in each family of systems, and their numbers in the core."""

PLACES = {
    "first": 2,
    "last": 3,
    "before": 4,  # before the first token
    "after": 5,  # after the last token
    "gap_before": 6,  # before the first gap
    "gap_first": 7,  # the first token in the first gap
    "gap_last": 8,
    "gap_after": 9,
}
NODE_ATTRIBUTES = ("label", "gap_type", "gap_length", "size")
PAIR_ATTRIBUTES = ("separator", "separator_count", "order")
_NODE, _HEAD = 0, 1
_SHARED_ITEM = re.compile(rf"(?<!\S)(?:{'|'.join(SHARED_ITEMS)})(?=\.\w)")


class Atom(NamedTuple):
    """One place of a configuration, and its attribute."""

    slot: int  # the number of the item
    steps: int  # the path from the item to a child or grandchild; 0: the item itself
    place: int  # 0: the node; 1: its head token; 2 and more: another token, see PLACES
    attribute: str  # an attribute of the node, or a column of the token

    @property
    def column(self) -> str:
        """The column of tokens that this atom needs; empty if it needs none."""
        if self.attribute == "separator_count":
            return "separator"
        return "" if self.attribute in (*NODE_ATTRIBUTES, "order") else self.attribute

    def compile(self, columns: Sequence[str]) -> tuple[int, int, int, int]:
        """Return the atom for the core; `columns` are the columns of tokens, in order."""
        if self.slot == _PAIR:
            column = PAIR_ATTRIBUTES.index(self.attribute)
        elif self.place == _NODE:
            column = NODE_ATTRIBUTES.index(self.attribute)
        else:
            column = columns.index(self.attribute)
        return self.slot, self.steps, self.place, column


def family_of(system: str) -> str:
    """Return the family of a system: `gap` or `swap`."""
    if system not in FAMILY_OF:
        known = _list(FAMILY_OF)
        raise UsageError(f"unknown transition system {system!r}; expected one of {known}")
    return FAMILY_OF[system]


def name_items(text: str, family: str) -> str:
    """Return the text of a shared feature set with the item names of a family.

    >>> name_items("focus.label stack0.left.word pair.separator", "gap")
    'd0.label s0.left.word s0:d0.separator'
    """
    names = {slot: name for name, slot in ITEMS[family].items()}
    return _SHARED_ITEM.sub(lambda match: names[SHARED_ITEMS[match[0]]], text)


def parse_atom(text: str, family: str) -> Atom:
    """Read an atom. Raises ValueError(found, expected)."""
    item, *words = text.split(".")
    if item not in ITEMS[family]:
        raise ValueError(f"{item!r} in {text!r}", f"one of the items {_list(ITEMS[family])}")
    slot = ITEMS[family][item]
    if slot == _PAIR:
        return _parse_pair(text, slot, words)
    *way, attribute = words or [""]
    steps, place = _parse_way(text, way, PATHS[family])
    if steps and family == "gap" and item.startswith("b"):
        raise ValueError(f"a path from {item} in {text!r}", f"no path, because {item} is a token")
    if place == _NODE and attribute in NODE_ATTRIBUTES:
        return Atom(slot, steps, _NODE, attribute)
    if attribute in COLUMNS:
        return Atom(slot, steps, place or _HEAD, attribute)
    possible = [*([] if place else NODE_ATTRIBUTES), *COLUMNS]
    found = f"{attribute!r} in {text!r}" if attribute else f"{text!r} without an attribute"
    raise ValueError(found, f"one of the attributes {_list(possible)}")


def _parse_pair(text: str, slot: int, words: list[str]) -> Atom:
    if len(words) != 1 or words[0] not in PAIR_ATTRIBUTES:
        item = text.partition(".")[0]
        *most, last = (f"{item}.{attribute}" for attribute in PAIR_ATTRIBUTES)
        expected = f"{_list(most)} or {last}"
        raise ValueError(repr(text), expected)
    return Atom(slot, 0, _NODE, words[0])


def _parse_way(text: str, way: list[str], paths: Mapping[str, int]) -> tuple[int, int]:
    """Return the steps and the token place, which are between item and attribute."""
    steps = count = place = 0
    for position, word in enumerate(way):
        if word in paths and count < 2 and not place:
            steps += paths[word] << (_STEP_BITS * count)
            count += 1
        elif word in PLACES and position == len(way) - 1:
            place = PLACES[word]
        else:
            expected = f"at most two of {_list(paths)}, then at most one of {_list(PLACES)}"
            raise ValueError(f"{word!r} in {text!r}", expected)
    return steps, place


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
