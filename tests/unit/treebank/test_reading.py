"""Reading: which format, which encoding, one file or many, stop or skip."""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, read, write
from crossbranch.treebank.header import Header
from crossbranch.treebank.reading import (
    guess_format_by_name,
    same_file,
)


def export(*words: str, bos: int = 1, header: str = "#FORMAT 4\n") -> str:
    """An export file with one sentence for each word."""
    sentences = [
        f"#BOS {i}\n{word}\t--\tT\t--\t--\t500\n#500\t--\tS\t--\t--\t0\n#EOS {i}\n"
        for i, word in enumerate(words, bos)
    ]
    return header + "".join(sentences)


def forms(trees: object) -> list[str]:
    return [tree.sentence[0].form for tree in trees]  # type: ignore[attr-defined]


# --- which format

SAMPLES = {
    "export": export("a"),
    "tigerxml": (
        '<?xml version="1.0"?>\n<corpus id="c"><body><s id="s1"><graph root="s1_500">'
        '<terminals><t id="s1_1" word="a" pos="T"/></terminals><nonterminals>'
        '<nt id="s1_500" cat="S"><edge idref="s1_1" label="--"/></nt></nonterminals></graph></s>'
        "</body></corpus>\n"
    ),
    "alpino": (
        '<alpino_ds version="1.3"><node begin="0" cat="top" end="1" id="0" rel="top">'
        '<node begin="0" end="1" id="1" pt="T" rel="--" word="a"/></node>'
        '<sentence sentid="1">a</sentence></alpino_ds>\n'
    ),
    "discbracket": "(S (T 0=a))\n",
    "bracket": "(S (T a))\n",
    "psd": "( (IP (T a-lemma)) (ID X,.1))\n",
    "json": '{"tokens": [{"form": "a"}], "nodes": [{"label": "S", "children": [0]}]}\n',
    "conllu": "1\ta\ta\tX\tT\t_\t0\troot\t_\t_\n\n",
    "tagged": "a/T\n",
    "tokens": "a b\n",
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("lead", ["", "\ufeff"])
def test_formats_are_known_by_content(name: str, lead: str) -> None:
    reader = read(io.BytesIO((lead + SAMPLES[name]).encode()))
    assert forms(reader) == ["a"]
    assert reader.format == name


@pytest.mark.parametrize("name", SAMPLES)
def test_content_counts_for_more_than_the_name(name: str, tmp_path: Path) -> None:
    for suffix in (".txt", ".txt.gz", ".unknown", ""):
        path = tmp_path / f"file{suffix}"
        path.write_text(SAMPLES[name], encoding="utf-8")
        reader = read(path)
        assert forms(reader) == ["a"]
        assert reader.format == name


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"tokens", "tagged"}))
def test_rubbish_is_not_taken_for_plain_text_when_the_name_says_something_else(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / f"file{FORMATS[name].suffixes[0]}"
    path.write_text("Hello you\n" + SAMPLES[name], encoding="utf-8")
    with pytest.raises(InputError):
        list(read(path))


def test_both_formats_fit_and_the_name_decides(tmp_path: Path) -> None:
    for suffix, format, count in ((".tagged", "tagged", 1), (".tok", "tokens", 1)):
        path = tmp_path / f"file{suffix}"
        path.write_text("and/or\n", encoding="utf-8")
        reader = read(path)
        assert len(list(reader)) == count
        assert reader.format == format


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x03", bytes(range(256)) * 10, b"\x7fELF\x02\x01\x01\0"]
)
def test_binary_rubbish_is_in_no_known_format(data: bytes) -> None:
    with pytest.raises(
        InputError, match="byte 0: found text in an unknown format, expected one of"
    ):
        list(read(io.BytesIO(data)))
    problems: list[InputError] = []
    assert list(read(io.BytesIO(data), on_error="skip", report=problems.append)) == []
    assert len(problems) == 1


def test_blank_lines_are_told_apart_quickly() -> None:
    text = "\n" * 50_000 + export("a")
    assert forms(read(io.BytesIO(text.encode()))) == ["a"]
    for filler in ("\n", " ", "\t\n", "(", "((", "<", "<!--", "%%\n", "#", "# \n", "&", "1\t"):
        for format in FORMATS.values():
            format.looks_like(filler * 30_000 + "x")


def test_an_empty_file_has_no_trees(tmp_path: Path) -> None:
    for name in ("a.export", "a.mrg", "a.json", "a.tok", "a"):
        (tmp_path / name).write_bytes(b"")
        assert list(read(tmp_path / name)) == []


