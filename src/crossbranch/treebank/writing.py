"""Writing treebanks: trees stream in, and what the format cannot hold is counted."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable

from crossbranch.errors import CrossbranchError, LossError, LossWarning, TransformError
from crossbranch.tree import Tree
from crossbranch.treebank.files import Writable, open_target
from crossbranch.treebank.format import Format, count_losses
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import OnError, check_on_error


def write_trees(
    trees: Iterable[Tree],
    target: Writable,
    format: Format,
    *,
    header: Header,
    encoding: str = "utf-8",
    strict: bool = False,
    on_error: OnError = "stop",
    report: Callable[[CrossbranchError], None] | None = None,
) -> Counter[str]:
    """Write trees as they come; return what was lost, by part.

    Whatever happens, what was written before stays written and well-formed.
    """
    check_on_error(on_error)
    losses: Counter[str] = Counter()
    if header and not format.holds.header:
        _lose(Counter({"headers": 1}), losses, format, strict, "the header")
    with open_target(target, encoding, format.unencodable) as stream:
        stream.write(format.write_declaration(encoding) + format.write_start(header))
        try:
            for number, tree in enumerate(trees, 1):
                try:
                    text = _text(tree, number, format, losses, strict)
                except TransformError as error:
                    if on_error == "stop":
                        raise
                    if report is not None:
                        report(error)
                else:
                    stream.write(text)
        finally:
            stream.write(format.write_end())
    if losses:
        warnings.warn(LossWarning(format.name, losses), stacklevel=3)
    return losses


def _text(tree: Tree, number: int, format: Format, losses: Counter[str], strict: bool) -> str:
    if not format.holds.crossing_branches and tree.is_discontinuous:
        raise TransformError(
            f"sentence {tree.id or number}: {format.name} cannot hold crossing branches and never "
            "reorders words; make the tree continuous first, for instance with "
            '--apply "split" or --apply "raise"'
        )
    lost = count_losses(tree, format)
    if tree.id == str(number):  # a reader that finds no ids counts just so
        lost.pop("ids", None)
    if lost:
        _lose(lost, losses, format, strict, f"sentence {tree.id or number}")
    return format.write_tree(tree, number)


def _lose(
    lost: Counter[str], losses: Counter[str], format: Format, strict: bool, where: str
) -> None:
    if strict:
        counts = ", ".join(f"{count} {part}" for part, count in lost.items())
        raise LossError(f"{where}: {format.name} cannot hold {counts}")
    losses.update(lost)
