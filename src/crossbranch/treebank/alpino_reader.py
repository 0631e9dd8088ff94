"""Reading Alpino XML: from XML events to sentences."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import ClassVar

from crossbranch.errors import InputError
from crossbranch.escape import unescape
from crossbranch.treebank.alpino_sentence import AlpinoSentence
from crossbranch.treebank.files import strip_compression
from crossbranch.treebank.source import Source
from crossbranch.treebank.xml_events import Sentences
from crossbranch.treebank.xml_text import TARGET

_DOCUMENTS = frozenset({"alpino_ds", "alpino", "treebank"})


class AlpinoSentences(Sentences):
    """Makes a tree from each element `<alpino_ds>`."""

    sentence_tag: ClassVar[re.Pattern[bytes]] = re.compile(rb"<alpino_ds[\s/>]")

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._sentence: AlpinoSentence | None = None
        self._document = ""
        self._has_sentences = False
        self._has_complained = False
        self._text: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a start tag."""
        sentence = self._sentence
        if sentence is None:
            self._start_outside(name, attributes)
        elif name == "node":
            path = sentence.path
            sentence.parents.append(path[-1])
            path.append(len(sentence.elements))
            sentence.elements.append(attributes)
            sentence.lines.append(self.parser.CurrentLineNumber)
        elif name == "comment":
            self._text.clear()
            self.parser.CharacterDataHandler = self._text.append
        elif name == "meta":
            sentence.add_feature(attributes.get("name", ""), attributes.get("value", ""))
        elif name in ("sentence", "parser"):
            sentence.describe(name, attributes)
        elif name == "alpino_ds":
            self.break_off(
                sentence.error("<alpino_ds> inside a sentence", "</alpino_ds>", self.line)
            )

    def _start_outside(self, name: str, attributes: dict[str, str]) -> None:
        self._document = self._document or name
        if name == "alpino_ds":
            self.set_mark()
            self._has_sentences = True
            self._has_complained = False
            stem = _stem(self.source.path) if self._document == "alpino_ds" else ""
            self._sentence = AlpinoSentence(self, attributes, stem)
        elif name == "node" and not self._has_complained:
            self._has_complained = True
            error = self.source.error("<node> outside a sentence", "<alpino_ds>", line=self.line)
            self.done.append(error)

    def end(self, name: str) -> None:
        """Take an end tag."""
        sentence = self._sentence
        if sentence is None:
            return
        if name == "node":
            sentence.path.pop()
        elif name == "comment":
            self.parser.CharacterDataHandler = None
            sentence.comments.append(unescape("".join(self._text).strip(" \t\r\n")))
        elif name == "alpino_ds":
            self.set_mark()
            self._sentence = None
            try:
                self.done.append(sentence.tree())
            except InputError as error:
                self.done.append(error)

    def instruction(self, target: str, data: str) -> None:
        """Take a processing instruction. Those of other programs are ignored."""
        if target == TARGET and self._sentence is not None:
            self._sentence.instruction(data)

    def size(self) -> int:
        """Return the number of elements of the unfinished sentence."""
        sentence = self._sentence
        return 0 if sentence is None else len(sentence.elements)

    def name(self) -> str:
        """Return the id of the unfinished sentence."""
        return "" if self._sentence is None else self._sentence.id

    def abandon(self) -> str | None:
        """Forget the unfinished sentence."""
        sentence, self._sentence = self._sentence, None
        return None if sentence is None else sentence.id

    def check_document(self) -> InputError | None:
        """The document must be a sentence, or contain sentences."""
        if self._has_sentences or self._document in _DOCUMENTS:
            return None
        return self.source.error(f"<{self._document}>", "<alpino_ds> or <treebank>", line=1)


def _stem(path: str) -> str:
    """Return the name of a file without its ending: the id of its only sentence."""
    name = PurePath(strip_compression(path)).name
    return "" if name.startswith("<") else name.removesuffix(".xml").removesuffix(".alpino")