@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if format.suffixes])
@pytest.mark.parametrize("packed", ["", ".gz", ".XZ"])
def test_the_name_tells_the_format_to_write(name: str, packed: str) -> None:
    suffix = FORMATS[name].suffixes[0]
    assert guess_format_by_name(FORMATS, f"folder/file{suffix}{packed}").name == name
    assert guess_format_by_name(FORMATS, f"FILE{suffix.upper()}{packed}").name == name


def test_a_name_that_tells_nothing() -> None:
    with pytest.raises(UsageError, match=r"cannot recognise the format.*'file.docx'.*\.export, "):
        guess_format_by_name(FORMATS, "file.docx")


# --- wrong calls


def test_wrong_calls_are_noticed_at_once() -> None:
    with pytest.raises(UsageError, match="unknown format 'word'; expected one of export, "):
        read("missing", format="word")
    with pytest.raises(UsageError, match="unknown encoding: klingon"):
        read("missing", encoding="klingon")
    with pytest.raises(UsageError, match="'never', expected 'stop' or 'skip'"):
        read("missing", on_error="never")  # type: ignore[arg-type]


def test_a_missing_file_is_noticed_with_the_first_tree() -> None:
    reader = read("missing.export")
    with pytest.raises(UsageError, match=r"cannot read missing\.export: no such file"):
        next(reader)


# --- encodings


def test_text_streams_need_no_encoding() -> None:
    for encoding in (None, "iso-8859-1", "utf-16"):
        stream = io.StringIO(export("Käse"))
        assert forms(read(stream, encoding=encoding)) == ["Käse"]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "utf-8-sig", "utf-32"])
def test_encodings_are_given_or_detected(encoding: str) -> None:
    data = export("Käse").encode(encoding)
    assert forms(read(io.BytesIO(data), encoding=encoding)) == ["Käse"]
    assert forms(read(io.BytesIO(data))) == ["Käse"]


def test_plain_text_in_iso_8859_1() -> None:
    reader = read(io.BytesIO("Käse und\nBär\n".encode("iso-8859-1")))
    assert [len(tree.sentence) for tree in reader] == [2, 1]
    assert reader.format == "tokens"


def test_windows_line_ends() -> None:
    data = export("Käse", "b").replace("\n", "\r\n").encode()
    trees = list(read(io.BytesIO(data)))
    assert trees == list(read(io.StringIO(export("Käse", "b"))))


def test_a_bad_byte_costs_one_sentence() -> None:
    data = export("ä", "ö", "ü", "é", "ß").encode().replace("ü".encode(), b"\xfc")
    with pytest.raises(InputError, match=r"<stream>:11: sentence 3: found the byte 0xfc, .* utf-8"):
        list(read(io.BytesIO(data)))
    problems: list[InputError] = []
    reader = read(io.BytesIO(data), on_error="skip", report=problems.append)
    assert forms(reader) == ["ä", "ö", "é", "ß"]
    assert [problem.line for problem in problems] == [11]
    assert reader.skipped == 1


def test_the_wrong_encoding_given() -> None:
    data = export("ä").encode("iso-8859-1")
    with pytest.raises(InputError, match="0xe4, expected text in the encoding utf-8"):
        list(read(io.BytesIO(data), encoding="utf-8"))


# --- many files


def test_a_folder_is_one_treebank(tmp_path: Path) -> None:
    (tmp_path / "10.export").write_text(export("c", bos=3), encoding="utf-8")
    (tmp_path / "9.export.gz").write_bytes(
        gzip.compress(export("a", "b", header="%% the header\n").encode())
    )
    (tmp_path / "11.mrg").write_text("(S (T d))", encoding="utf-8")
    reader = read(tmp_path)
    assert reader.header == Header(comments=("the header",))
    assert forms(reader) == ["a", "b", "c", "d"]
    assert reader.format == "bracket"
    assert reader.header == Header(comments=("the header",))


def test_text_beside_a_treebank_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("Do what you want.\n", encoding="utf-8")
    (tmp_path / "notes.md").write_text("About this\n", encoding="utf-8")
    (tmp_path / "z.export").write_text(export("a", header="%% h\n"), encoding="utf-8")
    reader = read(tmp_path)
    assert reader.header.comments == ("h",)
    assert forms(reader) == ["a"]
    (tmp_path / "z.export").unlink()
    with pytest.raises(InputError, match="only plain text files"):
        list(read(tmp_path))
    assert len(list(read(tmp_path, format="tokens"))) == 2
    (tmp_path / "a.txt").write_text("plain tokens\n", encoding="utf-8")
    assert forms(read(tmp_path)) == ["plain"]


