"""Datasets of Ray: trees as a new column, and one function for files and datasets."""

from __future__ import annotations

import gc
from collections.abc import Collection, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import ray
import ray.data
from ray.data.checkpoint import CheckpointConfig

from crossbranch.errors import UsageError
from crossbranch.jobs import Content, ParseOptions, find_inputs, parse_column
from crossbranch.models import shipped
from crossbranch.parsers import load
from crossbranch.ray.cluster import connected
from crossbranch.ray.files import FileJob, Watch, folder_of
from crossbranch.ray.outputs import format_of, is_folder
from crossbranch.ray.parts import JOB, Totals
from crossbranch.ray.worker import Work, checksum_of
from crossbranch.treebank.source import OnError

TREES = "trees"
"""The new column: a list of trees, each as a line of JSON."""


def parse_dataset(
    data: ray.data.Dataset | str | PathLike[str] | Sequence[str | PathLike[str]],
    model: str,
    *,
    output: str | PathLike[str],
    output_format: str | None = None,
    column: str = "text",
    id_column: str | None = None,
    workers: int | None = None,
    threads: int = 1,
    resume: bool = False,
    format: str | None = None,
    encoding: str | None = None,
    lines: bool = False,
    on_error: OnError = "stop",
    keep_tags: bool = False,
    k_best: int | None = None,
    confidence: bool = False,
    functions: bool = True,
    device: str = "cpu",
    block_bytes: int | None = None,
    watch: Watch = lambda totals, report: None,
    **search: Any,
) -> Totals | None:
    """Parse files or a dataset on all machines of a cluster, and write JSON lines or Parquet.

    If Ray is not running, it is started on this machine. All machines must have crossbranch, and
    must see the same files.

    Args:
        data: Names of files and folders, as in `crossbranch parse`; or a dataset of Ray.
        model: The name of a shipped model, or a model folder.
        output: A folder for the parts. If the input is files, also one file: `.json` (or another
            ending of JSON lines, perhaps compressed), or `.parquet`.
        output_format: "json" or "parquet" (default: by the name of the output, else "json").
        column: The column of a dataset with texts, or with lists of words. See `parsed`.
        id_column: A column of a dataset with a different value in each row. `resume` needs it.
        workers: The number of workers (default: as many as there are free CPUs).
        threads: The number of CPUs of each worker.
        resume: Keep what an interrupted run of the same call has done.
        format: The format of the files (default: by their names and contents).
        encoding: The encoding of the files.
        lines: Each line of raw text is a sentence.
        on_error: "stop" at a bad sentence of a file, or "skip" it.
        keep_tags: Use the tags of treebanks.
        k_best: Write this many trees of each sentence of files.
        confidence: As in `Parser.parse_many`.
        functions: As in `Parser.parse_many`.
        device: The device of each worker.
        block_bytes: How much of the files a worker parses in one go (default: 4 megabytes).
        watch: Called when a block of the files is done.
        **search: Options of this kind of parser, such as `beam=8`.

    Returns:
        The totals of all files, also of what an earlier run has done. None for a dataset.

    Raises:
        UsageError: An option is wrong, the cluster is too small, or the job cannot be resumed.
        InputError: A file is bad.
    """
    options = ParseOptions(
        keep_tags=keep_tags,
        k_best=k_best,
        confidence=confidence,
        functions=functions,
        threads=threads,
        search=search,
    )
    name = str(output)
    kind = format_of(name, output_format)
    if isinstance(data, ray.data.Dataset):
        if k_best is not None or keep_tags or lines or format is not None:
            raise UsageError("k_best, keep_tags, lines and format are for files, not for datasets")
        _write_dataset(data, model, options, device, name, kind, column, id_column, workers, resume)
        return None
    sources = [data] if isinstance(data, str | PathLike) else data
    parser = load(model, device=device)
    content = Content(
        format=format, lines=lines, reads_text=parser.reads_text, needs_tags=parser.needs_tags
    )
    inputs = find_inputs([str(source) for source in sources], content, lambda message: None)
    options.check(parser, inputs)
    work = Work(
        model=model,
        identity=checksum_of(parser),
        device=device,
        inputs=inputs,
        options=options,
        encoding=encoding,
        on_error=on_error,
        lines=lines,
        place=str(Path.cwd()),
        folder=folder_of(name),
        format=kind,
    )
    job = FileJob(parser, work, name, workers=workers, block_bytes=block_bytes)
    return job.run(resume=resume, watch=watch)


