"""What `crossbranch find` prints: lines, tables, JSON, counts, drawings and treebanks."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from crossbranch.cli.find_text import bracketed
from crossbranch.cli.tables import Form, plain_table, print_records, print_tables
from crossbranch.cli.tree_target import write_or_draw
from crossbranch.errors import UsageError
from crossbranch.query.attributes import Grouping, attribute_readers
from crossbranch.query.records import match_record

if TYPE_CHECKING:
    from crossbranch.query.matching import Query
    from crossbranch.query.searching import SentenceMatches
    from crossbranch.tree import Tree

FoundIn = Iterable[tuple[str, "SentenceMatches"]]
"""Files, and sentences with matches."""


class Output(Protocol):
    """Something that writes matches."""

    def write(self, found: FoundIn) -> None:
        """Write all matches."""


def output_of(
    query: Query,
    files: Sequence[str],
    *,
    counted: bool,
    attributes: str | None,
    form: Form | None,
    target: str | None,
    format: str | None,
) -> Output:
    """Choose the output. Options that exclude each other are an error."""
    draws = target is not None or format is not None
    kinds = {"--count": counted, "--count-by": attributes is not None, "--output or --to": draws}
    chosen = [name for name, is_given in kinds.items() if is_given]
    if draws and form is not None:
        chosen.append(f"--{form}")
    if len(chosen) > 1:
        raise UsageError(f"{chosen[0]} and {chosen[1]} exclude each other; give one of them")
    several = len(files) > 1
    if attributes is not None:
        return _CountsBy(attribute_readers(attributes, query.names), form)
    if counted:
        return _Counts(files, form)
    if draws:
        return _Trees(query.text, target or "-", format)
    if form == "json":
        return _JsonLines(several)
    return _CsvRows(query.names, several) if form == "csv" else _Lines(several)


def _name(found: SentenceMatches) -> str:
    return found.tree.id or str(found.number)


class _Lines:
    """One line for each match: the sentence, with the nodes of the match in brackets."""

    def __init__(self, has_files: bool) -> None:
        self.has_files = has_files

    def write(self, found: FoundIn) -> None:
        for file, one in found:
            place = f"{Path(file).name}:{_name(one)}" if self.has_files else _name(one)
            for match in one.matches():
                click.echo(f"{click.style(place, fg='cyan')}  {bracketed(match)}")


class _JsonLines:
    """One JSON object for each match."""

    def __init__(self, has_files: bool) -> None:
        self.has_files = has_files

    def write(self, found: FoundIn) -> None:
        for file, one in found:
            first = {"file": file} if self.has_files else {}
            for match in one.matches():
                click.echo(json.dumps(first | match_record(match), ensure_ascii=False))


class _CsvRows:
    """One row for each match, with some columns for each node."""

    columns = ("label", "function", "text", "first_token", "last_token", "fan_out")

    def __init__(self, names: Sequence[str], has_files: bool) -> None:
        self.has_files = has_files
        self.names = [name or str(place) for place, name in enumerate(names, 1)]

    def write(self, found: FoundIn) -> None:
        files = ["file"] if self.has_files else []
        nodes = [f"{name}.{column}" for name in self.names for column in self.columns]
        self._print([*files, "sentence", "number", *nodes])
        for file, one in found:
            for match in one.matches():
                record = match_record(match, with_absent=True)
                cells = [file] if self.has_files else []
                cells += [record["sentence"], record["number"]]
                for node in record["nodes"]:
                    cells += [node.get(column, "") for column in self.columns]
                self._print(cells)

    def _print(self, cells: Sequence[Any]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerow(cells)
        click.echo(text.getvalue(), nl=False)


class _Counts:
    """The number of matches, and of sentences with matches, in each file."""

    def __init__(self, files: Sequence[str], form: Form | None) -> None:
        self.files, self.form = files, form

    def write(self, found: FoundIn) -> None:
        matches: Counter[str] = Counter()
        sentences: Counter[str] = Counter()
        for file, one in found:
            matches[file] += len(one.assignments)
            sentences[file] += 1
        rows = [
            {"file": file, "matches": matches[file], "sentences": sentences[file]}
            for file in dict.fromkeys(self.files)
        ]
        if self.form is not None:
            print_records(rows, self.form)
            return
        if len(rows) > 1:
            total = {"matches": matches.total(), "sentences": sentences.total()}
            rows.append({"file": "total", **total})
        table = plain_table(["file"], ["matches", "sentences"])
        for row in rows:
            table.add_row(*(v if isinstance(v, str) else f"{v:,}" for v in row.values()))
        print_tables(table)


class _CountsBy:
    """How often each value of some attributes occurs, the most frequent first."""

    def __init__(self, groupings: Sequence[Grouping], form: Form | None) -> None:
        self.groupings, self.form = groupings, form

    def write(self, found: FoundIn) -> None:
        counts: Counter[tuple[str, ...]] = Counter()
        for file, one in found:
            for vertices in one.assignments:
                counts[tuple([g.value(file, one, vertices) for g in self.groupings])] += 1
        names = [grouping.name for grouping in self.groupings]
        total = counts.total()
        rows = [
            (values, count, round(100 * count / total, 2))
            for values, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        ]
        if self.form is not None:
            columns = (*names, "count", "percent")
            print_records(
                [dict(zip(columns, (*v, n, share), strict=True)) for v, n, share in rows], self.form
            )
            return
        from rich.text import Text  # so that square brackets are no mark-up

        table = plain_table(names, ["count", "percent"])
        for values, count, share in rows:
            table.add_row(*(Text(v or "–") for v in values), f"{count:,}", f"{share:.2f}")
        print_tables(table)


class _Trees:
    """The trees with matches, drawn with the matches marked, or written as a treebank."""

    def __init__(self, query: str, target: str, format: str | None) -> None:
        self.query, self.target, self.format = query, target, format
        self.marked: set[int] = set()
        """The vertices to mark in the present tree. Trees are drawn one at a time."""

    def write(self, found: FoundIn) -> None:
        write_or_draw(
            self._trees(found),
            self.target,
            self.format,
            default="drawn",
            title=self.query,
            marks=lambda tree: self.marked,
        )

    def _trees(self, found: FoundIn) -> Iterator[Tree]:
        for _, one in found:
            self.marked = {vertex for some in one.assignments for vertex in some if vertex >= 0}
            yield one.tree if one.tree.id else one.tree.replace(id=str(one.number))
