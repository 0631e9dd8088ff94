"""Runs: each is done once, found again by what it depends on, and fails alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from small_parsers.greedy import GreedyLearner

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation import evaluate
from crossbranch.experiments import (
    Experiment,
    Run,
    RunWatcher,
    Step,
    plan,
    results,
    run,
    running,
    state_of,
)
from crossbranch.experiments.finished import read_counts
from crossbranch.experiments.runs import RECORD, RunRecord, read_record, write_json
from crossbranch.experiments.working import RunIsTakenError, _locked, carry_out
from crossbranch.parsers import load
from crossbranch.treebank import read as read_trees

Make = Callable[..., Experiment]


class Notes(RunWatcher):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.todo: list[str] = []
        self.done_before = 0
        self.events: list[tuple[str, str]] = []
        self.steps: list[Step] = []

    def begin(self, runs: Sequence[Run], done: int) -> None:
        self.todo, self.done_before = [one.name for one in runs], done

    def started(self, run: Run) -> None:
        self.events.append(("started", run.name))

    def step(self, run: Run, step: Step) -> None:
        self.steps.append(step)

    def finished(self, run: Run) -> None:
        self.events.append(("finished", run.name))

    def failed(self, run: Run, reason: str) -> None:
        self.events.append((reason, run.name))


def run_here(experiment: Experiment, **options: object) -> Notes:
    """Run in this process: only it knows the small parsers."""
    notes = Notes()
    run(experiment, jobs=0, watcher=notes, **options)  # type: ignore[arg-type]
    return notes


TWO = "seeds = [1, 2]\n[variant.plain]\n[variant.other]\ncasing = false\n"


def test_each_run_is_done_once(make: Make, folder: Path) -> None:
    experiment = make(TWO)
    notes = run_here(experiment)
    assert notes.events == [
        (what, f"{variant}, seed {seed}")
        for variant in ("plain", "other")
        for seed in (1, 2)
        for what in ("started", "finished")
    ]
    assert notes.steps[-1].stage == "scoring on test"
    assert {state_of(one) for one in plan(experiment)} == {"done"}
    again = run_here(experiment)
    assert (again.todo, again.done_before) == ([], 4)


def test_what_a_run_leaves_behind(make: Make, folder: Path) -> None:
    experiment = make("[settings]\ntags = 'predicted'\n")
    (result,) = run(experiment, jobs=0).runs
    gold = list(read_trees(folder / "test.export"))
    trees = list(read_trees(result.folder / "test.discbracket"))
    scores = evaluate(gold, trees)
    assert result.scores["test"].f1 == scores.f1 > 0
    assert result.scores["test"].sentences == 10
    assert result.scores["test"].tokens_per_second > 0
    assert result.scores["test"].tag_accuracy == scores.tag_accuracy  # there is a tagger
    assert result.training.seconds is not None
    counts = read_counts(result.folder / "test.tsv")
    assert [one.all for one in counts] == [row.column.all.brackets for row in scores.sentences]
    assert load(result.folder / "model").settings == experiment.variants[0].settings
    written = json.loads((folder / "mine" / "results.json").read_text())
    assert [row["f1"] for row in written["runs"]] == [one.f1 for one in result.scores.values()]
    head, *rows = (folder / "mine" / "results.tsv").read_text().splitlines()
    assert head.startswith("variant\tseed\tset\tsentences\ttokens\tf1\t")
    assert [row.split("\t")[:3] for row in rows] == [
        ["quick", "1", "dev"],
        ["quick", "1", "test"],
    ]


def test_only_what_is_new_after_an_edit_is_run(make: Make) -> None:
    run_here(make(TWO))
    # A new name for the same settings, other settings under an old name, and one more seed.
    edited = make(
        "seeds = [2, 3]\n[variant.renamed]\n[variant.other]\ncasing = false\nlemmas = false\n"
    )
    assert [state_of(one) for one in plan(edited)] == ["done", "new", "new", "new"]
    notes = run_here(edited)
    assert notes.todo == ["renamed, seed 3", "other, seed 2", "other, seed 3"]
    assert [one.variant for one in results(edited).runs] == ["renamed"] * 2 + ["other"] * 2
    assert run_here(make(TWO)).todo == []  # the old runs are still there


def test_equal_variants_share_their_runs(make: Make) -> None:
    experiment = make("[variant.plain]\n[variant.same]\nfolds = 5\n")
    assert run_here(experiment).todo == ["plain, seed 1"]
    assert [one.variant for one in results(experiment).runs] == ["plain", "same"]


def test_other_data_are_another_run(make: Make, folder: Path) -> None:
    run_here(make())
    for name in ("train.export", "dev.export"):
        text = (folder / name).read_text()
        (folder / name).write_text(text + "%% changed\n")
        assert [state_of(one) for one in plan(make())] == ["new"]
        (folder / name).write_text(text)
    assert [state_of(one) for one in plan(make())] == ["done"]


def test_other_test_trees_are_scored_without_training(make: Make, folder: Path) -> None:
    run_here(make())
    model = next((folder / "mine" / "runs").glob("*/model/manifest.json"))
    before = model.stat().st_mtime_ns
    (folder / "test.export").write_bytes((folder / "dev.export").read_bytes())
    assert [state_of(one) for one in plan(make())] == ["started"]
    notes = run_here(make())
    assert [step.stage for step in notes.steps] == ["scoring on test"]
    assert model.stat().st_mtime_ns == before
    (result,) = results(make()).runs
    assert result.scores["test"].f1 == result.scores["dev"].f1


def test_a_file_that_a_setting_names_counts_by_its_content(make: Make, folder: Path) -> None:
    (folder / "mine.heads").write_text("*\tfirst\t*\n")
    run_here(make("[settings]\nheads = 'mine.heads'\n"))
    (folder / "mine.heads").rename(folder / "renamed.heads")
    (renamed,) = plan(make("[settings]\nheads = 'renamed.heads'\n"))
    assert state_of(renamed) == "done"
    (folder / "renamed.heads").write_text("*\tlast\t*\n")
    (changed,) = plan(make("[settings]\nheads = 'renamed.heads'\n"))
    assert state_of(changed) == "new"


def test_a_report_needs_no_data_and_no_version(make: Make, folder: Path) -> None:
    run_here(make(TWO))
    path = next((folder / "mine" / "runs").glob(f"plain-seed1-*/{RECORD}"))
    record = msgspec.json.decode(path.read_bytes(), type=RunRecord)
    write_json(path, replace(record, identity={**record.identity, "crossbranch": "0.0.1"}))
    assert [state_of(one) for one in plan(make(TWO))] == ["new", "done", "done", "done"]
    for name in ("train", "dev", "test"):
        (folder / f"{name}.export").unlink()
    found = results(make(TWO, needs_data=False))
    assert [(one.variant, one.seed) for one in found.runs] == [
        *(("plain", 1), ("plain", 2), ("other", 1), ("other", 2)),
    ]
    other = make(TWO.replace("casing", "lemmas"), needs_data=False)
    assert {one.variant for one in results(other).runs} == {"plain"}


def test_a_failed_run_does_not_stop_the_others(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = make("[variant.bad]\npreset = 'small-greedy'\n[variant.good]\n")
    with monkeypatch.context() as patch:
        patch.setattr(GreedyLearner, "learn", lambda *_: 1 / 0)
        notes = run_here(experiment)
    assert notes.events[1:] == [
        ("ZeroDivisionError: division by zero", "bad, seed 1"),
        ("started", "good, seed 1"),
        ("finished", "good, seed 1"),
    ]
    found = results(experiment)  # as a report would show them
    assert [one.variant for one in found.runs] == ["good"]
    ((variant, seed, reason, folder),) = found.failures
    assert (variant, seed, reason) == ("bad", 1, "ZeroDivisionError: division by zero")
    assert "Traceback" in (folder / "log.txt").read_text()
    assert [state_of(one) for one in plan(experiment)] == ["failed", "done"]
    assert run_here(experiment).todo == ["bad, seed 1"]  # it is tried again
    assert results(experiment).failures == ()


def test_a_run_continues_from_its_checkpoint(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = make("[variant.a]\npreset = 'small-greedy'\nepochs = 3\n")
    learn = GreedyLearner.learn
    calls = []

    def interrupted(self: GreedyLearner, sentences: Sequence[int]) -> object:
        calls.append(len(sentences))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return learn(self, sentences)

    monkeypatch.setattr(GreedyLearner, "learn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_here(experiment)
    assert [state_of(one) for one in plan(experiment)] == ["started"]
    calls.append(0)
    (result,) = run(experiment, jobs=0).runs
    assert len(calls) == 2 + 1 + 2  # the first epoch is not repeated
    assert [epoch["number"] for epoch in result.training.epochs] == [1, 2, 3]
    assert result.training.epoch in (1, 2, 3)
    chosen = result.training.epochs[result.training.epoch - 1]
    assert result.training.metrics == chosen["metrics"]
    assert set(result.training.metrics) == {"tags", "dev tags"}
    written = json.loads((experiment.out / "results.json").read_text())
    assert written["metrics"] == [{"variant": "a", "seed": 1, **chosen["metrics"]}]


def test_a_model_that_was_finished_before_the_kill_is_not_trained_again(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = make("[variant.a]\npreset = 'small-greedy'\n")
    run_here(experiment)
    (planned,) = plan(experiment)
    record = read_record(Path(planned.folder))
    assert record is not None
    write_json(Path(planned.folder) / RECORD, replace(record, training=None))
    monkeypatch.setattr(GreedyLearner, "learn", lambda *_: 1 / 0)
    (result,) = run(experiment, jobs=0).runs
    assert result.training.epochs == (record.training and record.training.epochs)


def test_a_deleted_model_is_not_missed_until_it_is_needed(make: Make, folder: Path) -> None:
    run_here(make())
    model = next((folder / "mine" / "runs").glob("*/model"))
    for path in model.iterdir():
        path.unlink()
    model.rmdir()
    assert run_here(make()).todo == []
    (folder / "test.export").write_bytes((folder / "dev.export").read_bytes())
    assert run_here(make()).todo == ["quick, seed 1"]
    assert model.is_dir()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os; os.kill(os.getpid(), 9)", "killed by signal 9 (perhaps there was not enough"),
        ("import sys; sys.exit(3)", "the process ended with the exit code 3; see "),
        ("print('nonsense')", "cannot follow its process: DecodeError"),
    ],
)
def test_a_process_that_dies_is_a_failed_run(
    make: Make, monkeypatch: pytest.MonkeyPatch, code: str, reason: str
) -> None:
    monkeypatch.setattr(running, "_WORKER", (sys.executable, "-S", "-c", code))
    found = run(make(TWO), jobs=2, only=["plain"])
    assert [(one.variant, one.seed) for one in sorted(found.failures)] == [
        *(("plain", 1), ("plain", 2)),
    ]
    assert all(reason in one.reason for one in found.failures)
    assert {state_of(one) for one in plan(make(TWO), only=["other"])} == {"new"}


def test_the_device_is_checked_before_training(make: Make) -> None:
    with pytest.raises(UsageError, match="small-grammar, which does not run on 'cuda:0'; it runs"):
        run(make(), jobs=0, device="cuda:0")


def test_only_some_variants(make: Make) -> None:
    assert run_here(make(TWO), only=["o*"]).todo == ["other, seed 1", "other, seed 2"]


def test_two_processes_do_not_do_the_same_run(make: Make) -> None:
    (planned,) = plan(make())
    Path(planned.folder).mkdir(parents=True)
    with _locked(Path(planned.folder)):
        with pytest.raises(RunIsTakenError):
            carry_out(planned)
        notes = run_here(make())
    assert notes.events[1][0] == "another process works on this run"
    assert state_of(planned) == "new"  # it has not failed


def test_a_folder_with_other_files_is_refused(make: Make, folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "letter.txt").write_text("Dear Ann")
    with pytest.raises(UsageError, match=r"mine: it has other files \(letter.txt\)"):
        run(make(), jobs=0)
    (folder / "file").write_text("")
    with pytest.raises(UsageError, match="it is a file"):
        run(make("out = 'file'\n"), jobs=0)
    with pytest.raises(UsageError, match="jobs is -1"):
        run(make(), jobs=-1)


def test_damaged_counts(tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text("head\n1\ta\t3\t4\t4\tx\t0\t0\t0\t3\t3\n")
    with pytest.raises(InputError, match=r"dev.tsv:2: found .*, expected counts of a sentence"):
        read_counts(tmp_path / "dev.tsv")
