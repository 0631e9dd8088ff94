"""What comes before parsing: text is split into tokens, and tokens get tags."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import NamedTuple

from crossbranch.errors import UsageError
from crossbranch.models.folder import CLUSTERS, ModelFolder
from crossbranch.parsers.sentences import Request, SentenceLike, Tags, request_for, with_tags
from crossbranch.tagging import Tagger
from crossbranch.text import Tokenizer
from crossbranch.tree import Tree

TOKENIZER = "tokenizer.json"
_TAGGER = "tagger-"
_TAGGER_CLUSTERS = f"{_TAGGER}{CLUSTERS}"
_tag = itemgetter(1)  # of a token


class FrontEnd(NamedTuple):
    """What comes before the parser in a model: its tokenizer and its tagger, if it has them."""

    tokenizer: Tokenizer | None = None
    tagger: Tagger | None = None

    def request(self, sentence: SentenceLike) -> Request:
        """Return the tokens to parse. A text is split into tokens."""
        if isinstance(sentence, str):
            sentence = self._tokenized(sentence)
        return request_for(sentence)

    def _tokenized(self, text: str) -> Tree:
        if self.tokenizer is None:
            raise UsageError(
                f"the sentence {text!r} is a text, but this model has no tokenizer; expected a list"
                " of words"
            )
        return self.tokenizer.tokenize(text)

    def tagged(self, batch: list[Request], tags: Tags, threads: int = 1) -> list[Request]:
        """Give tags to the tokens without tags; with "predict", to all tokens."""
        if self.tagger is None:
            return batch
        wanting = [
            number
            for number, request in enumerate(batch)
            if tags == "predict" or not all(map(_tag, request.sentence))
        ]
        found = self.tagger.tag([batch[number].sentence for number in wanting], threads=threads)
        done = list(batch)
        for number, predicted in zip(wanting, found, strict=True):
            request = batch[number]
            kept = tags == "keep"
            sentence = with_tags(request.sentence, predicted, keep=kept)
            done[number] = Request(sentence, *request[1:])
        return done

    def files(self, parser: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the files of the tokenizer and the tagger, except those that the parser has."""
        files = {} if self.tokenizer is None else {TOKENIZER: self.tokenizer.to_json()}
        files |= {} if self.tagger is None else self.tagger.files()
        if _TAGGER_CLUSTERS in files and files[_TAGGER_CLUSTERS] == parser.get(CLUSTERS):
            del files[_TAGGER_CLUSTERS]
        return files


def read_front_end(folder: ModelFolder) -> FrontEnd:
    """Read the tokenizer and the tagger, if the model has them."""
    names = folder.manifest.files
    tokenizer = tagger = None
    if TOKENIZER in names:
        path = folder.where(TOKENIZER)
        tokenizer = Tokenizer.from_json(folder.data(TOKENIZER), path=path)
    if any(name.startswith(_TAGGER) for name in names):
        shared = None if _TAGGER_CLUSTERS in names else folder.clusters
        tagger = Tagger.from_folder(folder, clusters=shared)
    return FrontEnd(tokenizer, tagger)
