"""Several processes train one neural parser together, started by torch's launcher."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from trained_parsers import QUICK_SETTINGS, TRAIN

import crossbranch
from crossbranch.models.tensors import read_tensors
from crossbranch.treebank import write

pytest.importorskip("torch", reason="torch trains neural parsers")

# What is registered first runs last: by then, a process must have left its team.
START = """\
import atexit
from torch import distributed
atexit.register(lambda: distributed.is_initialized() and print("still in its team"))
from crossbranch.cli import main
main()
"""


def options(settings: dict[str, object], within: str = "") -> list[str]:
    """Return settings as options of the command line."""
    found: list[str] = []
    for name, value in settings.items():
        if isinstance(value, dict):
            found += options(value, f"{within}{name}.")
        else:
            found += ["--set", f"{within}{name}={value}"]
    return found


def train(folder: Path, processes: int, *more: str) -> subprocess.CompletedProcess[str]:
    """Train a small parser without anything that depends on chance."""
    settings = dict(QUICK_SETTINGS["neural-transition"])
    settings["encoder"] = {**settings["encoder"], "unknown": 0.0}
    start = ["-c", "from crossbranch.cli import main; main()"]
    launch = [sys.executable, *start]
    if processes > 1:
        script = folder.parent / "start.py"
        script.write_text(START)
        many = ["--standalone", f"--nproc-per-node={processes}"]
        launch = [sys.executable, "-m", "torch.distributed.run", *many, str(script)]
    data = ["--train", str(folder.parent / "train.export"), "--out", str(folder)]
    chosen = ["--set", "epochs=1", "--set", "oracle=static", "--set", "tag_level=1"]
    return subprocess.run(
        [*launch, "train", "stack-free", *data, *options(settings), *chosen, *more],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        timeout=300,
    )


def weights(folder: Path) -> dict[str, array[float]]:
    """Return the weights of a model by name."""
    content = (folder / "weights.safetensors").read_bytes()
    return {name: array("f", one.data) for name, one in read_tensors(content, path="").items()}


def test_two_processes_learn_what_one_learns(tmp_path: Path) -> None:
    write(TRAIN[:13], tmp_path / "train.export")  # the last batch has one sentence
    # Without tags of its own, since their dropout cannot be turned off.
    alone = train(tmp_path / "one", 1, "--set", "tags=none")
    assert alone.returncode == 0, alone.stderr
    together = train(tmp_path / "two", 2, "--set", "tags=none")
    assert together.returncode == 0, together.stderr
    assert together.stderr.count("wrote the parser") == 1
    assert "still in its team" not in together.stdout
    one, two = weights(tmp_path / "one"), weights(tmp_path / "two")
    assert one.keys() == two.keys()
    farthest = max(abs(a - b) for name in one for a, b in zip(one[name], two[name], strict=True))
    assert farthest < 1e-3
    crossbranch.load(tmp_path / "two")


def test_a_linear_parser_is_trained_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("TORCHELASTIC_RUN_ID", "x"), ("WORLD_SIZE", "2"), ("RANK", "0")):
        monkeypatch.setenv(name, value)
    with pytest.raises(crossbranch.UsageError, match="is trained by one process, not by several"):
        crossbranch.train("sr-gap", train=TRAIN[:2])
