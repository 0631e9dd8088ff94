"""Derivations for a terminal: partial trees drawn as text, with explanations and scores."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from rich.cells import cell_len, chop_cells

from crossbranch.derivations.shows import Choice, Frame, Show
from crossbranch.doors import door
from crossbranch.drawing import draw_text
from crossbranch.drawing.writing import isolate, visible

_INDENT = "  "


@door
def draw_text_steps(
    show: Show, *, width: int, ascii: bool = False, color: bool = False
) -> Iterator[str]:
    """Yield the lines of a derivation, step by step, and the abbreviations at the end.

    Args:
        show: The derivation.
        width: The width of the terminal. Wider trees are cut into panels.
        ascii: Draw lines with ASCII characters.
        color: Show discontinuous nodes in colours of the terminal.
    """
    yield from _wrapped(title_of(show), width)
    for frame in show.frames:
        yield ""
        yield from _wrapped(heading_of(frame), width)
        yield from _wrapped(frame.explanation, width, _INDENT)
        yield ""
        picture = draw_text(
            frame.forest,
            ascii=ascii,
            edge_labels=False,
            tags=False,
            width=width,
            color=color,
            is_forest=True,
        )
        yield from picture.split("\n")
        yield ""
        for part in frame.parts:
            items = " ".join(item.text for item in part.items) or "(empty)"
            yield from _wrapped(f"{part.name}: {items}", width, _INDENT)
        yield from _next(frame, show, width)
    yield ""
    for name, meaning in show.wording.glossary.items():
        yield from _wrapped(f"{name} = {meaning}", width)


def title_of(show: Show) -> str:
    """Return the name of a derivation, its length, and its score."""
    name = f"sentence {show.id}: " if show.id else ""
    title = f"{name}{show.total:,} {show.wording.unit}"
    if show.score is None:
        return title
    if show.has_probabilities:
        return f"{title}, probability {100 * exp(show.score):.3g}%"
    return f"{title}, score {show.score:.1f}"


def heading_of(frame: Frame) -> str:
    """Return the number and the transition or item of a frame, with a star if it is in the tree."""
    star = " ★" if frame.in_tree else ""
    return f"{frame.number}. {frame.transition or 'start'}{star}"


def score_text(choice: Choice) -> str:
    """Return the probability of a transition, or else its score."""
    if choice.probability is not None:
        percent = 100 * choice.probability
        return f"{percent:.1f}%" if percent >= 0.1 or percent == 0 else f"{percent:.2g}%"
    return "" if choice.score is None else f"{choice.score:.1f}"


def _next(frame: Frame, show: Show, width: int) -> Iterator[str]:
    """The choice that comes next, or the rivals of an item."""
    if not frame.taken:
        return
    if frame.legal:
        yield from _wrapped(f"legal: {', '.join(frame.legal)}", width, _INDENT)
    if frame.choices[0].score is None:
        yield from _wrapped(f"next: {frame.taken}", width, _INDENT)
        return
    texts = [
        f"{'→ ' if choice.is_taken else ''}{choice.name} {score_text(choice)}"
        for choice in frame.choices
    ]
    yield from _wrapped(f"{show.wording.choice.lower()}: {', '.join(texts)}", width, _INDENT)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a text, no wider than `width` cells. Further lines have a larger indent."""
    further = indent + _INDENT
    lines = [indent]
    has_words = False
    for word in visible(text).split(" "):
        for piece in chop_cells(word, width - len(further)):
            if has_words and cell_len(lines[-1]) + 1 + cell_len(piece) > width:
                lines.append(further)
                has_words = False
            lines[-1] += f" {piece}" if has_words else piece
            has_words = True
    return [" ".join(map(isolate, line.split(" "))) for line in lines]
