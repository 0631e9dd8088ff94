"""From the text of a query to a formula. The grammar is in docs/find.md."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import NoReturn

from crossbranch.errors import QueryError
from crossbranch.query.lexing import Piece, pieces
from crossbranch.query.syntax import (
    OPERATORS,
    All,
    Compared,
    Count,
    Formula,
    No,
    Node,
    NumberTest,
    Path,
    Predicate,
    Relation,
    Some,
    Tested,
    Value,
    Values,
    ValueTest,
)
from crossbranch.query.words import (
    NUMBERS,
    PREDICATES,
    RELATIONS,
    TEXTS,
    WITH_FUNCTIONS,
    WITH_STEPS,
)

_DEEPEST = 50  # brackets inside brackets; Python's own stack is limited, too
_NODE = 'a node, such as NP, "word", /V.*/, #name or [...]'
_RELATION = "a relation, such as > or before"
_VALUE = "a value: a name, a text in quotes or a /regular expression/"
_CONDITION = "a condition, such as function=SB, discontinuous or > NP"
_NUMBER = re.compile(r"\d+(\.\d+)?")


def parse_query(query: str) -> Formula:
    """Return the formula that a query stands for.

    Raises:
        QueryError: The query has a mistake. The message shows where.
    """
    parser = _Parser(query)
    formula = parser.either(inside=False)
    if parser.piece.kind != "end":
        parser.fail(f"{_RELATION}, 'and', 'or' or the end of the query")
    return formula


class _Parser:
    """Reads a query from left to right. `inside`: in the brackets of a node."""

    def __init__(self, query: str) -> None:
        self.query, self.pieces, self.place = query, pieces(query), 0
        self.depth = 0

    @property
    def piece(self) -> Piece:
        return self.pieces[self.place]

    def fail(self, expected: str, piece: Piece | None = None) -> NoReturn:
        piece = piece or self.piece
        written = repr(self.query[piece.start : piece.end])
        found = "the end of the query" if piece.kind == "end" else written
        raise QueryError(self.query, piece.start, found, expected)

    def take(self) -> Piece:
        self.place += 1
        return self.pieces[self.place - 1]

    def is_sign(self, *signs: str) -> bool:
        return self.piece.kind == "sign" and self.piece.text in signs

    def is_name(self, *names: str) -> bool:
        return self.piece.kind == "name" and self.piece.text in names

    def skip(self, sign: str) -> bool:
        if self.is_sign(sign):
            self.place += 1
            return True
        return False

    def expect(self, sign: str, or_else: str = "") -> None:
        if not self.skip(sign):
            self.fail(f"{sign!r}{or_else}")

    # --- formulas

    def either(self, *, inside: bool) -> Formula:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail(f"at most {_DEEPEST} brackets inside each other")
        parts = [self.both(inside)]
        while self.is_name("or"):
            self.take()
            parts.append(self.both(inside))
        self.depth -= 1
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def both(self, inside: bool) -> Formula:
        parts = [self.part(inside)]
        while self.is_name("and") or self.is_sign("&"):
            self.take()
            parts.append(self.part(inside))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def part(self, inside: bool) -> Formula:
        if self.is_name("not"):
            self.take()
            self.depth += 1
            if self.depth > _DEEPEST:
                self.fail(f"at most {_DEEPEST} conditions inside each other")
            part = self.part(inside)
            self.depth -= 1
            return No(part)
        if self.skip("("):
            formula = self.either(inside=inside)
            self.expect(")", " or a further condition")
            return formula
        following = self.pieces[self.place + 1 : self.place + 2]
        if self.is_name("count") and following and following[0].text == "(":
            return self.count(inside)
        return self.condition() if inside else self.top()

    def count(self, inside: bool) -> Count:
        self.take()
        self.expect("(")
        formula = self.either(inside=inside)
        self.expect(")", " or a further condition")
        return Count(formula, self.comparison(), self.number())

    def top(self) -> Formula:
        following = self.pieces[self.place + 1 : self.place + 2]
        if self.piece.kind == "variable" and following and following[0].text == ".":
            variable = self.take().text
            self.take()
            return self.test(variable)
        start = self.node()
        return Path(start, self.steps())

    def steps(self) -> tuple[tuple[Relation, Node], ...]:
        steps = []
        while (relation := self.relation()) is not None:
            steps.append((relation, self.node()))
        return tuple(steps)

    def condition(self) -> Formula:
        piece = self.piece
        if piece.kind == "feature":
            return self.test("")
        if piece.kind == "name" and (piece.text in TEXTS or piece.text in NUMBERS):
            return self.test("")
        if piece.kind == "name" and piece.text in PREDICATES:
            self.take()
            return Tested(Predicate(piece.text))
        if piece.kind == "name" and piece.text not in RELATIONS:
            self.unknown({*TEXTS, *NUMBERS, *PREDICATES, *RELATIONS}, _CONDITION)
        if piece.kind not in ("name", "sign") or piece.text not in RELATIONS:
            self.fail(_CONDITION)
        return Path(None, self.steps())

    def unknown(self, known: Collection[str], expected: str) -> NoReturn:
        near = get_close_matches(self.piece.text, known, 1)
        self.fail(f"{expected} (did you mean {near[0]}?)" if near else expected)

    # --- nodes and relations

    def node(self) -> Node:
        variable = ""
        if self.piece.kind == "variable":
            variable = self.take().text
            if not self.skip(":"):
                return Node(variable)
        tests = self.naming()
        inside = None
        has_brackets = self.skip("[")
        if not tests and not has_brackets:
            if self.is_sign("("):
                self.fail(f"{_NODE}; conditions on a node are in [square brackets]")
            self.fail(_NODE)
        if has_brackets and not self.skip("]"):
            inside = self.either(inside=True)
            self.expect("]", ", 'and' or 'or'")
        return Node(variable, tests, inside)

    def naming(self) -> tuple[Formula, ...]:
        """What stands before the brackets: categories, words in double quotes, or both."""
        if self.piece.kind not in ("name", "word", "quoted", "regex"):
            return ()
        categories: list[Value] = []
        words: list[Value] = []
        while True:
            piece = self.piece
            value = self.value(_NODE)
            (words if piece.kind == "word" else categories).append(value)
            if not self.skip("|"):
                break
        tests = [
            Tested(ValueTest(attribute, tuple(values)))
            for attribute, values in (("category", categories), ("word", words))
            if values
        ]
        return tuple(tests) if len(tests) == 1 else (Some(tuple(tests)),)

    def relation(self) -> Relation | None:
        """Return the next relation. None if the path ends here."""
        piece = self.piece
        if piece.kind == "name" and piece.text in ("and", "or"):
            return None
        if piece.kind == "name" and piece.text not in RELATIONS:
            names = [name for name in RELATIONS if name[0].isalpha()]
            self.unknown(names, f"{_RELATION}, 'and' or 'or'")
        if piece.kind in ("word", "quoted", "regex", "variable", "feature"):
            self.fail(f"{_RELATION}, 'and' or 'or'")
        if piece.kind == "end" or piece.text not in RELATIONS:
            return None
        self.take()
        return self.braces(piece.text) if self.skip("{") else Relation(piece.text)

    def braces(self, name: str) -> Relation:
        piece = self.piece
        if piece.kind == "name" and piece.text.isdecimal():
            if name not in WITH_STEPS:
                self.fail(f"no number of steps after {name}; {', '.join(WITH_STEPS)} can have one")
            least = self.whole_number()
            most: int | None = least
            if self.skip(","):
                most = None if self.is_sign("}") else self.whole_number(least)
            self.expect("}", "" if most is None else " or ','")
            return Relation(name, (), least, most, is_counted=True)
        if name not in WITH_FUNCTIONS:
            self.fail(f"no braces after {name}; {', '.join(WITH_FUNCTIONS)} can name functions")
        functions = self.values()
        self.expect("}", " or '|'")
        return Relation(name, functions)

    def whole_number(self, least: int = 1) -> int:
        piece = self.piece
        if piece.kind != "name" or not piece.text.isdecimal() or len(piece.text) > 9:
            self.fail("a whole number")
        if int(piece.text) < least:
            self.fail(f"a number from {least} on")
        return int(self.take().text)

    # --- tests

    def test(self, variable: str) -> Formula:
        piece = self.piece
        if piece.kind == "feature":
            attribute = f"@{self.take().text}"
        elif piece.kind == "name" and (piece.text in TEXTS or piece.text in NUMBERS):
            attribute = self.take().text
        elif piece.kind == "name":
            self.unknown({*TEXTS, *NUMBERS}, f"an attribute: {', '.join((*TEXTS, *NUMBERS))}")
        else:
            self.fail(f"an attribute: {', '.join((*TEXTS, *NUMBERS))}")
        sign = self.piece
        comparison = self.comparison()
        if self.piece.kind == "variable":
            return self.compared(variable, attribute, comparison, sign)
        if attribute in NUMBERS:
            return Tested(NumberTest(attribute, comparison, self.number()), variable)
        if comparison not in ("=", "!="):
            self.fail(f"= or != after {attribute}, which is a text", sign)
        return Tested(ValueTest(attribute, self.values(), comparison == "!="), variable)

    def compared(self, variable: str, attribute: str, comparison: str, sign: Piece) -> Compared:
        other = self.take().text
        self.expect(".", f" and an attribute, such as #{other}.{attribute}")
        piece = self.take()
        is_number = attribute in NUMBERS
        known = NUMBERS if is_number else TEXTS
        if attribute.startswith("@") or piece.kind != "name" or piece.text not in known:
            self.fail(f"one of {', '.join(known)}", piece)
        if not is_number and comparison not in ("=", "!="):
            self.fail(f"= or != after {attribute}, which is a text", sign)
        return Compared(variable, attribute, comparison, other, piece.text)

    def comparison(self) -> str:
        if not self.is_sign(*OPERATORS):
            self.fail(f"one of {' '.join(OPERATORS)}")
        return self.take().text

    def number(self) -> float:
        piece = self.piece
        if piece.kind != "name" or not _NUMBER.fullmatch(piece.text) or len(piece.text) > 15:
            self.fail("a number")
        return float(self.take().text)

    def values(self) -> Values:
        values = [self.value(_VALUE)]
        while self.skip("|"):
            values.append(self.value(_VALUE))
        return tuple(values)

    def value(self, expected: str) -> Value:
        piece = self.piece
        if piece.kind not in ("name", "word", "quoted", "regex"):
            self.fail(expected)
        value = Value(piece.text, piece.kind == "regex", piece.ignores_case)
        try:
            value.test()
        except (re.error, OverflowError, RecursionError) as error:
            place = piece.start + 1 + (getattr(error, "pos", None) or 0)
            message = getattr(error, "msg", "") or "too large"
            raise QueryError(
                self.query, place, f"a bad regular expression ({message})", "one that Python knows"
            ) from None
        self.take()
        return value
