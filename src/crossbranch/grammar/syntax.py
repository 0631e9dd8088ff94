"""Parse the lines of a grammar file.

A rule says which children a symbol has, and how their blocks form its own blocks:

    2  S -> NP[Nom,N]/SB(x) V[N]/HD(y) VP/OC(u,v)?0.5 : u y x v ; x also SB of u

It consists of the weight, the symbol with its features, the children, the arrangement (with commas
between the symbol's own blocks), and secondary edges. A child has an edge label, a variable for
each block, and the probability that it is used. Without an arrangement, continuous children follow
each other. Terminals are in quotes. They may be in the arrangement, or between continuous children:

    1  A -> A(x,y) : "a" x , "a" y
    1  S -> "a" S "b"
    3  DT -> "the"

`docs/sampling.md` and `docs/grammars.md` describe the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from crossbranch.errors import InputError
from crossbranch.escape import unescape

LARGEST_WEIGHT = 1e12

_COMMENT = re.compile(r"(?:^|(?<=\s))#(?:\s.*|)$")
_TERMINAL = re.compile(r'"[^"\s]+"')
_ARRANGED = re.compile(rf'{_TERMINAL.pattern}|,|[^\s,"]+|\S')
_ITEM = re.compile(
    r"(?P<name>[^\s\[\]()/?\"]+)"
    r"(?:\[(?P<features>[^\s\[\]()]+)\])?"
    r"(?:/(?P<edge_label>[^\s()?]+))?"
    r"(?:\((?P<variables>[^\s()]+)\))?"
    r"(?:\?(?P<chance>[0-9.]+))?"
)
_ALSO = re.compile(r"(?P<child>\w+)(?:/(?P<below>\S+))? also (?P<label>\S+) of (?P<parent>\w+)")


class Statement(NamedTuple):
    """A line without indentation, and the indented lines below it."""

    path: str
    line: int
    text: str
    body: tuple[tuple[int, str], ...]

    def error(self, found: str, expected: str, *, line: int | None = None) -> InputError:
        """Return an error at this place."""
        return InputError(found, expected, path=self.path, line=line or self.line)

    @property
    def whole_text(self) -> str:
        """The text with its indented lines."""
        return " ".join([self.text, *(text for _, text in self.body)])


class Item(NamedTuple):
    """A symbol in a rule."""

    name: str
    features: tuple[str, ...]
    edge_label: str = ""
    variables: tuple[str, ...] = ()
    chance: float = 1.0

    @property
    def is_terminal(self) -> bool:
        """Whether this is a terminal: a word in quotes."""
        return self.name.startswith('"')

    @property
    def terminal(self) -> str:
        """The word of a terminal."""
        return unescape(self.name[1:-1])


class Also(NamedTuple):
    """A secondary edge: from a child, or from its child with an edge label, to another child."""

    child: str
    below: str
    label: str
    parent: str


class RuleLine(NamedTuple):
    """One rule as written, before its features are filled in."""

    statement: Statement
    weight: float
    left: Item
    right: tuple[Item, ...]
    blocks: tuple[tuple[str, ...], ...]
    also: tuple[Also, ...]

    @property
    def is_word(self) -> bool:
        """Whether the rule only gives a tag to a word."""
        return len(self.right) == 1 and self.right[0].is_terminal


def split_statements(text: str, path: str) -> Iterator[Statement]:
    """Yield the statements of a grammar file, without comments and empty lines."""
    head: tuple[int, str] | None = None
    body: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = _COMMENT.sub("", line).rstrip()
        if not bare:
            continue
        if not bare[0].isspace():
            if head:
                yield Statement(path, *head, tuple(body))
            head, body = (number, bare), []
        elif head:
            body.append((number, bare.strip()))
        else:
            raise InputError("an indented line", "a line without indent", path=path, line=number)
    if head:
        yield Statement(path, *head, tuple(body))


def parse_number(
    statement: Statement, text: str, meaning: str, most: float = LARGEST_WEIGHT
) -> float:
    """Return a positive number."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number <= most:
        limit = "" if most == LARGEST_WEIGHT else f" of at most {most:g}"
        raise statement.error(f"the {meaning} {text}", f"a positive number{limit}")
    return number


