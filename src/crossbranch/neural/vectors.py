"""Static word vectors from files of word2vec, GloVe and fastText, in the text format.

Each line has a word and its numbers. There may be a first line with the number of words and the
size of the vectors. The most frequent words come first. Reading does not need torch.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from crossbranch.errors import UsageError
from crossbranch.neural.settings import VectorSettings
from crossbranch.treebank.files import open_streams
from crossbranch.treebank.source import Source

if TYPE_CHECKING:
    from torch import Tensor

    from crossbranch.neural.encoder import WordTable
    from crossbranch.neural.vocabulary import Vocabulary

_HEADER = re.compile(r"\d+ \d+")


@dataclass(frozen=True)
class WordVectors:
    """The vectors of a file that a model needs."""

    rows: Mapping[str, array[float]]
    frequent: tuple[str, ...]
    """The words that the model keeps even if its training data do not have them."""
    sha256: str
    """The checksum of these words and their vectors."""
    tune: bool

    @classmethod
    def read(cls, settings: VectorSettings, *, size: int, words: Collection[str]) -> WordVectors:
        """Read the vectors of these words and of the most frequent words of the file.

        Raises:
            UsageError: The file cannot be read, or its vectors have another size.
            InputError: A line is wrong.
        """
        check_vectors(settings, size=size)
        wanted = {*words, *(word.lower() for word in words)}
        rows: dict[str, array[float]] = {}
        frequent: list[str] = []
        for source, number, line in _lines(settings.file):
            is_frequent = len(frequent) < settings.limit
            if not is_frequent and line.partition(" ")[0] not in wanted:
                continue
            word, *rest = line.rsplit(" ", size)
            if not word or word in rows:
                continue
            rows[word] = _numbers(source, number, rest, size)
            if is_frequent:
                frequent.append(word)
        digest = hashlib.sha256()
        for word, row in rows.items():
            digest.update(word.encode("utf-8", "surrogatepass") + b"\n" + row.tobytes())
        return cls(rows, tuple(frequent), digest.hexdigest(), settings.tune)

    def find(self, word: str) -> array[float] | None:
        """Return the vector of a word, or of the word in small letters."""
        return self.rows.get(word) or self.rows.get(word.lower())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.find(word) is not None

    def extra(self, vocabulary: Vocabulary) -> list[str]:
        """Return the frequent words that a vocabulary does not have."""
        known = set(vocabulary.words)
        return [word for word in self.frequent if word not in known]

    def start(self, table: WordTable, vocabulary: Vocabulary) -> None:
        """Fill a table with the vectors of the words of a vocabulary."""
        import torch

        is_known = torch.zeros(vocabulary.word_count, dtype=torch.bool)
        with torch.no_grad():
            for number, word in enumerate(vocabulary.words, 1):
                if (row := self.find(word)) is not None:
                    table.weight[number] = torch.frombuffer(row, dtype=torch.float32)
                    is_known[number] = True
        if not self.tune:
            table.fix(is_known)

    def completed(self, learned: Tensor, table: WordTable, vocabulary: Vocabulary) -> Tensor:
        """Return the learned rows with fixed ones as they were, and with those of extra words."""
        import torch

        learned = learned.detach().cpu()
        if table.is_fixed is not None:
            learned = torch.where(table.is_fixed.cpu()[:, None], table.fixed.cpu(), learned)
        extra = [
            torch.frombuffer(self.rows[word], dtype=torch.float32)
            for word in self.extra(vocabulary)
        ]
        return torch.cat((learned, torch.stack(extra))) if extra else learned


def check_vectors(settings: VectorSettings, *, size: int) -> None:
    """Raise a UsageError if the vectors of the file do not have this size, by its first line."""
    if not settings.file:
        raise UsageError("the setting vectors.file is empty, expected a file with word vectors")
    for _, _, line in _lines(settings.file):
        found = line.count(" ")
        if found != size:
            raise UsageError(
                f"the vectors of {settings.file} have {found} numbers, but the setting"
                f" encoder.words is {size}; expected the same"
            )
        return
    raise UsageError(f"the file {settings.file} has no word vectors")


def _lines(file: str) -> Iterator[tuple[Source, int, str]]:
    """Yield the lines with vectors, each with its source and number."""
    for path, stream in open_streams(file, pipes=False):
        source = Source(path, stream, encoding="utf-8")
        for number, text in enumerate(source.lines(), start=1):
            source.check(number, number)
            line = text.rstrip().replace("\t", " ")
            if line and not (number == 1 and _HEADER.fullmatch(line)):
                yield source, number, line


def _numbers(source: Source, line: int, texts: list[str], size: int) -> array[float]:
    expected = f"a word and {size} numbers"
    if len(texts) != size:
        raise source.error(f"{len(texts)} numbers", expected, line=line)
    try:
        found = array("f", map(float, texts))
    except (ValueError, OverflowError) as error:
        raise source.error(str(error), expected, line=line) from None
    if not all(map(isfinite, found)):
        raise source.error("a number that is not finite", expected, line=line)
    return found
