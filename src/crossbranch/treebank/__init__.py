"""Text <-> trees: `read` and `write` treebanks in all common formats.

`FORMATS` lists the formats. `read` returns a `Reader`: an iterator of trees, with the header of the
treebank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from crossbranch.doors import door
from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.tree import Tree
from crossbranch.treebank.alpino import Alpino
from crossbranch.treebank.bracket import PennBracket
from crossbranch.treebank.conllu import Conllu
from crossbranch.treebank.discbracket import DiscBracket
from crossbranch.treebank.export import Export, Export3
from crossbranch.treebank.files import Readable, Writable
from crossbranch.treebank.format import Format
from crossbranch.treebank.header import Header
from crossbranch.treebank.jsonlines import Json
from crossbranch.treebank.limits import Limits
from crossbranch.treebank.psd import Psd
from crossbranch.treebank.reading import (
    Reader,
    find_format,
    guess_format_by_name,
    same_file,
)
from crossbranch.treebank.source import OnError, Report
from crossbranch.treebank.text import Tagged, Tokens
from crossbranch.treebank.tigerxml import TigerXml
from crossbranch.treebank.writing import MakeContinuous, Observe, TreeWriter, write_trees

__all__ = ["FORMATS", "Format", "Header", "Limits", "Reader", "read", "write"]

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Export(),
        Export3(),
        TigerXml(),
        Alpino(),
        DiscBracket(),
        PennBracket(),
        Psd(),
        Json(),
        Conllu(),
        Tagged(),
        Tokens(),
    )
}


@door
def read(
    source: Readable,
    *,
    format: str | None = None,
    encoding: str | None = None,
    on_error: OnError = "stop",
    report: Report | None = None,
    limits: Limits | None = None,
) -> Reader:
    """Read trees, one at a time, from a file, folder, archive, stream, or standard input (`-`).

    Format and encoding are guessed if they are not given. With on_error="skip", bad sentences are
    skipped, and `report` is called with the InputError of each. Otherwise, the first error is
    raised. A line, a sentence or an unpacked file that is larger than the limits is a LimitError;
    `limits` replaces the usual limits.
    """
    return Reader(
        source,
        FORMATS,
        format=format,
        encoding=encoding,
        on_error=on_error,
        report=report,
        limits=limits,
    )


@door
def write(
    trees: Iterable[Tree],
    target: Writable,
    *,
    format: str | None = None,
    header: Header | None = None,
    encoding: str = "utf-8",
    strict: bool = False,
    on_error: OnError = "stop",
    report: Callable[[CrossbranchError], None] | None = None,
    make_continuous: MakeContinuous | None = None,
    observe: Observe | None = None,
) -> Counter[str]:
    """Write trees, one at a time, to a file, a stream, or standard output (`-`).

    If no format is given, the file name decides it. Names that end in `.gz`, `.bz2`, `.xz` or
    `.zip` are compressed. Parts that the format cannot hold are dropped. They are counted, the
    counts are returned, and there is a LossWarning. With `strict`, they raise a LossError.
    Crossing branches are never dropped: if the format cannot hold them, `make_continuous` removes
    them. Without it, a tree with crossing branches raises a TransformError. `crossbranch.write` is
    this function with a `make_continuous`. `observe` is called with each tree as it was written,
    and what was lost.
    """
    if header is None:
        header = trees.header if isinstance(trees, Reader) else Header()
    if format is None:
        chosen = guess_format_by_name(FORMATS, str(getattr(target, "name", target)))
    else:
        chosen = find_format(FORMATS, format)
    if isinstance(trees, Reader) and same_file(trees.target, target):
        raise UsageError(f"cannot write {target}: it is the input, or a file of the input")
    return write_trees(
        trees,
        target,
        TreeWriter(chosen, strict=strict, make_continuous=make_continuous),
        header=header,
        encoding=encoding,
        on_error=on_error,
        report=report,
        observe=observe,
    )
