"""Queries of Tregex, translated.

In Tregex, words are nodes below their tags; here, a word and its tag are one. So `NN < dog` becomes
`NN[word="dog"]`. Names and regular expressions without capitals are read as words.
"""

from __future__ import annotations

import re

from crossbranch.query.translation import Piece, Pieces, Translation, joined, name, quoted

_PATTERN = re.compile(
    r"""
    (?P<blank>\s+)
  | (?P<regex>/(?:[^/\\]|\\.)*/)
  | (?P<relation><<[,:\-\#]|>>[,:\-\#]|<<|>>|<[,:\-\#](?![\d])|>[,:\-\#](?![\d])|<-?\d+|>-?\d+
      |<\.\.\.|<\+|>\+|<=|<|>
      |\$\+\+|\$--|\$\.\.|\$,,|\$[+\-.,]|\$|\.\.|\.\+|,,|,\+|\.|,|==|:)
  | (?P<backreference>=[\w-]+)
  | (?P<sign>[()\[\]!?&|@~])
  | (?P<name>__|[^\s<>=$.,:()\[\]!?&|@~/\#][^\s<>=.,:()\[\]!?&|@~/\#]*)
    """,
    re.VERBOSE,
)
_RELATIONS = {
    "<": "> {}",
    ">": "< {}",
    "<<": ">> {}",
    ">>": "<< {}",
    "<<,": "begins-with {}",
    ">>,": "begins {}",
    "<<-": "ends-with {}",
    ">>-": "ends {}",
    ".": "right-before {}",
    "..": "before {}",
    ",": "right-after {}",
    ",,": "after {}",
    "$": "sibling-of {}",
    "$..": "sibling-before {}",
    "$++": "sibling-before {}",
    "$,,": "sibling-after {}",
    "$--": "sibling-after {}",
    "$.": "sibling-right-before {}",
    "$+": "sibling-right-before {}",
    "$,": "sibling-right-after {}",
    "$-": "sibling-right-after {}",
    "==": "= {}",
}
_CHILDREN = {",": "first-child", "1": "first-child", "-": "last-child", "-1": "last-child"}
_CHILDREN |= {":": "only-child", "#": "head"}
_SPECIAL = re.compile(r"([<>])([,:\-#]|-?\d+)")
_MOST_DIGITS = 9  # of the number of a child
_WHAT = "a node: a name, /regex/, __ or (...)"


def translate(query: str) -> Translation:
    """Translate a query of Tregex."""
    reader = _Reader(query)
    parts = [reader.pattern()]
    while reader.pieces.skip(":"):
        parts.append(reader.pattern())
    if reader.pieces.next.kind != "end":
        reader.pieces.fail("a relation, such as < or $")
    reader.translation.query = joined(parts, "and")
    return reader.translation


