"""crossbranch parse: interruptions that leave no trace."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import HEED_INTERRUPTS
from parse_folder import parse_folder

from crossbranch.treebank import read


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parse_folder(tmp_path_factory.mktemp("resume"))


SMALL_PARTS = f"""
{HEED_INTERRUPTS}
import os, sys
from crossbranch.cli import main
from crossbranch.jobs import outputs
from crossbranch.text import decoding
outputs._PART = 4000
decoding._SECTION = 3000
last = int(sys.argv.pop(1))  # which call of fsync is the last one; 0: there is none
action = sys.argv.pop(1)
fsync = os.fsync
def count(file):
    global last
    fsync(file)
    last -= 1
    if last == 0:
        os.kill(os.getpid(), getattr(signal, action))
os.fsync = count
main()
"""

VARIANTS: dict[str, tuple[str, ...]] = {
    "plain": ("text.txt", "-o", "OUT.export"),
    "frame": ("text.txt", "test.export", "text.txt", "-o", "OUT.xml", "--to", "tigerxml"),
    "packed": ("text.gz", "text.txt", "--threads", "2", "-o", "OUT.json.gz"),
    "k-best": (
        *("text.txt", "--k-best", "3", "--confidence-table", "OUT.tsv.xz"),
        *("-o", "OUT.discbracket"),
    ),
    "lines": ("long.txt", "--lines", "--threads", "2", "-o", "OUT.json.bz2"),
    "stdin": ("-o", "OUT.conllu"),
}


@pytest.fixture(scope="module")
def whole(folder: Path) -> Path:
    """What runs give that nobody interrupts."""
    place = folder / "whole"
    place.mkdir()
    (folder / "text.gz").write_bytes(gzip.compress((folder / "text.txt").read_bytes()))
    for variant, options in VARIANTS.items():
        (place / variant).mkdir()
        assert run(folder, place / variant, options) == 0
        assert not list((place / variant).glob("*.progress"))
    return place


def run(
    folder: Path,
    place: Path,
    options: tuple[str, ...],
    *,
    last: int = 0,
    action: str = "SIGKILL",
    stderr: list[str] | None = None,
) -> int:
    """Run the command with small parts, kill it at some point, and return its exit code."""
    arguments = [option.replace("OUT", str(place / "out")) for option in options]
    with (folder / "text.txt").open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-c", SMALL_PARTS, str(last), action, "parse", "model", *arguments],
            cwd=folder,
            stdin=stdin,
            capture_output=True,
            text=True,
        )
    assert "Traceback" not in done.stderr
    if stderr is not None:
        stderr.append(done.stderr)
    return done.returncode


def contents(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir()}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
class TestResume:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_killed_runs_end_with_the_same_bytes(
        self, folder: Path, whole: Path, tmp_path: Path, variant: str
    ) -> None:
        options = VARIANTS[variant]
        chance = random.Random(variant)
        codes = [run(folder, tmp_path, options, last=chance.randint(1, 4))]
        for _ in range(2):
            last = chance.randint(2, 7)
            codes.append(run(folder, tmp_path, (*options, "--resume"), last=last))
        assert codes[:2] == [-signal.SIGKILL] * 2
        if codes[-1] != 0:
            assert list(tmp_path.glob("*.progress"))
            assert run(folder, tmp_path, (*options, "--resume")) == 0
        assert contents(tmp_path) == contents(whole / variant)

    def test_keys_that_interrupt_leave_whole_files(
        self, folder: Path, whole: Path, tmp_path: Path
    ) -> None:
        stderr: list[str] = []
        options = VARIANTS["frame"]
        code = run(folder, tmp_path, options, last=6, action="SIGINT", stderr=stderr)
        assert code == 130
        assert "interrupted; to continue " in stderr[0]
        assert ", repeat the command with --resume" in stderr[0]
        assert (
            0 < len(list(read(tmp_path / "out.xml"))) < len(list(read(whole / "frame" / "out.xml")))
        )
        assert run(folder, tmp_path, (*options, "--resume")) == 0
        assert contents(tmp_path) == contents(whole / "frame")

    def test_full_disks(self, folder: Path, whole: Path, tmp_path: Path) -> None:
        out = tmp_path / "out.export"
        limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20000, -1))"
        done = subprocess.run(
            [
                *(sys.executable, "-c", f"{limited}\n{SMALL_PARTS}", "0", "SIGKILL", "parse"),
                *("model", "text.txt", "-o", str(out)),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert "File too large; to continue " in done.stderr
        assert ", repeat the command with --resume" in done.stderr
        assert run(folder, tmp_path, (*VARIANTS["plain"], "--resume")) == 0
        assert contents(tmp_path) == contents(whole / "plain")

    def test_random_times(self, folder: Path, tmp_path: Path) -> None:
        chance = random.Random(7)
        call = ["parse", "model", "long.txt", "--beam", "8", "-o"]
        command = [sys.executable, "-c", SMALL_PARTS, "0", "SIGKILL", *call]
        start = time.perf_counter()
        subprocess.run([*command, str(tmp_path / "whole.json")], cwd=folder, check=True)
        duration = time.perf_counter() - start  # machines differ
        out = tmp_path / "out.json"
        kills = 0
        for attempt in range(6):
            resume = ["--resume"] if attempt else []
            with subprocess.Popen([*command, str(out), *resume], cwd=folder) as process:
                time.sleep(duration * chance.uniform(0.2, 0.6))
                if process.poll() is not None:
                    assert process.returncode == 0
                    if kills:
                        break
                    out.unlink()  # this run was quicker than the first one
                    duration /= 2
                    continue
                process.kill()
                kills += 1
        else:
            subprocess.run([*command, str(out), "--resume"], cwd=folder, check=True)
        assert kills
        assert out.read_bytes() == (tmp_path / "whole.json").read_bytes()
        assert not out.with_name("out.json.progress").exists()

    def test_what_cannot_be_resumed_is_refused(self, folder: Path, tmp_path: Path) -> None:
        options = VARIANTS["plain"]
        assert run(folder, tmp_path, options, last=5) == -signal.SIGKILL
        before = contents(tmp_path)
        for other, message in (
            ((*options, "--beam", "1"), "the option --beam was None before, it is 1 now"),
            (("test.export", *options[1:]), "it was written from text.txt, not from test.export"),
            (
                (*options, "--tokenized"),
                "text.txt was read as raw before, it is read as tokens now",
            ),
        ):
            stderr: list[str] = []
            assert run(folder, tmp_path, (*other, "--resume"), stderr=stderr) == 2
            assert message in stderr[0]
            assert contents(tmp_path) == before
        out = tmp_path / "out.export"
        out.write_bytes(out.read_bytes()[:100])
        stderr = []
        assert run(folder, tmp_path, (*options, "--resume"), stderr=stderr) == 1
        assert "100 bytes, expected" in stderr[0]

    def test_outputs_may_be_moved_and_named_in_another_way(
        self, folder: Path, whole: Path, tmp_path: Path
    ) -> None:
        first, second = tmp_path / "first", tmp_path / "second"
        first.mkdir()
        options = VARIANTS["k-best"]
        assert run(folder, first, options, last=8) == -signal.SIGKILL
        assert (first / "out.discbracket").stat().st_size > 0
        relative = Path(os.path.relpath(first, folder))
        code = run(folder, relative, (*options, "--resume"), last=4)
        assert code == -signal.SIGKILL
        first.rename(second)
        assert run(folder, second, (*options, "--resume")) == 0
        assert contents(second) == contents(whole / "k-best")

    def test_interrupted_drawing(self, folder: Path, tmp_path: Path) -> None:
        interrupt = (
            "import crossbranch.drawing.page as page\n"
            "def draw(*_, **__): raise KeyboardInterrupt\n"
            "page.render = draw\nfrom crossbranch.cli import main\nmain()"
        )
        done = subprocess.run(
            [
                *(sys.executable, "-c", interrupt, "parse", "model", "Das ist gut."),
                *("-o", str(tmp_path / "x.html")),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 130
        assert done.stderr.endswith("crossbranch: interrupted\n")

    def test_finished_runs_are_left_alone(self, folder: Path, whole: Path) -> None:
        before = contents(whole / "plain")
        stderr: list[str] = []
        options = (*VARIANTS["plain"], "--resume")
        assert run(folder, whole / "plain", options, stderr=stderr) == 0
        assert "is complete: nothing to resume" in stderr[0]
        assert contents(whole / "plain") == before

    def test_resuming_what_never_began_is_beginning(
        self, folder: Path, whole: Path, tmp_path: Path
    ) -> None:
        assert run(folder, tmp_path, (*VARIANTS["plain"], "--resume")) == 0
        assert contents(tmp_path) == contents(whole / "plain")

    def test_runs_that_do_not_resume_begin_anew(
        self, folder: Path, whole: Path, tmp_path: Path
    ) -> None:
        assert run(folder, tmp_path, VARIANTS["plain"], last=5) == -signal.SIGKILL
        assert run(folder, tmp_path, VARIANTS["plain"]) == 0
        assert contents(tmp_path) == contents(whole / "plain")
