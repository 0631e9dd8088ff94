"""CoNLL-U: tokens and tags, dependencies from heads and functions, and the constituents in MISC.

HEAD and DEPREL are the dependencies of the tree (see `Tree.dependencies`). They are `_` if a head
is not marked and no head table knows the labels.

    1  What    _  _  WP  _  4  OA    _  Nodes=ROOT:1-4,SBARQ:1-4,VP:1+4
    2  should  _  _  MD  _  0  root  _  Nodes=SQ:2-3

`Nodes` lists the constituents that begin with a word, outermost first: the label, the tokens, and
perhaps the edge label and the position of the head. In files without `Nodes`, all words are below
the root, and HEAD and DEPREL become the features `head` and `deprel` of the tokens.

`TokenRange=start:end` is the position of a word in the raw text, in characters, as UDPipe writes
it. If at least one word has it, `# text` is read as the text of the sentence. Files of other
programs have neither `TokenRange` nor `Nodes`. Then the words are looked up in `# text`, and their
positions are those in the text of the whole file (see `conllu_text`). Otherwise, `# text` is
ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import ClassVar

from crossbranch import span as spans
from crossbranch.dependencies import DEPREL, HEAD, dependencies, relation
from crossbranch.errors import InputError, TreeError
from crossbranch.escape import Memo, escaper, unescape, unescaper
from crossbranch.tree import ROOT, Node, Sentence, Token, Tree, feature
from crossbranch.treebank.conllu_text import FileText, find_words
from crossbranch.treebank.format import Format, Holds
from crossbranch.treebank.source import Source

_CONTROL = r"[\x00-\x1f\x7f\x85]"
_escape_form = Memo(escaper(_CONTROL))
_escape = Memo(escaper(_CONTROL, absent="_"))
_unescape = Memo(unescaper(absent="_"))
_escape_misc = escaper(rf"[|,:+]|\s|{_CONTROL}", absent="")
_escape_comment = escaper(rf"{_CONTROL}|\A\s|\s\Z|\As(?=ent_id\s*=)|\At(?=ext\s*=)")
_escape_id = escaper(rf"{_CONTROL}|\A\s|\s\Z")
_FEATS = re.compile(r"[^\s=|]+=[^\s=|]+(\|[^\s=|]+=[^\s=|]+)*")
_RANGE = "[0-9]{1,9}(?:-[0-9]{1,9})?"
_NODE = re.compile(rf"([^:]*):({_RANGE}(?:\+{_RANGE})*)(?::([^:]*):([0-9]{{0,9}}))?")
_PLACE = re.compile("([0-9]{1,15}):([0-9]{1,15})")
_START = re.compile(r"(?:1|1-[0-9]+|0\.[0-9]+)\t")

UPOS = "upos"
"""The feature with the universal tag, if a token has another tag, too."""

Place = tuple[int, int] | tuple[None, None]
NOWHERE = None, None


class Conllu(Format):
    """CoNLL-U: dependencies, and the constituents beside them."""

    name: ClassVar[str] = "conllu"
    summary: ClassVar[str] = "CoNLL-U: dependencies from heads, constituents in MISC"
    suffixes: ClassVar[tuple[str, ...]] = (".conllu", ".conll")
    holds: ClassVar[Holds] = Holds(
        secondary_edges=False,
        offsets=True,
        token_features=frozenset({UPOS, HEAD, DEPREL}),
    )

    def holds_text(self, tree: Tree) -> bool:
        """The text is only kept if the positions of words are known."""
        return any(token.start is not None for token in tree.sentence)

    def looks_like(self, head: str) -> bool:
        """The first line that is not a comment has ten columns and begins with 1."""
        for line in head.split("\n"):
            if line and not line.startswith("#"):
                return _START.match(line) is not None and line.count("\t") == 9
        return head.startswith("# sent_id")

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the sentences between empty lines."""
        block: list[str] = []
        number = 0
        file_text = FileText()
        for number, line in enumerate(source.lines(), 1):
            if line:
                block.append(line)
            elif block:
                yield from _read_block(source, block, number - len(block), file_text)
                block = []
        if block:
            yield from _read_block(source, block, number + 1 - len(block), file_text)

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the lines of a sentence and the empty line after them."""
        lines = [f"# sent_id = {_escape_id(tree.id or str(number))}"]
        places = _places(tree.sentence)
        stated = _is_dependencies(tree)
        if places and tree.text:
            lines.append(f"# text = {_escape_id(tree.text)}")
        elif tree.sentence and not places and not stated:  # readers look up words in texts
            words = " ".join(_escape_form[token.form] for token in tree.sentence)
            lines.append(f"# text = {words}")
        lines.extend(f"# {_escape_comment(comment)}" for comment in tree.comments)
        nodes: dict[int, list[str]] = {}
        for node in tree.nodes if tree.sentence and not stated else ():
            nodes.setdefault(spans.first_of(node.span), []).append(_describe(node))
        columns = _dependencies(tree)
        contractions = _contractions(tree)
        for index, token in enumerate(tree.sentence):
            if index in contractions:
                lines.append(contractions[index])
            head, deprel = columns[index]
            feats = token.morphology if _FEATS.fullmatch(token.morphology) else ""
            misc = _misc(token, nodes.get(index, []), feats, places[index] if places else [])
            lines.append(
                f"{index + 1}\t{_escape_form[token.form]}\t{_escape[token.lemma]}"
                f"\t{_escape[feature(token.features, UPOS)]}"
                f"\t{_escape[token.tag]}\t{_escape[feats]}\t{head}\t{deprel}\t_\t{misc}"
            )
        return "\n".join(lines) + "\n\n"


def _dependencies(tree: Tree) -> list[tuple[str, str]]:
    """HEAD and DEPREL of each token."""
    found = dependencies(tree.mark_heads())
    if found is None:
        return [("_", "_")] * len(tree.sentence)
    return [
        (str(head + 1), _escape[relation(token, head, function)])
        for token, (head, function) in zip(tree.sentence, found, strict=True)
    ]


def _is_dependencies(tree: Tree) -> bool:
    """Whether a tree has dependencies of its own, and no constituents."""
    return tree.root == Node(ROOT, range(len(tree.sentence))) and all(
        feature(token.features, HEAD) for token in tree.sentence
    )


def _describe(node: Node) -> str:
    ranges = [f"{a + 1}" if b == a + 1 else f"{a + 1}-{b}" for a, b in node.blocks]
    text = f"{_escape_misc(node.label)}:{'+'.join(ranges)}"
    if node.edge_label or node.head is not None:
        head = "" if node.head is None else node.head + 1
        text += f":{_escape_misc(node.edge_label)}:{head}"
    return text


def _places(sentence: Sentence) -> list[list[str]]:
    """The fields of MISC with the position of each word; empty if no position is known."""
    if all(token.start is None for token in sentence):
        return []
    places: list[list[str]] = []
    for token, after in pairwise([*sentence, None]):
        place = []
        if token is not None and None not in token[6:]:
            if after is not None and after.start == token.end:
                place.append("SpaceAfter=No")
            place.append(f"TokenRange={token.start}:{token.end}")
        places.append(place)
    return places


def _contractions(tree: Tree) -> dict[int, str]:
    """The lines of the words that are several tokens with one position, by their first token."""
    found = {}
    sentence = tree.sentence
    first = 0
    for (start, end), tokens in groupby(sentence, key=lambda token: (token.start, token.end)):
        stop = first + len(list(tokens))
        begin = sentence[0].start
        if stop > first + 1 and begin is not None and start is not None and end is not None:
            surface = tree.text[max(start - begin, 0) : max(end - begin, 0)]
            if surface:
                misc = [f"TokenRange={start}:{end}"]
                if stop < len(sentence) and sentence[stop].start == end:
                    misc.insert(0, "SpaceAfter=No")
                columns = [f"{first + 1}-{stop}", _escape_form[surface], *"_" * 7, "|".join(misc)]
                found[first] = "\t".join(columns)
        first = stop
    return found


def _misc(token: Token, nodes: list[str], feats: str, place: list[str]) -> str:
    items = []
    if token.edge_label:
        items.append(f"EdgeLabel={_escape_misc(token.edge_label)}")
    if token.morphology and not feats:
        items.append(f"Morphology={_escape_misc(token.morphology)}")
    if nodes:
        items.append(f"Nodes={','.join(nodes)}")
    return "|".join(items + place) or "_"


def _read_block(
    source: Source, lines: list[str], first: int, file_text: FileText
) -> Iterator[Tree]:
    try:
        source.check(first, first + len(lines) - 1)
        tree = _Block(source, lines, first, file_text).tree()
    except InputError as error:
        source.report(error)
    else:
        yield tree


def _touches(misc: str) -> bool:
    return "SpaceAfter=No" in misc.split("|")


def _is_set(pair: tuple[str, str]) -> bool:
    return bool(pair[1])


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
        for item in extra.get("Nodes", "").split(",") if "Nodes" in extra else ():
            self._nodes.append(self._node(item, number))
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
            features = [*token.features, (HEAD, str(int(head))), (DEPREL, _unescape[deprel])]
            self._tokens[index] = token._replace(features=tuple(sorted(filter(_is_set, features))))

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
        lowest = [-1] * count
        for index, (label, span, _, _) in enumerate(nodes):
            covered = spans.tokens_of(span)
            if covered[-1] >= count:
                raise TreeError(f"{label} has tokens beyond the end of the sentence")
            if len({lowest[token] for token in covered}) > 1:
                raise TreeError(f"the tokens of {label} belong to several constituents")
            if index:
                children[lowest[covered[0]]].append(~index)
            for token in covered:
                lowest[token] = index
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
