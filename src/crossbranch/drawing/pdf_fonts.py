"""The fonts that the texts of a PDF file need."""

from __future__ import annotations

import warnings
from functools import lru_cache

_FONT = "DejaVu Sans"  # comes with matplotlib
_USELESS = ("emoji", "last resort")  # pictures, which a PDF cannot hold; boxes for all characters


class PdfFonts:
    """Chooses fonts for texts, and remembers the characters that no font has."""

    def __init__(self) -> None:
        """Begin without texts."""
        self.missing: set[int] = set()
        self._known: dict[str, list[str]] = {}

    def families(self, text: str) -> list[str]:
        """Return fonts that together have as many characters of a text as possible."""
        if text not in self._known:
            self._known[text] = self._find(text)
        return self._known[text]

    def warn(self) -> None:
        """Warn once about all characters that no font of this machine has."""
        if self.missing:
            shown = " ".join(map(chr, sorted(self.missing)[:20]))
            warnings.warn(
                f"no font on this machine has these characters, so the PDF shows boxes: {shown}",
                stacklevel=4,
            )

    def _find(self, text: str) -> list[str]:
        families = [_FONT]
        missing = frozenset(map(ord, text)) - _characters(_FONT)
        while missing:
            best = max(_fonts(), key=lambda name: len(missing & _characters(name)))
            if not missing & _characters(best):
                self.missing |= missing
                break
            families.append(best)
            missing -= _characters(best)
        return families


@lru_cache(maxsize=1)
def _fonts() -> dict[str, str]:
    """The fonts of the machine and their files."""
    from matplotlib.font_manager import fontManager

    found: dict[str, str] = {}
    for font in sorted(fontManager.ttflist, key=lambda font: (font.style != "normal", font.fname)):
        if not any(word in font.name.lower() for word in _USELESS):
            found.setdefault(font.name, font.fname)
    return found


@lru_cache(maxsize=1024)
def _characters(name: str) -> frozenset[int]:
    """The characters of a font, and invisible marks such as joiners, which need no font."""
    from matplotlib.ft2font import FT2Font

    try:
        found = FT2Font(_fonts()[name]).get_charmap()
    except (OSError, RuntimeError, ValueError):  # a damaged font cannot be used
        return frozenset()
    return frozenset(found).union(_UNSEEN)


_UNSEEN = frozenset((0x200C, 0x200D, 0x200E, 0x200F, 0xFE0E, 0xFE0F, *range(0x2066, 0x206A)))