class _Reader:
    def __init__(self, query: str) -> None:
        self.pieces = Pieces(query, _PATTERN, "a name, a relation or a bracket")
        self.translation = Translation()
        self.names: set[str] = set()

    def pattern(self) -> str:
        """A node with its relations: all are relations of this node."""
        if self.pieces.skip("("):
            text = self.pattern()
            self.pieces.expect(")")
            return text
        node = self.node()
        relations = self.relations(end=(")", "]", ":", "|"))
        return node.written([relations] if relations else [])

    # --- nodes

    def node(self) -> _Node:
        pieces = self.pieces
        node = _Node()
        if pieces.skip("!"):
            node.is_negative = True
        is_basic = pieces.skip("@")
        if pieces.next.kind == "backreference" and not node.is_negative:
            node.variable = pieces.take().text[1:]
            if node.variable not in self.names:
                pieces.fail("the name of a node before it", pieces.pieces[pieces.place - 1])
            return node
        while True:
            self.value(node, is_basic)
            if not pieces.is_next("|") or pieces.after_next.kind not in ("name", "regex"):
                break
            pieces.take()
        if pieces.next.kind == "backreference":
            node.variable = re.sub(r"\W", "_", pieces.take().text[1:])
            self.names.add(node.variable)
        return node

    def value(self, node: _Node, is_basic: bool) -> None:
        piece = self.pieces.next
        if piece.kind not in ("name", "regex"):
            self.pieces.fail(_WHAT)
        self.pieces.take()
        if piece.text == "__":
            node.is_any = True
            return
        if is_basic:
            text = re.escape(piece.text.strip("/")).replace("/", r"\/")
            node.categories.append(f"/{text}(?:[-=].*)?/")
            return
        text = _whole(piece.text) if piece.kind == "regex" else name(piece.text)
        if _is_word(piece):
            self.translation.note(f"{piece.text} is read as a word")
            node.words.append(text if piece.kind == "regex" else quoted(piece.text))
        else:
            node.categories.append(text)

    # --- relations

    def relations(self, end: tuple[str, ...]) -> str:
        """All relations of a node: joined by nothing, & or |."""
        alternatives = [self.both(end)]
        while self.pieces.is_next("|") and "|" in end:
            self.pieces.take()
            self.pieces.skip("|")  # || is the same
            alternatives.append(self.both(end))
        return joined([one for one in alternatives if one], "or")

    def both(self, end: tuple[str, ...]) -> str:
        parts = []
        while self.pieces.next.kind != "end" and not self.pieces.is_next(*end):
            self.pieces.skip("&")
            parts.append(self.relation())
        return joined(parts, "and")

    def relation(self) -> str:
        pieces = self.pieces
        if pieces.is_next("?"):
            pieces.fail("a relation that must hold; optional ones cannot be translated")
        if pieces.skip("!"):
            negated = self.relation()
            return f"not ({negated})" if " and " in negated else f"not {negated}"
        if pieces.skip("["):
            text = self.relations(end=("]", "|"))
            pieces.expect("]")
            return text if text.startswith("(") else f"({text})"
        piece = pieces.next
        if piece.kind != "relation" or piece.text == ":":
            pieces.fail("a relation, such as < or $")
        pieces.take()
        if pieces.skip("("):
            target, relations = self.node(), self.relations(end=(")", "|"))
            pieces.expect(")")
            conditions = [relations] if relations else []
        else:
            target, conditions = self.node(), []
        return self.related(piece, target, conditions)

    def related(self, piece: Piece, target: _Node, conditions: list[str]) -> str:
        sign = piece.text
        if sign in ("<", "<:", "<,", "<-", "<1", "<-1") and target.is_only_words:
            return joined([target.test(), *conditions], "and")  # the word of a tag
        if sign in _RELATIONS:
            return _RELATIONS[sign].format(target.written(conditions))
        special = _SPECIAL.fullmatch(sign)
        if special is None or special[2] == "0" or len(special[2]) > _MOST_DIGITS:
            known = " ".join([*_RELATIONS, "<1 <- <: <#"])
            self.pieces.fail(f"a relation that can be translated: {known}", piece)
        place = _CHILDREN.get(special[2]) or _place(int(special[2]))
        if special[1] == ">":
            return f"{place} and < {target.written(conditions)}"
        return f"> {target.written([place, *conditions])}"


class _Node:
    """A node of the query."""

    def __init__(self) -> None:
        self.variable = ""
        self.categories: list[str] = []
        self.words: list[str] = []
        self.is_any = self.is_negative = False

    @property
    def is_only_words(self) -> bool:
        """Whether only words can fit."""
        return bool(self.words) and not self.categories and not self.is_any and not self.variable

    def test(self) -> str:
        """The node as a condition, for brackets."""
        values = [("category", self.categories), ("word", self.words)]
        tests = [f"{attribute}={'|'.join(texts)}" for attribute, texts in values if texts]
        text = joined(tests, "or")
        return f"not {text}" if self.is_negative else text

    def written(self, conditions: list[str]) -> str:
        """The node with conditions in brackets."""
        variable = f"#{self.variable}" if self.variable else ""
        is_simple = not self.is_negative and not any(word.startswith("/") for word in self.words)
        what = "" if self.is_any else "|".join([*self.categories, *self.words])
        if not is_simple:
            what, conditions = "", [self.test(), *conditions]
        if variable and not what and not conditions and not self.is_any:
            return variable
        inside = f"[{' and '.join(conditions)}]" if conditions or not what else ""
        return f"{variable}:{what}{inside}" if variable else f"{what}{inside}"


def _place(number: int) -> str:
    """The condition that a node is the Nth child; negative numbers count from the end."""
    side = "sibling-after" if number > 0 else "sibling-before"
    return f"count({side} []) = {abs(number) - 1}"


def _is_word(piece: Piece) -> bool:
    letters = [letter for letter in re.sub(r"\\.", "", piece.text) if letter.isalpha()]
    return bool(letters) and not any(letter.isupper() for letter in letters)


def _whole(regex: str) -> str:
    """A regular expression that fits parts of texts, as one for whole texts."""
    inside = regex[1:-1]
    start = "" if inside.startswith("^") else ".*"
    end = "" if re.search(r"(?<!\\)(?:\\\\)*\$$", inside) else ".*"
    inside = inside.removeprefix("^")
    inside = inside if end else inside[:-1]
    if "|" in inside:
        inside = f"(?:{inside})"
    return f"/{start}{inside}{end}/"
