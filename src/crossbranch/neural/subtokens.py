"""The sub-tokens of sentences, for pretrained encoders, in windows that these can read.

An encoder reads a limited number of sub-tokens at once. A longer sentence is cut into windows that
overlap, and each word takes its vectors from the window where it has most context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from crossbranch.tree import Sentence

_LONGEST = 32  # sub-tokens of a word; a longer word, such as an address, loses the rest
_AT_ONCE = 8192  # sub-tokens, with padding, that an encoder reads at once
_REMEMBERED = 200_000  # forms whose sub-tokens are kept

_Place = tuple[int, int, int]
"""Of a word: the number of a window, its first sub-token there, and how many it has."""


class Window(NamedTuple):
    """The words of a sentence that an encoder reads at once: from `start` up to `end`."""

    start: int
    end: int


class Windows(NamedTuple):
    """The sub-tokens of a batch of sentences, one window after the other, the shortest first."""

    sub_tokens: Tensor
    lengths: list[int]
    """The number of sub-tokens of each window."""
    pieces: Tensor
    """For each word of the batch, the places of its sub-tokens; one word after the other."""
    starts: Tensor
    """For each word, where its sub-tokens begin in `pieces`."""

    def to(self, device: str) -> Windows:
        """Return the same on a device."""
        one, two, three = (part.to(device) for part in (self.sub_tokens, self.pieces, self.starts))
        return Windows(one, self.lengths, two, three)

    def padded(self, padding: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield tables of sub-tokens, a row for each window, and which of them are real."""
        parts = torch.split(self.sub_tokens, self.lengths)
        start = 0
        while start < len(parts):
            end = start + 1
            while end < len(parts) and self.lengths[end] * (end + 1 - start) <= _AT_ONCE:
                end += 1
            some = list(parts[start:end])
            ones = [torch.ones_like(part) for part in some]
            yield (
                pad_sequence(some, batch_first=True, padding_value=padding),
                pad_sequence(ones, batch_first=True),
            )
            start = end


def cut(counts: Sequence[int], size: int) -> list[Window]:
    """Cut a sentence into windows of at most `size` sub-tokens, which overlap by about a half.

    Args:
        counts: The number of sub-tokens of each word, at most `size`.
        size: The number of sub-tokens of a window.

    >>> cut([1, 1, 1, 1, 1, 1], 4)
    [Window(start=0, end=4), Window(start=2, end=6)]
    """
    found = []
    start = 0
    while True:
        end, room = start, size
        while end < len(counts) and counts[end] <= room:
            room -= counts[end]
            end += 1
        found.append(Window(start, end))
        if end == len(counts):
            return found
        overlap, start = min(size // 2, size - counts[end]), end
        while start > found[-1].start + 1 and counts[start - 1] <= overlap:
            start -= 1
            overlap -= counts[start]


def best_windows(counts: Sequence[int], windows: Sequence[Window]) -> list[int]:
    """Return for each word the number of the window where it has most context on its poorer side.

    At the beginning and at the end of the sentence, nothing is missing.

    >>> best_windows([1] * 6, cut([1] * 6, 4))
    [0, 0, 0, 1, 1, 1]
    """
    sums = [0]
    for count in counts:
        sums.append(sums[-1] + count)
    best, most = [0] * len(counts), [-1.0] * len(counts)
    for number, (start, end) in enumerate(windows):
        for word in range(start, end):
            left = sums[word] - sums[start] if start else inf
            right = sums[end] - sums[word + 1] if end < len(counts) else inf
            if min(left, right) > most[word]:
                best[word], most[word] = number, min(left, right)
    return best


class SubTokenizer:
    """Splits words into sub-tokens, with a tokenizer of transformers."""

    def __init__(self, tokenizer: Any, window: int, surfaces: Mapping[str, str]) -> None:
        """Take a tokenizer and the number of sub-tokens that the encoder reads at once.

        Args:
            tokenizer: A tokenizer of transformers.
            window: The number, with the special ones before and after a sentence.
            surfaces: What stands in text for some forms of treebanks, such as -LRB-.
        """
        self._tokenizer = tokenizer
        self._surfaces = surfaces
        self._known: dict[str, list[int]] = {}
        marks = (tokenizer.unk_token_id, tokenizer.mask_token_id, tokenizer.pad_token_id, 0)
        self._unknown: int = next(number for number in marks if number is not None)
        self._before, self._after = self._marks()
        self.size = window - len(self._before) - len(self._after)

    def _marks(self) -> tuple[list[int], list[int]]:
        """Return the special sub-tokens before and after a sentence."""
        [plain], [marked] = self._split(["a"]), self._split(["a"], marks=True)
        for start in range(len(marked) - len(plain) + 1):
            end = start + len(plain)
            if marked[start:end] == plain:
                return marked[:start], marked[end:]
        return [], []

    def _split(self, words: Sequence[str], *, marks: bool = False) -> list[list[int]]:
        found = self._tokenizer(
            [[word] for word in words],
            is_split_into_words=True,
            add_special_tokens=marks,
            return_attention_mask=False,
            verbose=False,  # long words need no warning: they are cut
        )
        return found["input_ids"]  # type: ignore[no-any-return]

    def _learn(self, forms: Sequence[str]) -> None:
        new = [form for form in dict.fromkeys(forms) if form not in self._known]
        if not new:
            return
        if len(self._known) > _REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(forms))
        longest = min(_LONGEST, self.size)
        # Half of a character, as damaged files have it, cannot be given to a tokenizer.
        written = [
            self._surfaces.get(form, form).encode("utf-8", "replace").decode() for form in new
        ]
        for form, numbers in zip(new, self._split(written), strict=True):
            self._known[form] = numbers[:longest] or [self._unknown]

    def windows(self, sentences: Sequence[Sentence]) -> Windows:
        """Return the windows of sentences, and where the words are in them."""
        self._learn([token.form for sentence in sentences for token in sentence])
        parts: list[list[int]] = []
        places: list[_Place] = []
        for sentence in sentences:
            places += self._add([self._known[token.form] for token in sentence], parts)
        order = sorted(range(len(parts)), key=lambda number: len(parts[number]))
        begins, total = [0] * len(parts), 0
        for number in order:
            begins[number] = total
            total += len(parts[number])
        pieces: list[int] = []
        starts: list[int] = []
        for window, first, count in places:
            starts.append(len(pieces))
            pieces += range(begins[window] + first, begins[window] + first + count)
        return Windows(
            torch.tensor([one for number in order for one in parts[number]]),
            [len(parts[number]) for number in order],
            torch.tensor(pieces),
            torch.tensor(starts),
        )

    def _add(self, words: list[list[int]], parts: list[list[int]]) -> Iterator[_Place]:
        """Add the windows of a sentence to `parts`; yield the place of each word."""
        counts = [len(word) for word in words]
        windows = cut(counts, self.size)
        first = len(parts)
        begins: list[list[int]] = []  # of each window: where its words begin in it
        for start, end in windows:
            part = list(self._before)
            begins.append([])
            for pieces in words[start:end]:
                begins[-1].append(len(part))
                part += pieces
            parts.append(part + self._after)
        for word, number in enumerate(best_windows(counts, windows)):
            yield first + number, begins[number][word - windows[number].start], counts[word]
