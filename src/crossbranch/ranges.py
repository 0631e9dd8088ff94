"""The numbers that settings and options accept: each kind has a smallest and a largest value.

The settings of parsers, the options of the command line and the arguments of functions share these
kinds. So a number that no machine can work with is refused at once, and with the same words.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args

from msgspec import Meta

from crossbranch.errors import ArgumentError, UsageError, shown

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""How many there are of something."""

Size = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Byte = Annotated[int, Meta(ge=0, le=255)]
Folds = Annotated[int, Meta(ge=2, le=100)]
Amount = Annotated[float, Meta(ge=0, le=1e9)]
Share = Annotated[float, Meta(ge=0, le=1)]
Weight = Annotated[float, Meta(gt=0, le=100)]
Seed = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Beam = Annotated[int, Meta(ge=1, le=10_000)]
"""The items that a search keeps. With 10,000, an ordinary sentence takes some seconds."""

KBest = Annotated[int, Meta(ge=1, le=10_000)]
Threads = Annotated[int, Meta(ge=1, le=1024)]
Epochs = Annotated[int, Meta(ge=1, le=100_000)]
Few = Annotated[int, Meta(ge=1, le=100)]
"""A number of models, labels or layers that work together."""

Width = Annotated[int, Meta(ge=1, le=16_384)]
"""The size of a vector in a network."""

NoWidth = Annotated[int, Meta(ge=0, le=16_384)]
Batch = Annotated[int, Meta(ge=1, le=1_000_000)]
Tokens = Annotated[int, Meta(ge=1, le=10_000)]
"""The length of a sentence that is parsed with a chart."""

Depth = Annotated[int, Meta(ge=-1, le=1000)]
"""How many of several there are; -1: all."""

Length = Annotated[int, Meta(ge=0, le=1_000_000)]
"""The length of a sentence in tokens, or of a line in columns or pixels."""

Points = Annotated[float, Meta(ge=1, le=500)]
"""The size of letters."""


_NAMED = {"threads": Threads, "k_best": KBest, "epochs": Epochs, "voters": Few}
"""The ranges of arguments that many functions have."""


def limits(kind: Any) -> Meta | None:
    """Return the smallest and largest number of a kind; None if it has none."""
    return next((note for note in get_args(kind)[1:] if isinstance(note, Meta)), None)


def in_words(meta: Meta) -> str:
    """Say which numbers are allowed.

    >>> in_words(Meta(ge=1, le=10_000))
    'of at least 1 and at most 10000'
    """
    words = f"above {meta.gt}" if meta.gt is not None else f"of at least {meta.ge}"
    return f"{words} and at most {meta.le}" if meta.le is not None else words


def check_number(name: str, value: object, kind: Any) -> None:
    """Raise a UsageError if a number is outside its range.

    Raises:
        ArgumentError: It is not a number.
    """
    number, meta = get_args(kind)[0], limits(kind)
    accepted = (int, float) if number is float else (int,)
    word = "a number" if number is float else "a whole number"
    if isinstance(value, bool) or not isinstance(value, accepted):
        raise ArgumentError(f"{name} is {shown(value)}, expected {word}")
    assert meta is not None
    low = value > meta.gt if meta.gt is not None else value >= meta.ge  # type: ignore[operator]
    if not (low and value <= meta.le):  # type: ignore[operator]
        raise UsageError(f"{name} is {shown(value)}, expected {word} {in_words(meta)}")


def require_positive(**options: int) -> None:
    """Raise a UsageError if one of these options is below 1, or larger than anything needs.

    Raises:
        ArgumentError: It is not a whole number.
    """
    for name, value in options.items():
        kind = _NAMED.get(name, Size)
        if value.__class__ is int and value < 1:
            raise UsageError(f"{name} is {shown(value)}, expected at least 1")
        check_number(name, value, kind)
