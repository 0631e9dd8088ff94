"""Trees as nested brackets: shared by discbracket, Penn brackets and psd.

    (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))

A bracket has a label, directly after the `(`, and contains words or brackets. A bracket around a
single word is a token with its tag. A word beside others in a bracket is a token without a tag. So
if a node has a single token without a tag, the empty tag is written: `(NP (&#x; cat))`. Only the
outermost bracket may have an empty label, for the virtual root.

Square brackets are read, too: `[S [NP the cat] [VP sleeps]]`. The first bracket of a file decides
which kind it uses. Brackets of the other kind are then ordinary characters of words and labels.
If all labels of a tree in square brackets begin with a dot, as in qtree, the dots are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import length_hint

from crossbranch.errors import InputError
from crossbranch.escape import Memo, escaper, unescape
from crossbranch.tree import ROOT, Node, Tree
from crossbranch.treebank.source import Source

Unit = tuple[str, str, str, str, str]
"""A piece of the text of a tree. Either its first three or its last two parts are filled.

An opening bracket has its label, the word after the label, and the closing brackets after that. So
a tagged word is one unit. Any other word has itself and the closing brackets after it.
"""

# Only ASCII blanks separate words. No quantifier backtracks, so matching takes linear time.
_UNIT = re.compile(
    r"\( ([^\s()]*+) \s*+ ([^\s()]*+) ([\s)]*+) | ([^\s()]++) ([\s)]*+)", re.ASCII | re.VERBOSE
)
_SQUARE_UNIT = re.compile(
    r"\[ ([^\s\[\]]*+) \s*+ ([^\s\[\]]*+) ([\s\]]*+) | ([^\s\[\]]++) ([\s\]]*+)",
    re.ASCII | re.VERBOSE,
)
BLANK = r"[\s\x00-\x1f\x7f\x85]"
escape_label = Memo(escaper(rf"{BLANK}|[()]"))
unescape_label = Memo(unescape)

Leaf = Callable[[str, str], int]
"""Takes tag and word as written in the file, and returns the index of the token."""


class BracketError(Exception):
    """Brackets that do not form a tree."""

    def __init__(self, found: str, expected: str) -> None:
        """Say what was found and what was expected."""
        super().__init__(found, expected)
        self.found, self.expected = found, expected
        self.offset: int | None = None  # the position in the text of the tree, if it is known


def units_of(text: str) -> list[Unit]:
    """Return the units of a text that starts with a bracket, with round closing brackets."""
    start = text.lstrip()
    if start.startswith("("):
        return _UNIT.findall(text)
    if not start.startswith("["):
        raise BracketError(quote(text.strip()), "an opening bracket")
    units: list[Unit] = _SQUARE_UNIT.findall(text)
    dot = 1 if all(_has_dot(unit) for unit in units) else 0
    return [
        (label[dot:], word, closed.replace("]", ")"), bare, closed_bare.replace("]", ")"))
        for label, word, closed, bare, closed_bare in units
    ]


def least_size(text: str, limit: int) -> int:
    """Return the number of units of a text if it may be above a limit, or else 0."""
    if len(text) <= limit:  # a unit has at least one character
        return 0
    pattern = _SQUARE_UNIT if text.lstrip().startswith("[") else _UNIT
    return sum(1 for _ in islice(pattern.finditer(text), limit + 1))


def _has_dot(unit: Unit) -> bool:
    """Return True if a label has a dot before it, as in qtree: `[.S [.NP it ] [.VP rains ] ]`."""
    label, *_, bare, _ = unit
    return bool(bare) or (len(label) > 1 and label.startswith("."))


def offset_of(text: str, number: int) -> int:
    """Return where the unit with this number starts in the text."""
    pattern = _SQUARE_UNIT if text.lstrip().startswith("[") else _UNIT
    for position, match in enumerate(pattern.finditer(text)):
        if position == number:
            return match.start()
    return len(text.rstrip())


def build(units: Iterator[Unit], leaf: Leaf) -> Node:
    """Read the units of one tree and return its root. `leaf` is called for each token."""
    names = unescape_label
    above: list[tuple[str, list[Node | int]]] = []  # the open brackets, each with its siblings
    children: list[Node | int] = []
    for label, word, closed, bare, closed_bare in units:
        if bare:
            if not above:
                raise BracketError(quote(bare), "an opening bracket")
            children.append(leaf("", bare))
            closing = closed_bare.count(")")
        else:
            closing = closed.count(")")
            if not label and (above or word):
                raise BracketError(
                    "a bracket without a label", "a label directly after the opening bracket"
                )
            if word and closing and above:
                children.append(leaf(label, word))
                closing -= 1
            else:
                tag = ""
                if word and closing and label != ROOT:  # the tree is a single token
                    label, tag = "", label
                elif closing and not word and above:
                    raise BracketError(
                        f"an empty bracket {quote(label)}", "words or brackets inside it"
                    )
                above.append((label, children))
                children = [leaf(tag, word)] if word else []
        while closing:
            label, siblings = above.pop()
            node = Node(names[label] if label else ROOT, children)
            closing -= 1
            if above:
                siblings.append(node)
                children = siblings
            elif closing:
                raise BracketError("one closing bracket too many", "the end of the tree")
            else:
                return node
    raise BracketError(
        f"the end of the tree, with open brackets: {len(above)}", "a closing bracket"
    )


def read_trees(
    source: Source, lines: Iterable[str], make: Callable[[Iterator[Unit], str], Tree]
) -> Iterator[Tree]:
    """Yield the trees of a source in which a tree may have many lines.

    `make` makes a tree from its units and its number. A bracket at the beginning of a line starts a
    new tree, even if the tree before is not closed. So a broken tree does not spoil the next one.
    """
    texts = BalancedTexts(lines)
    number = 0
    source.begin_sentence()
    for first, text in texts:
        source.begin_sentence()
        for line, part in _parts(first, text, source.limits.vertices):
            units: list[Unit] = []
            rest = iter(units)
            try:
                source.check(line, line + part.count("\n"))
                size = least_size(part, source.limits.vertices)
                source.check_size(size, line=line, sentence=str(number + 1))
                units = units_of(part)
                rest = iter(units)
                while length_hint(rest):  # usually once
                    number += 1
                    yield make(rest, str(number))
            except BracketError as error:
                texts.broken = True
                number += not units
                offset = offset_of(part, len(units) - length_hint(rest) - 1)
                place = line + part.count("\n", 0, offset)
                source.report(
                    source.error(error.found, error.expected, line=place, sentence=str(number))
                )
                break
            except InputError as error:
                number += 1
                source.report(error)


def _parts(line: int, text: str, limit: int) -> Iterator[tuple[int, str]]:
    """Cut a text of many trees into single trees, each with its line, if it may be too large."""
    if len(text) <= limit:
        yield line, text
        return
    pattern = r"[\[\]]" if text.lstrip().startswith("[") else "[()]"
    start = depth = 0
    for match in re.finditer(pattern, text):
        depth += 1 if match[0] in "([" else -1
        if depth <= 0:
            yield line, text[start : match.end()]
            line += text.count("\n", start, match.end())
            start, depth = match.end(), 0
    if not text[start:].isspace() and start < len(text):
        yield line, text[start:]


class BalancedTexts:
    """Cuts lines into texts of balanced brackets, each with the number of its first line."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Take lines without their line ends."""
        self._lines = lines
        self.broken = False  # whether to skip to the next line that starts a tree

    def __iter__(self) -> Iterator[tuple[int, str]]:
        text: list[str] = []
        first = depth = 0
        opening = closing = ""  # the kind of bracket on the first line that is not empty
        for number, line in enumerate(self._lines, 1):
            if not opening and (start := line.lstrip()):
                opening, closing = ("[", "]") if start.startswith("[") else ("(", ")")
            if opening and line.startswith(opening):
                if text:
                    yield first, "\n".join(text)
                    text, depth = [], 0
                self.broken = False
            elif self.broken:
                continue
            if not text:
                if not line or line.isspace():
                    continue
                first = number
            text.append(line)
            depth += line.count(opening) - line.count(closing)
            if depth <= 0:
                yield first, "\n".join(text)
                text, depth = [], 0
        if text:
            yield first, "\n".join(text)


def write_brackets(tree: Tree, label: str, words: Iterable[str]) -> str:
    """Return a tree as brackets on one line. The root label and the words are already escaped."""
    names = escape_label
    beside: list[str] = []  # each token as written beside others, or in a bracket of its own
    alone: list[str] = []
    for (_, tag, *_), word in zip(tree.sentence, words, strict=True):
        tagged = f" ({names[tag]} {word})"
        alone.append(tagged)
        beside.append(tagged if tag else f" {word}")
    parts: list[str] = []
    stack: list[Node | str] = [tree.root]  # the parts that are not written yet
    while stack:
        item = stack.pop()
        if item.__class__ is str:
            parts.append(item)
            continue
        children = item.children  # type: ignore[union-attr]
        name = names[item.label] if parts else label  # type: ignore[union-attr]
        parts.append(f" ({name}")
        stack.append(")")
        texts = alone if len(children) == 1 or not name else beside
        stack.extend([texts[c] if c.__class__ is int else c for c in reversed(children)])  # type: ignore[misc]
    return "".join(parts)[1:]


def quote(text: str) -> str:
    """Return the beginning of a text, safe to print."""
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
