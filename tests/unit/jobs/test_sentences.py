"""The sentences of several inputs, from any place on."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import cast

import pytest

from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.jobs.inputs import RAW, JobInput
from crossbranch.jobs.sentences import JobSentences, ReadingOptions, TagCounts
from crossbranch.text import Tokenizer, decoding
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import write


class Words:
    """A tokenizer to whom a sentence is what stands before a full stop or a line end."""

    def stream(self, pieces: Iterable[str], *, lines: bool, start: int) -> Iterator[Tree]:
        for sentence in re.finditer(
            r"[^.\n]+" if not lines else r"[^\n]*\n|[^\n]+$", "".join(pieces)
        ):
            words = list(re.finditer(r"\S+", sentence[0]))
            first = start + sentence.start()
            tokens = [Token(w[0], start=first + w.start(), end=first + w.end()) for w in words]
            if tokens or lines:
                yield Tree(tokens, Node(ROOT, range(len(tokens))), text=sentence[0].strip())


def reading(**options: object) -> ReadingOptions:
    return ReadingOptions(tokenizer=cast("Tokenizer", Words()), **options)  # type: ignore[arg-type]


@pytest.fixture
def small_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "_SECTION", 30)


TEXT = "".join(f"Satz {n} ist da. Und nöch einer.\n" + "\n" * (n % 3 == 0) for n in range(40))


def inputs(folder: Path) -> list[JobInput]:
    """Inputs of every kind."""
    data = TEXT.encode()
    (folder / "a.txt").write_bytes(b"\xef\xbb\xbf" + data)
    (folder / "b.txt.gz").write_bytes(gzip.compress(data) + gzip.compress(data))
    (folder / "c.bz2").write_bytes(bz2.compress(data))
    (folder / "d.xz").write_bytes(lzma.compress(data + b"\xff\xfe bad."))
    (folder / "latin.txt").write_bytes(TEXT.encode("iso-8859-1"))
    (folder / "wide.txt").write_bytes(TEXT.encode("utf-16"))
    with zipfile.ZipFile(folder / "e.zip", "w") as archive:
        for name in ("1.txt", "2.txt", "10.txt"):
            archive.writestr(name, TEXT)
    (folder / "f.tagged").write_text("Das/X ist/Y\n\nGut/Z\n" * 9)
    write(sample(20, seed=1), folder / "g.export")
    raw = [
        JobInput(name=str(folder / name), format=RAW)
        for name in ("a.txt", "b.txt.gz", "c.bz2", "d.xz", "latin.txt", "wide.txt", "e.zip")
    ]
    others = [JobInput(name=str(folder / name), format=None) for name in ("f.tagged", "g.export")]
    text = JobInput(name="<text>", format=RAW, text=TEXT)
    return [*raw, *others, text, raw[0]]


@pytest.mark.usefixtures("small_sections")
@pytest.mark.parametrize("options", [{}, {"names_documents": True, "known_tags": {"X"}}])
def test_reading_can_go_on_from_everywhere(tmp_path: Path, options: dict[str, object]) -> None:
    given = inputs(tmp_path)
    sentences = JobSentences(given, reading(**options))
    whole = []
    notes = []
    for number, tree in enumerate(sentences.start()):
        if number % 13 == 0:
            notes.append((number, *sentences.mark_before(number)))
        whole.append(tree)
    assert sentences.replaced == 2
    assert len({(mark.input, mark.member, mark.at.byte) for _, mark, _ in notes}) > 40
    for number, mark, before in notes:
        again = JobSentences(given, reading(**options))
        rest = islice(again.start(mark, before), number - before, None)
        assert list(rest) == whole[number:]
        assert again.replaced == 2
        assert again.tags == sentences.tags
    assert sentences.tags.unknown == (18 if options else 0)


@pytest.mark.usefixtures("small_sections")
@pytest.mark.parametrize("lines", [False, True])
def test_offsets_are_those_in_the_file(tmp_path: Path, lines: bool) -> None:
    (tmp_path / "text").write_bytes(TEXT.replace("\n", "\r\n").encode() + b" \xff\xc3 end")
    given = [JobInput(name=str(tmp_path / "text"), format=RAW)]
    text = (tmp_path / "text").read_bytes().decode("utf-8", "replace")
    found = list(JobSentences(given, reading(lines=lines)).start())
    assert [tree.id for tree in found] == [str(n) for n in range(1, len(found) + 1)]
    if lines:
        assert len(found) == len(text.split("\n"))
    for tree in found:
        for token in tree.sentence:
            assert text[token.start : token.end] == token.form


def test_tags_of_treebanks_are_kept_or_not(tmp_path: Path) -> None:
    given = [one for one in inputs(tmp_path) if one.name.endswith((".tagged", ".export"))]

    def tags(**options: object) -> list[str]:
        trees = JobSentences(given, reading(**options)).start()
        return [token.tag for tree in trees for token in tree.sentence]

    predicted = tags()
    assert predicted[:3] == ["X", "Y", "Z"]
    assert set(predicted[27:]) == {""}
    kept = tags(keep_tags=True)
    assert kept[:27] == predicted[:27]
    assert all(kept)
    with pytest.raises(UsageError, match="has no tagger; give keep_tags"):
        tags(needs_tags=True)
    assert tags(needs_tags=True, keep_tags=True) == kept


def test_sentences_without_tags_where_they_are_needed(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("Das/X\nIst gut\nGut/Y\n")
    given = [JobInput(name=str(tmp_path / "x"), format="tagged")]
    errors: list[CrossbranchError] = []
    skipping = reading(needs_tags=True, on_error="skip", report=errors.append)
    found = list(JobSentences(given, skipping).start())
    assert [tree.id for tree in found] == ["1", "3"]
    assert "sentence 2: found the word 'Ist' without a tag" in str(errors[0])
    with pytest.raises(InputError, match="sentence 2"):
        list(JobSentences(given, reading(needs_tags=True)).start())


def test_numbers_go_on_over_files_without_ids(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a b\nc\n")
    given = [JobInput(name=str(tmp_path / "x"), format="tokens")] * 2
    found = JobSentences(given, reading()).start()
    assert [tree.id for tree in found] == ["1", "2", "3", "4"]
    given = [JobInput(name="<text>", format=RAW, text="Ja. Nein.")] * 2
    found = JobSentences(given, reading()).start()
    assert [tree.id for tree in found] == ["1", "2", "3", "4"]


def documents(given: list[JobInput], **options: object) -> list[tuple[str, tuple[str, ...]]]:
    """Sentences with comments: their first words and the comments."""
    found = JobSentences(given, reading(**{"names_documents": True} | options)).start()
    return [(tree.sentence[0].form, tree.comments) for tree in found if tree.comments]


def test_first_sentences_say_which_file_they_are_from(tmp_path: Path) -> None:
    for name, text in (("a", "A b. C."), ("empty", " \n"), ("d", "D. E.")):
        (tmp_path / name).write_text(text)
    one, empty, other = (
        JobInput(name=f"{tmp_path}/./{name}", format=RAW) for name in ["a", "empty", "d"]
    )
    given = JobInput(name="<text>", format=RAW, text="F. G.")
    first = ("A", (f"newdoc id = {one.name}",))
    second = ("D", (f"newdoc id = {other.name}",))
    assert documents([one, empty, other]) == [first, second]
    assert documents([one, other], names_documents=False) == []
    assert documents([one]) == []
    assert documents([given, given]) == []
    assert documents([one, given, other]) == [first, ("F", ("newdoc id = <text>",)), second]
    tokens = JobInput(name=one.name, format="tokens")
    assert documents([one, tokens]) == []


def test_files_of_an_archive_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("1.txt", "A. B.")
        archive.writestr("2.txt", "C.")
    assert documents([JobInput(name=str(path), format=RAW)]) == [
        ("A", (f"newdoc id = {path}/1.txt",)),
        ("C", (f"newdoc id = {path}/2.txt",)),
    ]


@pytest.mark.usefixtures("small_sections")
def test_the_first_sentence_may_be_in_a_later_section(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("\n\n" * 100 + TEXT)
    given = [JobInput(name=str(tmp_path / "a"), format=RAW)] * 2
    assert [comments for _, comments in documents(given)] == [(f"newdoc id = {tmp_path}/a",)] * 2
    sentences = JobSentences(given, reading(names_documents=True))
    whole = list(sentences.start())
    mark, before = sentences.mark_before(0)
    assert (mark.at.byte > 30, mark.begun, before) == (True, False, 0)
    assert list(JobSentences(given, reading(names_documents=True)).start(mark)) == whole


def test_names_that_are_no_unicode(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    try:
        Path(name).write_text("A.")
    except OSError:
        pytest.skip("not on this disk")
    ((_, comments), _) = documents([JobInput(name=name, format=RAW)] * 2)
    assert comments == (f"newdoc id = {tmp_path}/\ufffd",)


def test_tags_that_are_kept_are_counted(tmp_path: Path) -> None:
    (tmp_path / "x.tagged").write_text("Das/X ist\nGut/Z\n")
    (tmp_path / "y.tok").write_text("Das ist gut\n")
    write(sample(3, seed=1), tmp_path / "z.export")
    given = [
        JobInput(name=str(tmp_path / n), format=None) for n in ("x.tagged", "y.tok", "z.export")
    ]

    def counts(**options: object) -> TagCounts:
        sentences = JobSentences(given, reading(**options))
        list(sentences.start())
        return sentences.tags

    known = frozenset("X")
    assert counts() == TagCounts()
    assert counts(known_tags=known) == TagCounts(missing=1, unknown=1, example="Z")
    gold = counts(known_tags=known, keep_tags=True)
    assert gold.missing == 1
    assert gold.unknown == 1 + sum(len(tree.sentence) for tree in sample(3, seed=1))


def test_tags_of_no_use_are_counted() -> None:
    counts = TagCounts().add(["A", "", "B", ""], {"A", "B"})
    assert counts == TagCounts(missing=2)
    counts = counts.add(["x" * 99, "A", "y"], {"A"}).add(["", "z"], {"A"})
    assert counts == TagCounts(missing=3, unknown=3, example="x" * 40)


def test_damaged_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(TEXT.encode() * 50)[:-20])
    given = [
        JobInput(name=str(tmp_path / "x.gz"), format=RAW),
        JobInput(name="", format=RAW, text="A."),
    ]
    with pytest.raises(InputError, match=r"x\.gz: found unreadable data"):
        list(JobSentences(given, reading()).start())
    errors: list[CrossbranchError] = []
    found = list(JobSentences(given, reading(on_error="skip", report=errors.append)).start())
    assert len(found) > 3000
    assert found[-1].sentence[0].form == "A"
    assert len(errors) == 1


def test_bad_bytes_stop_where_an_encoding_is_given(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a. b\xff.")
    given = [JobInput(name=str(tmp_path / "x"), format=RAW)]
    with pytest.raises(InputError, match="byte 4: found the byte 0xff"):
        list(JobSentences(given, reading(encoding="utf-8")).start())
    skipping = JobSentences(given, reading(encoding="utf-8", on_error="skip"))
    assert [tree.sentence[0].form for tree in skipping.start()] == ["a", "b\ufffd"]
    assert skipping.replaced == 1
    with pytest.raises(UsageError, match="unknown encoding"):
        JobSentences(given, reading(encoding="utf-99"))


def test_a_guess_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes("Käse.".encode("latin-1"))
    told: list[str] = []
    given = [JobInput(name=str(tmp_path / "x"), format=RAW)]
    (tree,) = JobSentences(given, reading(tell=told.append)).start()
    assert tree.sentence[0].form == "Käse"
    assert "is read as iso-8859-1" in told[0]


def test_how_far_reading_is(tmp_path: Path) -> None:
    given = inputs(tmp_path)
    sentences = JobSentences(given, reading())
    assert sentences.size == sum(one.path.stat().st_size for one in given if one.path is not None)
    seen = [0]
    for _ in sentences.start():
        assert sentences.position >= seen[-1]
        seen.append(sentences.position)
    assert sentences.position == sentences.size
    assert JobSentences([JobInput(name="-", format=RAW)], reading()).size is None
