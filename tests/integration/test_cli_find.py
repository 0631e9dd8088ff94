"""crossbranch find: lines, tables, counts, drawings, pages, treebanks and translations."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from commands import CROSSING, MAIN, crossbranch

from crossbranch import sample, write
from crossbranch.cli import crossbranch as command
from crossbranch.cli import find as find_command
from crossbranch.treebank import read


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def question(tmp_path: Path) -> Path:
    path = tmp_path / "question.discbracket"
    path.write_text(CROSSING * 2, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("find") / "german.export"
    write(sample(80, grammar="german", seed=1), path)
    return path


def run(*arguments: str | Path, code: int = 0) -> Result:
    found = CliRunner().invoke(command, ["find", *map(str, arguments)])
    assert found.exit_code == code, found.output
    return found


def test_a_process_of_its_own(question: Path) -> None:
    found, told = crossbranch("find", "VP gap-contains NP", question)
    assert found == (
        "1  [VP What] should [NP I] […VP do] ?\n2  [VP What] should [NP I] […VP do] ?\n"
    )
    assert told == "crossbranch: 2 matches in 2 of 2 sentences\n"
    _, told = crossbranch("find", "VP > >", question, code=2)
    assert told.startswith("crossbranch: error: query: found '>' at character 6, expected a node")
    assert told.endswith("\n  VP > >\n       ^\n")
    found, _ = crossbranch("find", "VP", "-", stdin=CROSSING.encode())
    assert found == "1  [VP What] should I […VP do] ?\n"


def test_several_files_have_names(question: Path, german: Path) -> None:
    lines = run("VP", question, german, "--limit", "3").stdout.splitlines()
    assert lines[1] == "question.discbracket:2  [VP What] should I […VP do] ?"
    assert lines[2].startswith("german.export:")


def test_nested_and_equal_blocks() -> None:
    found, _ = crossbranch(
        "find", "SBARQ > VP > WHNP > WP", "-", "--from", "discbracket", stdin=CROSSING.encode()
    )
    assert found == "1  [SBARQ [VP [WHNP [WP What]]] should I […VP do]] ?\n"


def test_json(question: Path) -> None:
    line = run("VP > #v:VB", question, "--json", "--limit", "1").stdout.splitlines()[0]
    record = json.loads(line)
    assert (record["sentence"], record["text"]) == ("1", "What should I do ?")
    vp, verb = record["nodes"]
    assert (vp["label"], vp["text"], vp["fan_out"]) == ("VP", "What … do", 2)
    assert [record["text"][a:b] for a, b in vp["offsets"]] == ["What", "do"]
    assert (verb["variable"], verb["kind"], verb["text"]) == ("v", "word", "do")


def test_json_of_raw_text(tmp_path: Path) -> None:
    tree = next(read(io.StringIO(CROSSING), format="discbracket"))
    places = [(100, 104), (105, 111), (112, 113), (114, 116), (116, 117)]
    sentence = [t._replace(start=a, end=b) for t, (a, b) in zip(tree.sentence, places, strict=True)]
    write([tree.replace(sentence=sentence, text="What should I do?")], tmp_path / "a.json")
    record = json.loads(run("SQ or '.'", tmp_path / "a.json", "--json").stdout.splitlines()[0])
    assert (record["text"], record["start"]) == ("What should I do?", 100)
    assert record["nodes"][0]["offsets"] == [[16, 17]]


def test_csv(question: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("VP or #n:NP", question, "--csv").stdout)))
    assert [row["1.text"] for row in rows] == ["", "What … do"] * 2
    assert [row["n.text"] for row in rows] == ["I", ""] * 2
    assert [row["sentence"] for row in rows] == ["1", "1", "2", "2"]


def test_counts(question: Path, german: Path) -> None:
    assert run("VP > []", question, "--count").stdout.split() == [
        *("file", "matches", "sentences", str(question), "4", "2")
    ]
    records = json.loads(run("VP", question, german, "--count", "--json").stdout)
    assert records[0] == {"file": str(question), "matches": 2, "sentences": 2}
    assert run("VP", question, german, "--count").stdout.splitlines()[-1].startswith("total")


def test_counts_by_attributes(german: Path) -> None:
    rows = json.loads(
        run("[discontinuous]", german, "--count-by", "label, function", "--json").stdout
    )
    assert [*rows[0]] == ["label", "function", "count", "percent"]
    assert rows[0]["count"] >= rows[1]["count"]
    total = run("[discontinuous]", german, "--count", "--csv").stdout.splitlines()[1].split(",")[1]
    assert sum(row["count"] for row in rows) == int(total)
    table = run("#v:VP > #n:NP", german, "--count-by", "#n.fan-out,#v.word,file,#n.@x").stdout
    assert table.split()[:6] == ["#n.fan-out", "#v.word", "file", "#n.@x", "count", "percent"]
    for wrong, expected in (("#x.label", "#v, #n"), ("colour", "fan-out"), ("label,", "fan-out")):
        told = run("#v:VP > #n:NP", german, "--count-by", wrong, code=1)
        assert expected in str(told.exception)
    assert run("not VP", german, "--count-by", "label").stdout.split()[3] == "–"


def test_drawings_mark_the_match(question: Path, tmp_path: Path) -> None:
    drawn = run("VP > VB", question, "-n", "1", "--to", "drawn").stdout
    assert "*VP" in drawn
    assert "*do" in drawn
    assert "*NP" not in drawn
    run("VP > VB", question, "-n", "1", "-o", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text().count('<rect class="marked"') == 2
    run("VP > VB", question, "-o", tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page.count("<mark>What</mark> should I <mark>do</mark> ?") == 2
    assert '<h1 dir="auto">VP &gt; VB</h1>' in page
    run("VP > VB", question, "-o", tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    run("VP > VB", question, "-o", f"{tmp_path / 'pictures'}/", "--to", "tikz")
    assert (tmp_path / "pictures" / "1.tex").read_text().count("tree marked") >= 2


def test_trees_with_matches_are_written(german: Path, tmp_path: Path) -> None:
    run("NP[discontinuous]", german, "-o", tmp_path / "found.export")
    found = list(read(tmp_path / "found.export"))
    assert 0 < len(found) < 80
    assert all(any(n.is_discontinuous and n.label == "NP" for n in t.nodes) for t in found)


def test_options_that_exclude_each_other(question: Path) -> None:
    for options in (
        ["--count", "--count-by", "label"],
        ["--count", "--to", "drawn"],
        ["--csv", "-o", "a.html"],
    ):
        told = run("VP", question, *options, code=1)
        assert "exclude each other" in str(told.exception)
    assert "no FILE" in str(run("VP", code=1).exception)
    assert "no sentence 9" in str(run("VP", question, "-n", "9", code=1).exception)


def test_bad_sentences_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "bad.discbracket"
    path.write_text(CROSSING + "(ROOT (NP 0=a)\n" + CROSSING, encoding="utf-8")
    run("VP", path, code=1)
    found = run("VP", path, "--on-error", "skip")
    assert found.stdout.count("[VP") == 2
    assert "1 bad sentence was skipped" in found.stderr


def test_transforms_come_first(question: Path) -> None:
    assert run("[discontinuous]", question, "--apply", "raise").stdout == ""
    assert run("[discontinuous]", question, "--limit", "1").stderr.endswith("after 1 match\n")


def test_translations(question: Path) -> None:
    found = run("VP < VB", "--translate", "tregex")
    assert found.stdout == "VP[> VB]\n"
    found = run("VP << do", question, "--translate", "tregex", "--limit", "1")
    assert found.stdout == "1  [VP What] should I […VP do] ?\n"
    assert "note: do is read as a word" in found.stderr
    assert 'query: VP[>> "do"]' in found.stderr


def test_an_index_gives_the_same_output(german: Path, cache: Path) -> None:
    for query in ('NP > "die"', "VP[discontinuous] gap-contains #x:[token]", "not VP", "[]"):
        for options in ([], ["--json"], ["-n", "10-40"], ["--count-by", "label,text"]):
            with_index = run(query, german, "--index", *options)
            without = run(query, german, "--no-index", *options)
            assert with_index.stdout == without.stdout
            assert with_index.stderr.splitlines()[-1] == without.stderr.splitlines()[-1]
    assert len(list((cache / "crossbranch" / "find").iterdir())) == 1


def test_large_files_get_an_index(
    german: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("VP", german)
    assert not cache.exists()
    monkeypatch.setattr(find_command, "_SMALL", 1000)
    assert "making an index" in run("VP", german).stderr
    assert "making an index" not in run("VP", german).stderr
    for path in (cache / "crossbranch" / "find").iterdir():
        path.write_bytes(path.read_bytes()[:-100])
    assert "making an index" in run("VP", german).stderr
    assert "an index" in str(run("VP", german, "--index", "--apply", "raise", code=1).exception)
    assert "standard input" in str(run("VP", "-", "--index", code=1).exception)


def test_two_processes_may_make_the_same_index(german: Path, cache: Path) -> None:
    arguments = [sys.executable, "-c", MAIN, "find", "VP > NP", str(german), "--index", "--count"]
    both = [subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = {process.communicate()[0] for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert len(outputs) == 1
    for path in (cache / "crossbranch" / "find").iterdir():
        assert path.suffix == ".sqlite"
        assert sqlite3.connect(path).execute("pragma integrity_check").fetchone() == ("ok",)
