"""Many workers: the same trees as on one machine, whoever is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import MAIN, crossbranch
from parse_folder import parse_folder, text_of

ray = pytest.importorskip("ray")

from crossbranch.errors import CrossbranchError, InputError, UsageError  # noqa: E402
from crossbranch.jobs import ParseOptions  # noqa: E402
from crossbranch.parsers import load  # noqa: E402
from crossbranch.ray import parse_dataset, parsed  # noqa: E402
from crossbranch.ray.datasets import RowParser  # noqa: E402
from crossbranch.ray.outputs import join  # noqa: E402
from crossbranch.ray.parts import PartReport, Totals  # noqa: E402
from crossbranch.tree import Tree  # noqa: E402

parquet = pytest.importorskip("pyarrow.parquet")

# Ray warns about settings that it has made itself.
pytestmark = pytest.mark.filterwarnings(r"ignore:`\w+` is deprecated")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model, texts of several sizes, and what one machine makes of them."""
    place = parse_folder(tmp_path_factory.mktemp("ray"))
    (place / "corpus").mkdir()
    for number in range(8):
        (place / "corpus" / f"{number}.txt").write_text(text_of(100 + number), encoding="utf-8")
    crossbranch("parse", "model", "corpus", "-o", "one.json", cwd=place)
    return place


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[None]:
    """A small cluster on this machine, for all tests."""
    temporary = tempfile.mkdtemp(prefix="cb-")  # a short name: those of sockets are limited
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(
        address="local",
        num_cpus=4,
        include_dashboard=False,
        log_to_driver=False,
        _temp_dir=temporary,
    )
    yield
    ray.shutdown()
    shutil.rmtree(temporary, ignore_errors=True)


