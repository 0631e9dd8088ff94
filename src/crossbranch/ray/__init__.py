"""Parse a corpus on many machines with Ray. Needs the extra `crossbranch[ray]`.

`parse_dataset` parses files or a dataset of Ray, and writes JSON lines or Parquet. `parsed` adds
trees to a dataset, for further steps in the same program. Nothing here prints.

- blocks: what is parsed in one go, and where it begins and ends
- parts: the output of each block, and what is known about it
- worker: a process with a loaded model
- cluster: connects to Ray, and counts its cores
- files, datasets: the two kinds of input
"""

try:
    import ray as _ray  # noqa: F401 - only to say clearly that it is missing
    import ray.data as _data  # noqa: F401
except ImportError:
    from crossbranch.errors import UsageError

    raise UsageError("Ray is not installed; try: pip install 'crossbranch[ray]'") from None

from crossbranch.ray.datasets import parse_dataset, parsed
from crossbranch.ray.files import FileJob
from crossbranch.ray.parts import Totals

__all__ = ["FileJob", "Totals", "parse_dataset", "parsed"]
