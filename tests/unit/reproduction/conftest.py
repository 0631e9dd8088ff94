"""A small corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbranch.grammar.sampling import sample
from crossbranch.treebank import write


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Return a folder with a small corpus."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, count, seed in (("train", 20, 1), ("dev", 4, 2), ("test", 5, 3)):
        write(sample(count, seed=seed, max_length=14), folder / f"{name}.export")
    return folder
