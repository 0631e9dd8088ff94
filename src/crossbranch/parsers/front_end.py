"""What comes before parsing: text is split into tokens, and tokens get tags and lemmas.

Sentences in capitals, or without any, are read in the usual casing. Their tokens stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import NamedTuple

from crossbranch.errors import UsageError
from crossbranch.features import Clusters
from crossbranch.models.folder import CLUSTERS, ModelFolder
from crossbranch.parsers.sentences import (
    Request,
    SentenceLike,
    Tags,
    request_for,
    with_lemmas,
    with_tags,
)
from crossbranch.tagging import Lemmatizer, Tagger
from crossbranch.tagging.lemmas import LEMMAS
from crossbranch.text import Casing, Tokenizer
from crossbranch.tree import Sentence, Tree

TOKENIZER = "tokenizer.json"
CASING = "casing.json"
_TAGGER = "tagger-"
_TAGGER_CLUSTERS = f"{_TAGGER}{CLUSTERS}"
_tag = itemgetter(1)  # of a token


class FrontEnd(NamedTuple):
    """What comes before the parser in a model. Each part is None if the model does not have it."""

    tokenizer: Tokenizer | None = None
    tagger: Tagger | None = None
    lemmatizer: Lemmatizer | None = None
    casing: Casing | None = None

    @property
    def clusters(self) -> Clusters | None:
        """The table of word clusters of the tagger. The labeller of functions has it, too."""
        return None if self.tagger is None else self.tagger.encoder.clusters

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

    def read(self, sentence: Sentence) -> Sentence:
        """Return the tokens as the parts of the model see them: in their usual casing."""
        return sentence if self.casing is None else self.casing.read(sentence)

    def tagged(self, batch: list[Request], tags: Tags, threads: int = 1) -> list[Request]:
        """Give tags and lemmas to the tokens that have none; with "predict", to all tokens."""
        done = batch if self.tagger is None else self._with_tags(self.tagger, batch, tags, threads)
        if self.lemmatizer is None:
            return done
        return [Request(self.lemmatized(one.sentence, tags), *one[1:]) for one in done]

    def lemmatized(self, sentence: Sentence, tags: Tags) -> Sentence:
        """Give lemmas to the tokens that have a tag but no lemma; with "predict", to all tokens."""
        if self.lemmatizer is None:
            return sentence
        return with_lemmas(
            sentence, self.lemmatizer.lemmas(self.read(sentence)), keep=tags == "keep"
        )

    def _with_tags(
        self, tagger: Tagger, batch: list[Request], tags: Tags, threads: int
    ) -> list[Request]:
        wanting = [
            number
            for number, request in enumerate(batch)
            if tags == "predict" or not all(map(_tag, request.sentence))
        ]
        read = [self.read(batch[number].sentence) for number in wanting]
        found = tagger.tag(read, threads=threads)
        done = list(batch)
        for number, predicted in zip(wanting, found, strict=True):
            request = batch[number]
            kept = tags == "keep"
            sentence = with_tags(request.sentence, predicted, keep=kept)
            done[number] = Request(sentence, *request[1:])
        return done

    def files(self, parser: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the files of all parts, except those that the parser has."""
        files = {} if self.tokenizer is None else {TOKENIZER: self.tokenizer.to_json()}
        files |= {} if self.casing is None else {CASING: self.casing.to_json()}
        files |= {} if self.tagger is None else self.tagger.files()
        files |= {} if self.lemmatizer is None else self.lemmatizer.files()
        if _TAGGER_CLUSTERS in files and files[_TAGGER_CLUSTERS] == parser.get(CLUSTERS):
            del files[_TAGGER_CLUSTERS]
        return files


def read_front_end(folder: ModelFolder) -> FrontEnd:
    """Read the parts that the model has."""
    names = folder.manifest.files
    tokenizer = tagger = casing = None
    if TOKENIZER in names:
        path = folder.where(TOKENIZER)
        tokenizer = Tokenizer.from_json(folder.data(TOKENIZER), path=path)
    if any(name.startswith(_TAGGER) for name in names):
        shared = None if _TAGGER_CLUSTERS in names else folder.clusters
        tagger = Tagger.from_folder(folder, clusters=shared)
    lemmatizer = Lemmatizer.from_folder(folder) if LEMMAS in names else None
    if CASING in names:
        casing = Casing.from_json(folder.data(CASING), path=folder.where(CASING))
    return FrontEnd(tokenizer, tagger, lemmatizer, casing)