def parse_item(statement: Statement, text: str, *, line: int | None = None) -> Item:
    """Return a symbol with features and, in a rule, edge label, variables and probability."""
    if _TERMINAL.fullmatch(text):
        return Item(text, ())
    match = _ITEM.fullmatch(text)
    if match is None:
        raise statement.error(
            f"the symbol {text}", "NAME[features]/EDGE_LABEL(variables)?chance", line=line
        )
    features, variables, chance = match["features"], match["variables"], match["chance"]
    return Item(
        match["name"],
        tuple(features.split(",")) if features else (),
        match["edge_label"] or "",
        tuple(variables.split(",")) if variables else (),
        parse_number(statement, chance, "chance", 1.0) if chance else 1.0,
    )


def parse_rule(statement: Statement) -> RuleLine:
    """Return the rule of a statement. Its arrangement uses each variable exactly once."""
    weight, left, arrow, *words = [*statement.whole_text.split(), "", "", ""]
    rest, _, also = _cut([word for word in words if word], ";")
    right, colon, order = _cut(rest, ":")
    if arrow != "->" or not rest:
        raise statement.error(repr(statement.text), "WEIGHT SYMBOL -> CHILD ... : ARRANGEMENT")
    items = tuple(parse_item(statement, word) for word in right)
    items, blocks = _arrange(items, " ".join(order)) if colon else _in_a_row(statement, items)
    edges = " ".join(also).split(",")
    rule = RuleLine(
        statement,
        parse_number(statement, weight, "weight"),
        parse_item(statement, left),
        items,
        blocks,
        tuple(_parse_also(statement, part.strip()) for part in edges if part.strip()),
    )
    _check_variables(rule)
    return rule


def _cut(words: list[str], mark: str) -> tuple[list[str], bool, list[str]]:
    """Return the words before a mark, whether it is there, and the words after it."""
    place = words.index(mark) if mark in words else len(words)
    return words[:place], place < len(words), words[place + 1 :]


def _arrange(
    items: tuple[Item, ...], order: str
) -> tuple[tuple[Item, ...], tuple[tuple[str, ...], ...]]:
    """Return the children and the arrangement. A terminal becomes a child with a variable."""
    blocks: list[list[str]] = [[]]
    terminals: list[Item] = []
    for text in _ARRANGED.findall(order):
        if text == ",":
            blocks.append([])
        elif _TERMINAL.fullmatch(text):
            variable = f'"{len(terminals)}'
            terminals.append(Item(text, (), variables=(variable,)))
            blocks[-1].append(variable)
        else:
            blocks[-1].append(text)
    return (*items, *terminals), tuple(map(tuple, blocks))


def _in_a_row(
    statement: Statement, items: tuple[Item, ...]
) -> tuple[tuple[Item, ...], tuple[tuple[str, ...], ...]]:
    """Return the arrangement of a rule without one: children in order, numbers as variables."""
    for item in items:
        if item.variables:
            raise statement.error(
                f"the variables of {item.name} and no arrangement", "an arrangement after ':'"
            )
    names = tuple(str(number) for number in range(1, len(items) + 1))
    numbered = [item._replace(variables=(name,)) for item, name in zip(items, names, strict=True)]
    return tuple(numbered), (names,)


def _parse_also(statement: Statement, text: str) -> Also:
    match = _ALSO.fullmatch(text)
    if match is None:
        raise statement.error(repr(text), "VARIABLE also EDGE_LABEL of VARIABLE")
    return Also(match["child"], match["below"] or "", match["label"], match["parent"])


def _check_variables(rule: RuleLine) -> None:
    """Check that the rule is linear and non-erasing, and that no block can be empty."""
    fail = rule.statement.error
    if rule.left.variables or rule.left.edge_label or rule.left.chance < 1:
        raise fail(f"more than a symbol left of the arrow in {rule.left.name}", "SYMBOL[features]")
    present: set[str] = set()
    known: set[str] = set()
    for item in rule.right:
        for name in item.variables:
            if name in known:
                raise fail(f"the variable {name} on two blocks", "a different variable for each")
            known.add(name)
            if item.chance == 1:
                present.add(name)
        if not item.variables:
            raise fail(f"the child {item.name} without variables", "one for each of its blocks")
    used: set[str] = set()
    for block in rule.blocks:
        for name in block:
            if name not in known:
                raise fail(f"the variable {name} in the arrangement", "a variable of a child")
            if name in used:
                raise fail(f"the variable {name} twice in the arrangement", "each variable once")
            used.add(name)
        if not present.intersection(block):
            raise fail("a block that can be empty", "a child that is always there in each block")
    if known - used:
        missing = ", ".join(sorted(known - used))
        raise fail(f"an arrangement without {missing}", "each variable once")
    for also in rule.also:
        for name in (also.child, also.parent):
            if name not in known:
                raise fail(f"the variable {name} in a secondary edge", "a variable of a child")
