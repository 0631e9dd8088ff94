"""Reading CoNLL-U: from the lines of a sentence to a tree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crossbranch import span as spans
from crossbranch.dependencies import DEPREL, HEAD
from crossbranch.errors import InputError, TreeError
from crossbranch.escape import Memo, unescape, unescaper
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank.conllu_text import FileText, find_words
from crossbranch.treebank.source import Source

_unescape = Memo(unescaper(absent="_"))
_RANGE = "[0-9]{1,9}(?:-[0-9]{1,9})?"
_NODE = re.compile(rf"([^:]*):({_RANGE}(?:\+{_RANGE})*)(?::([^:]*):([0-9]{{0,9}}))?")
_PLACE = re.compile("([0-9]{1,15}):([0-9]{1,15})")
FARTHEST = 10**15
"""Positions in a text are below this."""

UPOS = "upos"
"""The feature with the universal tag, if a token has another tag, too."""

Place = tuple[int, int] | tuple[None, None]
NOWHERE = None, None


def read_block(source: Source, lines: list[str], first: int, file_text: FileText) -> Iterator[Tree]:
    """Yield the tree of the lines of a sentence, or report the error in them."""
    try:
        source.check(first, first + len(lines) - 1)
        source.check_size(len(lines), line=first)
        tree = _Block(source, lines, first, file_text).tree()
    except InputError as error:
        source.report(error)
    else:
        yield tree


def _touches(misc: str) -> bool:
    return "SpaceAfter=No" in misc.split("|")


def _items(misc: str) -> dict[str, str]:
    return dict(item.partition("=")[::2] for item in misc.split("|"))


class _Block:
    """The lines of one sentence."""

    def __init__(self, source: Source, lines: list[str], first: int, file_text: FileText) -> None:
        self._source = source
        self._lines = lines
        self._first = first
        self._file_text = file_text
        self._id = ""
        self._text = ""
        self._comments: list[str] = []
        self._contraction: tuple[int, Place] = 0, NOWHERE  # its last word, and its position
        self._tokens: list[Token] = []
        self._surfaces: list[tuple[str, int]] = []  # words of the text, and how many tokens each is
        self._touches_next = False  # whether the last word has SpaceAfter=No
        self._arcs: list[tuple[str, str, int]] = []  # HEAD, DEPREL, and the line
        self._nodes: list[tuple[str, int, str, int | None]] = []

    def tree(self) -> Tree:
        for offset, line in enumerate(self._lines):
            if line.startswith("#"):
                self._comment(line[1:].strip())
            else:
                self._token(line, self._first + offset)
        self._place_in_file()
        if not self._nodes:
            self._keep_dependencies()
        try:
            root = self._root()
            text = self._text if any(token.start is not None for token in self._tokens) else ""
            return Tree(self._tokens, root, id=self._id, comments=self._comments, text=text)
        except TreeError as error:
            raise self._error(str(error), "constituents that form a tree", self._first) from None

    def _error(self, found: str, expected: str, line: int) -> InputError:
        return self._source.error(found, expected, line=line, sentence=self._id)

    def _place_in_file(self) -> None:
        """Find the positions of the words of a file that another program wrote."""
        if self._nodes or any(token.start is not None for token in self._tokens):
            return
        forms = [token.form for token in self._tokens]
        found = find_words(self._text, self._surfaces, forms)
        start = self._file_text.place(self._comments, len(self._text), touches=self._touches_next)
        if found:
            self._tokens = [
                token._replace(start=start + first, end=start + last)
                for token, (first, last) in zip(self._tokens, found, strict=True)
            ]

    def _comment(self, text: str) -> None:
        key, equals, value = text.partition("=")
        if equals and key.strip() == "sent_id":
            self._id = unescape(value.strip())
        elif equals and key.strip() == "text":
            self._text = unescape(value.strip())
        else:
            self._comments.append(unescape(text))

    def _token(self, line: str, number: int) -> None:
        columns = line.split("\t")
        if len(columns) != 10:
            raise self._error(f"{len(columns)} columns", "10 columns between tabs", number)
        name, form, lemma, universal, tag, feats, head, deprel, _, misc = columns
        if match := re.fullmatch(r"[0-9]+([-.])([0-9]{1,9})", name):
            if match[1] == "-":  # its words have its position
                self._contraction = int(match[2]), self._place(_items(misc), number)
                self._surfaces.append((unescape(form), int(match[2]) - len(self._tokens)))
                self._touches_next = _touches(misc)
            return  # a contraction or an empty node is not a token
        if name != str(len(self._tokens) + 1):
            raise self._error(f"token {name!r}", f"token {len(self._tokens) + 1}", number)
        if len(self._tokens) >= self._contraction[0]:
            self._surfaces.append((unescape(form), 1))
            self._touches_next = _touches(misc)
        self._arcs.append((head, deprel, number))
        extra = _items(misc)
        if "Nodes" in extra:
            items = extra["Nodes"].split(",")
            size = len(self._tokens) + len(self._nodes) + len(items)
            self._source.check_size(size, line=number, sentence=self._id)
            self._nodes += [self._node(item, number) for item in items]
        self._tokens.append(
            Token(
                unescape(form),
                _unescape[tag if tag != "_" else universal],
                _unescape[lemma],
                unescape(extra["Morphology"]) if "Morphology" in extra else _unescape[feats],
                unescape(extra.get("EdgeLabel", "")),
                ((UPOS, _unescape[universal]),) if "_" not in (tag, universal) else (),
                *self._place(extra, number),
            )
        )

    def _keep_dependencies(self) -> None:
        """Add HEAD and DEPREL to the features of the tokens, if every token has a head."""
        if any(head == "_" for head, _, _ in self._arcs):
            return
        for index, (head, deprel, line) in enumerate(self._arcs):
            if not re.fullmatch("[0-9]{1,9}", head) or int(head) > len(self._tokens):
                raise self._error(f"the head {head[:60]!r}", "a token of this sentence or 0", line)
            token = self._tokens[index]
            features = [*token.features, (HEAD, str(int(head)))]
            if deprel != "_":
                features.append((DEPREL, unescape(deprel)))
            self._tokens[index] = token._replace(features=tuple(sorted(features)))

    def _place(self, extra: dict[str, str], line: int) -> Place:
        if "TokenRange" not in extra:
            last, place = self._contraction
            return place if last > len(self._tokens) else NOWHERE
        match = _PLACE.fullmatch(extra["TokenRange"])
        if match is None or int(match[1]) > int(match[2]):
            found = f"the TokenRange {extra['TokenRange'][:60]!r}"
            raise self._error(found, "start:end, counted in characters", line)
        return int(match[1]), int(match[2])

    def _node(self, item: str, line: int) -> tuple[str, int, str, int | None]:
        match = _NODE.fullmatch(item)
        if match is None:
            expected = "label:tokens[:edge label:head]"
            raise self._error(f"the constituent {item[:60]!r}", expected, line)
        label, ranges, edge_label, head = match.groups()
        span = 0
        for part in ranges.split("+"):
            start, _, stop = part.partition("-")
            if not 0 < int(start) <= int(stop or start) <= len(self._lines):
                raise self._error(f"the tokens {ranges}", "tokens of this sentence", line)
            span |= (1 << int(stop or start)) - (1 << int(start) - 1)
        return unescape(label), span, unescape(edge_label or ""), int(head) - 1 if head else None

    def _root(self) -> Node:
        """Build the nodes. A parent is the smallest earlier node that has all the tokens."""
        if not self._nodes:
            return Node(ROOT, range(len(self._tokens)))
        count = len(self._tokens)
        nodes = sorted(self._nodes, key=lambda node: -node[1].bit_count())
        if nodes[0][1] != (1 << count) - 1:
            raise TreeError(f"{nodes[0][0]}, the first constituent, does not cover the sentence")
        children: list[list[int]] = [[] for _ in nodes]  # tokens, or ~index of a node
        taken = [0] * len(nodes)  # the tokens that are in nodes below each node
        lowest = [-1] * count
        for index, (label, span, _, _) in enumerate(nodes):
            if span.bit_length() > count:
                raise TreeError(f"{label} has tokens beyond the end of the sentence")
            above = lowest[spans.first_of(span)]
            if index:
                if span & ~nodes[above][1] or span & taken[above]:
                    raise TreeError(f"the tokens of {label} belong to several constituents")
                taken[above] |= span
                children[above].append(~index)
            for start, stop in spans.blocks(span):  # in blocks: much faster for long ones
                lowest[start:stop] = [index] * (stop - start)
        for token, index in enumerate(lowest):
            children[index].append(token)
        built: list[Node | None] = [None] * len(nodes)
        for index in range(len(nodes) - 1, -1, -1):
            label, _, edge_label, head = nodes[index]
            below = sorted(
                children[index], key=lambda c: c if c >= 0 else spans.first_of(nodes[~c][1])
            )
            parts = [c if c >= 0 else built[~c] for c in below]
            built[index] = Node(label, parts, edge_label=edge_label, head=head)  # type: ignore[arg-type]
        return built[0]  # type: ignore[return-value]
