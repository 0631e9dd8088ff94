"""Files in whole parts, trees as text, and the notes about how far a run has got."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from crossbranch.cli import parse_output
from crossbranch.cli.parse_input import RAW, Input
from crossbranch.cli.parse_output import Drawn, InFormat, Parts
from crossbranch.cli.parse_raw import Place
from crossbranch.cli.parse_resume import (
    Note,
    identify,
    note_path,
    read_note,
    write_note,
    written,
)
from crossbranch.errors import CrossbranchError, InputError, LossWarning, TransformError, UsageError
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import FORMATS

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
    parts = Parts(path, "strict")
    assert path.read_bytes() == b"what was there before"
    parts.begin(0)
    parts.write("ä")
    parts.write("b")
    assert path.read_bytes() == b""
    parts.end_part()
    first = path.read_bytes()
    assert decompress(first) == "äb".encode()
    assert parts.size == len(first)
    parts.write("c")
    parts.end_part()
    parts.end_part()  # of nothing
    parts.close()
    whole = path.read_bytes()
    assert whole.startswith(first)
    assert decompress(whole) == "äbc".encode()

    path.write_bytes(whole + b"rubbish")
    parts = Parts(path, "strict")
    parts.begin(len(first))
    assert path.read_bytes() == first
    parts.write("c")
    parts.end_part()
    parts.close()
    assert path.read_bytes() == whole


def test_when_a_part_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_output, "_PART", 3)
    plain, packed = Parts(tmp_path / "a", "strict"), Parts(tmp_path / "a.gz", "strict")
    for parts in (plain, packed):
        parts.begin(0)
        parts.write("ab")
        assert not parts.is_full
    monkeypatch.setattr(parse_output, "_PATIENCE", -1)
    assert plain.is_full
    assert not packed.is_full  # what is in it must not depend on time
    packed.write("c")
    assert packed.is_full
    packed.end_part()
    assert not packed.is_full
    plain.close()
    packed.close()


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*: no such file or directory"):
        Parts(tmp_path / "nowhere" / "out", "strict")


def test_offsets_are_dropped_silently_and_other_things_are_not() -> None:
    writer = InFormat(FORMATS["discbracket"], on_error="stop", note=print)
    assert writer.tree(CROSSING, 7) == "(ROOT (A (X 0=a) (X 2=c)) (B (X 1=b)))\n"
    writer.warn()
    writer.tree(CROSSING, 8)
    with pytest.warns(LossWarning, match="dropped: 1 ids$"):
        writer.warn()


def test_trees_that_a_format_cannot_hold() -> None:
    with pytest.raises(TransformError, match="sentence 7: bracket cannot hold crossing"):
        InFormat(FORMATS["bracket"], on_error="stop", note=print).tree(CROSSING, 1)
    noted: list[CrossbranchError] = []
    assert InFormat(FORMATS["bracket"], on_error="skip", note=noted.append).tree(CROSSING, 1) == ""
    assert len(noted) == 1


def test_frames() -> None:
    writer = InFormat(FORMATS["tigerxml"], on_error="stop", note=print)
    assert writer.start().startswith("<?xml")
    assert writer.end() == "</body>\n</corpus>\n"


def test_drawn() -> None:
    drawn = Drawn(width=80, color=False)
    text = drawn.tree(CROSSING.replace(comments=["score 3"]), 1)
    assert text.startswith("7 score 3\n")
    assert text.endswith("\n\n")
    assert "ROOT" in text
    assert drawn.start() == drawn.end() == ""


class TestNotes:
    @pytest.fixture
    def out(self, tmp_path: Path) -> Path:
        (tmp_path / "in.txt").write_text("Eins. Zwei.")
        out = tmp_path / "out.export"
        out.write_text("0123456789" * 1000)
        return out

    def identity(self, out: Path, beam: int = 4, model: bytes = b"m", **more: object) -> dict:  # type: ignore[type-arg]
        inputs = [
            Input(name=str(out.with_name("in.txt")), format=RAW),
            Input(name="<text>", format=RAW, text=str(more.get("text", "ja"))),
            Input(name="-", format=RAW),
        ]
        if more.get("one"):
            inputs = inputs[:1]
        return identify(model, {"--beam": beam}, inputs)

    def note(self, out: Path) -> Note:
        note = Note(
            identity=self.identity(out),
            sentences=3,
            trees=6,
            place=Place(input=1, byte=4, encoding="utf-8"),
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
            ({"beam": 8}, "the option --beam was 4, and is 8"),
            ({"model": b"n"}, "written with another model"),
            ({"text": "nein"}, "<text> has changed since"),
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
        with pytest.raises(UsageError, match=r"in\.txt has changed since"):
            read_note(out, self.identity(out), [out])

    def test_changed_outputs_are_refused(self, out: Path) -> None:
        self.note(out)
        data = out.read_bytes()
        out.write_bytes(data[:9000] + b"anything")  # what was never noted
        read_note(out, self.identity(out), [out])
        out.write_bytes(data[:8999])
        with pytest.raises(InputError, match="8,999 bytes, expected 9,000 at least"):
            read_note(out, self.identity(out), [out])
        out.write_bytes(data[:8990] + b"x" * 1000)
        with pytest.raises(InputError, match="other content than was written"):
            read_note(out, self.identity(out), [out])
        out.unlink()
        with pytest.raises(InputError, match="found 0 bytes"):
            read_note(out, self.identity(out), [out])

    @pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"identity": 3}'])
    def test_damaged_notes_are_refused(self, out: Path, data: bytes) -> None:
        note_path(out).write_bytes(data)
        with pytest.raises(InputError, match=r"out\.export\.progress: found"):
            read_note(out, self.identity(out), [out])
