"""crossbranch find: search treebanks with queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from crossbranch.cli.options import apply_option, in_range, input_options, number_option, report
from crossbranch.cli.show import progress, say, say_left_out
from crossbranch.cli.tables import Form
from crossbranch.cli.tree_target import tree_format_option
from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.ranges import Size

if TYPE_CHECKING:
    from crossbranch.query.searching import SentenceMatches
    from crossbranch.transforms import Pipeline
    from crossbranch.tree import Tree

_SMALL = 1_000_000  # bytes; smaller files are searched at once, without an index
_LANGUAGES = ("tregex", "tiger")


@click.command(short_help="Search treebanks with queries.")
@click.argument("query")
@click.argument("files", metavar="FILE...", nargs=-1)
@input_options
@number_option
@apply_option
@click.option("--limit", type=in_range(Size), metavar="N", help="Stop after N matches.")
@click.option("--count", "counted", is_flag=True, help="Print only the numbers of matches.")
@click.option(
    "--count-by",
    "attributes",
    metavar="ATTRIBUTES",
    help='Count matches by attributes, such as "label", "#v.label, #v.function" or "file".',
)
@click.option("--csv", "form", flag_value="csv", help="Print a table of matches as CSV.")
@click.option("--json", "form", flag_value="json", help="Print JSON: one line for each match.")
@click.option(
    "--output",
    "-o",
    "target",
    metavar="FILE",
    help="Write the trees with matches to this file, or draw them: .html, .svg, .pdf, ...",
)
@tree_format_option("drawn")
@click.option(
    "--translate",
    "language",
    type=click.Choice(_LANGUAGES),
    help="Translate the QUERY from this language first; without FILE, print the translation.",
)
@click.option(
    "--index/--no-index",
    default=None,
    help="Keep an index of the FILE for later searches (default: for files above 1 MB).",
)
def find(
    query: str,
    files: tuple[str, ...],
    *,
    source_format: str | None,
    encoding: str | None,
    on_error: Literal["stop", "skip"],
    numbers: tuple[range, ...],
    steps: Pipeline,
    limit: int | None,
    counted: bool,
    attributes: str | None,
    form: Form | None,
    target: str | None,
    target_format: str | None,
    language: str | None,
    index: bool | None,
) -> None:
    """Search the trees in each FILE for a QUERY, and print the matches.

    A query describes nodes and how they are related: VP > NP is a VP with a child NP. Conditions
    on a node are in square brackets: VP[discontinuous and not > NP]. The page "Searching
    treebanks" of the documentation explains the language.

    The first search of a large file makes an index in the cache folder. Later searches use it.

    \b
    Examples:
      crossbranch find "VP[discontinuous]" tiger.export
      crossbranch find 'NP[function=SB] > "der"' tiger.export --limit 10
      crossbranch find "S[extraposed] <{RC} #n:[]" tiger.export --count-by "#n.label"
      crossbranch find "VP gap-contains #x:[]" tiger.export --to drawn
      crossbranch find "[confidence < 0.5]" parsed.json -o doubtful.html
      crossbranch find "VP > PP" a.export b.export --csv > matches.csv
      crossbranch find "NP < (PP $ S)" --translate tregex
    """  # noqa: D301 - click reads \b
    from crossbranch.cli.find_output import output_of
    from crossbranch.query.matching import Query

    if language is not None:
        query = _translated(query, language, files)
        if not files:
            return
    if not files:
        raise UsageError("no FILE to search; give at least one, or - for standard input")
    skipped: list[CrossbranchError] = []

    def note(error: CrossbranchError) -> None:
        skipped.append(error)
        report(error)

    plan = Query(query)  # a mistake is reported before any file is read
    search = _Search(query, source_format, encoding, on_error, numbers, steps, index, note)
    output = output_of(
        plan,
        files,
        counted=counted,
        attributes=attributes,
        form=form,
        target=target,
        format=target_format,
    )
    totals = _Totals()
    output.write(totals.over(search.files(files), limit))
    say(totals.text(search.sentences))
    say_left_out(skipped)


def _translated(query: str, language: str, files: Sequence[str]) -> str:
    from crossbranch.query.translation import translate

    translation = translate(query, language)
    for warning in translation.notes:
        say(f"note: {warning}")
    if files:
        say(f"query: {translation.query}")
    else:
        click.echo(translation.query)
    return translation.query


class _Totals:
    """Counts matches, and stops after the limit."""

    def __init__(self) -> None:
        self.matches = self.sentences = 0
        self.is_cut = False

    def over(
        self, found: Iterable[tuple[str, SentenceMatches]], limit: int | None
    ) -> Iterator[tuple[str, SentenceMatches]]:
        for file, one in found:
            rest = None if limit is None else limit - self.matches
            if rest is not None and len(one.assignments) > rest:
                one = one.first(rest)
            self.matches += len(one.assignments)
            self.sentences += 1
            yield file, one
            if limit is not None and self.matches >= limit:
                self.is_cut = True
                return

    def text(self, searched: int) -> str:
        """The last line, such as "7 matches in 5 of 200 sentences"."""
        noun = "match" if self.matches == 1 else "matches"
        if self.is_cut:
            return f"stopped after {self.matches:,} {noun}"
        of = f" of {searched:,} sentence{'' if searched == 1 else 's'}"
        return f"{self.matches:,} {noun} in {self.sentences:,}{of}"


@dataclass
class _Search:
    """Searches files one after the other, each with its index if it has one."""

    query: str
    format: str | None
    encoding: str | None
    on_error: Literal["stop", "skip"]
    numbers: tuple[range, ...]
    pipeline: Pipeline
    index: bool | None
    note: Callable[[CrossbranchError], None]
    sentences: int = 0
    """How many sentences were searched."""

    def files(self, files: Sequence[str]) -> Iterator[tuple[str, SentenceMatches]]:
        for file in files:
            for found in self._file(file):
                yield file, found

    def _file(self, file: str) -> Iterator[SentenceMatches]:
        from crossbranch.query.matching import Query
        from crossbranch.query.searching import Numbers, search_indexed, search_trees

        numbers = Numbers(self.numbers)
        if self._has_index(file):
            index = self._open_index(file)
            if index is not None:
                with closing(index):
                    found = search_indexed(index, self.query, lambda: self._read(file), numbers)
                    yield from found
                self.sentences += numbers.count
                return
        trees = progress(self._read(file), f"searching {file}")
        yield from search_trees(trees, Query(self.query), numbers)
        self.sentences += numbers.count

    def _has_index(self, file: str) -> bool:
        if self.index is not None:
            if self.index and self.pipeline.steps:
                raise UsageError("--index and --apply exclude each other; an index has plain trees")
            if self.index and file == "-":
                raise UsageError("standard input cannot have an index")
            return self.index
        path = Path(file)
        is_plain = file != "-" and not self.pipeline.steps and path.is_file()
        return is_plain and path.stat().st_size >= _SMALL

    def _open_index(self, file: str) -> Any:
        from crossbranch.query.searching import open_index

        def read_all() -> Iterable[Tree]:
            say(f"making an index of {file} for this and later searches")
            return progress(self._read(file, strictly=True), f"indexing {file}")

        return open_index(Path(file), f"{self.format} {self.encoding}", read_all)

    def _read(self, file: str, *, strictly: bool = False) -> Iterator[Tree]:
        """Read a file; `strictly`: stop at bad sentences."""
        from crossbranch.transforms import transform_each
        from crossbranch.treebank import read

        trees = read(
            file,
            format=self.format,
            encoding=self.encoding,
            on_error="stop" if strictly else self.on_error,
            report=self.note,
        )
        if not self.pipeline.steps:
            return trees
        skip = self.note if self.on_error == "skip" else None
        return transform_each(trees, self.pipeline.apply, report=skip)
