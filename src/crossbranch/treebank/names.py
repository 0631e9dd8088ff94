"""Names of files: their order, their endings, and files that are not part of a treebank."""

from __future__ import annotations

import re

COMPRESSIONS = (".gz", ".bz2", ".xz", ".zip")


def natural_order(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Return a key that sorts numbers inside names by their value, and before letters.

    >>> sorted(["10.xml", "9.xml"], key=natural_order)
    ['9.xml', '10.xml']
    """
    parts = re.findall(r"\d{1,18}|\D+", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts], name


def strip_compression(name: str) -> str:
    """Return a file name without its compression suffix, such as `.gz`."""
    for suffix in COMPRESSIONS:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def is_about_the_rest(name: str) -> bool:
    """Whether a file describes a treebank and is not part of it, such as a README."""
    return name.upper().startswith(("README", "LICENSE", "LICENCE", "COPYING", "CHANGES", "NOTICE"))
