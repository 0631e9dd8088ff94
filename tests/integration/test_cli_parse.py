"""crossbranch parse: from text to trees."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from pathlib import Path

import pytest
from commands import crossbranch
from parse_folder import parse_folder

from crossbranch.conversion import make_continuous
from crossbranch.drawing import draw_text
from crossbranch.parsers import load
from crossbranch.treebank import read


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = parse_folder(tmp_path_factory.mktemp("parse"))
    (place / "x.tok").write_text("Das ist gut\n")
    return place


def remarks(stderr: str) -> list[str]:
    """What is said, except that a small model knows few words."""
    return [line for line in stderr.splitlines() if " mostly unknown words" not in line]


class TestInput:
    def test_a_text_is_drawn(self, folder: Path) -> None:
        stdout, stderr = crossbranch("parse", folder / "model", "Das ist gut. Sie kommt.")
        (first, second) = load(folder / "model").parse_text("Das ist gut. Sie kommt.")
        assert stdout == f"{draw_text(first)}\n\n{draw_text(second)}\n\n"
        assert not remarks(stderr)

    def test_every_way_of_giving_text_is_the_same(self, folder: Path, tmp_path: Path) -> None:
        text = (folder / "text.txt").read_text(encoding="utf-8")
        (tmp_path / "packed.gz").write_bytes(gzip.compress(text.encode()))
        (tmp_path / "texts").mkdir()
        (tmp_path / "texts" / "1.txt").write_text(text)
        call = ("parse", folder / "model", "--to", "json")
        expected, stderr = crossbranch(*call, text)
        assert not remarks(stderr)
        assert crossbranch(*call, stdin=text.encode())[0] == expected
        assert crossbranch(*call, "-", stdin=gzip.compress(text.encode()))[0] == expected
        for name in (folder / "text.txt", tmp_path / "packed.gz", tmp_path / "texts"):
            assert crossbranch(*call, name)[0] == expected
        trees = load(folder / "model").parse_text(text)
        (tmp_path / "trees.json").write_text(expected)
        assert list(read(tmp_path / "trees.json")) == list(trees)

    def test_functions_can_be_left_out(self, folder: Path) -> None:
        call = ("parse", folder / "model", folder / "test.export", "--to", "json")
        trees = [json.loads(line) for line in crossbranch(*call)[0].splitlines()]
        bare = [json.loads(line) for line in crossbranch(*call, "--no-functions")[0].splitlines()]
        assert any(node.get("edge_label") for tree in trees for node in tree["nodes"])
        for tree in bare:
            assert not any(node.get("edge_label") for node in tree["nodes"])
            assert not any("head" in node for node in tree["nodes"])

    def test_several_inputs_make_one_output(self, folder: Path) -> None:
        stdout, _ = crossbranch(
            *("parse", folder / "model", "Das ist gut.", folder / "test.export", "-", "--to"),
            "json",
            stdin=b"Sie kommt. Er auch.",
        )
        records = [json.loads(line) for line in stdout.splitlines()]
        assert [record["id"] for record in (records[0], *records[-2:])] == ["1", "22", "23"]
        assert [record["id"] for record in records[1:-2]] == [str(n) for n in range(1, 21)]
        assert records[-1]["tokens"][0]["start"] == 11

    def test_trees_say_which_file_they_are_from(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("Das ist gut. Sie kommt.")
        (tmp_path / "b.txt").write_text("Er auch.")
        files = ("a.txt", "b.txt", "-")
        for format in ("json", "conllu", "export", "discbracket", "tigerxml"):
            call = ("parse", folder / "model", *files, "--to", format)
            stdout, stderr = crossbranch(*call, stdin=b"Gut. Ja.", cwd=tmp_path)
            (tmp_path / "out").write_text(stdout)
            comments = [tree.comments for tree in read(tmp_path / "out", format=format)]
            first = [(f"newdoc id = {name}",) for name in files]
            assert comments == [first[0], (), first[1], first[2], ()]
            assert not remarks(stderr)
        again, _ = crossbranch(*call, "--threads", "2", stdin=b"Gut. Ja.", cwd=tmp_path)
        assert again == stdout
        several = ("parse", folder / "model", "a.txt", "b.txt", "--to")
        _, stderr = crossbranch(*several, "tagged", "--tags-only", cwd=tmp_path)
        assert not remarks(stderr)
        stdout, _ = crossbranch(*several, "json", "--k-best", "2", cwd=tmp_path)
        assert stdout.count("newdoc id = ") == 2

    def test_tags_that_the_model_cannot_use(self, folder: Path) -> None:
        call = ("parse", folder / "model", "--to", "tagged", "--tagged")
        _, stderr = crossbranch(*call, stdin=b"Das/foo ist gut/bar\nJa/foo\n")
        assert "crossbranch: 1 token had no tag; the model predicted one\n" in stderr
        assert (
            "crossbranch: 3 tokens have a tag that the model does not know (such as 'foo')\n"
            in stderr
        )
        _, stderr = crossbranch(*call, "--tags-only", stdin=b"Das/foo ist gut/bar\nJa/foo\n")
        assert not remarks(stderr)
        model, gold = folder / "model", folder / "test.export"
        assert not remarks(crossbranch("parse", model, gold, "--gold-tags")[1])

    def test_damaged_files_are_read_up_to_there(self, folder: Path, tmp_path: Path) -> None:
        packed = gzip.compress((folder / "long.txt").read_bytes())
        (tmp_path / "x.gz").write_bytes(packed[: len(packed) // 2])
        call = ("parse", folder / "model", "x.gz", "--on-error", "skip")
        stdout, stderr = crossbranch(*call, cwd=tmp_path)
        assert stdout.count("#BOS") > 10
        first, *others = remarks(stderr)
        assert first.startswith("crossbranch: skipped: x.gz: found unreadable data")
        assert others == ["crossbranch: the rest of x.gz could not be read"]

    def test_lines_keep_their_places(self, folder: Path) -> None:
        text = b"Das ist gut. Sie kommt.\n\nGut\n"
        call = ("parse", folder / "model", "--to")
        stdout, _ = crossbranch(*call, "tokens", "--lines", stdin=text)
        assert stdout == "Das ist gut . Sie kommt .\n\nGut\n"
        stdout, _ = crossbranch(*call, "tokens", "--tokenized", stdin=text)
        assert stdout == "Das ist gut. Sie kommt.\n\nGut\n"
        stdout, _ = crossbranch(*call, "tagged", "--tagged", stdin=b"Das/A ist/B\n\nGut/C\n")
        assert stdout == "Das/A ist/B\n\nGut/C\n"
        stdout, _ = crossbranch(*call, "tagged", "--tagged", "Das/A ist/B")
        assert stdout == "Das/A ist/B\n"

    def test_tags_of_treebanks_are_predicted_unless_asked_for(self, folder: Path) -> None:
        call = ("parse", folder / "model", folder / "test.export", "--to", "tagged")
        gold = "".join(
            " ".join(f"{token.form}/{token.tag}" for token in tree.sentence) + "\n"
            for tree in read(folder / "test.export")
        )
        tagger = load(folder / "model")
        predicted = "".join(
            " ".join(f"{token.form}/{token.tag}" for token in tree.sentence) + "\n"
            for tree in tagger.tag(read(folder / "test.export"))
        )
        assert predicted != gold
        for flag in ("--gold-tags", "--keep-tags"):
            assert crossbranch(*call, flag)[0].replace("&#x2f;", "/") == gold
        assert crossbranch(*call)[0].replace("&#x2f;", "/") == predicted
        assert crossbranch(*call, "--tags-only")[0].replace("&#x2f;", "/") == predicted

    def test_tags_from_another_file(self, folder: Path, tmp_path: Path) -> None:
        """A model without a tagger takes the tags of a file, and refuses one that does not fit."""
        text = "".join(
            " ".join(f"{word}/NN" for word in tree.words) + "\n"
            for tree in read(folder / "test.export")
        )
        (tmp_path / "x.tagged").write_text(text)
        call = ("parse", folder / "bare", folder / "test.export", "--to", "tagged", "--tags-from")
        stdout, _ = crossbranch(*call, tmp_path / "x.tagged")
        assert {word.rpartition("/")[2] for word in stdout.split()} == {"NN"}
        (tmp_path / "short.tagged").write_text("x/NN " + text)
        _, stderr = crossbranch(*call, tmp_path / "short.tagged", code=1)
        assert re.search(r"short\.tagged.*sentence 1: found \d+ words, expected \d+, as in", stderr)
        (tmp_path / "other.tagged").write_text(re.sub(r"\S+/", "x/", text))
        _, stderr = crossbranch(*call, tmp_path / "other.tagged", code=1)
        assert re.search(r"other\.tagged:1: sentence 1: found the word 'x', expected '", stderr)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("model", "Ja .", "--tags-from", "x"), "--tags-from needs a treebank"),
            (
                ("model", "test.export", "--tags-from", "x", "--resume", "-o", "x.json"),
                "--tags-from cannot be used with --resume",
            ),
            (
                ("model", "test.export", "--tags-from", "x", "--gold-tags"),
                "--gold-tags and --tags-from exclude each other; give one of them",
            ),
            (("model", "nichts.txt"), "cannot read nichts.txt: no such file"),
            (("model", "und/oder"), "send it to standard input"),
            (("bare", "Das ist gut"), "no tagger: write word/tag and give --tagged"),
            (("text.txt",), "the model comes first"),
            (("Das ist gut.",), "the model comes first"),
            (("Das ist gut. " * 50,), "the model comes first"),
            (("model", "model"), "model is a model, not a treebank"),
            (("bare", "--tags-only", "--tagged", "a/b c/d"), "--tags-only needs a model with"),
            (("model", "--tags-only", "Ja .", "--k-best", "2"), "remove --k-best"),
            (("model", "--tags-only", "Ja .", "--beam", "2"), "remove --beam"),
            (("model", "--tags-only", "test.export", "--gold-tags"), "--tags-only predicts tags"),
            (("model", "Ja .", "--gold-tags"), "--gold-tags needs a treebank"),
            (("model", "--tagged", "Ja/A", "--gold-tags"), "--gold-tags needs a treebank"),
            (("model", "x.tok", "--gold-tags"), "--gold-tags needs a treebank"),
            (("model", "Ja .", "-o", "model"), "model is a folder; choose what to draw with --to"),
            (("model", "Ja .", "-o", "x.unknown"), "; for drawings: .txt, .svg"),
            (("model", "Ja .", "--confidence"), "drawings do not show confidence"),
            (("model", "Ja .", "--resume"), "--resume needs -o FILE"),
            (("model", "Ja .", "--resume", "-o", "x.svg"), "svg cannot be used with --resume or"),
            (("model", "Ja .", "--resume", "-o", "x.zip", "--to", "json"), "--resume needs -o"),
            (("model", "Ja .", "-o", "x.unknown"), "cannot recognise the format by the name"),
            (("model", "Ja .", "--lines", "--from", "json"), "exclude each other"),
            (("model", "text.txt", "-o", "text.txt"), "a file of the input"),
            (("model", "Ja .", "-o", "no/x.json"), "cannot write no/x.json: no such file or"),
        ],
    )
    def test_what_is_wrong_with_a_call_is_said(
        self, folder: Path, arguments: tuple[str, ...], message: str
    ) -> None:
        before = sorted(path.name for path in folder.iterdir())
        _, stderr = crossbranch("parse", *arguments, code=2, cwd=folder)
        assert message in stderr
        assert sorted(path.name for path in folder.iterdir()) == before

    @pytest.mark.parametrize("name", ["empty.txt", "empty.export"])
    def test_nothing_to_parse_is_said(self, folder: Path, tmp_path: Path, name: str) -> None:
        (tmp_path / name).touch()
        _, stderr = crossbranch("parse", folder / "model", tmp_path / name)
        assert remarks(stderr) == ["crossbranch: no sentence to parse"]
        stdout, stderr = crossbranch("parse", folder / "model", "")
        assert not stdout
        assert remarks(stderr) == ["crossbranch: no sentence to parse"]

    @pytest.mark.parametrize(
        ("data", "encoding", "message"),
        [
            (b"%PDF-1.4\n1 0 obj\n", "latin-1", "looks like a PDF file, not like text"),
            (
                "Das ist gut.".encode("utf-16-le"),
                "utf-16-le",
                "looks like binary data, or UTF-16 without a",
            ),
        ],
    )
    def test_a_file_that_is_no_text_is_named(
        self, folder: Path, tmp_path: Path, data: bytes, encoding: str, message: str
    ) -> None:
        (tmp_path / "paper").write_bytes(data)
        _, stderr = crossbranch("parse", folder / "model", tmp_path / "paper")
        assert message in stderr
        _, stderr = crossbranch(
            "parse", folder / "model", tmp_path / "paper", "--encoding", encoding
        )
        assert message not in stderr

    def test_encodings(self, folder: Path, tmp_path: Path) -> None:
        text = "Das Mädchen kommt nicht. Es läuft.\n" * 3
        (tmp_path / "latin.txt").write_bytes(text.encode("latin-1"))
        (tmp_path / "wide.txt").write_bytes(text.encode("utf-16"))
        (tmp_path / "bad.txt").write_bytes(text.encode() + b" \xff\xfe\n")
        call = ("parse", folder / "model", "--to", "discbracket")
        expected, _ = crossbranch(*call, text)
        stdout, stderr = crossbranch(*call, tmp_path / "latin.txt")
        assert stdout == expected
        assert "latin.txt is not UTF-8 and is read as iso-8859-1" in stderr
        stdout, stderr = crossbranch(*call, tmp_path / "wide.txt")
        assert (stdout, remarks(stderr)) == (expected, [])
        stdout, stderr = crossbranch(*call, tmp_path / "bad.txt")
        assert stdout.startswith(expected)
        assert "2 characters could not be decoded and became U+FFFD" in stderr
        strict = (*call, tmp_path / "bad.txt", "--encoding", "utf-8")
        _, stderr = crossbranch(*strict, code=1)
        assert "bad.txt: byte 112: found the byte 0xff" in stderr
        assert crossbranch(*strict, "--on-error", "skip")[0] == stdout


class TestOutput:
    @pytest.mark.parametrize(
        "name",
        ["x.export", "x.xml", "x.discbracket", "x.json.gz", "x.conllu.xz", "x.json.bz2", "x.zip"],
    )
    def test_files(self, folder: Path, tmp_path: Path, name: str) -> None:
        to = ("--to", "json") if name == "x.zip" else ()
        stdout, stderr = crossbranch(
            "parse", folder / "model", folder / "text.txt", "-o", tmp_path / name, *to
        )
        assert (stdout, remarks(stderr)) == ("", [])
        assert [path.name for path in tmp_path.iterdir()] == [name]
        expected = load(folder / "model").parse_text((folder / "text.txt").read_text())
        found = list(read(tmp_path / name))
        assert [tree.brackets for tree in found] == [tree.brackets for tree in expected]

    def test_names_of_texts_are_pictures(self, folder: Path, tmp_path: Path) -> None:
        crossbranch("parse", folder / "model", "Das ist gut.", "-o", tmp_path / "x.txt")
        assert "┌" in (tmp_path / "x.txt").read_text()

    @pytest.mark.parametrize(
        ("name", "start"),
        [("x.svg", b"<svg "), ("x.html", b"<!DOCTYPE html>"), ("x.tex", b"\\begin{tikz")],
    )
    def test_pictures_by_name(self, folder: Path, tmp_path: Path, name: str, start: bytes) -> None:
        crossbranch("parse", folder / "model", "Das ist gut.", "-o", tmp_path / name)
        assert start.lower() in (tmp_path / name).read_bytes().lower()[:200]

    def test_one_picture_for_several_trees(self, folder: Path, tmp_path: Path) -> None:
        call = ("parse", folder / "model", "Das ist gut. Sie kommt.", "-o")
        _, stderr = crossbranch(*call, tmp_path / "x.svg", code=2)
        assert "give a folder, such as -o pictures/\n" in stderr  # there is no --number here
        crossbranch(*call, f"{tmp_path}/pictures/", "--to", "svg")
        assert len(list((tmp_path / "pictures").iterdir())) == 2

    def test_no_picture_of_nothing(self, folder: Path, tmp_path: Path) -> None:
        _, stderr = crossbranch("parse", folder / "model", "-o", tmp_path / "x.svg", stdin=b"\n")
        assert "crossbranch: no tree to draw" in stderr
        assert not list(tmp_path.iterdir())

    def test_pages_are_called_as_their_files(self, folder: Path, tmp_path: Path) -> None:
        crossbranch("parse", folder / "model", folder / "text.txt", "-o", tmp_path / "x.html")
        assert "<title>text.txt</title>" in (tmp_path / "x.html").read_text()

    def test_ranks_are_drawn(self, folder: Path) -> None:
        stdout, _ = crossbranch(
            "parse", folder / "model", "Das ist gut.", "--k-best", "2", "--beam", "32"
        )
        assert stdout.startswith("1.1 score ")
        assert "\n1.2 score " in stdout

    def test_existing_files_are_replaced(self, folder: Path, tmp_path: Path) -> None:
        out = tmp_path / "x.tok"
        out.write_text("something long that was there before\n" * 9)
        crossbranch("parse", folder / "model", "Das ist gut.", "-o", out, "--to", "tokens")
        assert out.read_text() == "Das ist gut .\n"

    def test_nothing_in_nothing_out(self, folder: Path, tmp_path: Path) -> None:
        out = tmp_path / "x.xml"
        crossbranch("parse", folder / "model", "-o", out, "--to", "tigerxml", stdin=b" \n\n ")
        assert list(read(out)) == []
        assert out.read_text().endswith("</corpus>\n")
        assert crossbranch("parse", folder / "model", "--lines")[0] == "#FORMAT 4\n"

    def test_what_is_written_before_an_error_stays(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "x.tagged").write_text("Das/A\nIst\n")
        out = tmp_path / "x.xml"
        call = ("parse", folder / "bare", tmp_path / "x.tagged", "-o", out, "--to", "tigerxml")
        _, stderr = crossbranch(*call, code=1)
        assert "sentence 2: found the word 'Ist' without a tag" in stderr
        assert "; to continue " in stderr
        assert ", repeat the command with --on-error skip --resume" in stderr
        assert len(list(read(out))) == 1  # and the file is whole
        assert "1 bad sentence was skipped" in crossbranch(*call, "--on-error", "skip")[1]
        assert len(list(read(out))) == 1
        crossbranch(*call, code=1)
        crossbranch(*call, "--on-error", "skip", "--resume")
        assert len(list(read(out))) == 1

    def test_crossing_branches_go_where_a_format_has_none(
        self, folder: Path, tmp_path: Path
    ) -> None:
        call = ("parse", folder / "model", folder / "test.export")
        out = tmp_path / "out.mrg"
        _, stderr = crossbranch(*call, "-o", out)
        assert "bracket cannot hold everything; " in stderr
        assert "made continuous: " in stderr
        crossbranch(*call, "-o", tmp_path / "out.export")
        trees = list(read(tmp_path / "out.export"))
        assert any(tree.is_discontinuous for tree in trees)
        found = list(read(out))
        assert [tree.brackets for tree in found] == [
            make_continuous(tree).brackets for tree in trees
        ]
        _, stderr = crossbranch(*call, "-o", out, "--apply", "attach | split")
        assert "made continuous: " not in stderr


class TestTransforms:
    def test_transforms_are_applied(self, folder: Path, tmp_path: Path) -> None:
        call = ("parse", folder / "model", folder / "test.export", "--to", "json")
        plain, _ = crossbranch(*call)
        changed, _ = crossbranch(*call, "--apply", "attach | split")
        (tmp_path / "plain.json").write_text(plain)
        expected, _ = crossbranch(
            *("convert", tmp_path / "plain.json", "-", "--to", "json", "--apply", "attach | split")
        )
        assert changed == expected != plain

    def test_drawings_are_of_transformed_trees(self, folder: Path) -> None:
        call = ("parse", folder / "model", "Das ist gut.")
        for options in ((), ("--to", "svg")):
            plain, _ = crossbranch(*call, *options)
            changed, _ = crossbranch(*call, *options, "--apply", "labels(case=lower)")
            assert plain != changed
            assert plain.lower() == changed.lower() or options

    def test_trees_that_a_transform_does_not_fit(self, folder: Path) -> None:
        plain = ("parse", folder / "model", folder / "test.export", "--to", "json")
        headed = (*plain, "--apply", "binarize(order=head-outward)")
        assert len(crossbranch(*headed)[0].splitlines()) == 20
        call = (*headed, "--no-functions")  # so there are no heads
        _, stderr = crossbranch(*call, code=1)
        assert "sentence 1: " in stderr
        stdout, stderr = crossbranch(*call, "--on-error", "skip")
        assert stderr.count("skipped: sentence ") + len(stdout.splitlines()) == 20
        assert "skipped: sentence 1: " in stderr


class TestSearchOptions:
    def test_options_of_the_parser_are_set(self, folder: Path) -> None:
        call = ("parse", folder / "model", folder / "test.export", "--gold-tags")
        expected, _ = crossbranch(*call, "--beam", "2")
        assert crossbranch(*call, "--set", "beam=2")[0] == expected

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--set", "colour=red"), "colour"),
            (("--set", "beam=wide"), "beam"),
            (("--set", "beam"), "expected key=value"),
            (("--set", "beam=2", "--tags-only"), "remove --beam"),
        ],
    )
    def test_wrong_options_are_refused(
        self, folder: Path, options: tuple[str, ...], message: str
    ) -> None:
        _, stderr = crossbranch("parse", folder / "model", "Das ist gut.", *options, code=2)
        assert message in stderr


class TestHints:
    def test_halves_of_surrogate_pairs(self, folder: Path) -> None:
        stdout, _ = crossbranch("parse", folder / "model", "Das \udcff ist", "--to", "tokens")
        assert stdout == "Das \ufffd ist\n"
        tree = load(folder / "model").parse("Das \ud83d ist")
        assert tree.words == ["Das", "\ud83d", "ist"]
        assert "\\ud83d" in str(tree)

    def test_words_without_quotes(self, folder: Path) -> None:
        call = ("parse", folder / "model", "Das", "ist", "gut", "--to", "tokens")
        stdout, stderr = crossbranch(*call)
        assert stdout == "Das\nist\ngut\n"
        assert 'put quotes around it: "Das ist gut"' in stderr
        for texts in (("Das",), ("Das ist", "gut")):
            _, stderr = crossbranch("parse", folder / "model", *texts)
            assert not remarks(stderr)


def test_devices_get_no_notes(folder: Path) -> None:
    if not os.path.exists(os.devnull) or sys.platform == "win32":  # noqa: PTH110
        pytest.skip("no such device")
    crossbranch("parse", folder / "model", "Das ist gut.", "-o", "/dev/null", "--to", "json")
    assert not Path("/dev/null.progress").exists()
