"""Trees as JSON lines or as Parquet: one part, and all parts in one file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from crossbranch.errors import OptionError, UsageError
from crossbranch.jobs import formatted
from crossbranch.jobs.columns import json_line
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import open_binary_target, strip_compression

SUFFIXES = {".parquet": "parquet", **dict.fromkeys(FORMATS["json"].suffixes, "json")}
"""The formats by file ending."""

_ROWS = 1000  # trees that are written to Parquet at once
_JSON = FORMATS["json"]


def format_of(output: str, given: str | None) -> str:
    """Return the format of an output: the given one, or the one of its ending; else json.

    Raises:
        UsageError: It is neither json nor parquet.
    """
    ending = Path(strip_compression(output)).suffix.lower()
    found = given or SUFFIXES.get(ending, "" if ending and not is_folder(output) else "json")
    if found not in ("json", "parquet"):
        what = f"{found} is" if found else f"the ending of {output} is"
        raise OptionError(
            "{what} not for many machines: expected {0} json or parquet; crossbranch convert"
            " makes other formats from json",
            "output_format",
            what=what,
        )
    if found == "parquet" and strip_compression(output) != output:
        raise UsageError(f"{output}: Parquet is compressed inside; leave out the last ending")
    return found


def is_folder(output: str) -> bool:
    """Return True if all parts stay in a folder: it exists, or its name has no known ending."""
    if output.endswith(("/", os.sep)) or Path(output).is_dir():
        return True
    return not Path(strip_compression(output)).suffix


class Part(Protocol):
    """Something that trees are written to."""

    def write(self, trees: Sequence[Tree]) -> None:
        """Write the trees of a sentence."""


class _JsonPart:
    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._texts, self._number = file, formatted(_JSON), 0

    def write(self, trees: Sequence[Tree]) -> None:
        for tree in trees:
            self._number += 1
            text = self._texts.tree(tree, self._number)
            self._file.write(text.encode("utf-8", self._texts.unencodable))


class _ParquetPart:
    def __init__(self, file: IO[bytes]) -> None:
        from pyarrow import parquet

        self._rows: list[dict[str, Any]] = []
        self._writer = parquet.ParquetWriter(file, schema(), compression="zstd")

    def write(self, trees: Sequence[Tree]) -> None:
        self._rows += map(row_of, trees)
        if len(self._rows) >= _ROWS:
            self.flush()

    def flush(self) -> None:
        import pyarrow

        if self._rows:
            self._writer.write_table(pyarrow.Table.from_pylist(self._rows, schema=schema()))
            self._rows = []

    def close(self) -> None:
        self.flush()
        self._writer.close()


def schema() -> Any:
    """Return the columns of a Parquet file."""
    import pyarrow as pa

    texts = pa.list_(pa.string())
    return pa.schema(
        {
            "id": pa.string(),
            "text": pa.string(),
            "words": texts,
            "tags": texts,
            "confidence": pa.float64(),
            "tree": pa.string(),
        }
    )


def row_of(tree: Tree) -> dict[str, Any]:
    """Return a tree as a row of a table. The column `tree` is its line of JSON."""
    return {
        "id": tree.id,
        "text": _printable(tree.text),
        "words": [_printable(word) for word in tree.words],
        "tags": tree.tags,
        "confidence": tree.confidence,
        "tree": json_line(tree),
    }


def _printable(text: str) -> str:
    """Return a text without halves of surrogate pairs, which Parquet cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def open_part(path: Path, format: str) -> Iterator[Part]:
    """Open a part for writing. At the end, everything is safely on the disk."""
    with path.open("wb") as file:
        if format == "parquet":
            part = _ParquetPart(file)
            yield part
            part.close()
        else:
            yield _JsonPart(file)
        if not file.closed:
            file.flush()
            os.fsync(file.fileno())


def join(parts: Sequence[Path], output: Path, format: str) -> None:
    """Write all parts to one file, in order. It is complete as soon as it exists."""
    new = output.with_name(f"new-{output.name}")
    if format == "parquet":
        _join_parquet(parts, new)
    else:
        with open_binary_target(new) as target:
            for path in parts:
                with path.open("rb") as part:
                    shutil.copyfileobj(part, target)
    new.replace(output)


def _join_parquet(parts: Sequence[Path], output: Path) -> None:
    from pyarrow import parquet

    with parquet.ParquetWriter(output, schema(), compression="zstd") as writer:
        for path in parts:
            with parquet.ParquetFile(path) as part:
                for batch in part.iter_batches():
                    writer.write_batch(batch)
