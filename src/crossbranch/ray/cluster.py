"""Connects to Ray, and counts the workers that fit into it.

Ray gives work to logical CPUs. If workers take all of them, nothing is left for the steps that feed
the workers, and everything waits for ever without a message. So one CPU always stays free.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray
import ray.data

from crossbranch.errors import UsageError
from crossbranch.ranges import require_positive

SPARE = 1
"""The number of logical CPUs that stay free."""
_LONGEST = 40  # characters in the name of Ray's folder: the names of sockets are limited


@contextmanager
def connected(workers: int | None, threads: int) -> Iterator[int]:
    """Connect to Ray. Yield the number of workers.

    If this program is connected already, or if RAY_ADDRESS names a cluster, that is used.
    Otherwise, Ray is started on this machine, and stopped afterwards.

    Args:
        workers: The number of workers (default: as many as the CPUs are enough for).
        threads: The number of CPUs of each worker.

    Raises:
        UsageError: The cluster is too small.
    """
    require_positive(threads=threads, **({} if workers is None else {"workers": workers}))
    if ray.is_initialized():
        with _quiet():
            yield _fitting(workers, threads)
    elif os.environ.get("RAY_ADDRESS"):
        with _quiet():
            with _without_first_line():
                ray.init(logging_level=logging.ERROR, log_to_driver=False)
            try:
                yield _fitting(workers, threads)
            finally:
                ray.shutdown()
    else:
        with _quiet(), _local(workers or _local_workers(threads), threads) as count:
            yield count


def _local_workers(threads: int) -> int:
    return max(1, (os.cpu_count() or 1) // threads)


@contextmanager
def _local(workers: int, threads: int) -> Iterator[int]:
    """Start Ray on this machine. Its CPUs are only numbers, so one more costs nothing."""
    folder = tempfile.mkdtemp(prefix="cb-ray-")
    place: dict[str, Any] = {"_temp_dir": folder} if len(folder) <= _LONGEST else {}
    try:
        with _without_first_line():
            ray.init(
                address="local",
                num_cpus=workers * threads + SPARE,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                **place,
            )
        yield workers
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _without_first_line() -> Iterator[None]:
    """Hide the line in which Ray's C++ part says that it will write no more lines."""
    sys.stderr.flush()
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)


def _fitting(workers: int | None, threads: int) -> int:
    cpus = int(ray.cluster_resources().get("CPU", 0))
    most = (cpus - SPARE) // threads
    least = workers or 1
    if most < least:
        raise UsageError(
            f"too few CPUs: this cluster has {cpus}, but {least} workers with {threads} CPUs each"
            f" need {least * threads + SPARE}, because one must stay free"
        )
    return workers or most


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Ray from writing to the terminal, and from sending statistics."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    context = ray.data.DataContext.get_current()
    bars, context.enable_progress_bars = context.enable_progress_bars, False
    loggers = [logging.getLogger(name) for name in ("ray", "ray.data")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        yield
    finally:
        context.enable_progress_bars = bars
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
