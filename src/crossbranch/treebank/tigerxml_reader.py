"""Reading TIGER-XML: from XML events to the header and sentences."""

from __future__ import annotations

import re
from typing import ClassVar

from crossbranch.errors import InputError
from crossbranch.treebank.source import Source
from crossbranch.treebank.tigerxml_header import HeaderReader
from crossbranch.treebank.tigerxml_sentence import TigerSentence
from crossbranch.treebank.xml_events import Sentences
from crossbranch.treebank.xml_text import TARGET


class TigerSentences(Sentences):
    """Makes a tree from each element `<s>`."""

    sentence_tag: ClassVar[re.Pattern[bytes]] = re.compile(rb"<s[\s/>]")

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._header: HeaderReader | None = HeaderReader()
        self._sentence: TigerSentence | None = None
        self._document = ""
        self._has_complained = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a start tag."""
        sentence = self._sentence
        if sentence is None:
            self._start_outside(name, attributes)
        elif name == "edge":
            sentence.edges.append(attributes)
            sentence.owners.append(sentence.present)
        elif name == "t":
            sentence.present = -2 - len(sentence.tokens)
            sentence.tokens.append(attributes)
            sentence.token_lines.append(self.parser.CurrentLineNumber)
        elif name == "nt":
            sentence.present = len(sentence.nodes)
            sentence.nodes.append(attributes)
            sentence.node_lines.append(self.parser.CurrentLineNumber)
        elif name == "secedge":
            sentence.secondary.append((attributes, sentence.present))
        elif name == "graph":
            sentence.root = attributes.get("root")
            sentence.attributes.update(attributes)
        elif name == "terminals":
            sentence.has_terminals = True
        elif name == "s":
            self.break_off(sentence.error("<s> inside a sentence", "</s>", self.line))

    def _start_outside(self, name: str, attributes: dict[str, str]) -> None:
        self._document = self._document or name
        if name == "s":
            self._finish_header()
            self.set_mark()
            self._has_complained = False
            self._sentence = TigerSentence(self, attributes)
        elif name in ("t", "nt", "edge") and not self._has_complained:
            self._has_complained = True  # one error for any number of bad elements
            self._complain(f"<{name}> outside a sentence", "<s>")
        elif name == "subcorpus" and "external" in attributes:
            self._complain(
                f"a part that is in another file, {attributes['external']}",
                "all sentences in one file (each part can be read by itself)",
            )
        elif self._header is not None:
            self.parser.CharacterDataHandler = self._header.text
            self._header.start(name, attributes)

    def _complain(self, found: str, expected: str) -> None:
        self.done.append(self.source.error(found, expected, line=self.line))

    def _finish_header(self) -> None:
        if self._header is not None:
            self.source.header = self._header.header()
            self._header = None
            self.parser.CharacterDataHandler = None

    def end(self, name: str) -> None:
        """Take an end tag."""
        if name == "s" and self._sentence is not None:
            self.set_mark()
            sentence, self._sentence = self._sentence, None
            try:
                self.done.append(sentence.tree())
            except InputError as error:
                self.done.append(error)
        elif self._header is not None:
            self._header.end(name)
            if name == "head":
                self._finish_header()

    def instruction(self, target: str, data: str) -> None:
        """Take a processing instruction. Those of other programs are ignored."""
        if target != TARGET:
            return
        if self._sentence is not None:
            self._sentence.instruction(data)
        elif self._header is not None:
            self._header.instruction(data)

    def size(self) -> int:
        """Return the number of elements of the unfinished sentence."""
        sentence = self._sentence
        return 0 if sentence is None else len(sentence.tokens) + len(sentence.nodes)

    def name(self) -> str:
        """Return the id of the unfinished sentence."""
        return "" if self._sentence is None else self._sentence.id

    def abandon(self) -> str | None:
        """Forget the unfinished sentence."""
        sentence, self._sentence = self._sentence, None
        return None if sentence is None else sentence.id

    def check_document(self) -> InputError | None:
        """The document must be a corpus, a part of one, or a sentence."""
        self._finish_header()
        if self._document in ("corpus", "subcorpus", "s"):
            return None
        return self.source.error(f"<{self._document}>", "<corpus>", line=1)
