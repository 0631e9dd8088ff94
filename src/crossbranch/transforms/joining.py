"""Several labels in one, reversibly: `S` and `A+B` become `S+A&#x2b;B`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from crossbranch.errors import UsageError
from crossbranch.escape import label_escaper, unescape


def check_joiner(transform: str, option: str, joiner: str) -> None:
    """Raise UsageError unless the joiner is one character that is not part of an escape."""
    if len(joiner) != 1 or joiner.isalnum() or joiner in "&#;":
        expected = "one character that is no letter, digit, &, # or ;"
        raise UsageError(f"{transform}: {option} is {joiner!r}, expected {expected}")


def join(labels: Iterable[str], joiner: str) -> str:
    """Return one label that `split` takes apart again."""
    return joiner.join(map(label_escaper(re.escape(joiner)), labels))


def split(label: str, joiner: str) -> list[str]:
    """Return the labels that were joined.

    >>> split("S+A&#x2b;B", "+")
    ['S', 'A+B']
    """
    return [unescape(part) for part in label.split(joiner)]
