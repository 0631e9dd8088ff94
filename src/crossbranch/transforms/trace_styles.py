"""How treebanks write traces: the Penn Treebank, CRAFT, and the historical corpora such as IcePaHC.

ptb      (NP-SBJ (-NONE- *T*-1))    the index is on the trace
craft    (NP-SBJ-1 (-NONE- *T*))    the index is on the phrase above it
icepahc  (NP-SBJ *T*-1)             the trace is a word, and the phrase its tag
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from crossbranch.draft import Draft
from crossbranch.tree import Node, Token, Tree

_LABEL = re.compile(r"([^-=]+)((?:[-=][^-=]+)+)")
_PART = re.compile(r"([-=])([^-=]+)")
_TRACE = re.compile(r"\*(T|ICH|EXP|RNR)\*(?:-(\d+))?")
_EMPTY_WORD = re.compile(r"\*[A-Za-z]+\*(?:-\d+)?")
_EMPTY_TAG = "-NONE-"


@dataclass(frozen=True, slots=True)
class Label:
    """The parts of a label: NP-SBJ-1 is an NP with the function SBJ and the index 1."""

    name: str
    function: str = ""
    index: str = ""


@lru_cache(1 << 16)
def split_label(label: str) -> Label:
    """Split a label; several functions stay joined by hyphens; an index after `=` is dropped."""
    match = _LABEL.fullmatch(label)
    if match is None:
        return Label(label)
    functions = []
    index = ""
    for mark, part in _PART.findall(match[2]):
        if not part.isdecimal():
            functions.append(part)
        elif mark == "-":
            index = part
    return Label(match[1], "-".join(functions), index)


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace of a moved phrase: the empty token, the phrase that consists of it, and its index."""

    token: int
    phrase: int
    index: str


class TraceStyle:
    """Traces as in the Penn Treebank; other styles differ from it."""

    def is_empty(self, token: Token) -> bool:
        """Say whether a token stands for no word."""
        return token.tag == _EMPTY_TAG

    def trace(self, draft: Draft, token: int) -> Trace | None:
        """Return the trace that an empty token is, if it is one that can be filled."""
        match = _TRACE.fullmatch(draft.tokens[token].form)
        if match is None:
            return None
        parent = draft.parents[token]
        phrase = parent if draft.children[parent] == [token] and parent != draft.root else token
        return Trace(token, phrase, self._index(draft, phrase, match[2]))

    def _index(self, draft: Draft, phrase: int, on_trace: str | None) -> str:
        return on_trace or ""

    def label(self, draft: Draft, vertex: int) -> Label:
        """Return the parts of a node's label; tags of tokens are left whole."""
        if vertex in draft.tokens:
            return Label(draft.tokens[vertex].tag)
        return split_label(draft.labels[vertex])

    def prepare(self, draft: Draft) -> list[str]:
        """Remove what is not part of the sentence; return remarks about it."""
        return []

    def word(self, token: Token) -> Token:
        """Return a token as it should be read."""
        if "\\" not in token.form:
            return token
        return token._replace(form=token.form.replace("\\/", "/").replace("\\*", "*"))


class Craft(TraceStyle):
    """CRAFT: the index is on the phrase above the trace, and headings are wrapped up."""

    wrappers = ("TITLE", "HEADING", "CAPTION")

    def _index(self, draft: Draft, phrase: int, on_trace: str | None) -> str:
        return on_trace or self.label(draft, phrase).index

    def prepare(self, draft: Draft) -> list[str]:
        """Remove the wrappers at the top; return their names."""
        found = []
        top = list(draft.children[draft.root])
        while top:
            vertex = top.pop()
            if draft.labels.get(vertex) in self.wrappers:
                found.append(draft.labels[vertex])
                top.extend(draft.children[vertex])
                draft.splice(vertex)
        return found


class IcePaHC(TraceStyle):
    """IcePaHC: traces have no tag of their own, tags have cases, and there is mark-up."""

    marked = ("CODE", "ID", "META")
    characters = (
        ("<dash/>", "-"),
        ("<ellipsis/>", "..."),
        ("<slash/>", "/"),
        ("<apostrophe/>", "'"),
    )

    def is_empty(self, token: Token) -> bool:
        """Say whether a token stands for no word."""
        return not token.lemma and (token.form == "0" or token.form.startswith("*"))

    def trace(self, draft: Draft, token: int) -> Trace | None:
        """Return the trace that an empty token is, if it is one that can be filled."""
        match = _TRACE.fullmatch(draft.tokens[token].form)
        return None if match is None else Trace(token, token, match[2] or "")

    def label(self, draft: Draft, vertex: int) -> Label:
        """Return the parts of a node's label or a token's tag."""
        return split_label(
            draft.tokens[vertex].tag if vertex in draft.tokens else draft.labels[vertex]
        )

    def prepare(self, draft: Draft) -> list[str]:
        """Remove mark-up and editors' remarks."""
        for vertex in [*draft.tokens, *draft.children]:
            if vertex not in draft.parents:  # the root, or removed already
                continue
            is_remark = vertex in draft.tokens and draft.tokens[vertex].form.startswith("{")
            if is_remark or self.label(draft, vertex).name in self.marked:
                draft.remove(vertex)
        return []

    def word(self, token: Token) -> Token:
        """Decode characters; shorten the tag, which stays whole as morphology."""
        form, lemma = token.form, token.lemma
        if "<" in form or "<" in lemma:
            for name, character in self.characters:
                form, lemma = form.replace(name, character), lemma.replace(name, character)
        name = split_label(token.tag).name
        morphology = token.morphology if name == token.tag else token.tag
        return token._replace(form=form, lemma=lemma, tag=name, morphology=morphology)


STYLES: dict[str, TraceStyle] = {"craft": Craft(), "icepahc": IcePaHC(), "ptb": TraceStyle()}


def detect_style(tree: Tree) -> TraceStyle:
    """Find the style by the top of the tree, its traces, lemmas and mark-up."""
    top = [child.label for child in tree.root.children if isinstance(child, Node)]
    if any(label in Craft.wrappers for label in top):
        return STYLES["craft"]
    empty = [index for index, token in enumerate(tree.sentence) if token.tag == _EMPTY_TAG]
    if empty:
        traces = [_TRACE.fullmatch(tree.sentence[index].form) for index in empty]
        return STYLES["craft" if any(trace and not trace[2] for trace in traces) else "ptb"]
    if any(
        token.lemma or token.tag in IcePaHC.marked or _EMPTY_WORD.fullmatch(token.form)
        for token in tree.sentence
    ):
        return STYLES["icepahc"]
    return STYLES["ptb"]
