"""The raw text of a CoNLL-U file: where the words of a sentence are in it.

The text of a file is that of its sentences. There is a space between two sentences, nothing after a
sentence whose last word has `SpaceAfter=No`, and an empty line before a paragraph (`# newpar`) or a
document (`# newdoc`).
"""

from __future__ import annotations

from collections.abc import Sequence

_NEW = ("newpar", "newdoc")
_EMPTY_LINE = 2  # characters


def find_words(
    text: str, surfaces: Sequence[tuple[str, int]], forms: Sequence[str]
) -> list[tuple[int, int]]:
    """Return start and end of each token in the text of its sentence; nothing if they do not fit.

    Args:
        text: The text of the sentence.
        surfaces: The words of the text, and how many tokens each of them is.
        forms: The forms of the tokens. Those of a contraction such as *don't* have their own
            positions if they are its parts (*do*, *n't*). Otherwise (French *du*: *de*, *le*), all
            of them have the position of the contraction.
    """
    found: list[tuple[int, int]] = []
    position = 0
    for surface, count in surfaces:
        while text[position : position + 1].isspace():
            position += 1
        if not surface or not text.startswith(surface, position):
            return []
        end = position + len(surface)
        parts = forms[len(found) : len(found) + count]
        if "".join(parts) == surface:
            for part in parts:
                found.append((position, position + len(part)))
                position += len(part)
        else:
            found.extend([(position, end)] * len(parts))
        position = end
    return found if position == len(text) and len(found) == len(forms) else []


class FileText:
    """Knows how long the text of a file is so far."""

    def __init__(self) -> None:
        self._end = 0
        self._touches = True  # whether the next sentence begins right here

    def place(self, comments: Sequence[str], length: int, *, touches: bool) -> int:
        """Return where a sentence starts.

        Args:
            comments: Its comments, which may say that a paragraph starts.
            length: The length of its text.
            touches: Whether the next sentence follows without a space.
        """
        if self._end and any(comment.split("=")[0].split(" ")[0] in _NEW for comment in comments):
            self._end += _EMPTY_LINE
        elif not self._touches:
            self._end += 1
        start = self._end
        self._end, self._touches = start + length, touches
        return start
