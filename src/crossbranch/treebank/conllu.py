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
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import ClassVar

from crossbranch import span as spans
from crossbranch.dependencies import DEPREL, HEAD, dependencies, relation
from crossbranch.escape import Memo, escaper
from crossbranch.tree import ROOT, Node, Sentence, Token, Tree, feature
from crossbranch.treebank.conllu_reader import FARTHEST, NOWHERE, UPOS, read_block
from crossbranch.treebank.conllu_text import FileText
from crossbranch.treebank.format import BARE_ROOTS, Format, Holds, count_lost_root
from crossbranch.treebank.source import Source

_CONTROL = r"[\x00-\x1f\x7f\x85]"
_escape_form = Memo(escaper(_CONTROL))
_escape = Memo(escaper(_CONTROL, absent="_"))
_escape_some = Memo(escaper(rf"{_CONTROL}|\A_(?=\Z)"))  # an empty text is not absent
_escape_misc = escaper(rf"[|,:+]|\s|{_CONTROL}", absent="")
_escape_comment = escaper(rf"{_CONTROL}|\A\s|\s\Z|\As(?=ent_id\s*=)|\At(?=ext\s*=)")
_escape_id = escaper(rf"{_CONTROL}|\A\s|\s\Z")
_FEATS = re.compile(r"[^\s=|]+=[^\s=|]+(\|[^\s=|]+=[^\s=|]+)*")
_HEAD = re.compile("0|[1-9][0-9]{0,8}")
_START = re.compile(r"(?:1|1-[0-9]+|0\.[0-9]+)\t")


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
        return any(map(_has_place, tree.sentence))

    def count_more(self, tree: Tree, lost: Counter[str]) -> None:
        """Count positions and dependencies that the columns cannot hold, and an unusual root."""
        unplaced = sum(t[6:] != NOWHERE and not _has_place(t) for t in tree.sentence)
        if unplaced:
            lost["offsets"] += unplaced
        if any(token.features for token in tree.sentence) and not _is_dependencies(tree):
            count = sum(len({HEAD, DEPREL}.intersection(dict(t.features))) for t in tree.sentence)
            if count:
                lost["token features"] += count
        if not tree.sentence and tree.root != Node(ROOT):
            if tree.root.label != ROOT:
                lost[BARE_ROOTS] += 1
            count_lost_root(tree, self, lost)

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
        source.begin_sentence()
        for number, line in enumerate(source.lines(), 1):
            if line:
                block.append(line)
            elif block:
                yield from read_block(source, block, number - len(block), file_text)
                block = []
                source.begin_sentence()
        if block:
            yield from read_block(source, block, number + 1 - len(block), file_text)

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
        columns = _stated(tree) if stated else _dependencies(tree)
        contractions = _contractions(tree)
        for index, token in enumerate(tree.sentence):
            if index in contractions:
                lines.append(contractions[index])
            head, deprel = columns[index]
            upos, tag = _tags(token)
            feats = token.morphology if _FEATS.fullmatch(token.morphology) else ""
            misc = _misc(token, nodes.get(index, []), feats, places[index] if places else [])
            lines.append(
                f"{index + 1}\t{_escape_form[token.form]}\t{_escape[token.lemma]}"
                f"\t{upos}\t{tag}\t{_escape[feats]}\t{head}\t{deprel}\t_\t{misc}"
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


def _stated(tree: Tree) -> list[tuple[str, str]]:
    """HEAD and DEPREL of tokens that know them."""
    values = [dict(token.features) for token in tree.sentence]
    return [(v[HEAD], _escape_some[v[DEPREL]] if DEPREL in v else "_") for v in values]


def _is_dependencies(tree: Tree) -> bool:
    """Whether a tree has dependencies of its own, and no constituents."""
    count = len(tree.sentence)
    return tree.root == Node(ROOT, range(count)) and all(
        _HEAD.fullmatch(head := feature(token.features, HEAD)) and int(head) <= count
        for token in tree.sentence
    )


def _tags(token: Token) -> tuple[str, str]:
    """UPOS and XPOS. An empty value is written as such if the other one is there."""
    if not token.features or UPOS not in dict(token.features):
        return "_", _escape[token.tag]
    return _escape_some[feature(token.features, UPOS)], _escape_some[token.tag]


def _has_place(token: Token) -> bool:
    start, end = token[6:]
    return start is not None and end is not None and start <= end < FARTHEST


def _describe(node: Node) -> str:
    ranges = [f"{a + 1}" if b == a + 1 else f"{a + 1}-{b}" for a, b in node.blocks]
    text = f"{_escape_misc(node.label)}:{'+'.join(ranges)}"
    if node.edge_label or node.head is not None:
        head = "" if node.head is None else node.head + 1
        text += f":{_escape_misc(node.edge_label)}:{head}"
    return text


def _places(sentence: Sentence) -> list[list[str]]:
    """The fields of MISC with the position of each word; empty if no position is known."""
    if not any(map(_has_place, sentence)):
        return []
    places: list[list[str]] = []
    for token, after in pairwise([*sentence, None]):
        place = []
        if token is not None and _has_place(token):
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
        if stop > first + 1 and begin is not None and _has_place(sentence[first]):
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
