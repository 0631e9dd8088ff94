"""The command line, as users run it: in a process of its own."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from commands import CROSSING, crossbranch


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "small.discbracket"
    path.write_text(CROSSING * 3)
    return path


@pytest.mark.parametrize(
    "command", ["", "convert", "stats", "sample", "prepare", "draw", "formats", "transforms"]
)
def test_help_reads_well(command: str) -> None:
    stdout, stderr = crossbranch(*command.split(), "--help")
    assert stdout.startswith("Usage: crossbranch")
    assert not stderr
    assert max(map(len, stdout.splitlines())) <= 120
    assert "\\b" not in stdout
    assert "..." not in stdout.partition("Commands:")[2]


def test_convert_between_all_formats(treebank: Path, tmp_path: Path) -> None:
    for format in ("export", "export3", "tigerxml", "discbracket", "alpino", "json", "conllu"):
        there = tmp_path / f"there.{format}"
        crossbranch("convert", treebank, there, "--to", format)
        stdout, _ = crossbranch("convert", there, "-", "--to", "discbracket")
        assert stdout.split("\t")[0].split("\n")[0] == CROSSING.rstrip("\n"), format


def test_convert_reads_standard_input_and_writes_compressed(tmp_path: Path) -> None:
    target = tmp_path / "out.export.xz"
    crossbranch("convert", "-", target, stdin=CROSSING.encode())
    stdout, _ = crossbranch("convert", target, "-", "--to", "tokens")
    assert stdout == "What should I do ?\n"


def test_losses_are_counted_and_strict_forbids_them(treebank: Path, tmp_path: Path) -> None:
    stdout, stderr = crossbranch("convert", treebank, "-", "--to", "tagged")
    assert stdout.startswith("What/WP should/MD")
    assert "dropped" in stderr
    assert "15 constituents" in stderr
    _, stderr = crossbranch("convert", treebank, "-", "--to", "tagged", "--strict", code=1)
    assert "cannot hold" in stderr


def test_trees_are_made_continuous_for_brackets(treebank: Path, tmp_path: Path) -> None:
    _, stderr = crossbranch("convert", treebank, tmp_path / "out.mrg")
    assert "made continuous: 3 constituents in 3 trees" in stderr
    tree = "( (SBARQ (WHNP (WP What)) (SQ (MD should) (NP (PRP I))) (VP (VB do))) (. ?))\n"
    assert (tmp_path / "out.mrg").read_text() == tree * 3
    _, stderr = crossbranch("convert", treebank, tmp_path / "strict.mrg", "--strict", code=1)
    assert "sentence 1: bracket cannot hold 1 discontinuous constituents" in stderr
    stdout, stderr = crossbranch("sample", "5", "--to", "bracket")
    assert len(stdout.splitlines()) == 5
    assert "made continuous" in stderr
    crossbranch("convert", treebank, tmp_path / "out.mrg", "--apply", "split")
    stdout, _ = crossbranch(
        "convert", tmp_path / "out.mrg", "-", "--to", "discbracket", "--undo", "split"
    )
    assert stdout.split("\n")[0].split("\t")[0] == CROSSING.rstrip("\n")


def test_a_bad_sentence_stops_or_is_skipped(tmp_path: Path) -> None:
    source = tmp_path / "bad.discbracket"
    source.write_text(CROSSING + "(ROOT (S 0=a\n" + CROSSING)
    target = tmp_path / "out.tok"
    _, stderr = crossbranch("convert", source, target, "--apply", "", code=1)
    assert "bad.discbracket:2" in stderr
    assert target.read_text() == "What should I do ?\n"  # nothing already written is lost
    _, stderr = crossbranch("convert", source, target, "--on-error", "skip")
    assert "skipped: " in stderr
    assert target.read_text() == "What should I do ?\n" * 2


def test_some_sentences_by_number(tmp_path: Path) -> None:
    source, target = tmp_path / "all.tok", tmp_path / "some.tok"
    source.write_text("".join(f"w{number}\n" for number in range(1, 10)))
    crossbranch("convert", source, target, "--number", "2-3", "-n", "7")
    assert target.read_text().split() == ["w2", "w3", "w7"]
    crossbranch("convert", source, target, "-n", "5-", "--limit", "2")
    assert target.read_text().split() == ["w5", "w6"]
    crossbranch("convert", source, target, "--limit", "1")
    assert target.read_text().split() == ["w1"]
    _, stderr = crossbranch("convert", source, target, "-n", "9-12", "-n", "20", code=2)
    assert "there is no sentence 20 (sentences in the input: 9)" in stderr
    assert target.read_text().split() == ["w1"]  # after an error, what was there stays
    _, stderr = crossbranch("convert", source, target, "-n", "x", code=2)
    assert "'x': expected a number or a range" in stderr
    stdout, _ = crossbranch("stats", source, "--number", "2-5", "--limit", "3", "--json", "-")
    assert json.loads(stdout)["all.tok"]["sentences"] == 3


@pytest.mark.parametrize(
    "call", ["convert MODEL out.export", "stats MODEL", "draw MODEL", "derive MODEL"]
)
def test_a_model_is_no_treebank(tmp_path: Path, call: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("manifest.json", "config.toml", "labels.json"):
        (folder / name).write_text("{}")
    archive = shutil.make_archive(str(folder), "zip", folder)
    for model in (str(folder), archive):
        arguments = call.replace("MODEL", model).split()
        _, stderr = crossbranch(*arguments, code=2, cwd=tmp_path)
        assert f"{model} is a model, not a treebank" in stderr


def test_wrong_calls_have_exit_code_2(treebank: Path, tmp_path: Path) -> None:
    crossbranch("convert", treebank, code=2)
    crossbranch("convert", tmp_path / "missing.export", "-", "--to", "export", code=2)
    crossbranch("convert", treebank, "-", code=2)
    crossbranch("convert", treebank, tmp_path / "x.unknown", code=2)
    crossbranch("convert", treebank, treebank, code=2)
    _, stderr = crossbranch("convert", treebank, tmp_path / "x.html", code=2)
    assert f"crossbranch draw {treebank} -o" in stderr
    crossbranch("convert", treebank, "-", "--to", "nonsense", code=2)
    crossbranch("convert", treebank, "-", "--to", "export", "--apply", "nonsense", code=2)
    crossbranch("convert", treebank, "-", "--to", "export", "--undo", "attach", code=2)
    crossbranch("prepare", "nonsense", treebank, tmp_path, code=2)
    crossbranch("sample", "3", "--grammar", "klingon", code=2)
    assert treebank.read_text() == CROSSING * 3


def test_stats_as_table_json_and_plot(treebank: Path, tmp_path: Path) -> None:
    stdout, _ = crossbranch(
        "stats", treebank, treebank, "--json", tmp_path / "s.json", "--plot", tmp_path / "s.png"
    )
    assert "sentences" in stdout
    figures = json.loads((tmp_path / "s.json").read_text())
    assert figures["small.discbracket"]["sentences"] == 3
    assert (tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")
    stdout, _ = crossbranch("stats", treebank, "--json", "-")
    assert json.loads(stdout)["small.discbracket"]["tokens"] == 15


def test_files_of_the_same_name_are_told_apart(treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / treebank.name
    other.write_text(CROSSING)
    figures = json.loads(crossbranch("stats", treebank, other, "--json", "-")[0])
    assert {name: one["sentences"] for name, one in figures.items()} == {
        str(treebank): 3,
        str(other): 1,
    }


def test_stats_as_csv(treebank: Path, tmp_path: Path) -> None:
    stdout, _ = crossbranch("stats", treebank, "--csv", "-", "--transitions", "--heads", "none")
    rows = list(csv.DictReader(io.StringIO(stdout)))
    assert {row["treebank"] for row in rows} == {"small.discbracket"}
    values = {row["figure"]: row["value"] for row in rows}
    assert values["tokens"] == "15"
    assert values["labels.VP"] == "3"
    assert values["with_punctuation.discontinuous_sentences"] == "3"
    assert int(values["transitions.swap-lazier.longest"]) > 5
    _, stderr = crossbranch("stats", treebank, "--csv", "-", "--json", "-", code=2)
    assert "only one of --json and --csv" in stderr


def test_stats_leaves_out_what_a_transform_does_not_fit(tmp_path: Path) -> None:
    source = tmp_path / "some.discbracket"
    source.write_text("(ROOT (S 0=a 1=b 2=c))\n(ROOT (S 0=a 1=b))\n")
    call = ("stats", source, "--apply", "binarize(head-outward)", "--json", "-")
    _, stderr = crossbranch(*call, code=1)
    assert "sentence 1" in stderr
    stdout, stderr = crossbranch(*call, "--on-error", "skip")
    assert "skipped: sentence 1" in stderr
    assert json.loads(stdout)["some.discbracket"]["sentences"] == 1


def test_sampled_trees_go_through_transforms() -> None:
    call = ("sample", "3", "--grammar", "german", "--to", "discbracket")
    assert crossbranch(*call)[0] != crossbranch(*call, "--apply", "attach | raise")[0]
    crossbranch(*call, "--apply", "nonsense", code=2)


def test_samples_can_be_drawn(tmp_path: Path) -> None:
    crossbranch("sample", "2", "-o", "s.html", cwd=tmp_path)
    assert "2 trees: german" in (tmp_path / "s.html").read_text()
    crossbranch("sample", "1", "-o", "s.svg", cwd=tmp_path)
    assert (tmp_path / "s.svg").read_text().startswith("<svg")
    stdout, _ = crossbranch("sample", "2", "--to", "drawn")
    assert stdout.count("ROOT") == 2
    crossbranch("sample", "2", "-o", "s.txt", cwd=tmp_path)
    assert len((tmp_path / "s.txt").read_text().splitlines()) == 2
    _, stderr = crossbranch("sample", "2", "-o", "s.svg", cwd=tmp_path, code=2)
    assert "-o pictures/" in stderr


def test_sample_is_reproducible(tmp_path: Path) -> None:
    one, _ = crossbranch("sample", "5", "--grammar", "dutch", "--seed", "7")
    two, _ = crossbranch("sample", "5", "--grammar", "dutch", "--seed", "7")
    other, _ = crossbranch("sample", "5", "--grammar", "dutch", "--seed", "8")
    assert one == two != other
    crossbranch("sample", "4", "--grammar", "random", "-o", tmp_path / "random.discbracket")
    assert len((tmp_path / "random.discbracket").read_text().splitlines()) == 4


def test_draw(treebank: Path) -> None:
    stdout, _ = crossbranch("draw", treebank, "--number", "2")
    assert "SBARQ" in stdout
    assert stdout.count("What") == 1
    assert crossbranch("draw", treebank, "-n", "2-3")[0].count("What") == 2
    stdout, _ = crossbranch("draw", treebank, "--ascii", "--limit", "1")
    assert stdout.isascii()


def test_lists(treebank: Path) -> None:
    stdout, _ = crossbranch("formats")
    assert "tigerxml" in stdout
    stdout, _ = crossbranch("transforms")
    assert "binarize" in stdout


@pytest.mark.parametrize(
    ("command", "column"),
    [
        ("formats", "format"),
        ("transforms", "transform"),
        ("presets", "preset"),
        ("models", "name"),
        ("labels craft", "label"),
        ("derive small.discbracket --heads none", "sentence"),
    ],
)
def test_tables_are_whole_in_pipes_and_for_programs(
    treebank: Path, command: str, column: str
) -> None:
    def rows(*more: str) -> str:
        return crossbranch(*command.split(), *more, cwd=treebank.parent)[0]

    records = list(csv.DictReader(io.StringIO(rows("--csv"))))
    found = json.loads(rows("--json"))
    listed = found["labels"] if isinstance(found, dict) else found
    assert [row[column] for row in records] == [row[column] for row in listed]
    text = rows()
    assert "…" not in text
    assert all(row[column] in text for row in records)


def test_the_settings_of_a_preset_for_programs() -> None:
    (one,) = json.loads(crossbranch("presets", "sr-gap", "--json")[0])
    (row,) = csv.DictReader(io.StringIO(crossbranch("presets", "sr-gap", "--csv")[0]))
    assert row["settings.system"] == one["settings"]["system"] == "gap"
    assert int(row["settings.beam"]) == one["settings"]["beam"]


def test_prepare_shows_what_it_made(tmp_path: Path) -> None:
    crossbranch("sample", "30", "-o", tmp_path / "tiger.export")
    call = ("prepare", "tiger-hn08", tmp_path / "tiger.export", tmp_path / "out")
    stdout, _ = crossbranch(*call)
    assert "train" in stdout
    parts = json.loads(crossbranch(*call[:3], tmp_path / "again", "--json")[0])
    assert [one["part"] for one in parts] == ["train", "dev", "test"]
    assert sum(one["sentences"] for one in parts) == 30
    assert "24" in stdout
    assert (tmp_path / "out" / "manifest.json").exists()


def test_binary_rubbish_is_bad_input(tmp_path: Path) -> None:
    source = tmp_path / "rubbish"
    source.write_bytes(bytes(range(256)) * 50)
    _, stderr = crossbranch("convert", source, "-", "--to", "export", code=1)
    assert "rubbish" in stderr
    assert "expected" in stderr


def test_the_version_is_shown() -> None:
    stdout, _ = crossbranch("--version")
    assert stdout.startswith("crossbranch ")


def test_targets_that_cannot_be_written_are_wrong_calls(treebank: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "x"
    for arguments in (
        ("stats", treebank, "--json", nowhere),
        ("stats", treebank, "--plot", f"{nowhere}.png"),
        ("convert", treebank, nowhere, "--to", "export"),
        ("prepare", "tiger-hn08", treebank, treebank),
        ("evaluate", treebank, treebank, "--json", nowhere),
        ("evaluate", treebank, treebank, "--csv", tmp_path),
        ("evaluate", treebank, treebank, "--phenomena", nowhere),
    ):
        _, stderr = crossbranch(*arguments, code=2)
        assert stderr.startswith("crossbranch: error: ")


def test_what_is_left_out_is_counted(treebank: Path, tmp_path: Path) -> None:
    apply = ["--apply", "binarize(head-outward)", "--on-error", "skip"]
    source = tmp_path / "flat.discbracket"
    source.write_text("(ROOT (S 0=a 1=b 2=c))\n" * 2)
    stdout, stderr = crossbranch("convert", source, "-", "--to", "tokens", *apply)
    assert not stdout
    assert "2 bad sentences were skipped" in stderr
    assert stderr.count("sentence 1") == 1


def test_a_bare_root_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "bare.discbracket"
    source.write_text("(S (NP 0=it) (VP 1=rains))\n")
    _, stderr = crossbranch("convert", source, tmp_path / "x.export")
    assert "1 bare roots" in stderr
    crossbranch("convert", source, tmp_path / "x.export", "--strict", code=1)
    crossbranch("convert", source, tmp_path / "x.jsonl", "--strict")


def test_node_numbers_survive_a_transform_and_its_undoing(tmp_path: Path) -> None:
    source = tmp_path / "a.export"
    source.write_text(
        "#FORMAT 4\n#BOS 1\na\t--\tX\t--\t--\t502\nb\t--\tX\t--\t--\t502\nc\t--\tX\t--\t--\t502\n"
        "#502\t--\tS\t--\t--\t0\n#EOS 1\n"
    )
    there, back = tmp_path / "b.export", tmp_path / "c.export"
    crossbranch("convert", source, there, "--apply", "binarize(left)")
    crossbranch("convert", there, back, "--undo", "binarize(left)")
    assert back.read_text() == source.read_text()


def test_the_same_file_is_not_read_and_written(treebank: Path) -> None:
    crossbranch("convert", treebank, treebank, code=2)
    assert treebank.read_text() == CROSSING * 3
