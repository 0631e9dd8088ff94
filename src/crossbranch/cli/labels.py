"""crossbranch labels: what the labels, tags and functions of a model mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from crossbranch.cli.tables import (
    Form,
    Record,
    form_options,
    plain_table,
    print_tables,
    write_csv,
    write_json,
)
from crossbranch.errors import UsageError
from crossbranch.models import (
    LABEL_SETS,
    LabelMeanings,
    Meaning,
    describe,
    find_model,
    label_set,
    label_set_of,
    shipped,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


_HEADINGS = {
    "phrase": "labels of phrases",
    "tag": "tags of words",
    "function": "functions of phrases and words",
}


class _FoundLabels(NamedTuple):
    """The labels, tags and functions to explain, and their known meanings."""

    name: str
    phrases: tuple[str, ...]
    tags: tuple[str, ...]
    functions: tuple[str, ...]
    known: LabelMeanings | None


class _Explained(NamedTuple):
    kind: str  # "phrase", "tag" or "function"
    label: str
    meaning: Meaning | None


@click.command(
    short_help="Explain the labels, tags and functions of a model.",
    context_settings={"ignore_unknown_options": True},  # -LRB- is a tag
)
@click.argument("model", metavar="MODEL")
@click.argument("labels", metavar="[LABEL]...", nargs=-1)
@form_options
def labels(model: str, labels: tuple[str, ...], *, form: Form | None) -> None:
    """Explain the labels, tags and functions of MODEL, with examples.

    MODEL is a shipped model, a model folder, or a label set: alpino, craft, icepahc, masc or
    squoia. To explain only some labels, tags and functions, name them.

    \b
    Examples:
      crossbranch labels en
      crossbranch labels en VP SBJ
      crossbranch labels nl INF obj1
    """  # noqa: D301 - click reads \b
    found = _find(model)
    explained = _explain(found, labels)
    if form == "json":
        about = {
            "model": found.name,
            "label_set": found.known.name if found.known else None,
            "language": found.known.language if found.known else None,
        }
        write_json("-", about | {"labels": _records(explained)})
    elif form == "csv":
        write_csv("-", _records(explained))
    else:
        print_tables(*_tables(found, explained))


def _find(model: str) -> _FoundLabels:
    if model in LABEL_SETS and model not in shipped():
        known = label_set(model)
        tags = {*known.tags, *known.composition.listed}
        return _FoundLabels(
            model,
            tuple(sorted(known.phrases)),
            tuple(sorted(tags)),
            tuple(sorted(known.functions)),
            known,
        )
    card = describe(find_model(model))
    known_by = label_set_of(card.labels, card.tags, name=card.label_set)
    return _FoundLabels(card.name, card.labels, card.tags, card.functions, known_by)


def _explain(found: _FoundLabels, wanted: tuple[str, ...]) -> list[_Explained]:
    """Return the meanings of the wanted labels, or of all labels if none is named."""
    known = found.known
    kinds: tuple[tuple[str, tuple[str, ...], Callable[[str], Meaning | None]], ...] = (
        ("phrase", found.phrases, known.phrase if known else _unknown),
        ("tag", found.tags, known.tag if known else _unknown),
        ("function", found.functions, known.function if known else _unknown),
    )
    if not wanted:
        return [_Explained(k, label, explain(label)) for k, all, explain in kinds for label in all]
    explained = []
    for label in wanted:
        here = [_Explained(k, label, explain(label)) for k, all, explain in kinds if label in all]
        here = here or _elsewhere(label, known)
        if not here:
            raise UsageError(
                f"{found.name} has no label, tag or function {label!r}; to list them all: "
                f"crossbranch labels {found.name}"
            )
        explained += here
    return explained


def _elsewhere(label: str, known: LabelMeanings | None) -> list[_Explained]:
    """Explain a label that the label set knows, but this model does not have."""
    if known is None:
        return []
    kinds = (
        ("phrase", known.phrases.get(label)),
        ("tag", known.tag(label)),
        ("function", known.function(label)),
    )
    return [_Explained(kind, label, meaning) for kind, meaning in kinds if meaning][:1]


def _unknown(label: str) -> Meaning | None:
    return None


def _records(explained: Iterable[_Explained]) -> list[Record]:
    return [
        {
            "label": label,
            "kind": kind,
            "meaning": meaning.text if meaning else None,
            "example": meaning.example if meaning else None,
        }
        for kind, label, meaning in explained
    ]


def _tables(found: _FoundLabels, explained: list[_Explained]) -> Iterator[RenderableType]:
    from rich.text import Text

    if found.known:
        title = f"{found.name}: {found.known.title} ({found.known.language})"
    else:
        title = f"{found.name}: no explanation is known for its labels and tags"
    yield Text(title)
    for kind, heading in _HEADINGS.items():
        rows = [one for one in explained if one.kind == kind]
        if not rows:
            continue
        table = plain_table()
        table.add_column(heading.split()[0].removesuffix("s"), style="cyan", no_wrap=True)
        table.add_column("meaning", overflow="fold", ratio=3)
        table.add_column("example", overflow="fold", ratio=2)
        for _, label, meaning in rows:
            text, example = meaning or ("no explanation is known", "")
            table.add_row(Text(label), Text(text), _bold(example))
        yield ""
        yield Text(heading, style="bold")
        yield table


def _bold(example: str) -> Text:
    """Return the example, with the parts in brackets in bold."""
    from rich.text import Text

    text = Text(example)
    for match in re.finditer(r"\[[^\]]*\]", example):
        text.stylize("bold", *match.span())
    return text