def test_one_bad_file_of_a_folder_costs_itself(tmp_path: Path) -> None:
    (tmp_path / "1.export").write_text(export("a"), encoding="utf-8")
    (tmp_path / "2.bin").write_bytes(bytes(range(32)))
    (tmp_path / "3.zip").write_bytes(b"PK\x03\x04 rubbish")
    whole = lzma.compress(export(*"bcdefghijk").encode())
    (tmp_path / "4.export.xz").write_bytes(whole[:-30])
    (tmp_path / "5.export").write_text("#BOS 1\nrubbish\n#EOS 1\n" + export("y"), encoding="utf-8")
    (tmp_path / "6.export").write_text(export("z"), encoding="utf-8")
    problems: list[InputError] = []
    reader = read(tmp_path, on_error="skip", report=problems.append)
    found = forms(reader)
    assert (found[0], found[-1]) == ("a", "z")
    assert "b" in found  # what comes before the damage is read
    places = [Path(problem.path).name for problem in problems]
    assert places[:2] == ["2.bin", "3.zip"]
    assert set(places) == {"2.bin", "3.zip", "4.export.xz", "5.export"}
    assert reader.skipped == len(problems)
    with pytest.raises(InputError, match=r"2\.bin"):
        list(read(tmp_path))


def test_the_members_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "corpus.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("part/2.export", export("b"))
        archive.writestr("part/10.export", export("c"))
        archive.writestr("part/1.export", export("a"))
        archive.writestr("README", "about")
    assert forms(read(path)) == ["a", "b", "c"]


def test_truncation_is_an_error_after_the_trees_before_it(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(3000)]
    path = tmp_path / "a.export.gz"
    path.write_bytes(gzip.compress(export(*words).encode())[:-100])
    found: list[str] = []
    trees = (tree.sentence[0].form for tree in read(path))
    with pytest.raises(InputError, match=r"a\.export\.gz: found unreadable data .*undamaged"):
        found.extend(trees)
    assert 1000 < len(found) < 3000
    assert found == words[: len(found)]


# --- the reader


def test_a_reader_streams() -> None:
    class Endless(io.RawIOBase):
        rest = b""

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            self.rest = self.rest or export("a", header="").encode()
            data, self.rest = self.rest[:size], self.rest[size:]
            return data

    reader = read(Endless())  # type: ignore[arg-type]
    assert [next(reader).id for _ in range(5)] == ["1"] * 5


def test_the_header_can_be_asked_for_at_any_time() -> None:
    text = export("a", "b", header="#FORMAT 3\n%% hello\n").replace("\t--\tT", "\tT")
    text = text.replace("\t--\tS", "\tS")
    reader = read(io.StringIO(text))
    assert reader.header.comments == ("hello",)
    assert forms([next(reader)]) == ["a"]
    assert reader.header.comments == ("hello",)
    assert forms(reader) == ["b"]
    assert reader.header.comments == ("hello",)
    assert read(io.StringIO("#FORMAT 4\n%% only\n")).header.comments == ("only",)
    assert read(io.StringIO("")).header == Header()


def test_the_header_travels_with_the_reader() -> None:
    target = io.StringIO()
    write(read(io.StringIO(export("a", header="#FORMAT 4\n%% hello\n"))), target, format="export")
    assert target.getvalue() == export("a", header="#FORMAT 4\n%% hello\n")


def test_what_is_read_cannot_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.export"
    path.write_text(export("a"), encoding="utf-8")
    (tmp_path / "link.export").symlink_to(path)
    for target in (path, str(path), tmp_path / "link.export"):
        with pytest.raises(UsageError, match="it is the input, or a file of the input"):
            write(read(path), target)
    with pytest.raises(UsageError, match="it is the input, or a file of the input"):
        write(read(tmp_path), tmp_path / "new.export")
    assert path.read_text(encoding="utf-8") == export("a")
    assert write(read(path), tmp_path / "b.export") == {}
    assert (tmp_path / "b.export").read_text(encoding="utf-8") == export("a")


def test_same_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert same_file(tmp_path / "a", str(tmp_path / "a"))
    assert not same_file(tmp_path / "a", tmp_path / "b")
    assert not same_file(io.BytesIO(), tmp_path / "a")
    assert not same_file("-", "-")
    assert same_file(tmp_path, tmp_path / "new")
    assert not same_file(tmp_path, "-")


def test_a_folder_can_be_written_to_standard_output_from_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "a.export").write_text(export("a"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    write(read("."), "-", format="export")
    assert capfdbinary.readouterr().out.decode() == export("a")


@pytest.mark.parametrize("name", ["./notes", "notes", "../here/notes"])
def test_plain_text_named_by_the_user_is_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "notes").write_text("plain text\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    assert forms(read(name)) == ["plain"]


def test_readers_are_iterators_of_trees() -> None:
    reader = read(io.StringIO(export("a")))
    assert iter(reader) is reader
    assert isinstance(next(reader), Tree)
    with pytest.raises(StopIteration):
        next(reader)