def parsed(
    dataset: ray.data.Dataset,
    model: str,
    *,
    column: str = "text",
    workers: int,
    threads: int = 1,
    confidence: bool = False,
    functions: bool = True,
    device: str = "cpu",
    **search: Any,
) -> ray.data.Dataset:
    """Add trees to a dataset of Ray. The work is done when somebody reads the result.

    The new column `trees` has a list for each row: one line of JSON for each sentence of its text.
    `Tree.from_dict(json.loads(line))` is the tree. If the column has lists of words instead of
    texts, each list is one sentence. A row without a text has no trees.

    Args:
        dataset: The dataset.
        model: The name of a shipped model, or a model folder.
        column: The column with the texts.
        workers: The number of workers, each with its own model. Leave at least one logical CPU of
            the cluster free: otherwise, Ray waits for ever.
        threads: The number of CPUs of each worker.
        confidence: As in `Parser.parse_many`.
        functions: As in `Parser.parse_many`.
        device: The device of each worker.
        **search: Options of this kind of parser, such as `beam=8`.
    """
    options = ParseOptions(
        confidence=confidence, functions=functions, threads=threads, search=search
    )
    return _with_trees(dataset, model, options, device, column, workers)


def _with_trees(
    dataset: ray.data.Dataset,
    model: str,
    options: ParseOptions,
    device: str,
    column: str,
    workers: int,
) -> ray.data.Dataset:
    parser = load(model, device=device)  # a wrong name or option is found now
    list(options.parsed(parser, []))
    names = dataset.columns(fetch_if_missing=False)
    if names is not None:
        _check_column(column, names)
    place = model if model in shipped() else str(Path(model).resolve())
    return dataset.map_batches(
        RowParser,
        fn_constructor_args=(place, device, options, column),
        batch_size=_ROWS,
        num_cpus=options.threads,
        concurrency=workers,
    )


_ROWS = 64  # texts that a worker parses together


class RowParser:
    """Adds trees to rows. Ray keeps it alive, so that the model is loaded only once."""

    def __init__(self, model: str, device: str, options: ParseOptions, column: str) -> None:
        """Load the model."""
        self._parser = load(model, device=device)
        self._options, self._column = options, column
        gc.freeze()

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Return the rows with their trees."""
        _check_column(self._column, batch)
        found = parse_column(
            self._parser,
            batch[self._column],
            confidence=self._options.confidence,
            functions=self._options.functions,
            threads=self._options.threads,
            **self._options.search,
        )
        return {**batch, TREES: found}


def _check_column(column: str, names: Collection[str]) -> None:
    if column not in names:
        known = ", ".join(names)
        raise UsageError(f"there is no column {column!r}; the columns are {known}")


def _write_dataset(
    dataset: ray.data.Dataset,
    model: str,
    options: ParseOptions,
    device: str,
    output: str,
    format: str,
    column: str,
    id_column: str | None,
    workers: int | None,
    resume: bool,
) -> None:
    if not is_folder(output):
        raise UsageError(f"{output} is a file; a dataset is written to a folder of parts")
    if resume and id_column is None:
        raise UsageError("resume needs id_column: a column with a different value in each row")
    is_remote = "://" in output
    if not resume and not is_remote and Path(output).is_dir() and any(Path(output).iterdir()):
        raise UsageError(f"{output} is not empty; give resume, or another folder")
    place = output.rstrip("/") if is_remote else str(Path(output).resolve())
    with connected(workers, options.threads) as count:
        found = _with_trees(dataset, model, options, device, column, count)
        if id_column is not None:
            found.context.checkpoint_config = CheckpointConfig(
                id_column,
                f"{place}/{JOB}/rows",
                delete_checkpoint_on_success=False,
            )
        if format == "parquet":
            found.write_parquet(place)
        else:
            found.write_json(place)
