"""What can go wrong, as one family.

CrossbranchError
├── UsageError       the call was wrong: an unknown format, a bad pipeline, an impossible option
│   └── OptionError  the same about options, which can be called by other names
├── InputError       the input was bad; carries file, line or byte, sentence, found and expected
│   └── DamageError  a file is damaged: the rest of it cannot be read
├── TreeError        a tree that cannot be: overlapping children, tokens left out
├── TransformError   a transform cannot be applied to, or undone on, this tree
└── LossError        a format cannot hold what a tree has, and losing it was forbidden

LossWarning          the same as a warning, with counts, where losing it was allowed
"""

from __future__ import annotations

from collections.abc import Callable, Mapping


class CrossbranchError(Exception):
    """Base of all errors that crossbranch raises on purpose."""


class UsageError(CrossbranchError):
    """The call was wrong; the input was not looked at."""


class OptionError(UsageError):
    """Options do not go together, or not with the model; the command line has other names for them.

    >>> error = OptionError("{0} makes no trees: leave out {1}", "tags_only", "k_best")
    >>> str(error)
    'tags_only makes no trees: leave out k_best'
    >>> error.renamed("--{}".format)
    '--tags_only makes no trees: leave out --k_best'
    """

    def __init__(self, message: str, *options: str, **values: object) -> None:
        self._message, self._options, self._values = message, options, values
        super().__init__(message.format(*options, **values))

    def renamed(self, name: Callable[[str], str]) -> str:
        """Return the message with other names for the options."""
        return self._message.format(*map(name, self._options), **self._values)

    def __reduce__(self) -> tuple[object, ...]:
        return _option_error, (self._message, self._options, self._values)


def _option_error(message: str, options: tuple[str, ...], values: dict[str, object]) -> OptionError:
    return OptionError(message, *options, **values)


class TreeError(CrossbranchError, ValueError):
    """The parts given do not make a tree; `vertex` says where, if it is known."""

    def __init__(self, message: str, *, vertex: int | None = None) -> None:
        super().__init__(message)
        self.vertex = vertex


class TransformError(CrossbranchError):
    """A transform does not fit this tree, or has no inverse."""


class InputError(CrossbranchError):
    """Bad input, with its place: what was found there and what was expected."""

    def __init__(
        self,
        found: str,
        expected: str,
        *,
        path: str = "",
        line: int | None = None,
        column: int | None = None,
        byte: int | None = None,
        sentence: str = "",
    ) -> None:
        self.found, self.expected = found, expected
        self.path, self.line, self.column = path, line, column
        self.byte, self.sentence = byte, sentence
        super().__init__(self._message())

    def _message(self) -> str:
        place = self.path or "<input>"
        if self.line is not None:
            place += f":{self.line}"
        if self.column is not None:
            place += f":{self.column}"
        if self.byte is not None:
            place += f": byte {self.byte}"
        if self.sentence:
            place += f": sentence {_short(self.sentence)}"
        return f"{place}: found {_short(self.found)}, expected {_short(self.expected)}"

    def __reduce__(self) -> tuple[object, ...]:
        place = {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "byte": self.byte,
            "sentence": self.sentence,
        }
        return _input_error, (type(self), self.found, self.expected, place)


class DamageError(InputError):
    """A file is damaged: not just one sentence is bad, but the rest of it cannot be read."""


def _short(text: str) -> str:
    """Keep what a damaged file says about itself to a readable length."""
    return text if len(text) <= 240 else f"{text[:240]}…"


def _input_error(
    kind: type[InputError], found: str, expected: str, place: Mapping[str, object]
) -> InputError:
    return kind(found, expected, **place)  # type: ignore[arg-type]


class LossError(CrossbranchError):
    """Writing would have lost something that the format cannot hold."""


CONTINUOUS_NODES = "discontinuous constituents"
CONTINUOUS_TREES = "discontinuous trees"
"""Parts that were not dropped: such trees were made continuous."""


class LossWarning(UserWarning):
    """Writing lost what the format cannot hold; `losses` counts it by part."""

    def __init__(self, format_name: str, losses: Mapping[str, int]) -> None:
        self.format_name, self.losses = format_name, dict(losses)
        changed = (CONTINUOUS_NODES, CONTINUOUS_TREES)
        dropped = [f"{count:,} {part}" for part, count in losses.items() if part not in changed]
        texts = [f"dropped: {', '.join(dropped)}"] if dropped else []
        if CONTINUOUS_TREES in losses:
            nodes, trees = (losses.get(part, 0) for part in changed)
            texts.append(
                f"made continuous: {_counted(nodes, 'constituent')} in {_counted(trees, 'tree')}"
                " (the transform split keeps them in parts)"
            )
        super().__init__(f"{format_name} cannot hold everything; {'; '.join(texts)}")

    def __reduce__(self) -> tuple[object, ...]:
        return LossWarning, (self.format_name, self.losses)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
