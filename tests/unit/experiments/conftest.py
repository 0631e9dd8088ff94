"""Small parsers are registered like any other, and a folder has small treebanks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_parsers import SMALL_PARSERS, SMALL_PRESETS

from crossbranch.experiments import Experiment, read
from crossbranch.grammar.sampling import sample
from crossbranch.parsers import PARSERS, PRESETS, Preset
from crossbranch.treebank import write

Make = Callable[..., Experiment]

HEAD = """\
preset = "quick"
train = "train.export"
dev = "dev.export"
test = "test.export"
"""


@pytest.fixture(autouse=True, scope="module")
def _registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, kind in SMALL_PARSERS.items():
            patch.setitem(PARSERS, name, kind)
        for name, preset in SMALL_PRESETS.items():
            patch.setitem(PRESETS, name, preset)
        quick = {"parser": "small-grammar", "tags": "gold"}
        patch.setitem(PRESETS, "quick", Preset(name="quick", settings=quick))
        yield


@pytest.fixture(scope="session")
def treebanks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with small treebanks."""
    folder = tmp_path_factory.mktemp("treebanks")
    for name, count, seed in (("train", 20, 1), ("dev", 8, 2), ("test", 10, 3)):
        write(sample(count, seed=seed, max_length=10), folder / f"{name}.export")
    return folder


@pytest.fixture
def folder(tmp_path: Path, treebanks: Path) -> Path:
    """Return a folder for one test, with copies of the treebanks."""
    for path in treebanks.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


@pytest.fixture
def make(folder: Path) -> Make:
    """Return a function that writes an experiment file and reads it."""

    def made(text: str = "", *, head: str = HEAD, needs_data: bool = True) -> Experiment:
        (folder / "mine.toml").write_text(head + text)
        return read(folder / "mine.toml", needs_data=needs_data)

    return made
