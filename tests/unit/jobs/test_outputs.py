"""Files in whole parts, trees as text, and the notes about how far a job has got."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from crossbranch.errors import CONTINUOUS_TREES, InputError, UsageError
from crossbranch.jobs import outputs
from crossbranch.jobs.inputs import RAW, JobInput
from crossbranch.jobs.notes import (
    JobIdentity,
    JobNote,
    identify,
    note_path,
    read_note,
    write_note,
    written,
)
from crossbranch.jobs.outputs import DrawnTrees, GrowingFile, formatted
from crossbranch.jobs.sentences import ReadingMark
from crossbranch.text.decoding import TextPlace
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import FORMATS, Header

CROSSING = Tree(
    [Token("a", "X", start=3, end=4), Token("b", "X", start=5, end=6), Token("c", "X")],
    Node(ROOT, [Node("A", [0, 2]), Node("B", [1])]),
    id="7",
    text="a b",
)


@pytest.mark.parametrize(
    ("suffix", "decompress"),
    [("", bytes), (".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress)],
)
def test_a_file_grows_by_parts(
    tmp_path: Path, suffix: str, decompress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"out{suffix}"
    path.write_bytes(b"what was there before")
    parts = GrowingFile(path, "strict")
    assert path.read_bytes() == b"what was there before"
    parts.begin(0)
    parts.write("ä")
    parts.write("b")
    assert path.read_bytes() == b""
    parts.flush()
    first = path.read_bytes()
    assert decompress(first) == "äb".encode()
    assert parts.size == len(first)
    parts.write("c")
    parts.flush()
    parts.flush()  # of nothing
    parts.close()
    whole = path.read_bytes()
    assert whole.startswith(first)
    assert decompress(whole) == "äbc".encode()

    path.write_bytes(whole + b"rubbish")
    parts = GrowingFile(path, "strict")
    parts.begin(len(first))
    assert path.read_bytes() == first
    parts.write("c")
    parts.flush()
    parts.close()
    assert path.read_bytes() == whole


def test_when_a_part_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "_PART", 3)
    plain, packed = GrowingFile(tmp_path / "a", "strict"), GrowingFile(tmp_path / "a.gz", "strict")

    def full() -> tuple[bool, bool]:
        return plain.is_full, packed.is_full

    for parts in (plain, packed):
        parts.begin(0)
        parts.write("ab")
    assert full() == (False, False)
    monkeypatch.setattr(outputs, "_PATIENCE", -1)
    assert full() == (True, False)  # what is in a packed part must not depend on time
    packed.write("c")
    assert full() == (True, True)
    packed.flush()
    assert full() == (True, False)
    plain.close()
    packed.close()


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*: no such file or directory"):
        GrowingFile(tmp_path / "nowhere" / "out", "strict")


def test_offsets_are_dropped_silently_and_other_things_are_not() -> None:
    writer = formatted(FORMATS["discbracket"])
    assert writer.tree(CROSSING, 7) == "(ROOT (A (X 0=a) (X 2=c)) (B (X 1=b)))\n"
    assert not writer.losses
    writer.tree(CROSSING, 8)
    assert writer.losses == {"ids": 1}


def test_trees_are_made_continuous_if_they_must_be() -> None:
    writer = formatted(FORMATS["bracket"])
    assert writer.tree(CROSSING, 7).count("(") > 4
    assert writer.losses[CONTINUOUS_TREES] == 1


def test_drawn() -> None:
    drawn = DrawnTrees(width=80, color=False)
    text = drawn.tree(CROSSING.replace(comments=["score 3"]), 1)
    assert text.startswith("7 score 3\n")
    assert text.endswith("\n\n")
    assert "ROOT" in text
    assert drawn.start(Header()) == drawn.end() == ""


class TestNotes:
    @pytest.fixture
    def out(self, tmp_path: Path) -> Path:
        (tmp_path / "in.txt").write_text("Eins. Zwei.")
        out = tmp_path / "out.export"
        out.write_text("0123456789" * 1000)
        return out

    def identity(
        self, out: Path, beam: int = 4, model: bytes = b"m", **more: object
    ) -> JobIdentity:
        inputs = [
            JobInput(name=str(out.with_name("in.txt")), format=RAW),
            JobInput(name="<text>", format=RAW, text=str(more.get("text", "ja"))),
            JobInput(name="-", format=RAW),
        ]
        if more.get("one"):
            inputs = inputs[:1]
        return identify(model, {"beam": beam}, inputs)

    def note(self, out: Path) -> JobNote:
        note = JobNote(
            identity=self.identity(out),
            sentences=3,
            trees=6,
            mark=ReadingMark(input=1, at=TextPlace(byte=4, encoding="utf-8")),
            before=2,
            outputs=written({out: 9000}),
        )
        write_note(out, note)
        return note

    def test_a_note_is_read_again(self, out: Path) -> None:
        assert self.note(out) == read_note(out, self.identity(out), [out])
        assert note_path(out).name == "out.export.progress"

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"beam": 8}, "the option beam was 4 before, it is 8 now"),
            ({"model": b"n"}, "written with another model"),
            ({"text": "nein"}, "changed since the interruption: <text>"),
            ({"one": True}, r"written from .*in.txt, <text>, -, not from .*in.txt$"),
        ],
    )
    def test_other_calls_are_refused(
        self, out: Path, change: dict[str, object], message: str
    ) -> None:
        self.note(out)
        with pytest.raises(UsageError, match=message):
            read_note(out, self.identity(out, **change), [out])  # type: ignore[arg-type]

    @pytest.mark.parametrize("text", ["Eins. Zwei!", "Eins. Zwei. Drei."])
    def test_changed_inputs_are_refused(self, out: Path, text: str) -> None:
        self.note(out)
        out.with_name("in.txt").write_text(text)
        with pytest.raises(UsageError, match=r"changed since the interruption: .*in\.txt"):
            read_note(out, self.identity(out), [out])

    def test_changed_outputs_are_refused(self, out: Path) -> None:
        self.note(out)
        data = out.read_bytes()
        out.write_bytes(data[:9000] + b"anything")  # what was never noted
        read_note(out, self.identity(out), [out])
        out.write_bytes(data[:8999])
        with pytest.raises(InputError, match="8,999 bytes, expected at least 9,000 bytes"):
            read_note(out, self.identity(out), [out])
        out.write_bytes(data[:8990] + b"x" * 1000)
        with pytest.raises(InputError, match="found changed content"):
            read_note(out, self.identity(out), [out])
        out.unlink()
        with pytest.raises(InputError, match="found 0 bytes"):
            read_note(out, self.identity(out), [out])

    @pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"identity": 3}'])
    def test_damaged_notes_are_refused(self, out: Path, data: bytes) -> None:
        note_path(out).write_bytes(data)
        with pytest.raises(InputError, match=r"out\.export\.progress: found"):
            read_note(out, self.identity(out), [out])
