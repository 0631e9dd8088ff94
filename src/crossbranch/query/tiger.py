"""Queries of TIGERSearch, translated."""

from __future__ import annotations

import re

from crossbranch.query.translation import Piece, Pieces, Translation, joined, name

_PATTERN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*)
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<regex>/(?:[^/\\]|\\.)*/)
  | (?P<variable>\#\w+)
  | (?P<relation>!?(?:>@[lr]|>~[\w-]*|>\*|>\d+(?:,\d+)?|>[A-Za-z_][\w-]*|>
      |\.\*|\.\d+(?:,\d+)?|\.|\$\.\*|\$))
  | (?P<number>\d+)
  | (?P<name>[\w-]+)
  | (?P<sign>!=|[\[\]()&|!=:,])
    """,
    re.VERBOSE,
)
_FEATURES = {
    "cat": "label",
    "pos": "tag",
    "word": "word",
    "lemma": "lemma",
    "morph": "morphology",
    "edge": "function",
}
_PREDICATES = {"arity": "children", "tokenarity": "length"}
_SIMPLE = {
    "root": "root",
    "discontinuous": "discontinuous",
    "continuous": "not discontinuous",
}
_PRECEDENCE = (
    "TIGERSearch compares the first words of nodes in `.`; here, the last word of the first node "
    "counts, which is the same for words"
)


def translate(query: str) -> Translation:
    """Translate a query of TIGERSearch."""
    reader = _Reader(query)
    text = reader.either()
    if reader.pieces.next.kind != "end":
        reader.pieces.fail("a relation, & or |")
    reader.translation.query = text.removeprefix("(").removesuffix(")") if _is_one(text) else text
    return reader.translation


def _is_one(text: str) -> bool:
    """Whether one pair of brackets is around the whole text."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return False
    return text.startswith("(")


class _Reader:
    def __init__(self, query: str) -> None:
        self.pieces = Pieces(query, _PATTERN, "a node, a relation or a bracket")
        self.translation = Translation()
        self.count = 0
        """How many names were made up."""

    def either(self) -> str:
        parts = [self.both()]
        while self.pieces.skip("|"):
            parts.append(self.both())
        return joined(parts, "or")

    def both(self) -> str:
        parts = [self.part()]
        while self.pieces.skip("&"):
            parts.append(self.part())
        return joined(parts, "and")

    def part(self) -> str:
        pieces = self.pieces
        if pieces.skip("("):
            text = self.either()
            pieces.expect(")")
            return text if text.startswith("(") else f"({text})"
        if pieces.next.kind == "name":
            return self.predicate()
        start = self.node()
        if pieces.next.kind != "relation":
            return start
        relation = pieces.take()
        end = self.node()
        sign = self.relation(relation)
        if not relation.text.startswith("!"):
            return f"{start} {sign} {end}"
        # There are two such nodes, and they are not related so.
        (first, one), (second, other) = self.named(start), self.named(end)
        return joined([*one, *other, f"not {first} {sign} {second}"], "and")

    def named(self, node: str) -> tuple[str, list[str]]:
        """Return a name for a node, and what is said of it."""
        if node.startswith("#"):
            return node.partition(":")[0], [node]
        self.count += 1
        while f"#n{self.count}" in self.pieces.query:
            self.count += 1
        return f"#n{self.count}", [f"#n{self.count}:{node}"]

    def predicate(self) -> str:
        pieces = self.pieces
        word = pieces.take()
        known = [*_SIMPLE, *_PREDICATES]
        if word.text not in known:
            pieces.fail(f"a node, or one of {', '.join(known)}", word)
        pieces.expect("(")
        if pieces.next.kind != "variable":
            pieces.fail("a variable, such as #n")
        variable = pieces.take().text
        numbers = []
        while pieces.skip(","):
            if pieces.next.kind != "number":
                pieces.fail("a number")
            numbers.append(pieces.take().text)
        pieces.expect(")")
        if word.text in _SIMPLE:
            return f"{variable}:[{_SIMPLE[word.text]}]"
        if not 1 <= len(numbers) <= 2:
            pieces.fail("one or two numbers", word)
        attribute = f"{variable}.{_PREDICATES[word.text]}"
        if len(numbers) == 1:
            return f"{attribute} = {numbers[0]}"
        return f"{attribute} >= {numbers[0]} and {attribute} <= {numbers[1]}"

    # --- nodes

    def node(self) -> str:
        pieces = self.pieces
        variable = ""
        if pieces.next.kind == "variable":
            variable = pieces.take().text
            if not pieces.skip(":"):
                return variable
        pieces.expect("[")
        inside = "" if pieces.is_next("]") else self.conditions()
        pieces.expect("]")
        return f"{variable}:[{inside}]" if variable else f"[{inside}]"

    def conditions(self) -> str:
        parts = [self.condition_group()]
        while self.pieces.skip("|"):
            parts.append(self.condition_group())
        return joined(parts, "or")

    def condition_group(self) -> str:
        parts = [self.condition()]
        while self.pieces.skip("&"):
            parts.append(self.condition())
        return joined(parts, "and")

    def condition(self) -> str:
        pieces = self.pieces
        if pieces.skip("!"):
            return f"not {self.condition()}"
        if pieces.skip("("):
            text = self.conditions()
            pieces.expect(")")
            return text if text.startswith("(") else f"({text})"
        piece = pieces.take()
        if piece.kind != "name":
            pieces.fail("a feature, such as cat or word", piece)
        if not pieces.is_next("=", "!="):
            if piece.text not in ("T", "NT"):
                pieces.fail("= or !=")
            return "token" if piece.text == "T" else "constituent"
        sign = pieces.take().text
        attribute = _FEATURES.get(piece.text, f"@{piece.text}")
        if pieces.skip("!"):
            sign = "=" if sign == "!=" else "!="
        return f"{attribute}{sign}{self.values()}"

    def values(self) -> str:
        pieces = self.pieces
        if pieces.skip("("):
            values = [self.value()]
            while pieces.skip("|"):
                values.append(self.value())
            pieces.expect(")")
            return "|".join(values)
        return self.value()

    def value(self) -> str:
        piece = self.pieces.take()
        if piece.kind == "regex":
            return piece.text
        if piece.kind != "text":
            self.pieces.fail('a text, such as "NP", or a /regular expression/', piece)
        return name(re.sub(r"\\(.)", r"\1", piece.text[1:-1]))

    # --- relations

    def relation(self, piece: Piece) -> str:
        sign = piece.text.removeprefix("!")
        if sign in (">", "$"):
            return {">": ">", "$": "sibling-of"}[sign]
        if sign == ">*":
            return ">>"
        if sign in (">@l", ">@r"):
            return "begins-with" if sign == ">@l" else "ends-with"
        if sign.startswith(">~"):
            return f"~>{{{name(sign[2:])}}}" if sign[2:] else "~>"
        if sign == "$.*":
            return "sibling-before"
        if sign == ".*":
            return "starts-before"
        if sign.startswith("."):
            self.translation.note(_PRECEDENCE)
            return f"before{{{sign[1:]}}}" if sign[1:] else "right-before"
        steps = sign[1:]
        return f">{{{steps}}}" if steps[0].isdigit() else f">{{{name(steps)}}}"
