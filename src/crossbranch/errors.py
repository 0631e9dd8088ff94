"""All exceptions of crossbranch.

CrossbranchError
├── UsageError       wrong arguments: an unknown format, a bad pipeline, an impossible option
│   ├── ArgumentError  something of a wrong type, such as a text in place of a tree
│   ├── OptionError  wrong options; the command line replaces their names in the message
│   └── QueryError   a query that cannot be understood; has the place in the query
├── InputError       bad input; has file, line or byte, sentence, found and expected
│   ├── DamageError  a file is damaged: the rest of it cannot be read
│   └── LimitError   a line, a sentence or a file is larger than a limit; says how to raise it
├── TreeError        parts that do not make a tree: overlapping children, missing tokens
│   └── VertexError  a tree has no vertex with this number
├── TransformError   a transform cannot be applied to a tree, or cannot be undone
├── LossError        a format cannot hold everything that a tree has, and loss was forbidden
└── VerificationError  what was written is not what is read back; has file and sentence

LossWarning          like LossError, but loss was allowed; counts what was lost
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

_LONG_NUMBER = 10**30


class CrossbranchError(Exception):
    """Base class of all errors that crossbranch raises on purpose."""


class UsageError(CrossbranchError):
    """Wrong arguments or options."""


def shown(value: object) -> str:
    """Return a value as messages show it, on one line, whatever it is and however large.

    >>> shown("a text"), shown(10**5000), shown([1, 2])
    ("'a text'", 'a number of about 5,000 digits', '[1, 2]')
    """
    if isinstance(value, int) and abs(value) >= _LONG_NUMBER:
        return f"a number of about {int(value.bit_length() * 0.30103):,} digits"
    try:
        return _short(repr(value))
    except Exception:  # a deeply nested list, or an object that cannot describe itself
        return f"a value of type {type(value).__name__}"


class OptionError(UsageError):
    """Options exclude each other, or do not fit the model.

    The command line has other names for options, so `renamed` replaces them in the message.

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


class QueryError(UsageError):
    """A query that cannot be understood. The message shows the place in the query.

    >>> print(QueryError("VP > > NP", 5, "'>'", "a node"))
    query: found '>' at character 6, expected a node
      VP > > NP
           ^
    """

    def __init__(self, query: str, position: int, found: str, expected: str) -> None:
        self.query, self.position, self.found, self.expected = query, position, found, expected
        start = query.rfind("\n", 0, position) + 1
        line = query[start:].split("\n", 1)[0]
        before = "".join(" " if cell != "\t" else cell for cell in line[: position - start])
        super().__init__(
            f"query: found {found} at character {position + 1}, expected {expected}\n"
            f"  {line}\n  {before}^"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return QueryError, (self.query, self.position, self.found, self.expected)


class TreeError(CrossbranchError, ValueError):
    """The given parts do not make a tree. `vertex` is the place, if it is known."""

    def __init__(self, message: str, *, vertex: int | None = None) -> None:
        super().__init__(message)
        self.vertex = vertex


class ArgumentError(UsageError, TypeError):
    """A function was given something of a wrong type, such as a text in place of a tree."""


class VertexError(TreeError, IndexError):
    """A tree has no vertex with this number."""


class TransformError(CrossbranchError):
    """A transform cannot be applied to this tree, or cannot be undone."""


class InputError(CrossbranchError):
    """Bad input: the place, what was found there, and what was expected."""

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
    """A file is damaged: the rest of it cannot be read."""


class LimitError(InputError):
    """Something is larger than a limit against hostile files. The message says how to raise it."""


def _short(text: str) -> str:
    """Shorten a text from a damaged file to a readable length."""
    return text if len(text) <= 240 else f"{text[:240]}…"


def _input_error(
    kind: type[InputError], found: str, expected: str, place: Mapping[str, object]
) -> InputError:
    return kind(found, expected, **place)  # type: ignore[arg-type]


class LossError(CrossbranchError):
    """Writing would lose something that the format cannot hold."""


class VerificationError(CrossbranchError):
    """A file does not hold what was written to it. Says file, sentence and difference."""

    def __init__(self, path: str, sentence: str, difference: str) -> None:
        self.path, self.sentence, self.difference = path, sentence, difference
        where = f"{path}: sentence {_short(sentence)}" if sentence else path
        super().__init__(f"{where}: not as it was written: {_short(difference)}")

    def __reduce__(self) -> tuple[object, ...]:
        return VerificationError, (self.path, self.sentence, self.difference)


CONTINUOUS_NODES = "discontinuous constituents"
CONTINUOUS_TREES = "discontinuous trees"
"""Parts that were not dropped but made continuous."""


class LossWarning(UserWarning):
    """Writing lost something that the format cannot hold. `losses` counts it by part."""

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
