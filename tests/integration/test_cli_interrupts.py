"""Ctrl-C, SIGTERM and full disks: one line, the right exit code, and earlier output as it was."""

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest
from commands import HEED_INTERRUPTS, MAIN

from crossbranch.cli import _COMMANDS

TREE = "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat))))\n"

CONLLU = b"1\tcats\tcat\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n"

# Commands that read a treebank: FILE is a pipe that never ends.
READERS = {
    "clauses": ["clauses", "FILE"],
    "convert": ["convert", "FILE", "out"],
    "derive": ["derive", "FILE"],
    "draw": ["draw", "FILE", "-o", "out"],
    "evaluate": ["evaluate", "FILE", "FILE"],
    "find": ["find", "NP", "FILE"],
    "grammar": ["grammar", "extract", "FILE", "-o", "out"],
    "parse": ["parse", "en-bio", "FILE", "--from", "bracket", "-o", "new.export"],
    "silver": ["silver", "en-bio", "FILE", "-o", "out"],
    "stats": ["stats", "FILE"],
    "tasks": ["tasks", "FILE", "--kind", "tag", "--to", "tsv", "-o", "out"],
}
WRITERS = {
    "sample": ["sample", "1000000000", "--to", "bracket"],
    "grammar sample": ["grammar", "sample", "german", "100000000", "--to", "bracket"],
}
SHORT = {"formats", "labels", "models", "presets", "transforms"}  # they are done at once
ELSEWHERE = {"experiment", "reproduce", "serve", "train", "prepare"}  # other tests, or below


def start(arguments: list[str], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", HEED_INTERRUPTS + MAIN, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )


def ended(process: subprocess.Popen[bytes], kind: signal.Signals) -> str:
    """Interrupt a process, and return what it says."""
    process.send_signal(kind)
    _, error = process.communicate(timeout=60)
    said = error.decode()
    assert process.returncode == 128 + kind, said
    assert "Traceback" not in said
    assert "Aborted" not in said
    return said


def test_all_commands_are_in_this_list() -> None:
    known = {name.split()[0] for name in (*READERS, *WRITERS)}
    assert known | SHORT | ELSEWHERE == set(_COMMANDS)


def opened(pipe: Path, process: subprocess.Popen[bytes]) -> IO[bytes]:
    """Open a pipe for writing as soon as a process reads it."""
    while True:
        assert process.poll() is None, process.communicate()
        with suppress(OSError):
            return os.fdopen(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "wb", buffering=0)
        time.sleep(0.01)


def interrupted(name: str, tmp_path: Path, kind: signal.Signals) -> None:
    arguments = [word.replace("FILE", "trees.mrg") for word in READERS[name]]
    arguments = [f"out.{'svg' if name == 'draw' else 'lcfrs' if name == 'grammar' else 'export'}"
                 if word == "out" else word for word in arguments]  # fmt: skip
    outputs = [tmp_path / word for word in arguments if word.startswith("out.")]
    for path in outputs:
        path.write_text("old")
    os.mkfifo(tmp_path / "trees.mrg")
    process = start(arguments, tmp_path)
    with opened(tmp_path / "trees.mrg", process) as pipe:
        pipe.write(CONLLU if name == "silver" else TREE.encode() * 3)
        time.sleep(0.05)
        said = ended(process, kind)
    word = "interrupted" if kind == signal.SIGINT else "terminated"
    assert f"crossbranch: {word}" in said.splitlines()[-1]
    assert [path.read_text() for path in outputs] == ["old"] * len(outputs)
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("name", READERS)
def test_an_interrupt_ends_a_command_with_one_line(name: str, tmp_path: Path) -> None:
    interrupted(name, tmp_path, signal.SIGINT)


@pytest.mark.parametrize("name", ["convert", "parse"])
def test_other_programs_can_end_a_command(name: str, tmp_path: Path) -> None:
    interrupted(name, tmp_path, signal.SIGTERM)


@pytest.mark.parametrize("name", WRITERS)
def test_an_interrupt_while_something_is_written(name: str, tmp_path: Path) -> None:
    process = start(WRITERS[name], tmp_path)
    assert process.stdout is not None
    assert process.stdout.read(1)
    assert "crossbranch: interrupted" in ended(process, signal.SIGINT)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_training_says_how_to_continue(tmp_path: Path, kind: signal.Signals) -> None:
    (tmp_path / "trees.mrg").write_text(TREE * 40)
    call = ["train", "sr-gap", "--train", "trees.mrg", "--out", "model", "--epochs", "100000"]
    process = start([*call, "--set", "tags=gold"], tmp_path)
    while not (tmp_path / "model" / "checkpoint").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    assert ended(process, kind).endswith("; repeat the command to continue\n")
    assert (tmp_path / "model" / "checkpoint").exists()


def limited(size: int) -> None:
    """Let this process write files of at most so many bytes, as if the disk were full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_full_disk_leaves_earlier_output(tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text(TREE * 2000)
    (tmp_path / "out.export").write_text("old")
    calls = {
        "convert": ["convert", "trees.mrg", "out.export"],
        "grammar": ["grammar", "sample", "german", "3000", "-o", "out.export"],
        "draw": ["draw", "trees.mrg", "-o", "out.html"],
    }
    (tmp_path / "out.html").write_text("old")
    for name, call in calls.items():
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *call],
            cwd=tmp_path,
            capture_output=True,
            preexec_fn=lambda: limited(20_000),
        )
        said = done.stderr.decode()
        assert done.returncode == 2, (name, said)
        assert said.splitlines()[-1].endswith("make room on the disk, then repeat the command")
        assert "Traceback" not in said
        assert (tmp_path / "out.export").read_text() == "old"
        assert (tmp_path / "out.html").read_text() == "old"
        assert not list(tmp_path.glob(".*")), name


def test_a_full_disk_while_a_model_is_trained(tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text(TREE * 40)
    call = ["train", "sr-gap", "--train", "trees.mrg", "--out", "model", "--epochs", "2"]
    call += ["--set", "tags=gold"]
    for size, code in ((3000, 2), (1 << 30, 0), (3000, 2)):
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *call, *(["--overwrite"] if code == 2 else [])],
            cwd=tmp_path,
            capture_output=True,
            preexec_fn=lambda size=size: limited(size),  # type: ignore[misc]
        )
        said = done.stderr.decode()
        assert done.returncode == code, said
        assert "Traceback" not in said
    from crossbranch import load

    assert load(tmp_path / "model").parse([("The", "DT"), ("cat", "NN"), ("sat", "VBD")])
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_that_is_full(tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text(TREE)
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "convert", "trees.mrg", "/dev/full", "--to", "export"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text(TREE)
    (tmp_path / "out.export").write_text("old")
    tmp_path.chmod(0o555)
    try:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "convert", "trees.mrg", "out.export"],
            cwd=tmp_path,
            capture_output=True,
        )
    finally:
        tmp_path.chmod(0o755)
    assert done.returncode == 2
    assert b"cannot write out.export: permission denied" in done.stderr
    assert (tmp_path / "out.export").read_text() == "old"