@pytest.fixture
def here(folder: Path, cluster: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


def parse(output: str | Path, **options: Any) -> Totals:
    """Parse the corpus with two workers, each file as a block of its own."""
    settings = {"workers": 2, "block_bytes": 1000, **options}
    totals = parse_dataset("corpus", "model", output=output, **settings)
    assert totals is not None
    return totals


def test_a_killed_worker_is_replaced_and_nothing_is_lost_or_doubled(
    here: Path, tmp_path: Path
) -> None:
    killed: list[int] = []
    processes = set()

    def watch(totals: Totals, report: PartReport | None) -> None:
        if report is not None:
            processes.add(report.process)
            if not killed:  # it is in the middle of its next block
                killed.append(report.process)
                os.kill(report.process, signal.SIGKILL)

    totals = parse(tmp_path / "many.json", watch=watch)
    assert (tmp_path / "many.json").read_bytes() == (here / "one.json").read_bytes()
    assert totals.sentences == len((here / "one.json").read_text().splitlines())
    assert (totals.done, totals.blocks, totals.resumed) == (8, 8, 0)
    assert len(killed) == 1
    assert len(processes - {*killed}) >= 1
    assert [path.name for path in tmp_path.iterdir()] == ["many.json"]


def test_an_interrupted_job_is_resumed(here: Path, tmp_path: Path) -> None:
    def stop(totals: Totals, report: PartReport | None) -> None:
        if totals.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse(tmp_path / "many.json", workers=1, watch=stop)
    done = {
        path.name: path.stat().st_mtime_ns for path in (tmp_path / "many.json.parts").glob("p*")
    }
    assert 3 <= len(done) <= 8
    with pytest.raises(UsageError, match="the option confidence was False before, it is True now"):
        parse(tmp_path / "many.json", resume=True, confidence=True)
    reports = []
    totals = parse(
        tmp_path / "many.json", resume=True, watch=lambda totals, report: reports.append(report)
    )
    assert totals.resumed == len(done)
    assert totals.done == 8
    assert len(reports) == 1 + 8 - len(done)  # the first call comes before all blocks
    assert (tmp_path / "many.json").read_bytes() == (here / "one.json").read_bytes()


def test_folders_of_parquet(here: Path, tmp_path: Path) -> None:
    options: Any = {"output_format": "parquet", "k_best": 2, "beam": 4, "confidence": True}
    totals = parse(tmp_path / "parts", workers=1, **options)
    again = parse(tmp_path / "parts", resume=True, **options)
    assert (again.resumed, again.trees) == (8, totals.trees)
    table = parquet.read_table(tmp_path / "parts")
    assert len(table) == totals.trees > totals.sentences
    trees = [Tree.from_dict(json.loads(line)) for line in table["tree"].to_pylist()]
    assert [tree.words for tree in trees] == table["words"].to_pylist()
    assert [tree.id for tree in trees][:3] == ["1.1", "1.2", "2.1"]
    assert all(0 <= value <= 1 for value in table["confidence"].to_pylist())
    join(sorted((tmp_path / "parts").glob("part-*")), tmp_path / "all.parquet", "parquet")
    assert parquet.read_table(tmp_path / "all.parquet").equals(table)


def test_errors_of_workers_are_told_as_on_one_machine(here: Path, tmp_path: Path) -> None:
    for number in range(3):
        bad = "#BOS 1\nHaus NN -- -- 500\n#EOS 1\n" if number == 1 else ""
        good = (here / "test.export").read_text()
        (tmp_path / f"{number}.export").write_text(good + bad)
    files = sorted(tmp_path.glob("*.export"))
    with pytest.raises(InputError, match=r"1\.export:\d+"):
        parse_dataset(files, "model", output=tmp_path / "out", block_bytes=100)
    reports: list[PartReport] = []
    totals = parse_dataset(
        files,
        "model",
        output=tmp_path / "out",
        block_bytes=100,
        on_error="skip",
        watch=lambda totals, report: reports.append(report) if report else None,
    )
    assert totals is not None
    assert (totals.sentences, totals.skipped) == (60, 1)
    [message] = [message for report in reports for message in report.messages]
    assert message.startswith(str(files[1]))
    with pytest.raises(UsageError, match="too few CPUs: this cluster has 4, but 4 workers"):
        parse(tmp_path / "out", workers=4)
    with pytest.raises(UsageError, match="json or parquet"):
        parse(tmp_path / "out.export")


def test_trees_in_a_dataset(here: Path, tmp_path: Path) -> None:
    texts = [path.read_text() for path in sorted((here / "corpus").iterdir())[:3]]
    parser = load("model")
    expected = [list(parser.parse_text(text)) for text in texts]
    rows = [{"name": str(number), "text": text} for number, text in enumerate(texts)]
    found = {
        row["name"]: row for row in parsed(ray.data.from_items(rows), "model", workers=1).take_all()
    }
    for number, trees in enumerate(expected):
        lines = found[str(number)]["trees"]
        assert [Tree.from_dict(json.loads(line)) for line in lines] == trees
    with pytest.raises(UsageError, match="no column 'words'; the columns are name, text"):
        parsed(ray.data.from_items(rows).materialize(), "model", workers=1, column="words")


def test_rows_with_words_and_without_anything(folder: Path) -> None:
    worker = RowParser(str(folder / "model"), "cpu", ParseOptions(), "words")
    words = ["Hunde", "bellen", "."]
    one, none, empty = worker({"words": [words, None, []]})["trees"]
    assert [Tree.from_dict(json.loads(line)).words for line in one] == [words]
    assert none == []
    assert [Tree.from_dict(json.loads(line)).words for line in empty] == [[]]
    with pytest.raises(UsageError, match="cannot parse raw text"):
        RowParser(str(folder / "bare"), "cpu", ParseOptions(), "words")({"words": ["Ein Text."]})


def test_a_dataset_is_resumed_by_its_ids(here: Path, tmp_path: Path) -> None:
    texts = [path.read_text() for path in sorted((here / "corpus").iterdir())[:2]]
    source = tmp_path / "in.json"
    rows = [{"name": str(number), "text": text} for number, text in enumerate(texts)]
    options: Any = {"output": tmp_path / "out", "id_column": "name", "workers": 1}
    for count in (1, 2):
        source.write_text("".join(json.dumps(row) + "\n" for row in rows[:count]))
        parse_dataset(ray.data.read_json(str(source)), "model", resume=True, **options)
    lines = [
        line for path in (tmp_path / "out").glob("*.json") for line in path.read_text().splitlines()
    ]
    assert sorted(json.loads(line)["name"] for line in lines) == ["0", "1"]
    with pytest.raises(UsageError, match="out is not empty; give resume"):
        parse_dataset(ray.data.from_items(rows), "model", **options)
    with pytest.raises(UsageError, match="resume needs id_column"):
        parse_dataset(ray.data.from_items(rows), "model", output=tmp_path / "x", resume=True)
    with pytest.raises(UsageError, match="are for files"):
        parse_dataset(ray.data.from_items(rows), "model", output=tmp_path / "x", k_best=2)
    with pytest.raises(UsageError, match="is a file"):
        parse_dataset(ray.data.from_items(rows), "model", output=tmp_path / "x.json")


def test_a_killed_command_is_resumed(folder: Path, tmp_path: Path) -> None:
    """In processes of its own: nobody tidies up after the first run."""
    temporary = tempfile.mkdtemp(prefix="cb-")
    arguments = ["parse", "model", "corpus", "--engine", "ray", "--workers", "1", "-o"]
    code = f"from crossbranch.ray import blocks\nblocks.BLOCK_BYTES = 1000\n{MAIN}"
    command = [sys.executable, "-c", code, *arguments, str(tmp_path / "many.json")]
    environment = os.environ | {"TMPDIR": temporary}
    environment.pop("RAY_ADDRESS", None)
    run = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)
    try:
        parts = tmp_path / "many.json.parts"
        for _ in range(3000):  # on a busy machine, Ray needs a minute to start
            if list(parts.glob("part-*")) or run.poll() is not None:
                break
            time.sleep(0.1)
        assert run.poll() is None
        run.kill()
        run.wait()
        done = len(list(parts.glob("part-*")))
        assert done >= 1
        assert not (tmp_path / "many.json").exists()
        again = subprocess.run(
            [*command, "--resume"], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert again.returncode == 0, again.stderr
        assert "of 8 parts were done before" in again.stderr
        assert "Traceback" not in again.stderr
        assert again.stdout == ""
        assert (tmp_path / "many.json").read_bytes() == (folder / "one.json").read_bytes()
    finally:
        run.kill()
        shutil.rmtree(temporary, ignore_errors=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("corpus", "--engine", "ray"), "needs -o OUT"),
        (("--engine", "ray", "-o", "x"), "needs files to parse"),
        (("A text.", "--engine", "ray", "-o", "x"), "<text> is not a file"),
        (("corpus", "--engine", "ray", "-o", "x", "--tags-only"), "--tags-only cannot be used"),
        (("corpus", "--engine", "ray", "-o", "x", "--apply", "raise"), "--apply cannot be used"),
        (("corpus", "--engine", "ray", "-o", "x.export"), "expected --to json or parquet"),
        (("corpus", "--engine", "ray", "-o", "x.parquet.gz"), "leave out the last ending"),
        (("corpus", "--engine", "ray", "-o", "corpus/1.txt", "--to", "json"), "it is the input"),
        (("corpus", "-o", "x", "--workers", "2"), "--workers is for --engine ray"),
        (("corpus", "-o", "x", "--to", "parquet"), "--to parquet needs --engine ray"),
    ],
)
def test_what_the_command_refuses(folder: Path, options: tuple[str, ...], message: str) -> None:
    from click.testing import CliRunner

    from crossbranch.cli.parse import parse as command

    before = Path.cwd()
    os.chdir(folder)
    try:
        found = CliRunner().invoke(command, ["model", *options])
    finally:
        os.chdir(before)
    assert isinstance(found.exception, CrossbranchError)
    assert message in str(found.exception)
