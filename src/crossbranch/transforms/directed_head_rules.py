"""Head-rule files of rparse and disco-dop.

    % a comment
    np right-to-left nn ne      in an NP: the last NN; or the last NE; or the last child
    cnp like np                 the same rules as for NP (only disco-dop)

docs/head-rules.md says what the programs do with such files, and where they differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, NamedTuple

from crossbranch.punctuation import PUNCTUATION_TAGS
from crossbranch.transforms.head_lines import COMMENT, RuleLine, check_labels
from crossbranch.transforms.head_table import HeadItem, HeadTable, compile_rule, names_of

Row = list[str]
"""The columns of a table: labels, which child, candidates."""

_WHICH = {
    "left-to-right": "first",
    "right-to-left": "last",
    "left": "first",
    "right": "last",
    "leftdis": "first",
    "rightdis": "last",
}
_LIKE = "like"
DIRECTIONS = (*_WHICH, _LIKE)
_MARKS = frozenset(tag.upper() for tag in PUNCTUATION_TAGS)
_SPECIAL = re.compile(r"[\\|/*#]")
_HEAD_FUNCTION = "/HD|/HD-*|/*-HD|/*-HD-*"
_CONJUNCTIONS = ("CC", "CONJP")


class DirectedRule(NamedTuple):
    """One line, in upper case."""

    is_last: bool
    candidates: list[str]
    is_ordered: bool
    """Whether the first of the candidates is tried first."""

    def order(self, count: int) -> range:
        """Return the positions of children in the order in which they are tried."""
        return range(count - 1, -1, -1) if self.is_last else range(count)

    def choose(self, children: Sequence[frozenset[str]]) -> int | None:
        """Return the position of the head among children with these names."""
        order = self.order(len(children))
        if self.is_ordered:
            pairs = ((i, name) for name in self.candidates for i in order)
        else:
            pairs = ((i, name) for i in order for name in self.candidates)
        return next((i for i, name in pairs if name in children[i]), None)


class DirectedTable(HeadTable):
    """The rules of a file; it finds the heads that disco-dop finds."""

    core_finds_the_same: ClassVar[bool] = False

    def __init__(self, rules: Mapping[str, list[DirectedRule]]) -> None:
        """Make a table from the rules of each label."""
        super().__init__(list(map(compile_rule, table_rows(rules))))
        self._directed = rules

    def _find(self, node: HeadItem, children: Sequence[HeadItem]) -> int | None:
        for position, child in enumerate(children):
            if "HD" in child.edge_label.upper().split("-"):
                return position
        names = [_child_names(child.label) for child in children]
        order = range(len(children))
        for rule in self._rules_for(node.label):
            found = rule.choose(names)
            if found is not None:
                return _first_conjunct(found, names, children)
            order = rule.order(len(children))
        words = (position for position in order if not children[position].is_punctuation)
        return next(words, order[0] if children else None)

    def _rules_for(self, label: str) -> list[DirectedRule]:
        known = (self._directed.get(name.upper()) for name in names_of(label))
        return next(filter(None, known), [])


def _child_names(label: str) -> frozenset[str]:
    """Return the names that a candidate may have to fit a child, such as N for N[soort]."""
    names = [name.upper() for name in names_of(label)]
    return frozenset([*names, *(name.split("[")[0] for name in names)])


def _first_conjunct(
    found: int, names: Sequence[frozenset[str]], children: Sequence[HeadItem]
) -> int:
    """Step from a conjunct across the conjunction that is directly before it."""
    if found < 2 or names[found - 1].isdisjoint(_CONJUNCTIONS):
        return found
    before = range(found - 2, -1, -1)
    return next((position for position in before if not children[position].is_punctuation), found)


def directed_table(lines: Iterable[RuleLine]) -> DirectedTable:
    """Make a table from the rules of a file; raises ValueError(found, expected, line)."""
    rules: dict[str, list[DirectedRule]] = {}
    for line in lines:
        label, direction, names = _columns(line)
        if direction == _LIKE:
            new = _rules_like(names, rules, line.number)
        else:
            is_ordered = not direction.endswith("dis")
            new = [DirectedRule(_WHICH[direction] == "last", names, is_ordered)]
        rules.setdefault(label, []).extend(new)
    return DirectedTable(rules)


def _columns(line: RuleLine) -> tuple[str, str, list[str]]:
    """Return the label in upper case, the direction in lower case, and names in upper case."""
    number, words = line
    words = list(_without_comment(words, number))
    if len(words) < 2:
        raise ValueError(repr(words[0]), "a label, a direction, and labels", number)
    label, direction, *names = words
    if direction.lower() not in DIRECTIONS:
        raise ValueError(repr(direction), f"one of {', '.join(DIRECTIONS)}", number)
    check_labels([label, *names], number)
    if label == "*":
        raise ValueError("'*'", "a label: rules with directions have no wildcards", number)
    return label.upper(), direction.lower(), [name.upper() for name in names]


def _without_comment(words: Iterable[str], number: int) -> Iterator[str]:
    r"""Yield words until one begins with `#` or `%`, but `\#` and `\%` as labels.

    The mark alone can be a label: `#` is a tag of the Penn Treebank.
    """
    for word in words:
        if word in COMMENT:
            expected = rf"\{word} for a label, or a comment on a line of its own"
            raise ValueError(repr(word), expected, number)
        if word.startswith(COMMENT):
            return
        yield word[1:] if word[:1] == "\\" and word[1:] in COMMENT else word


def _rules_like(
    names: list[str], rules: Mapping[str, list[DirectedRule]], number: int
) -> list[DirectedRule]:
    if len(names) != 1 or names[0] not in rules:
        found = " ".join([_LIKE, *names])
        raise ValueError(repr(found), "like and a label with rules above this line", number)
    return list(rules[names[0]])


def table_rows(rules: Mapping[str, list[DirectedRule]]) -> Iterator[Row]:
    """Yield the rows of a table for the core. It finds nearly the same heads.

    The core has no rules that look at words and punctuation, none that look at neighbours as they
    are, and steps across conjunctions from every head.
    """
    yield ["*", "first", _HEAD_FUNCTION]
    yield ["*", "across", "|".join(_CONJUNCTIONS)]
    for label, known in rules.items():
        for rule in known:
            yield from _rows_of(rule, _escape(label))
        yield [_escape(label), "last" if known[-1].is_last else "first", "*"]
    yield ["*", "first", "*"]


def _rows_of(rule: DirectedRule, label: str) -> Iterator[Row]:
    """Yield rows for the candidates in their order; punctuation needs rows of its own."""
    which = "last" if rule.is_last else "first"
    choices = [[name] for name in rule.candidates]
    if not rule.is_ordered:
        parted = ([n for n in rule.candidates if (n in _MARKS) is part] for part in (False, True))
        choices = list(filter(None, parted))
    for is_mark, some in groupby(choices, lambda names: names[0] in _MARKS):
        row = [label, f"{which}-mark" if is_mark else which]
        yield [*row, *("|".join(map(_with_features, names)) for names in some)]


def _with_features(name: str) -> str:
    """Return a pattern for a label or tag, and for a tag with features, such as N[soort]."""
    return f"{_escape(name)}|{_escape(name)}[*"


def _escape(name: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", name)
