"""Derivations as one HTML page: a player with a slider, for showing them to others.

The page needs no other files. Its security policy allows nothing from outside, and no script but
its own, whatever words and labels contain. Each step is a `<template>`, which the script copies to
the stage when it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib import resources
from typing import NamedTuple

from crossbranch.derivations.pictures import forest_pictures
from crossbranch.derivations.shows import Frame, Item, Show
from crossbranch.derivations.text import heading_of, score_text, title_of
from crossbranch.doors import door
from crossbranch.drawing.looks import STYLE
from crossbranch.drawing.page import policy
from crossbranch.drawing.writing import visible


@door
def draw_player(
    shows: Iterable[Show], *, title: str = "", meanings: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Draw derivations as one HTML page.

    Args:
        shows: The derivations. If there are several, readers can choose one.
        title: The heading.
        meanings: What labels mean, for the list of abbreviations.

    Yields:
        The page in pieces, one for each derivation. Write them one after the other.
    """
    style = _resource("player.css") + _resource("frames.css") + STYLE
    script = _resource("stepper.js") + _resource("player.js")
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{_text(title or 'Derivations')}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<h1 dir="auto">{_text(title or "Derivations")}</h1>\n{_resource("player.html")}'
    )
    for show in shows:
        yield _derivation(show, meanings or {})
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def _resource(name: str) -> str:
    return (resources.files("crossbranch.derivations") / name).read_text(encoding="utf-8")


def _text(text: str) -> str:
    return escape(visible(text))


class PlayerParts(NamedTuple):
    """A derivation as pieces of HTML. The styles of pictures and of frames.css are for them."""

    about: str
    """What is shown, as plain text."""

    steps: list[str]
    legend: str
    glossary: str


@door
def player_parts(show: Show, *, meanings: Mapping[str, str] | None = None) -> PlayerParts:
    """Return the pieces of a player, for a page that has its own controls."""
    steps = [
        _frame(frame, picture.svg(), show)
        for frame, picture in zip(show.frames, forest_pictures(show), strict=True)
    ]
    about = visible(f"{title_of(show)}, {show.wording.about}")
    return PlayerParts(about, steps, _legend(show), _glossary(show, meanings or {}))


def _derivation(show: Show, meanings: Mapping[str, str]) -> str:
    parts = player_parts(show, meanings=meanings)
    templates = "".join(
        f"<template>{part}</template>\n" for part in (*parts.steps, parts.legend, parts.glossary)
    )
    return (
        f'<article data-words="{_text(show.title)}" data-about="{escape(parts.about)}">\n'
        f"{templates}</article>\n"
    )


def _frame(frame: Frame, picture: str, show: Show) -> str:
    parts = "".join(
        f'<dt title="{_text(part.meaning)}">{_text(part.name)}</dt>'
        f"<dd>{''.join(_chip(item, show) for item in part.items) or '<i>empty</i>'}</dd>"
        for part in frame.parts
    )
    return (
        f'<div class="told"><h2>{_text(heading_of(frame))}</h2>'
        f'<p dir="auto">{_text(frame.explanation)}</p></div>'
        f'<div class="scroll" tabindex="0">{picture}</div>'
        f'<div class="below"><dl class="parts">{parts}</dl>{_next(frame, show)}</div>'
    )


def _legend(show: Show) -> str:
    """What the colours mean."""
    return " ".join(
        f'<span class="chip {kind}">{_text(meaning)}</span>'
        for kind, meaning in show.wording.kinds.items()
    )


def _chip(item: Item, show: Show) -> str:
    return (
        f'<span class="chip {item.kind}" title="{_text(show.wording.kinds[item.kind])}">'
        f"<bdi>{_text(item.text)}</bdi></span>"
    )


def _next(frame: Frame, show: Show) -> str:
    """The choice that comes next, or the rivals of an item: scores, or only legal transitions."""
    if not frame.taken:
        if frame is not show.frames[-1]:
            return ""
        return f'<div class="next"><h3>The end</h3><p>{show.wording.end}</p></div>'
    heading = show.wording.choice
    if not show.has_rules:
        heading += f': <b class="taken">{_text(frame.taken)}</b>'
    legal = f'<p class="legal">Legal moves: {_text(", ".join(frame.legal))}</p>'
    if frame.choices[0].score is None:
        return f'<div class="next"><h3>{heading}</h3>{legal}</div>'
    rows = "".join(_row(frame, number) for number in range(len(frame.choices)))
    measure = "probability" if show.has_probabilities else "score"
    return (
        f'<div class="next"><h3>{heading}</h3>'
        f"<table><thead><tr><th>{show.wording.option}</th><th>{measure}</th><th></th></tr></thead>"
        f"<tbody>{rows}</tbody></table>{_remarks(frame) + legal if frame.legal else ''}</div>"
    )


def _remarks(frame: Frame) -> str:
    """What is to be said about legal moves that are better, or that are not shown."""
    more = frame.legal_count - len(frame.choices)
    rest = f"<p>{more:,} other legal moves have lower scores.</p>" if more > 0 else ""
    note = (
        "<p>At this step alone, another move has a higher score. The whole derivation has the best"
        " one that the search has found.</p>"
        if frame.is_second_choice
        else ""
    )
    return rest + note


def _row(frame: Frame, number: int) -> str:
    """A choice, with a bar for its probability, or for its place among the scores."""
    choice = frame.choices[number]
    share = choice.probability
    if share is not None and frame.rule:  # items: beside the best one
        share /= max(one.probability or 0.0 for one in frame.choices) or 1.0
    if share is None:
        scores = [one.score or 0.0 for one in frame.choices]
        low, high = min(scores), max(scores)
        share = 1.0 if high == low else 0.02 + 0.98 * ((choice.score or 0.0) - low) / (high - low)
    mark = ' class="taken"' if choice.is_taken else ""
    sign = "→ " if choice.is_taken else ""
    return (
        f"<tr{mark}><td>{sign}{_text(choice.name)}</td><td>{score_text(choice)}</td>"
        f'<td><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * share:.1f}" height="10"/></svg></td></tr>'
    )


def _glossary(show: Show, meanings: Mapping[str, str]) -> str:
    """The abbreviations of the system, and the labels of the tree whose meaning is known."""
    found = dict(show.wording.glossary)
    used = {node.label for frame in show.frames for node in frame.forest.nodes[1:]}
    labels = show.wording.labels
    names = {name for label in used for name in labels.get(label, (label,))}
    if show.score is not None:
        measure = "probability" if show.has_probabilities else "score"
        found[measure] = show.wording.measures[measure]
    found |= {name: meanings[name] for name in sorted(names) if name in meanings}
    pairs = "".join(f"<dt>{_text(name)}</dt><dd>{_text(text)}</dd>" for name, text in found.items())
    return f"<dl>{pairs}</dl>"
