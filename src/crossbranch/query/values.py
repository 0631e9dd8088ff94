"""Which values fit: each different value is tested once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from crossbranch.query.syntax import Values

_MOST = 200_000  # values that are remembered, so that memory does not grow with the treebank


class Memo(dict[Any, bool]):
    """Whether a value fits, by value. A new value is tested when it is first looked up."""

    def __init__(self, test: Callable[[Any], bool]) -> None:
        super().__init__()
        self._test = test

    def __missing__(self, value: Hashable) -> bool:
        if len(self) >= _MOST:
            self.clear()
        found = self[value] = self._test(value)
        return found


class Vocabulary:
    """Tests of values in columns. In the columns of trees, values are texts."""

    def memo(self, values: Values) -> Memo:
        """Return whether a value of a column fits."""
        return Memo(fits_any(values))


def fits_any(values: Values) -> Callable[[str], bool]:
    """Return a function that says whether a text fits one of the values."""
    exact = frozenset(v.text for v in values if not v.is_regex and not v.ignores_case)
    others = [v.test() for v in values if v.is_regex or v.ignores_case]
    return lambda text: text in exact or any(test(text) for test in others)
