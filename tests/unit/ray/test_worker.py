"""A worker without Ray: the parts that it writes, and the errors that it tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from trained_parsers import trained

pytest.importorskip("ray")

from crossbranch.errors import InputError, UsageError
from crossbranch.jobs import RAW, JobInput, JobSentences, ParseOptions
from crossbranch.jobs.notes import identify
from crossbranch.ray.blocks import Block, cut, numbered
from crossbranch.ray.failures import decode_error
from crossbranch.ray.files import folder_of
from crossbranch.ray.outputs import format_of, is_folder, join
from crossbranch.ray.parts import PartFolder, PartReport, Plan, Totals
from crossbranch.ray.worker import Work, Worker, checksum_of, count_sentences
from crossbranch.tree import Tree
from crossbranch.treebank import read

TEXT = "Der Hund bellt. Die Katze schläft.\n\n"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    monkeypatch.chdir(tmp_path)  # a worker goes to the place of its work
    trained("sr-gap").save(tmp_path / "model")
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(TEXT * (number + 1), encoding="utf-8")
    return Work(
        model="model",
        identity=checksum_of(trained("sr-gap")),
        device="cpu",
        inputs=[JobInput(name=f"{number}.txt", format=RAW) for number in range(3)],
        options=ParseOptions(),
        encoding=None,
        on_error="stop",
        lines=False,
        place=str(tmp_path),
        folder=tmp_path / "parts",
        format="json",
    )


def planned(work: Work) -> list[Block]:
    sentences = JobSentences(work.inputs, work.reading(work.load(), []))
    blocks = numbered(cut(sentences, work.inputs, 1), lambda some: count_sentences(work, some))
    identity = identify(b"", {}, work.inputs)
    work.parts.start(Plan(identity=identity, blocks=blocks))
    assert work.parts.read_plan(identity) == Plan(identity=identity, blocks=blocks)
    return blocks


def outcome(worker: Worker, block: Block) -> Any:
    found = worker({"block": [msgspec.json.encode(block)]})
    if found["error"][0]:
        return decode_error(found["error"][0])
    return msgspec.json.decode(found["report"][0], type=PartReport)


@pytest.mark.parametrize("format", ["json", "parquet"])
def test_parts_have_the_trees_of_one_machine(work: Work, tmp_path: Path, format: str) -> None:
    work = replace(work, format=format)
    blocks = planned(work)
    worker = Worker(work)
    totals = Totals(blocks=len(blocks))
    for block in blocks:
        assert work.parts.report(block) is None
        report = outcome(worker, block)
        assert work.parts.report(block) == report
        totals.add(report)
    assert (totals.done, totals.sentences, totals.skipped) == (3, 12, 0)
    assert totals.doubts.sentences == 12
    work.parts.tidy()
    join(work.parts.paths(blocks), tmp_path / f"all.{format}", format)
    parser = work.load()
    sentences = JobSentences(work.inputs, work.reading(parser, []))
    expected = list(parser.parse_many(sentences.start()))
    assert expected[2].comments == ("newdoc id = 1.txt",)
    if format == "json":
        assert list(read(tmp_path / "all.json")) == expected
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        lines = parquet.read_table(tmp_path / "all.parquet")["tree"].to_pylist()
        assert [Tree.from_dict(msgspec.json.decode(line)) for line in lines] == expected


def test_a_part_that_was_cut_is_not_complete(work: Work) -> None:
    blocks = planned(work)
    outcome(Worker(work), blocks[0])
    part = work.parts.part(blocks[0])
    part.write_bytes(part.read_bytes()[:-1])
    assert work.parts.report(blocks[0]) is None


def test_an_input_that_has_changed_is_refused(work: Work, tmp_path: Path) -> None:
    blocks = planned(work)
    (tmp_path / "1.txt").write_text(TEXT)
    error = outcome(Worker(work), blocks[1])
    assert isinstance(error, InputError)
    assert "1.txt: found 2 sentences, expected 4 sentences, as in the plan" in str(error)
    assert not work.parts.part(blocks[1]).exists()
    (tmp_path / "1.txt").unlink()
    assert isinstance(outcome(Worker(work), blocks[1]), UsageError)


def test_machines_without_the_model_or_the_folder(work: Work) -> None:
    [block, *_] = planned(work)
    other = outcome(Worker(replace(work, identity="another")), block)
    assert "has another model model" in str(other)
    nowhere = outcome(Worker(replace(work, place=work.place + "/nowhere")), block)
    assert "all machines must see the same folders" in str(nowhere)


def test_a_damaged_plan_and_the_plan_of_another_job(work: Work, tmp_path: Path) -> None:
    planned(work)
    parts = PartFolder(tmp_path / "parts", ".json")
    with pytest.raises(UsageError, match="written with another model"):
        parts.read_plan(identify(b"another", {}, work.inputs))
    (tmp_path / "parts" / "_job" / "plan.json").write_text("{")
    with pytest.raises(InputError, match="expected the plan of a job"):
        parts.read_plan(identify(b"", {}, work.inputs))
    parts.check()
    (tmp_path / "parts" / "notes.txt").write_text("mine")
    parts.clear()
    assert parts.read_plan(identify(b"", {}, work.inputs)) is None
    assert (tmp_path / "parts" / "notes.txt").exists()
    with pytest.raises(UsageError, match="not empty, and no job of crossbranch has written it"):
        parts.check()


@pytest.mark.parametrize(
    ("output", "format", "in_folder"),
    [
        ("parsed", "json", True),
        ("parsed/", "json", True),
        ("parsed.json", "json", False),
        ("parsed.jsonl.gz", "json", False),
        ("parsed.parquet", "parquet", False),
    ],
)
def test_names_of_outputs(output: str, format: str, in_folder: bool) -> None:
    assert (format_of(output, None), is_folder(output)) == (format, in_folder)
    assert folder_of(output).name == ("parsed" if in_folder else f"{output}.parts")
